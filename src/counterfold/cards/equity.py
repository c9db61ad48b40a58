"""Exact equity of one range against another, over every way to complete the board.

A hand is a range of one pair. A matchup is a pair of hands that share no card; it counts with the
product of their weights, and every completion of the board that is free of both hands counts the
same. Everything is enumerated: boards that differ by a renaming of suits count once if neither the
ranges nor the cards already known tell these suits apart. If only one range tells them apart, the
mean of the other... is the same against it, so that its renamings may be mixed.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import permutations
from math import comb, fsum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.cards.deck import FULL, Deck
from counterfold.cards.pairs import PAIR_CARDS
from counterfold.cards.ranges import Range, format_range
from counterfold.cards.ranking import MAX_CARDS
from counterfold.cards.text import N_CARDS, N_SUITS, format_card, format_cards
from counterfold.errors import CardError
from counterfold.kernels import equity as kernels
from counterfold.kernels.ranking import rank_tables
from counterfold.threads import thread_count

N_FINAL = 5  # cards of a complete board; longer ones are complete too
MAX_BOARD = MAX_CARDS - 2
_N_CHUNKS = 64  # of boards, whatever the number of threads, so that sums do not depend on it
_MIN_CHUNK = 256
_LONGEST_TEXT = 40  # of a range in a message

# What one board costs, in nanoseconds.
_COST_OF_BOARD = 150.0
_COST_OF_PAIR = 1.8  # of the cards that hands hold: to rank it
_COST_OF_HAND = 2.0  # to look up its rank
_COST_OF_MATCHUP = 1.0  # to compare
_COST_OF_SWEEP = 10.0  # by hand, instead of comparing


@dataclass(frozen=True)
class Equity:
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


def equity(
    first: Range,
    second: Range,
    board: Sequence[int] = (),
    dead: Sequence[int] = (),
    deck: Deck = FULL,
    threads: int | None = None,
) -> Equity:
    """Equity of the first range against the second.

    Milliseconds on the flop; before it 0.1 s for two hands and seconds for two wide ranges.

    Parameters
    ----------
    first, second
        Hands with a card that is on the board, dead or not in the deck do not count.
    board
        Up to 31 cards. With less than five it is completed in all ways; with more the best five of
        all cards play.
    dead
        Cards that nobody holds and that will not come, such as those of a folded hand.
    deck
        Where the cards come from.
    threads
        By default as many as `COUNTERFOLD_THREADS` says; the result does not depend on it.
    """
    known = _check_cards(board, dead, deck)
    n_more = max(0, N_FINAL - known.board.size)
    n_left = int(known.left.sum())
    if n_left < 4 + n_more:
        raise CardError(
            f"{n_left} cards of the deck {deck.name} are left, too few for two hands and "
            f"{n_more} cards to come"
        )
    weights = _leave(first, "first", known)
    others = _leave(second, "second", known)
    n_matchups = int(((weights > 0) * _meet(1.0 * (others > 0))).sum())
    if n_matchups == 0:
        raise CardError(_explain_no_matchup(first, second, weights, others))
    # Hands that meet nobody would only add rounding errors.
    weights, others = (
        np.where(_meet(1.0 * (others > 0)) > 0, weights, 0.0),
        np.where(_meet(1.0 * (weights > 0)) > 0, others, 0.0),
    )
    scale, other_scale = _power_of_two(weights), _power_of_two(others)
    plan = _choose_plan(weights / scale, others / other_scale, known, n_more)
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
        """Where a card lies that is not left."""
        for cards, name in ((self.board, "board"), (self.dead, "dead cards")):
            if card in cards:
                number = cards.tolist().index(card) + 1
                return f"number {number} of the {name} {format_cards(cards)}"
        return f"not in the deck {self.deck.name}"


def _check_cards(board: Sequence[int], dead: Sequence[int], deck: Deck) -> _Known:
    cards, gone = deck.check(list(board)), deck.check(list(dead))
    if cards.size > MAX_BOARD:
        raise CardError(f"a board has at most {MAX_BOARD} cards, not {cards.size}")
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
    weights = np.where(known.left[PAIR_CARDS].all(axis=1), hands.weights, 0.0)
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
    gone = format_cards([*known.board, *known.dead])
    raise CardError(f"no hand of {name} is left in the deck {known.deck.name} without {gone}")


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
    return [int(card) for card in hands[0] if (hands == card).any(axis=1).all()]


def _meet(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each hand the weight of the hands that share no card with it."""
    low, high = PAIR_CARDS.T
    held = np.bincount(low, weights, N_CARDS) + np.bincount(high, weights, N_CARDS)
    total: NDArray[np.float64] = weights.sum() - held[low] - held[high] + weights
    return total


def _power_of_two(weights: NDArray[np.float64]) -> float:
    """The one below the largest weight: dividing by it rounds nothing, and products stay finite."""
    return float(2.0 ** (np.frexp(weights.max())[1] - 1))


class _Plan(NamedTuple):
    """Ranges to play against each other, and how."""

    weights: NDArray[np.float64]  # [1326]
    others: NDArray[np.float64]  # [1326]
    n_mixed: int  # renamings that were added up in one of them
    cards: NDArray[np.uint8]  # that may come
    likes: NDArray[np.int64]  # [4] see `kernels.count_copies`
    sweeps: bool
    cost: float


def _choose_plan(
    weights: NDArray[np.float64], others: NDArray[np.float64], known: _Known, n_more: int
) -> _Plan:
    plans = [_plan(weights, others, 1, known, n_more)]
    if n_more > 0:
        for mixes_first, fixed in ((True, others), (False, weights)):
            renamings = _list_renamings(_like_suits(known, fixed))
            if len(renamings) > 1:
                mixed = (weights if mixes_first else others)[renamings].sum(axis=0)
                ranges = (mixed, others) if mixes_first else (weights, mixed)
                plans.append(_plan(*ranges, len(renamings), known, n_more))
    return min(plans, key=lambda plan: plan.cost)


def _plan(
    weights: NDArray[np.float64],
    others: NDArray[np.float64],
    n_mixed: int,
    known: _Known,
    n_more: int,
) -> _Plan:
    likes = _like_suits(known, weights, others)
    taken = _shared(weights) + _shared(others)  # no board with these counts
    cards = np.setdiff1d(np.flatnonzero(known.left), taken).astype(np.uint8)
    either = (weights > 0) | (others > 0)
    n_hands = int((weights > 0).sum()) + int((others > 0).sum())
    n_matchups = float(_meet(1.0 * (others > 0))[weights > 0].sum())
    comparing = _COST_OF_HAND * n_hands + _COST_OF_MATCHUP * n_matchups
    sweeping = _COST_OF_SWEEP * float(either.sum())
    ranking = _COST_OF_BOARD + _COST_OF_PAIR * comb(np.unique(PAIR_CARDS[either]).size, 2)
    n_boards = comb(cards.size, n_more) / len(_list_renamings(likes)) if n_more else 1
    cost = n_boards * (ranking + min(comparing, sweeping))
    return _Plan(weights, others, n_mixed, cards, likes, sweeping < comparing, cost)


def _rename_pairs(suits: Sequence[int]) -> NDArray[np.int64]:
    """[1326] the pair that each becomes if suit `s` is called ``suits[s]``."""
    cards = _rename_cards(suits)[PAIR_CARDS]
    low, high = cards.min(axis=1), cards.max(axis=1)
    return high * (high - 1) // 2 + low


def _rename_cards(suits: Sequence[int]) -> NDArray[np.int64]:
    cards = np.arange(N_CARDS)
    return cards - cards % N_SUITS + np.take(suits, cards % N_SUITS)


_SWAPS = {
    (a, b): [b if suit == a else a if suit == b else suit for suit in range(N_SUITS)]
    for b in range(N_SUITS)
    for a in range(b)
}
_SWAPPED_CARDS = {pair: _rename_cards(suits) for pair, suits in _SWAPS.items()}
_SWAPPED_PAIRS = {pair: _rename_pairs(suits) for pair, suits in _SWAPS.items()}


def _like_suits(known: _Known, *ranges: NDArray[np.float64]) -> NDArray[np.int64]:
    """For each suit the last one before it that could swap names with it unnoticed."""
    places = known.left.astype(np.int64)
    places[known.board] = 2
    likes = np.full(N_SUITS, kernels.NO_SUIT, np.int64)
    for (a, b), pairs in _SWAPPED_PAIRS.items():
        if np.array_equal(places[_SWAPPED_CARDS[a, b]], places) and all(
            np.array_equal(weights[pairs], weights) for weights in ranges
        ):
            likes[b] = a  # the last one stays, since they come in ascending order
    return likes


def _list_renamings(likes: NDArray[np.int64]) -> NDArray[np.int64]:
    """[n, 1326] of pairs, by all ways to permute like suits."""
    group = list(range(N_SUITS))  # the first suit that is alike
    for suit, like in enumerate(likes.tolist()):
        if like != kernels.NO_SUIT:
            group[suit] = group[like]
    return np.array(
        [
            _rename_pairs(suits)
            for suits in permutations(range(N_SUITS))
            if all(group[suits[suit]] == group[suit] for suit in range(N_SUITS))
        ]
    )


def _play(
    plan: _Plan, board: NDArray[np.uint8], n_more: int, threads: int
) -> tuple[float, float, float]:
    """Weights of wins and ties over all run-outs, and of the matchups."""
    n_boards = comb(plan.cards.size, n_more)
    boards = np.empty((n_boards, board.size + n_more), np.uint8)
    copies = np.empty(n_boards, np.uint8)
    chosen = np.empty(boards.shape[1], np.int64)
    n_boards = kernels.list_boards(board, plan.cards, plan.likes, chosen, boards, copies)
    work, meeting = _sweep(plan) if plan.sweeps else _compare(plan)

    size = max(_MIN_CHUNK, -(-n_boards // _N_CHUNKS))
    chunks = [slice(start, min(start + size, n_boards)) for start in range(0, n_boards, size)]
    if threads == 1 or len(chunks) == 1:
        parts = [work(boards[chunk], copies[chunk]) for chunk in chunks]
    else:
        with ThreadPoolExecutor(threads) as pool:
            parts = list(pool.map(lambda chunk: work(boards[chunk], copies[chunk]), chunks))
    return fsum(won for won, _ in parts), fsum(tied for _, tied in parts), meeting


_Work = Callable[[NDArray[np.uint8], NDArray[np.uint8]], tuple[float, float]]


def _compare(plan: _Plan) -> tuple[_Work, float]:
    """Matchup by matchup."""
    first, second = np.flatnonzero(plan.weights), np.flatnonzero(plan.others)
    weights, others = plan.weights[first], plan.others[second]
    hands, other_hands = PAIR_CARDS[first], PAIR_CARDS[second]
    clash = (hands[:, None, :, None] == other_hands[None, :, None, :]).any(axis=(2, 3))
    meets, partners = np.nonzero(~clash)
    starts = np.searchsorted(meets, np.arange(first.size + 1))
    meeting = fsum(weights[meets] * others[partners])
    cards = np.unique(np.concatenate([hands, other_hands]))

    def work(boards: NDArray[np.uint8], copies: NDArray[np.uint8]) -> tuple[float, float]:
        return kernels.compare_matchups(  # type: ignore[no-any-return]
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
            kernels.make_scratch(second.size),
        )

    return work, meeting


def _sweep(plan: _Plan) -> tuple[_Work, float]:
    """All hands of both ranges in the order of their ranks."""
    either = np.flatnonzero((plan.weights > 0) | (plan.others > 0))
    weights, others = plan.weights[either], plan.others[either]
    hands = PAIR_CARDS[either]
    cards = np.unique(hands)

    def work(boards: NDArray[np.uint8], copies: NDArray[np.uint8]) -> tuple[float, float]:
        return kernels.sweep_ranges(  # type: ignore[no-any-return]
            boards,
            copies,
            cards,
            hands,
            weights,
            others,
            rank_tables(),
            kernels.make_scratch(either.size),
        )

    return work, float((plan.weights * _meet(plan.others)).sum())
