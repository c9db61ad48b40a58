"""Both ranges through a hand as all who watch would see them.

The bot's own range is what its strategy plays, thresholds and all. Of the opponent it is assumed
that it plays the same strategy; its bets are read as the bot reads them. Where a bet is read in two
ways at random, both readings are kept with their weights. Where no hand of the strategy would have
done what was seen, the action says nothing about the hand, and a note tells so.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from counterfold.bots.policy_kernels import Policy
from counterfold.bots.tracking import range_tracking_kernels as tracking
from counterfold.bots.tracking.range_room import empty_range, range_room
from counterfold.bots.tracking.range_tracking_kernels import RangeScratch, TrackedRange
from counterfold.cards.pairs import N_PAIRS
from counterfold.cards.text import N_CARDS
from counterfold.games.holdem import Variant
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.action_words import KINDS, name_action
from counterfold.games.holdem.betting_kernels import CALL, FOLD, RAISE
from counterfold.games.holdem.situation import DEALT, LAST_DEALT, Situation, split_history
from counterfold.public.hand_list_kernels import Hands

Values = NDArray[np.float64]


class Act(NamedTuple):
    """A bet, check or call as arrays have it."""

    kind: int
    total: int  # of a raise, over the hand

    @property
    def is_raise(self) -> bool:
        """Whether it is a bet or a raise."""
        return self.kind == RAISE


class StreetRanges(NamedTuple):
    """What all know when a street begins, and what was done on it since."""

    root: Situation
    board: tuple[int, ...]
    held: tuple[TrackedRange, TrackedRange]  # by seat
    acts: tuple[Act, ...]
    notes: tuple[str, ...]
    earlier: tuple[tuple[Act, ...], ...]  # what was done on the streets before


class HandLabels(Protocol):
    """Buckets of all hands on boards; see `bots.tracking.range_tracking.LabeledHands`."""

    @property
    def hands(self) -> Hands:
        """All hands of the deck."""

    def label(self, boards: NDArray[np.uint8], lengths: NDArray[np.uint8]) -> NDArray[np.int32]:
        """[n, stages, H] the buckets of hands; boards are dealt up to the streets in `lengths`."""


class BoardShares(NamedTuple):
    """What the hands of a seat do at a node on a board."""

    board: int
    node: int
    shares: Values  # [actions, hands of 52 cards]


class HandRanges:
    """Follows the ranges of both seats; `policy` may be changed for other chips."""

    def __init__(self, labeled: HandLabels, n_buckets: int, policy: Policy) -> None:
        self.labeled, self.policy, self._n_buckets = labeled, policy, n_buckets
        self.room = self.make_room(1)
        self._labels: tuple[tuple[int, ...], NDArray[np.int32]] = (), np.zeros((0, 0), np.int32)
        self.numbers = number_hands(self.labeled.hands.cards)

    def make_room(self, n_boards: int) -> RangeScratch:
        """Work space for the hands of boards, one after another."""
        return range_room(n_boards * len(self.labeled.hands.cards), self.policy, self._n_buckets)

    def follow(
        self, variant: Variant, board: Sequence[Sequence[int]], history: str, seat: int
    ) -> StreetRanges:
        """The ranges at the start of the street on which `history` ends.

        `board` has the cards of each street after the first, and `seat` is the bot's.
        """
        rules = variant.rules
        dealt = tuple(card for street in board for card in street)
        labels = self.label(dealt, len(board))
        held = (self._begin(), self._begin())
        situation = root = betting.first_situation(rules)
        notes: list[str] = []
        acts: list[Act] = []
        earlier: list[tuple[Act, ...]] = []
        for event in split_history(history):
            if event in (DEALT, LAST_DEALT):
                situation = betting.after_deal(rules, situation, event == DEALT)
                street = situation[betting.STREET]
                bits = sum(1 << card for cards in board[:street] for card in cards)
                for who, each in enumerate(held):
                    notes += self._deal(situation, bits, each, whose(who, seat))
                earlier.append(tuple(acts))
                root, acts = situation, []
                continue
            act = read_act(event, situation)
            if situation[betting.STREET] < len(board):
                notes += self._act(variant, situation, labels, act, held, seat)
            acts.append(act)
            situation = after_act(variant, situation, act)
        return StreetRanges(tuple(root), dealt, held, tuple(acts), tuple(notes), tuple(earlier))

    def _begin(self) -> TrackedRange:
        held = empty_range(len(self.labeled.hands.cards))
        tracking.begin_range(self.labeled.hands, 0, held)
        return held

    def _deal(self, situation: Situation, board: int, held: TrackedRange, name: str) -> list[str]:
        """Take out the hands that `board` rules out; returns a note if none would be left."""
        notes: list[str] = []
        tracking.remove_cards(self.labeled.hands, board, held)
        if not held.weights[: held.n[0]].any():
            held.weights[0] = (self.labeled.hands.bits & board) == 0
            notes.append(f"the board leaves no hand of {name} range: taken for any")
        tracking.range_after_deal(self.policy, situation, held, self.room)
        return notes

    def _act(
        self,
        variant: Variant,
        situation: Situation,
        labels: NDArray[np.int32],
        act: Act,
        held: tuple[TrackedRange, TrackedRange],
        seat: int,
    ) -> list[str]:
        """Change both ranges; returns a note if the one of the actor would have died out."""
        policy, rules, room = self.policy, variant.rules, self.room
        actor, street = situation[betting.ACTOR], situation[betting.STREET]
        mine, other = held[actor], held[1 - actor]
        notes: list[str] = []
        before = copy_range(mine)
        if actor == seat:
            tracking.range_after_bot(
                policy, rules, situation, street, labels[street], *act, mine, room
            )
            known = mine.n[0] > 0
        else:
            known = tracking.range_after_seen(
                policy, rules, situation, street, labels[street], *act, mine, room
            )
        if not known:
            restore_range(mine, before)
            tracking.range_after_opponent(policy, *act, situation, variant.stack, mine, room)
            told = describe_act(situation, act)
            notes.append(f"no hand of the strategy would {told}: taken to say nothing")
        tracking.range_after_opponent(policy, *act, situation, variant.stack, other, room)
        return notes

    def label(self, board: tuple[int, ...], street: int) -> NDArray[np.int32]:
        """[stages, H] buckets of all hands; those of the last board are kept."""
        if self._labels[0] != board or not self._labels[1].size:
            cards = np.array([board], np.uint8).reshape(1, -1)
            self._labels = board, self.labeled.label(cards, np.array([street], np.uint8))[0]
        return self._labels[1]

    def weights(self, held: TrackedRange) -> Values:
        """Weights of all hands of 52 cards: 1,326 pairs, or single cards."""
        return self.by_number(held.weights[: int(held.n[0])].sum(axis=0))

    def by_number(self, figures: Values) -> Values:
        """[..., hands of 52 cards] from [..., hands of the deck]; zero for those of other decks."""
        single = self.labeled.hands.cards.shape[1] == 1
        by_number = np.zeros((*figures.shape[:-1], N_CARDS if single else N_PAIRS))
        by_number[..., self.numbers] = figures
        return by_number

    def possible_hands(self, seen: Sequence[int]) -> Values:
        """[hands of 52 cards] one for each hand of the deck without a card in `seen`."""
        held = self._begin()
        tracking.remove_cards(self.labeled.hands, sum(1 << card for card in seen), held)
        return self.weights(held)


def whose(seat: int, own: int) -> str:
    """Whose range a note is about."""
    return "the bot's" if seat == own else "the opponent's"


def number_hands(cards: NDArray[np.uint8]) -> NDArray[np.int64]:
    """The numbers of hands among all pairs of 52 cards, or among the cards where one is held."""
    if cards.shape[1] == 1:
        return cards[:, 0].astype(np.int64)
    low, high = np.sort(cards.astype(np.int64), axis=1).T
    return np.asarray(high * (high - 1) // 2 + low)


def copy_range(held: TrackedRange) -> TrackedRange:
    """A range that changes by itself."""
    copied = TrackedRange(held.n.copy(), held.nodes.copy(), np.empty_like(held.weights))
    copied.weights[: held.n[0]] = held.weights[: held.n[0]]
    return copied


def restore_range(held: TrackedRange, before: TrackedRange) -> None:
    """Overwrite a range by what it was."""
    held.n[0], held.nodes[:] = before.n[0], before.nodes
    held.weights[: before.n[0]] = before.weights[: before.n[0]]


def read_act(event: str, situation: Situation) -> Act:
    """An event of a history, done in `situation`."""
    kind = KINDS[event[0]]
    return Act(kind, int(event[1:]) + situation[betting.BASE] if kind == RAISE else 0)


def after_act(variant: Variant, situation: Situation, act: Act) -> Situation:
    """The situation after a bet, check, call or fold."""
    if act.kind == FOLD:
        return tuple(betting.after_fold(situation))
    if act.kind == CALL:
        return tuple(betting.after_call(variant.rules, situation))
    return tuple(betting.after_raise(situation, act.total))


def describe_act(situation: Situation, act: Act) -> str:
    """An action in words."""
    to_call = abs(situation[betting.SPENT_0] - situation[betting.SPENT_1])
    if act.is_raise:
        opens = situation[betting.N_BETS] == 0
        return name_action(f"r{act.total - situation[betting.BASE]}", opens=opens)
    return name_action("f" if act.kind == FOLD else "c" if to_call else "k")
