"""Our engine: hosts a match between two bots or programs by the customs of a protocol.

Whatever a player does, the match is played to its end: faults cost the hand, and timeouts or lost
connections the rest of the match, as in the contests.
"""

import re
import socket
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path

from counterfold.bots.hand import Hand
from counterfold.bots.interface import Bot, MatchInfo
from counterfold.bots.shuffled_deck import ShuffledDeck, shuffle
from counterfold.contest.engine_seats import BotSeat, EngineSeat, Limits, Pace, ProgramSeat
from counterfold.contest.programs import Program, RunningProgram
from counterfold.contest.wire.base import WireProtocol
from counterfold.errors import GameError, PeerError
from counterfold.games.holdem import Variant

Hosted = Bot | Program | socket.socket  # a socket listens for a program that others start
OnHand = Callable[[Hand], None]

_NAME = re.compile(r"[\w.+-]{1,64}", re.ASCII)  # names that no protocol can misread


@dataclass(frozen=True)
class EngineResult:
    """The result of a match that we hosted; by player."""

    names: tuple[str, str]
    chips: tuple[int, int]
    n_hands: int
    n_faults: tuple[int, int]
    seconds_left: tuple[float, float]
    log: list[str] = field(repr=False)
    winnings: tuple[int, ...] = field(repr=False)  # of the first player, hand by hand
    n_answers: tuple[int, int]  # legal and in time
    paces: tuple[Pace, Pace]
    forfeits: tuple[str, str]  # why a player was no longer asked; empty if it always was
    output: tuple[bytes, bytes] = field(default=(b"", b""), repr=False)  # of programs


def host_match(
    pair: tuple[Hosted, Hosted],
    protocol: WireProtocol,
    *,
    names: tuple[str, str] = ("A", "B"),
    variant: Variant | None = None,
    n_hands: int = 1000,
    seed: int = 0,
    deals: Iterable[ShuffledDeck] | None = None,
    limits: Limits | tuple[Limits, Limits] | None = None,
    on_hand: OnHand = lambda hand: None,
    absence_forfeits: bool = True,
) -> EngineResult:
    """Start the programs of `pair`, play a match, and stop them.

    Parameters
    ----------
    deals
        One for each hand; by default shuffled by `seed`.
    limits
        For both, or for each; by default those of the contest.
    on_hand
        Called after each hand.
    absence_forfeits
        Whether a program that cannot be started, or does not connect in time, forfeits the match;
        otherwise it raises `PeerError`.
    """
    limits = limits or Limits(game_seconds=protocol.game_seconds)
    both = limits if isinstance(limits, tuple) else (limits, limits)
    variant = variant or protocol.variant()
    _check(names, protocol, variant)
    if deals is None:
        deals = (shuffle(variant, seed, number) for number in range(n_hands))
    with ExitStack() as stack:
        seats: list[EngineSeat] = []
        running: list[RunningProgram | None] = []
        for name, hosted, allowed in zip(names, pair, both, strict=True):
            if isinstance(hosted, Bot):
                seats.append(BotSeat(name, hosted, allowed))
                running.append(None)
                continue
            program = stack.enter_context(RunningProgram(hosted, name, allowed, protocol.line_end))
            if program.problem and not absence_forfeits:
                raise PeerError(program.explain())
            running.append(program)
            seats.append(ProgramSeat(name, program.connection, protocol.engine_session(), allowed))
        result = play_seats((seats[0], seats[1]), protocol, variant, deals, n_hands, on_hand)
    for each in running:
        if each is not None and each.problem:
            result.log.insert(1, f"{each.name} failed to start: {each.problem}")
    first, second = (bytes(each.output) if each else b"" for each in running)
    return replace(result, output=(first, second))


def play_seats(
    players: tuple[EngineSeat, EngineSeat],
    protocol: WireProtocol,
    variant: Variant,
    deals: Iterable[ShuffledDeck],
    n_hands: int | None = None,
    on_hand: OnHand = lambda hand: None,
) -> EngineResult:
    """Play one hand for each of `deals`, the dealer changing every hand. `n_hands` is the number of
    hands that players are told.
    """
    first, second = players
    names = first.name, second.name
    _check(names, protocol, variant)
    for player, other in ((first, second), (second, first)):
        seconds = player.limits.game_seconds
        player.begin_match(MatchInfo(variant, (player.name, other.name), n_hands, seconds))
    banks = [0, 0]
    winnings = []
    log = protocol.log.begin(names, variant)
    try:
        for number, deal in enumerate(deals):
            dealer = (protocol.first_dealer + number) % 2
            order = dealer, 1 - dealer  # which player has each seat of the hand
            hand = Hand(
                variant,
                deal,
                number,
                (names[order[0]], names[order[1]]),
                (banks[order[0]], banks[order[1]]),
                protocol.checks_when_all_in,
            )
            play_hand(hand, (players[order[0]], players[order[1]]))
            for seat, player_number in enumerate(order):
                banks[player_number] += hand.chips[seat]
            log += protocol.log.hand(hand)
            winnings.append(hand.chips[order.index(0)])
            on_hand(hand)
    except BaseException:
        for player in players:
            player.dismiss("the match was broken off")  # wait for nobody
        raise
    finally:
        for player in players:
            player.end_match()
            player.report_faults()
    chips = banks[0], banks[1]
    log += protocol.log.end(names, chips, len(winnings))
    return EngineResult(
        names,
        chips,
        len(winnings),
        (first.n_faults, second.n_faults),
        (first.seconds_left, second.seconds_left),
        log,
        tuple(winnings),
        (first.n_answers, second.n_answers),
        (first.pace, second.pace),
        (first.forfeit, second.forfeit),
    )


def play_hand(hand: Hand, players: tuple[EngineSeat, EngineSeat]) -> None:
    """Play `hand` to its end; `players` are by seat."""
    for seat, player in enumerate(players):
        player.begin_hand(hand, seat)
    while (actor := hand.waits_for) is not None:
        for seat, player in enumerate(players):
            player.watch(hand, seat)
        hand.act(players[actor].act(hand, actor))
    for seat, player in enumerate(players):
        player.end_hand(hand, seat)


def write_logs(result: EngineResult, folder: Path) -> None:
    """Write `gamelog.txt`, and the output of each program beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "gamelog.txt").write_text("\n".join(result.log), encoding="utf-8")
    for name, output in zip(result.names, result.output, strict=True):
        if output:
            (folder / f"{name}.txt").write_bytes(output)


def _check(names: tuple[str, str], protocol: WireProtocol, variant: Variant) -> None:
    if names[0] == names[1] or not all(_NAME.fullmatch(name) for name in names):
        raise GameError(f"names of players must be two different words, not {names!r}")
    protocol.check_variant(variant)
