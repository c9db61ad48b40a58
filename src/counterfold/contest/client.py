"""Our bots in matches that another program hosts."""

from dataclasses import dataclass

from counterfold.bots.hand import Hand
from counterfold.bots.interface import Bot
from counterfold.bots.shuffled_deck import shuffle
from counterfold.contest.connection import LineTooLongError, SilenceError, connect
from counterfold.contest.wire.base import WireProtocol
from counterfold.errors import PeerError
from counterfold.games.holdem import Variant
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.action_words import CALL, RAISE


@dataclass(frozen=True)
class ClientResult:
    """The result of a match that another program hosted."""

    n_hands: int  # that ended
    chips: int  # won in them
    n_faults: int  # messages that we could not follow, and answers that came back changed
    n_refused: int  # of those, the latter
    n_bot_faults: int  # answers that the bot failed to give
    last_fault: str


def join_match(
    bot: Bot,
    protocol: WireProtocol,
    port: int,
    *,
    host: str = "localhost",
    variant: Variant | None = None,
    n_hands: int | None = None,
    connect_seconds: float = 10.0,
    silence_seconds: float = 700.0,
) -> ClientResult:
    """Play a match against the opponent that the engine at `host` and `port` pairs us with.

    Parameters
    ----------
    variant
        The variant to play; by default that of the protocol's contest.
    n_hands
        What the bot assumes if the protocol does not say it.
    silence_seconds
        How long the engine may be silent while it waits for the opponent.

    Raises
    ------
    PeerError
        The engine cannot be reached, is silent for too long, or disconnects during a hand.
    ProtocolError
        The engine has written too many invalid messages.
    """
    variant = variant or protocol.variant()
    protocol.check_variant(variant)
    _warm_up(variant)
    with connect(host, port, connect_seconds, protocol.line_end) as connection:
        session = protocol.client_session(bot, variant, n_hands, connection.peer)
        for line in session.greeting:
            connection.write(line, silence_seconds)
        while not session.over:
            try:
                answers = session.receive(connection.read(silence_seconds))
            except LineTooLongError as error:
                answers = session.forgive(error)
            except SilenceError:
                raise
            except PeerError:
                if session.ends_with_connection and session.n_hands_ended:
                    break
                raise
            for answer in answers:
                connection.write(answer, silence_seconds)
    return ClientResult(
        session.n_hands_ended,
        session.chips,
        session.n_faults,
        session.n_refused,
        session.n_bot_faults,
        session.last_fault,
    )


def _warm_up(variant: Variant) -> None:
    """Play a hand against ourselves, so that no kernel is compiled or loaded on the game clock."""
    hand = Hand(variant, shuffle(variant, 0, 0))
    while (seat := hand.waits_for) is not None:
        view = hand.view(seat)
        bounds = view.raise_bounds()
        if view.to_call and view.phase == betting.BET:
            hand.act(CALL)
        else:
            hand.act(f"{RAISE}{bounds[0]}" if bounds else view.passive_action)
    hand.view(0).winnings(hand.holes[1])
