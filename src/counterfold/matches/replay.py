"""Hand histories and game logs by the exact rules: every action and every chip is checked."""

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from counterfold.errors import CounterfoldError, HistoryError, IllegalActionError
from counterfold.games import parse_game
from counterfold.games.holdem import HoldemState, Variant, parse_state
from counterfold.games.holdem.situation import is_all_in
from counterfold.intervals import mean_and_interval
from counterfold.matches.game_logs import is_game_log, read_game_log
from counterfold.matches.hand_histories import HandHistory, in_line, quote, read_histories
from counterfold.matches.statistics import HandRates

_PROGRESS = 1000  # hands between two reports
_LONGEST_STATE = 200  # characters of a state in a message
_LONGEST_REASON = 400


@dataclass(frozen=True)
class ReplayResult(HandRates):
    """What `players[0]` won in a file of hands; the other won the negative."""

    variant: str  # its name
    players: tuple[str, str]
    deals: int

    def to_dict(self) -> dict[str, Any]:
        """All figures by name, as JSON has them."""
        return {**asdict(self), "mb_per_hand": self.mb, "mb_interval": self.mb_interval}

    def __str__(self) -> str:
        first, second = self.players
        return (
            f"{first} against {second}: {self.rate()} mb/hand (95% interval), "
            f"{self.hands:,} hands of {self.deals:,} deals of {self.variant}, all legal"
        )


def replay_hand(history: HandHistory, variant: Variant) -> HoldemState:
    """The last state of a hand; raises `HistoryError` if the rules disagree."""
    if history.variant != variant.name:
        raise HistoryError(f"variant {quote(history.variant)} is not {variant.name!r}")
    told = quote(history.state, _LONGEST_STATE)
    try:
        state = parse_state(variant, history.state)
    except IllegalActionError as error:
        reason = str(error).replace(repr(history.state), told)
        raise HistoryError(f"the rules refuse it: {reason[:_LONGEST_REASON]}") from error
    if state.utilities is None:
        raise HistoryError(f"state {told} is not the end of a hand")
    won = tuple(int(chips) for chips in state.utilities)
    if won != history.chips:
        raise HistoryError(
            f"chips {list(history.chips)} are not the {list(won)} of the state {told}"
        )
    if history.adjusted is not None and not (
        is_all_in(variant, state.situation) and abs(history.adjusted[0]) <= max(state.spent)
    ):
        raise HistoryError(
            f"adjusted {list(history.adjusted)} cannot be an expectation of {told}, where "
            f"{state.spent[0]} and {state.spent[1]} of {variant.stack} chips were put in"
        )
    return state


def read_hands(path: Path, variant: Variant | None) -> Iterator[tuple[int, HandHistory]]:
    """The hands of a file of either kind with the numbers of their lines."""
    return read_game_log(path, variant) if is_game_log(path) else read_histories(path)


def find_hand(
    path: Path, number: int, variant: Variant | None = None
) -> tuple[HandHistory, HoldemState]:
    """Hand `number` of a file with its last state; the others are read but not checked."""
    n = 0
    for line, history in read_hands(path, variant):
        n += 1
        if history.hand == number:
            with in_line(path, line):
                return history, replay_hand(history, variant or variant_of(history))
    raise HistoryError(f"{str(path)!r} has no hand {number} among its {n:,}")


def variant_of(history: HandHistory) -> Variant:
    """The variant that a hand names. Files are never run: your own variant has to be passed."""
    try:
        variant = parse_game(history.variant)
    except CounterfoldError as error:
        raise HistoryError(
            f"unknown variant {quote(history.variant)}; pass its file as --variant"
        ) from error
    if not isinstance(variant, Variant):
        raise HistoryError(f"{variant.name} is not a hold'em variant")
    return variant


def replay_histories(
    path: Path,
    variant: Variant | None = None,
    progress: Callable[[int], None] | None = None,
) -> ReplayResult:
    """Replay all hands of a file; `progress` is called with how many are done."""
    ledger: _Ledger | None = None
    for line, history in read_hands(path, variant):
        with in_line(path, line):
            variant = variant or variant_of(history)
            replay_hand(history, variant)
            ledger = ledger or _Ledger(history.players)
            ledger.add(history)
        if progress is not None and ledger.n_hands % _PROGRESS == 0:
            progress(ledger.n_hands)
    if ledger is None or variant is None:
        raise HistoryError(
            f"{str(path)!r} has no hands; write some with counterfold match --histories"
        )
    sums = np.array([*ledger.deals.values()])
    plain, adjusted = (mean_and_interval(sums[:, k] / sums[:, 2]) for k in (0, 1))
    return ReplayResult(
        hands=ledger.n_hands,
        chips=adjusted[0],
        chips_interval=adjusted[1],
        plain_chips=plain[0],
        plain_interval=plain[1],
        adjusted=ledger.n_adjusted,
        big_blind=variant.big_blind,
        variant=variant.name,
        players=ledger.players,
        deals=len(sums),
    )


class _Ledger:
    """What the player in seat 0 of the first hand won, by deal."""

    def __init__(self, players: tuple[str, str]) -> None:
        self.players = players
        self.deals: dict[int, list[float]] = {}  # plain chips, adjusted chips, hands
        self.n_hands = self.n_adjusted = self.last = 0
        self._seated: set[tuple[int, tuple[str, str]]] = set()

    def add(self, history: HandHistory) -> None:
        if history.hand <= self.last:
            raise HistoryError(f"hand {history.hand} comes after hand {self.last}")
        if history.players not in (self.players, self.players[::-1]):
            raise HistoryError(
                f"players {list(history.players)} are not the {list(self.players)} of the first "
                "line; replay one match at a time"
            )
        if (history.deal, history.players) in self._seated:
            raise HistoryError(f"deal {history.deal} was already played in these seats")
        self._seated.add((history.deal, history.players))
        sums = self.deals.setdefault(history.deal, [0.0, 0.0, 0.0])
        seat = 0 if history.players == self.players else 1
        sums[0] += history.chips[seat]
        sums[1] += (history.adjusted or history.chips)[seat]
        sums[2] += 1
        self.last = history.hand
        self.n_hands += 1
        self.n_adjusted += history.adjusted is not None
