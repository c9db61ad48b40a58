"""Matches that an engine hosts as in a contest, so that programs can play.

A program remembers what it has seen during a match. So a duplicate match is two matches with the
same deals and the seats swapped, and everyone starts afresh in the second. Cards and choices are
those of kernel matches with the same seed: without programs, every hand ends the same way.
"""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from counterfold.bots import policy_kernels
from counterfold.bots.baselines import AlwaysCall
from counterfold.bots.dealt_hands import deal_hands
from counterfold.bots.hand import Hand
from counterfold.bots.interface import Bot
from counterfold.bots.strategy_bot import StrategyBot
from counterfold.contest import engine
from counterfold.contest.engine_seats import Limits, last_line
from counterfold.contest.programs import COMMANDS_FILE, Program
from counterfold.contest.wire.base import LogFormat, WireProtocol
from counterfold.contest.wire.mit_years import MIT_PLAIN
from counterfold.errors import MatchError, PeerError
from counterfold.games.holdem import Variant
from counterfold.intervals import mean_and_interval
from counterfold.matches.aivat.hosted_luck import HostedLuck, Traces
from counterfold.matches.entrants import Entrant
from counterfold.matches.hand_histories import HandHistory
from counterfold.matches.match_result import EntrantResult, MatchResult
from counterfold.search.search_bot import SEARCHED, SearchBot

CLOCK_HANDS = 1000  # hands that the game clock of a contest covers

_WARM_UP = 4  # hands
_UNLIMITED = Limits(*[1e8] * 5)  # for bots in this process: clocks are only for programs

# Without programs nothing is sent or logged, and every variant can be played.
IN_PROCESS = replace(
    MIT_PLAIN,
    name="in-process",
    log=LogFormat(lambda names, variant: [], lambda hand: [], lambda names, chips, n_hands: []),
    checks_when_all_in=False,
    check_variant=lambda variant: None,
)


def play_hosted(
    variant: Variant,
    entrants: tuple[Entrant, Entrant],
    hands: int,
    protocol: WireProtocol,
    *,
    seed: int = 0,
    duplicate: bool = True,
    aivat: bool = False,
    limits: Limits | None = None,
    progress: Callable[[int, int], None] | None = None,
    histories: Callable[[list[HandHistory]], None] | None = None,
) -> MatchResult:
    """Play `hands` hands; a duplicate match plays half as many deals, each in both seats.

    Parameters
    ----------
    aivat
        Compute what was won less luck, too.
    limits
        For programs; the game clock covers up to 1000 hands, and is longer for longer matches.
    histories
        Called with each hand when it is over, as it was played.

    Raises
    ------
    MatchError
        A program cannot be started. Whatever it does after that, the match is played to the end.
    """
    if hands < 2:
        raise MatchError(f"a match must have at least two hands, not {hands}")
    n_matches = 2 if duplicate else 1
    n_deals = hands // n_matches
    started = perf_counter()
    limits = limits or Limits(game_seconds=protocol.game_seconds)
    host = _Host(variant, entrants, protocol, n_deals, seed, limits)
    host.warm_up()
    luck = HostedLuck(variant, entrants, seed) if aivat else None
    n_played = 0

    def on_hand(hand: Hand) -> None:
        nonlocal n_played
        n_played += 1
        if histories is not None:
            deal = 1 + (n_played - 1) % n_deals
            state, chips = hand.state.notation, hand.chips
            histories([HandHistory(n_played, deal, variant.name, hand.names, state, chips)])
        if luck is not None:
            luck.add(hand, hand.names[1] == host.names[0], host.traces())
        if progress is not None:
            progress(n_played // n_matches, n_deals)

    won = np.zeros(n_deals)
    for number in range(n_matches):
        if luck is not None:
            luck.begin_match()
        won += host.play(number, on_hand)
    chips = won / n_matches
    mean, interval = mean_and_interval(chips)
    return MatchResult(
        variant=variant.name,
        seed=seed,
        hands=n_deals * n_matches,
        duplicate=duplicate,
        chips=mean,
        chips_interval=interval,
        plain_chips=mean,
        plain_interval=interval,
        adjusted=0,
        big_blind=variant.big_blind,
        sides=(host.sides[0], host.sides[1]),
        decision_seconds=sum((s.mean_seconds or 0.0) * s.decisions for s in host.sides),
        seconds=perf_counter() - started,
        aivat=None if luck is None else luck.rates(),
    )


class _Host:
    """What the two halves of a duplicate match share, and how the entrants have done so far."""

    def __init__(
        self,
        variant: Variant,
        entrants: tuple[Entrant, Entrant],
        protocol: WireProtocol,
        n_deals: int,
        seed: int,
        limits: Limits,
    ) -> None:
        self.variant, self.entrants, self.protocol = variant, entrants, protocol
        self.n_deals, self.seed = n_deals, seed
        clock = limits.game_seconds * max(1.0, n_deals / CLOCK_HANDS)
        self.limits = replace(limits, game_seconds=clock)
        self.names = _write_names(entrants)
        self.sides = [EntrantResult(each.name, 0, None, None, None) for each in entrants]
        self._playing: tuple[Bot | Program, ...] = ()

    def warm_up(self) -> None:
        """Let bots load and compile what they need before the clock starts."""
        for player in range(2):
            started = self._start(player)
            if isinstance(started, Bot):
                engine.host_match(
                    (started, AlwaysCall()),
                    self.protocol,
                    variant=self.variant,
                    n_hands=_WARM_UP,
                    limits=_UNLIMITED,
                )

    def play(self, number: int, on_hand: engine.OnHand) -> NDArray[np.float64]:
        """Chips of player 0 in each hand of a match; player `number` deals first."""
        started = self._playing = self._start(0), self._start(1)
        order = (0, 1) if self.protocol.first_dealer == number else (1, 0)
        first, second = order
        try:
            result = engine.host_match(
                (started[first], started[second]),
                self.protocol,
                names=(self.names[first], self.names[second]),
                variant=self.variant,
                n_hands=self.n_deals,
                deals=deal_hands(self.variant, self.seed, self.n_deals),
                limits=(self._limits(started[first]), self._limits(started[second])),
                on_hand=on_hand,
                absence_forfeits=number > 0,  # then it has run once
            )
        except PeerError as error:
            folders = [each.folder for each in started if isinstance(each, Program)]
            files = " or ".join(str(folder / COMMANDS_FILE) for folder in folders)
            raise MatchError(
                f"a program did not start: {error}; the commands that start it are in {files}"
            ) from error
        for at, player in enumerate(order):
            self._note(player, started[player], result, at, number)
        won = np.array(result.winnings, np.float64)
        return won if first == 0 else -won

    def traces(self) -> Traces:
        """Those of the last hand, by player, of players that search."""
        first, second = (
            each.traces if isinstance(each, SearchBot) else () for each in self._playing
        )
        return first, second

    def _start(self, player: int) -> Bot | Program:
        return self.entrants[player].start(self.seed + 1, player)

    def _limits(self, started: Bot | Program) -> Limits:
        return _UNLIMITED if isinstance(started, Bot) else self.limits

    def _note(
        self, player: int, started: Bot | Program, result: engine.EngineResult, at: int, number: int
    ) -> None:
        """Add to a side what it did in a match, in which the engine called it player `at`."""
        side, pace = self.sides[player], result.paces[at]
        n = side.decisions + pace.n_decisions
        seconds = (side.mean_seconds or 0.0) * side.decisions + pace.seconds
        side = replace(
            side,
            decisions=n,
            mean_seconds=seconds / n if n else None,
            slowest_seconds=max(side.slowest_seconds or 0.0, pace.slowest_seconds) if n else None,
            faults=side.faults + result.n_faults[at],
        )
        if self.entrants[player].policy is not None or isinstance(started, SearchBot):
            side = add_counts(side, started)
        if why := self._find_forfeit(result, at, started):
            side = replace(side, forfeits=(*side.forfeits, f"match {number + 1}: {why}"))
        self.sides[player] = side

    def _find_forfeit(self, result: engine.EngineResult, at: int, started: Bot | Program) -> str:
        """Why a program only checked and folded, and what may help; empty if it played."""
        if isinstance(started, Bot):
            return ""
        foreign = f"no answer followed {self.protocol.name}; choose another with --protocol"
        nothing = result.n_answers[at] == 0 and result.n_faults[at] > 0
        if not result.forfeits[at]:
            return foreign if nothing else ""
        words = last_line(result.output[at].decode("ascii", "replace"))
        printed = f", after printing {words!r}" if words else ""
        return f"{result.forfeits[at]}{printed}" + (f"; {foreign}" if nothing else "")


def add_counts(side: EntrantResult, started: Bot | Program) -> EntrantResult:
    """Add how the decisions of a bot with a policy came about; baselines always know what to do."""
    counts = started.counts if isinstance(started, StrategyBot) else Counter[int]()
    if isinstance(started, SearchBot):
        found = started.searched[SEARCHED]
        side = replace(
            side,
            searched=(side.searched or 0) + found,
            unsearched=(side.unsearched or 0) + started.searched.total() - found,
        )
    return replace(
        side,
        untrained=(side.untrained or 0) + counts[policy_kernels.UNTRAINED],
        off_tree=(side.off_tree or 0) + counts[policy_kernels.OFF_TREE],
        forced=(side.forced or 0) + counts[policy_kernels.FORCED],
    )


def _write_names(entrants: tuple[Entrant, Entrant]) -> tuple[str, str]:
    """Two different names that every protocol can write."""
    first, second = (re.sub("[^A-Za-z0-9.+-]", "-", each.name)[:60] for each in entrants)
    return (first or "A"), (f"{second}-2" if second == first else second) or "B"
