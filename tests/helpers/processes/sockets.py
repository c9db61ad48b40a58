"""Matches over real sockets, with threads for the other side."""

import socket
import threading
from contextlib import contextmanager
from dataclasses import replace

from counterfold.contest import Limits, host_match, join_match

# What is waited for comes, however busy the machine is.
PATIENT = Limits(
    game_seconds=120.0,
    action_seconds=60.0,
    connect_seconds=60.0,
    build_seconds=60.0,
    quit_seconds=60.0,
)

# For those who never answer.
HASTY = replace(PATIENT, action_seconds=0.2, quit_seconds=0.2)


@contextmanager
def other_side(work, *arguments):
    """Run `work` in a thread; what it returns or raises is in the list that is given."""
    outcome = []

    def run():
        try:
            outcome.append(work(*arguments))
        except Exception as error:
            outcome.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    yield outcome
    thread.join(60.0)
    assert not thread.is_alive(), "the other side hangs"


def stall(raw):
    """Say nothing until the other side hangs up."""
    raw.settimeout(60.0)
    while raw.recv(65536):
        pass


def listening():
    return socket.create_server(("127.0.0.1", 0))


def port_of(server):
    return server.getsockname()[1]


def host_stranger(bot, protocol, work, *, limits=PATIENT, **options):
    """Host a match of `bot` against `work(port)`; the result of both sides."""
    with listening() as server, other_side(work, port_of(server)) as outcome:
        result = host_match((bot, server), protocol, limits=limits, **options)
    return result, outcome[0]


def host_client(bot, client, protocol, *, limits=PATIENT, variant=None, **options):
    """Host a match of `bot` against our own client with the bot `client`."""

    def join(port):
        return join_match(
            client, protocol, port, host="127.0.0.1", variant=variant, silence_seconds=60.0
        )

    return host_stranger(bot, protocol, join, limits=limits, variant=variant, **options)
