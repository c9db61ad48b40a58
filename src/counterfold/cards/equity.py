"""Exact equity of one range against another, over every way to complete the board.

A hand is a range of one pair. A matchup is a pair of hands that share no card; it counts with the
product of their weights, and every completion of the board that is free of both hands counts the
same. Everything is enumerated, but boards that differ by a renaming of suits are played once if
neither the ranges nor the known cards tell these suits apart. If only one range does, all its
renamings do equally well against the other, and their mixture no longer distinguishes the suits.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from math import comb, fsum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.cards import equity_kernels
from counterfold.cards.deck import FULL, Deck
from counterfold.cards.pairs import PAIR_CARDS
from counterfold.cards.ranges import Range, format_range, parse_range
from counterfold.cards.ranking import MAX_CARDS
from counterfold.cards.ranking_kernels import rank_tables
from counterfold.cards.suits import find_like_suits, list_renamings, rename_pairs
from counterfold.cards.text import N_CARDS, format_card, format_cards, parse_cards
from counterfold.errors import CardError
from counterfold.frames import NamedFigures
from counterfold.threads import ThreadPool, even_stretches, thread_count

N_FINAL = 5  # cards of a complete board; longer ones are complete too
MAX_BOARD = MAX_CARDS - 2
# Boards are played in chunks, whatever the number of threads, so sums do not depend on it.
_CHUNK = 1000
_MAX_CHUNKS = 64
_LONGEST_TEXT = 40  # of a range in a message
_LOWS, _HIGHS = PAIR_CARDS.T.astype(np.int64)
_BITS = (1 << _LOWS) | (1 << _HIGHS)  # pairs share a card if they share a bit

# In nanoseconds. Those of a board:
_COST_OF_BOARD = 150.0
_COST_OF_PAIR = 1.8  # of the cards that hands hold: to rank it
_COST_OF_HAND = 2.0  # to look up its rank
_COST_OF_MATCHUP = 1.0  # to compare
_COST_OF_SWEEP = 10.0  # by hand, instead of comparing
# For all boards, the cost below which it is not worth looking for a better way or starting threads:
_COST_OF_PLANNING = 1e6
_COST_OF_THREADS = 2e6


@dataclass(frozen=True)
class Equity(NamedFigures):
    """How often the first range wins, ties and loses at showdown."""

    win: float
    tie: float
    lose: float
    n_run_outs: int  # ways to complete the board, for each matchup
    n_matchups: int
    total_weight: float  # of the matchups

    @property
    def equity(self) -> float:
        """The share of the pot: wins, and half of the ties."""
        return self.win + self.tie / 2

    def to_dict(self) -> dict[str, Any]:
        """All figures by name."""
        return {**asdict(self), "equity": self.equity}

    def __str__(self) -> str:
        return (
            f"equity {self.equity:.2%} (win {self.win:.2%}, tie {self.tie:.2%}, "
            f"lose {self.lose:.2%})"
        )


def equity(
    first: Range | str,
    second: Range | str,
    board: Sequence[int] | str = (),
    dead: Sequence[int] | str = (),
    deck: Deck = FULL,
    threads: int | None = None,
) -> Equity:
    """Equity of the first range against the second.

    Milliseconds on the flop; before it 0.1 s for two hands and seconds for two wide ranges. Ranges
    and cards may be given as text, such as ``QQ+,AKs`` and ``2h7hTc``.

    Parameters
    ----------
    first, second
        Hands with a card that is on the board, dead or not in the deck are ignored.
    board
        Up to 31 cards. With fewer than five it is completed in all ways; with more, the best five
        of all cards play.
    dead
        Cards that nobody holds and that cannot be dealt, such as those of a folded hand.
    deck
        Where the cards come from.
    threads
        By default $COUNTERFOLD_THREADS or all cores; the result does not depend on it.
    """
    first, second = (parse_range(x) if isinstance(x, str) else x for x in (first, second))
    board, dead = (parse_cards(x) if isinstance(x, str) else x for x in (board, dead))
    known = _check_cards(board, dead, deck)
    n_more = max(0, N_FINAL - known.board.size)
    n_left = int(known.left.sum())
    if n_left < 4 + n_more:
        raise CardError(
            f"{n_left} cards of the deck {deck.name} are left, too few for two hands and {n_more} "
            "cards to come"
        )
    weights = _leave(first, "first", known)
    others = _leave(second, "second", known)
    scale, other_scale = _power_of_two(weights), _power_of_two(others)
    plans = _list_plans(weights / scale, others / other_scale, known, n_more)
    n_matchups = plans[0].n_matchups
    if n_matchups == 0:
        raise CardError(_explain_no_matchup(first, second, weights, others))
    plan = min(plans, key=lambda plan: plan.cost)
    wins, ties, meeting = _play(plan, known.board, n_more, thread_count(threads))
    n_run_outs = comb(n_left - 4, n_more)
    win, tie = (min(max(x / meeting / n_run_outs, 0.0), 1.0) for x in (wins, ties))
    total = meeting / plan.n_mixed * scale * other_scale
    return Equity(win, tie, max(1.0 - win - tie, 0.0), n_run_outs, n_matchups, total)


class _Known(NamedTuple):
    """The cards that are known before any hand is."""

    board: NDArray[np.uint8]
    dead: NDArray[np.uint8]
    deck: Deck
    left: NDArray[np.bool_]  # [52] cards that may be held or come

    def place(self, card: int) -> str:
        """Where a card that is not left is."""
        for cards, name in ((self.board, "board"), (self.dead, "dead cards")):
            if card in cards:
                number = cards.tolist().index(card) + 1
                return f"number {number} of the {name} {format_cards(cards)}"
        return f"not in the deck {self.deck.name}"


def _check_cards(board: Sequence[int], dead: Sequence[int], deck: Deck) -> _Known:
    cards, gone = deck.check(list(board)), deck.check(list(dead))
    if cards.size > MAX_BOARD:
        raise CardError(f"a board must have at most {MAX_BOARD} cards, not {cards.size}")
    left = np.zeros(N_CARDS, np.bool_)
    left[deck.cards] = True
    known = _Known(cards, gone, deck, left)
    for number, card in enumerate(gone.tolist(), start=1):
        if card in cards:
            raise CardError(
                f"card {format_card(card)}, number {number} of the dead cards "
                f"{format_cards(gone)}, is also {known.place(card)}"
            )
    left[cards] = left[gone] = False
    return known


def _leave(hands: Range, which: str, known: _Known) -> NDArray[np.float64]:
    """The weights of the hands that can still be held."""
    weights = np.where(known.left[_LOWS] & known.left[_HIGHS], hands.weights, 0.0)
    if weights.any():
        return weights
    name = f"the {which} range {_shorten(hands)}"
    if not hands.weights.any():
        raise CardError(f"{name} has no hand")
    for card in _shared(hands.weights):
        if not known.left[card]:
            raise CardError(
                f"card {format_card(card)} of every hand of {name} is {known.place(card)}"
            )
    where = "" if known.deck == FULL else f" in the deck {known.deck.name}"
    gone = format_cards([*known.board, *known.dead])
    raise CardError(f"no hand of {name} is left{where}" + (f" beside {gone}" if gone else ""))


def _explain_no_matchup(
    first: Range, second: Range, weights: NDArray[np.float64], others: NDArray[np.float64]
) -> str:
    names = f"the first range {_shorten(first)} and the second range {_shorten(second)}"
    both = set(_shared(weights)) & set(_shared(others))
    if both:
        return f"card {format_card(min(both))} is in every hand of {names}"
    return f"no two hands of {names} can be dealt together"


def _shorten(hands: Range) -> str:
    text = format_range(hands)
    return text if len(text) <= _LONGEST_TEXT else text[: _LONGEST_TEXT - 1] + "…"


def _shared(weights: NDArray[np.float64]) -> list[int]:
    """The cards that all hands with a weight hold."""
    hands = PAIR_CARDS[weights > 0]
    return [int(card) for card in np.flatnonzero(np.bincount(hands.ravel()) == len(hands))]


def _cards_of(pairs: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """The cards that some of the pairs hold, in ascending order."""
    held = np.zeros(N_CARDS, np.bool_)
    held[_LOWS[pairs]] = held[_HIGHS[pairs]] = True
    return np.flatnonzero(held).astype(np.uint8)


def _meet(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each hand the weight of the hands that share no card with it."""
    held = np.bincount(_LOWS, weights, N_CARDS) + np.bincount(_HIGHS, weights, N_CARDS)
    met: NDArray[np.float64] = weights.sum() - held[_LOWS] - held[_HIGHS] + weights
    return met


def _indicate(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    return (weights > 0).astype(np.float64)


def _power_of_two(weights: NDArray[np.float64]) -> float:
    """The one below the largest weight: dividing by it rounds nothing, and products stay finite."""
    return float(2.0 ** (np.frexp(weights.max())[1] - 1))


class _Plan(NamedTuple):
    """Ranges to play against each other, and how."""

    weights: NDArray[np.float64]  # [1326]
    others: NDArray[np.float64]  # [1326]
    n_mixed: int  # renamings that were added up in one of them
    n_matchups: int
    cards: NDArray[np.uint8]  # that may come
    likes: NDArray[np.int64]  # [4] see `find_like_suits`
    sweeps: bool
    cost: float


def _like_suits(known: _Known, *ranges: NDArray[np.float64]) -> NDArray[np.int64]:
    places = known.left.astype(np.int64)
    places[known.board] = 2
    return find_like_suits(places, *ranges)


def _list_plans(
    weights: NDArray[np.float64], others: NDArray[np.float64], known: _Known, n_more: int
) -> list[_Plan]:
    """The ranges as they are, and mixed over all renamings that the other does not notice."""
    plans = [_plan(weights, others, 1, known, n_more)]
    if plans[0].cost > _COST_OF_PLANNING:
        mixed, n_mixed = _mix(weights, list_renamings(tuple(_like_suits(known, others))))
        plans.append(_plan(mixed, others, n_mixed, known, n_more))
        mixed, n_mixed = _mix(others, list_renamings(tuple(_like_suits(known, weights))))
        plans.append(_plan(weights, mixed, n_mixed, known, n_more))
    return plans


def _mix(
    weights: NDArray[np.float64], renamings: tuple[tuple[int, ...], ...]
) -> tuple[NDArray[np.float64], int]:
    """The sum of a range over renamings, and their number."""
    renamed = np.array([weights[rename_pairs(names)] for names in renamings])
    # Added up in ascending order, so hands which are alike get the same bit by bit.
    return np.sort(renamed, axis=0).sum(axis=0), len(renamings)


def _plan(
    weights: NDArray[np.float64],
    others: NDArray[np.float64],
    n_mixed: int,
    known: _Known,
    n_more: int,
) -> _Plan:
    # Without hands that have no opponent: they would cost time and rounding errors.
    met, other_met = _meet(_indicate(others)), _meet(_indicate(weights))
    weights, others = np.where(met > 0, weights, 0.0), np.where(other_met > 0, others, 0.0)
    likes = _like_suits(known, weights, others)
    may_come = known.left.copy()
    if n_more:
        may_come[_shared(weights) + _shared(others)] = False  # no board with these counts
    cards = np.flatnonzero(may_come).astype(np.uint8)
    either = (weights > 0) | (others > 0)
    n_hands = np.count_nonzero(weights) + np.count_nonzero(others)
    n_matchups = int(met[weights > 0].sum())
    comparing = _COST_OF_HAND * n_hands + _COST_OF_MATCHUP * n_matchups
    sweeping = _COST_OF_SWEEP * np.count_nonzero(either)
    ranking = _COST_OF_BOARD + _COST_OF_PAIR * comb(_cards_of(either).size, 2)
    n_boards = comb(cards.size, n_more) / len(list_renamings(tuple(likes))) if n_more else 1
    cost = n_boards * (ranking + min(comparing, sweeping))
    sweeps = bool(sweeping < comparing)
    return _Plan(weights, others, n_mixed, n_matchups, cards, likes, sweeps, cost)


def _play(
    plan: _Plan, board: NDArray[np.uint8], n_more: int, threads: int
) -> tuple[float, float, float]:
    """Weights of wins and ties over all run-outs, and of the matchups."""
    n_boards = comb(plan.cards.size, n_more)
    boards = np.empty((n_boards, board.size + n_more), np.uint8)
    copies = np.empty(n_boards, np.uint8)
    chosen = np.empty(boards.shape[1], np.int64)
    n_boards = equity_kernels.list_boards(board, plan.cards, plan.likes, chosen, boards, copies)
    work, meeting = _sweep(plan) if plan.sweeps else _compare(plan)

    n_chunks = min(_MAX_CHUNKS, 1 + n_boards // _CHUNK)
    with ThreadPool(1 if plan.cost < _COST_OF_THREADS else threads) as pool:
        parts = pool.share_out(
            lambda first, last, _: work(boards[first:last], copies[first:last]),
            even_stretches(n_boards, n_chunks),
        )
    return fsum(won for won, _ in parts), fsum(tied for _, tied in parts), meeting


_Work = Callable[[NDArray[np.uint8], NDArray[np.uint8]], tuple[float, float]]


def _compare(plan: _Plan) -> tuple[_Work, float]:
    """Matchup by matchup."""
    first, second = np.flatnonzero(plan.weights), np.flatnonzero(plan.others)
    weights, others = plan.weights[first], plan.others[second]
    hands, other_hands = PAIR_CARDS[first], PAIR_CARDS[second]
    meets, partners = np.nonzero((_BITS[first][:, None] & _BITS[second]) == 0)
    starts = np.searchsorted(meets, np.arange(first.size + 1))
    meeting = fsum(weights[meets] * others[partners])
    cards = _cards_of((plan.weights > 0) | (plan.others > 0))

    def work(boards: NDArray[np.uint8], copies: NDArray[np.uint8]) -> tuple[float, float]:
        return equity_kernels.compare_matchups(  # type: ignore[no-any-return]
            boards,
            copies,
            cards,
            hands,
            other_hands,
            weights,
            others,
            starts,
            partners,
            rank_tables(),
            equity_kernels.make_scratch(second.size),
        )

    return work, meeting


def _sweep(plan: _Plan) -> tuple[_Work, float]:
    """All hands of both ranges at once, in the order of their ranks."""
    either = (plan.weights > 0) | (plan.others > 0)
    weights, others = plan.weights[either], plan.others[either]
    hands, cards = PAIR_CARDS[either], _cards_of(either)

    def work(boards: NDArray[np.uint8], copies: NDArray[np.uint8]) -> tuple[float, float]:
        return equity_kernels.sweep_ranges(  # type: ignore[no-any-return]
            boards,
            copies,
            cards,
            hands,
            weights,
            others,
            rank_tables(),
            equity_kernels.make_scratch(len(hands)),
        )

    return work, float((plan.weights * _meet(plan.others)).sum())
