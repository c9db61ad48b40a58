"""A match between any two entrants: in kernels if both have policies, else by an engine."""

from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path

from counterfold.contest.engine_seats import Limits
from counterfold.contest.wire import find_protocol
from counterfold.contest.wire.base import WireProtocol
from counterfold.errors import MatchError
from counterfold.games import Game
from counterfold.games.holdem import Variant
from counterfold.matches.entrants import Entrant, EntrantLike, enter
from counterfold.matches.hand_histories import writing_histories
from counterfold.matches.hosted_match import IN_PROCESS, play_hosted
from counterfold.matches.match_result import MatchResult
from counterfold.matches.policy_match import play_policies

POLICY_HANDS = 100_000
HOSTED_HANDS = 2_000  # an engine plays a few hundred hands per second


_LEAST_UNITS = 2  # hands or duplicate deals whose spread gives an interval


def play_match(
    first: EntrantLike,
    second: EntrantLike,
    *,
    hands: int | None = None,
    variant: Game | str | None = None,
    seed: int = 0,
    duplicate: bool = True,
    adjust: bool = True,
    aivat: bool = False,
    threads: int | None = None,
    protocol: str | None = None,
    clock_seconds: float | None = None,
    action_seconds: float = 10.0,
    progress: Callable[[int, int], None] | None = None,
    histories: Path | str | None = None,
) -> MatchResult:
    """Play a match and report what `first` wins per hand, with a 95% interval.

    Parameters
    ----------
    first, second
        The folder of a trained run or of a program, the name of a baseline, a run or a bot that was
        loaded, such a bot `with_search`, or a bot of your own: its class, or a function that makes
        one.
    hands
        Total number; by default 100,000, or 2,000 if an engine must ask the bots one by one, as it
        must for programs, for your own bots and for search.
    variant
        The variant to play; by default the one the runs were trained for.
    duplicate
        Play every deal in both seats, so that luck with the cards cancels.
    adjust
        Count all-in hands at their expected value; only if both sides are runs or baselines.
    aivat
        Also report what was won less the luck of the cards and of decisions by trained runs, which
        has the same mean and a far smaller interval.
    protocol, clock_seconds, action_seconds
        The protocol of programs, by default the one that an exported bot speaks or that suits the
        variant; how long they may think per 1000 hands, by default as in its contest; and how long
        about one action.
    progress
        Called with how many deals are done, and of how many.
    histories
        A new file for all hands.
    """
    least = 2 * _LEAST_UNITS if duplicate else _LEAST_UNITS
    if hands is not None and hands < least:
        raise MatchError(
            f"a match of {hands} hands has no interval; play {least} at least"
            + " (a duplicate deal counts as two hands)" * duplicate
        )
    game, (one, two) = enter([first, second], variant)
    if protocol is not None:
        find_protocol(game, protocol)  # a wrong protocol is refused, even if no program uses it
    with nullcontext() if histories is None else writing_histories(Path(histories)) as write:
        if one.policy is None or two.policy is None:
            spoken = (
                _choose_protocol(game, protocol, one, two) if _has_program(one, two) else IN_PROCESS
            )
            if clock_seconds is None:
                clock_seconds = spoken.game_seconds
            return play_hosted(
                game,
                (one, two),
                HOSTED_HANDS if hands is None else hands,
                spoken,
                seed=seed,
                duplicate=duplicate,
                aivat=aivat,
                limits=Limits(game_seconds=clock_seconds, action_seconds=action_seconds),
                progress=progress,
                histories=write,
            )
        return play_policies(
            game,
            (one, two),
            POLICY_HANDS if hands is None else hands,
            seed=seed,
            duplicate=duplicate,
            adjust=adjust,
            aivat=aivat,
            threads=threads,
            progress=progress,
            histories=write,
        )


def _choose_protocol(
    variant: Variant, name: str | None, one: Entrant, two: Entrant
) -> WireProtocol:
    """The protocol `name`, or else the one that exported bots speak, or that suits the variant."""
    spoken = {each.protocol for each in (one, two) if each.protocol is not None}
    if name is None and len(spoken) > 1:
        raise MatchError(
            f"{one.name} was exported for {one.protocol} and {two.name} for {two.protocol}, but a "
            "match has one protocol; export both for the same contest"
        )
    return find_protocol(variant, name or next(iter(spoken), None))


def _has_program(*entrants: Entrant) -> bool:
    return any(entrant.is_program for entrant in entrants)
