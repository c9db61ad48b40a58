"""Deals of a variant in batches, sampled or all of them, ready for walks over its public graph."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import comb, perm, prod

import numpy as np
from numpy.typing import NDArray

from counterfold.cards.ranking_kernels import rank_tables
from counterfold.cards.text import N_CARDS
from counterfold.errors import TooLargeError
from counterfold.games.holdem import Variant
from counterfold.games.holdem.street import Deal
from counterfold.public import deals_kernels
from counterfold.public.bounties import find_hits
from counterfold.public.deal_layout import SWAPPED, deal_groups, lay_out, list_groups
from counterfold.public.discard_orders import BatchOrder, ByRank
from counterfold.public.lay_orders import BatchLayOrder
from counterfold.public.looks import count_places, find_seen
from counterfold.public.public_variants import check_public
from counterfold.public.stages import LAID, SHOWN, LowestFirst, card_stages, seen_cards

MOST_DEALS = 5_000_000  # that are listed

Boards = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Deals:
    """`n` deals; `weights` sum to one where they are all the deals of a variant."""

    cards: NDArray[np.uint8]  # [n, columns]
    lengths: NDArray[np.uint8]  # [n] last street
    holes: NDArray[np.uint8]  # [n, 2, hand cells, most cards of a hand]
    laid: NDArray[np.uint8]  # [n, hand cells, cards laid onto the board] in their order
    shown: NDArray[np.uint8]  # [n, hand cells, cards shown that are dead] in their order
    discard_first: NDArray[np.int8]  # [n, 2, hand cells] before a draw: which hole card has place 0
    strengths: NDArray[np.int64]  # [n, 2, hand paths at the end]
    weights: NDArray[np.float64]  # [n]
    bounties: NDArray[np.uint8]  # [n, 2] ranks; [n, 0] where there are none
    hits: NDArray[np.uint8]  # [n, 2, hand cells] is each hit?; [n, 0, 0] where there are none
    looks: NDArray[np.uint8]  # [n, 2 * auctions for a look] places of cards; see `public.looks`
    seen: NDArray[np.uint8]  # [n, 2, hand cells, auctions for a look] cards of the other's

    def __len__(self) -> int:
        return self.lengths.size


class Dealer:
    """Makes deals of one variant.

    Cards are named by what they count as: where ranks have another order, the game is the usual one
    under other names, and nothing behind a deal needs to know. `real` has the cards as they are.
    """

    def __init__(
        self,
        variant: Variant,
        order: BatchOrder | None = None,
        lay_order: BatchLayOrder | None = None,
    ) -> None:
        check_public(variant)
        self.variant = variant
        self.order = order or ByRank()
        self.lay_order: BatchLayOrder = lay_order or LowestFirst()
        self.stages = card_stages(variant)
        self.layout = lay_out(variant, self.stages)
        last = self.layout.stages[-1]
        self.real = np.arange(256, dtype=np.uint8)  # by card of a deal; `NO_CARD` stays
        self.real[np.array(variant.counts_as)] = np.arange(N_CARDS)
        self.n_hand_cells = int(last[deals_kernels.STAGE_CELL] + last[deals_kernels.STAGE_PATHS])

    def sample(self, seed: int, first: int, n: int) -> Deals:
        """Deals `first` to `first + n - 1` of a seed; the same for any batch size."""
        cards = np.zeros((n, self.layout.n_columns), np.uint8)
        lengths = np.empty(n, np.uint8)
        deck = np.empty(self.variant.deck.n_cards, np.uint8)
        deals_kernels.sample_deals(self.layout, seed, first, deck, cards, lengths)
        bounties = np.zeros((n, self._n_bounties), np.uint8)
        if (bounty := self.variant.bounty) is not None:
            ranks = np.array(self.variant.deck.ranks, np.uint8)
            deals_kernels.draw_bounties(ranks, bounty.rounds, seed, first, bounties)
        looks = np.zeros((n, len(self.look_places)), np.uint8)
        deals_kernels.draw_looks(np.array(self.look_places, np.int64), seed, first, looks)
        return self.complete(cards, lengths, np.full(n, 1.0 / n), bounties, looks)

    @property
    def sizes_differ(self) -> bool:
        """Whether hands have more cards at one time, or after one choice, than at first; they are
        then filled up to the most.
        """
        return self.layout.most_held > self.layout.hole_cards

    def hand_size(self, at: int, seat: int) -> int:
        """Cards of the hands that a card map labels at a stage, with those that fill them up."""
        stage, h = self.stages[at], self.layout.hole_cards
        return self.layout.most_held if self.sizes_differ else stage.n_held(seat, h)

    @cached_property
    def seats_are_alike(self) -> bool:
        """Whether deals are as likely with both hands exchanged: all choices are draws."""
        draws = all(step.kind == "draw" and not step.shared for step in self.stages[-1].steps)
        return draws and all(stage.grown[0] == stage.grown[1] for stage in self.stages)

    @cached_property
    def look_places(self) -> tuple[int, ...]:
        """How many cards there are to see at each auction for a look, for seat 0 and seat 1."""
        return count_places(self.stages, self.variant.hole_cards)

    @property
    def _n_bounties(self) -> int:
        return 0 if self.variant.bounty is None else 2

    def complete(
        self,
        cards: NDArray[np.uint8],
        lengths: NDArray[np.uint8],
        weights: NDArray[np.float64],
        bounties: NDArray[np.uint8] | None = None,
        looks: NDArray[np.uint8] | None = None,
    ) -> Deals:
        """Deals with the hands and strengths that follow from their cards."""
        layout = self.layout
        n = len(cards)
        if bounties is None:
            bounties = np.zeros((n, 0), np.uint8)
        if looks is None:
            looks = np.zeros((n, len(self.look_places)), np.uint8)
        holes = np.empty((n, 2, self.n_hand_cells, layout.most_held), np.uint8)
        laid = np.empty((n, self.n_hand_cells, self.stages[-1].n_laid), np.uint8)
        shown = np.empty((n, self.n_hand_cells, self.stages[-1].n_shown), np.uint8)
        discard_first = np.zeros((n, 2, self.n_hand_cells), np.int8)
        for at, stage in enumerate(layout.stages):
            if stage[deals_kernels.STAGE_GIVER] != deals_kernels.NO_SEAT:
                deals_kernels.give_stage(layout, at, cards, holes, laid, shown)
            elif stage[deals_kernels.STAGE_PRIZE] != deals_kernels.NO_COLUMN:
                deals_kernels.win_stage(layout, at, cards, holes)
            elif stage[deals_kernels.STAGE_DEAL] != deals_kernels.NO_COLUMN and at > 0:
                deals_kernels.deal_stage(layout, at, cards, holes)
            else:
                deals_kernels.hold_stage(
                    layout, at, cards, self._before(layout, at, discard_first), holes
                )
            if at > 0 and stage[deals_kernels.STAGE_GIVER] == deals_kernels.NO_SEAT:
                _repeat_seen(layout, at, laid)
                _repeat_seen(layout, at, shown)
            for seat in self.stages[at].givers:
                places = self.sort_given(at, seat, cards, holes, laid)
                own = holes[:, seat, stage_hand_cells(stage), : places.shape[2]]
                own[...] = np.take_along_axis(own, places, axis=2)
            if self.stages[at].before_draw and not self.stages[at].gives:
                self._order(stage, cards, holes, discard_first)
        strengths = np.empty((n, 2, int(layout.stages[-1, deals_kernels.STAGE_PATHS])), np.int64)
        first_flush_suit_only = self.variant.first_flush_suit_only
        by_mask = rank_tables(self.variant.ranking).by_mask
        deals_kernels.rank_deals(
            layout, cards, lengths, holes, laid, first_flush_suit_only, by_mask, strengths
        )
        hits = find_hits(holes, self.all_boards(cards, laid), bounties)
        seen = find_seen(layout, holes, looks)
        seats = discard_first, strengths, weights, bounties, hits, looks, seen
        return Deals(cards, lengths, holes, laid, shown, *seats)

    def all_boards(
        self, cards: NDArray[np.uint8], laid: NDArray[np.uint8]
    ) -> list[tuple[slice, Boards]]:
        """The hand cells of every stage, and its `boards`."""
        cells = map(stage_hand_cells, self.layout.stages)
        return [(here, self.boards(at, cards, laid)) for at, here in enumerate(cells)]

    def boards(
        self,
        at: int,
        cards: NDArray[np.uint8],
        laid: NDArray[np.uint8],
        shown: NDArray[np.uint8] | None = None,
    ) -> Boards:
        """[n, hand paths, board] the boards of a stage in the order in which cards came to them.

        `cards` and `laid` are those of deals. Where nobody lays cards, all hand paths share one.
        With cards that were `shown`, they are among those of the board.
        """
        stage, h = self.layout.stages[at], self.layout.hole_cards
        n_shown = 0 if shown is None else self.stages[at].n_shown
        if self.stages[at].n_laid + n_shown == 0:
            return cards[:, None, 2 * h : 2 * h + int(stage[deals_kernels.STAGE_BOARD])]
        hand_cells = stage_hand_cells(stage)
        ways = self.ways[at] if n_shown else [way for way in self.ways[at] if way != SHOWN]
        found = np.empty((len(cards), hand_cells.stop - hand_cells.start, len(ways)), np.uint8)
        for place, way in enumerate(ways):
            number = ways[:place].count(way)
            if way == LAID:
                found[..., place] = laid[:, hand_cells, number]
            elif way == SHOWN and shown is not None:
                found[..., place] = shown[:, hand_cells, number]
            else:
                found[..., place] = cards[:, None, 2 * h + number]
        return found

    @cached_property
    def ways(self) -> list[list[str]]:
        """By stage, how each card comes that both see; see `stages.seen_cards`."""
        return [seen_cards(self.variant, stage) for stage in self.stages]

    def sort_given(
        self,
        at: int,
        seat: int,
        cards: NDArray[np.uint8],
        holes: NDArray[np.uint8],
        laid: NDArray[np.uint8],
    ) -> NDArray[np.intp]:
        """[n, hand paths, cards held] the places of the cards of a seat that gives some away at a
        stage, in this dealer's order.
        """
        n_held = self.stages[at].n_held(seat, self.layout.hole_cards)
        own = holes[:, seat, stage_hand_cells(self.layout.stages[at]), :n_held]
        hands = _join(own, self.boards(at, cards, laid))
        return self.lay_order.sort_many(hands, n_held).reshape(own.shape)

    def find_discard_first(
        self, cards: NDArray[np.uint8], holes: NDArray[np.uint8]
    ) -> NDArray[np.int8]:
        """[n, 2, hand cells] which hole card has place 0 before a draw, in this dealer's order."""
        discard_first = np.zeros(holes.shape[:3], np.int8)
        for at, stage in enumerate(self.layout.stages):
            if self.stages[at].before_draw and not self.stages[at].gives:
                self._order(stage, cards, holes, discard_first)
        return discard_first

    def _order(
        self,
        stage: NDArray[np.int64],
        cards: NDArray[np.uint8],
        holes: NDArray[np.uint8],
        discard_first: NDArray[np.int8],
    ) -> None:
        """Fill the hand cells of one stage before a draw in `discard_first`."""
        hand_cells = stage_hand_cells(stage)
        held = int(stage[deals_kernels.STAGE_HELD])
        own, board = holes[:, :, hand_cells, :held], int(stage[deals_kernels.STAGE_BOARD])
        hands = join_board(cards, own, board, self.layout.hole_cards)
        found = self.order.first_many(hands, held)
        discard_first[:, :, hand_cells] = found.reshape(discard_first[:, :, hand_cells].shape)

    @staticmethod
    def _before(
        layout: deals_kernels.Layout, at: int, discard_first: NDArray[np.int8]
    ) -> NDArray[np.int8]:
        """`discard_first` of the stage before."""
        before = stage_hand_cells(layout.stages[max(at - 1, 0)])
        return np.ascontiguousarray(discard_first[:, :, before])

    def count_deals(self) -> int:
        """An upper bound on how many deals there are."""
        variant, layout = self.variant, self.layout
        n: int = 1
        left = variant.deck.n_cards
        for size in [*self._groups, *list_groups(layout)]:
            n *= left + 1 if size == SWAPPED else comb(left, size)
            left -= max(size, 0)  # the card may stay in the deck
        n *= perm(left, min(left, layout.max_runs))
        n *= prod(self.look_places) * len(variant.deck.ranks) ** self._n_bounties
        return n

    def enumerate(self) -> Deals:
        """All deals of a small variant, with their probabilities."""
        variant, n = self.variant, self.count_deals()
        if n > MOST_DEALS:
            raise TooLargeError(
                f"{variant.name} has up to {_count(n)} deals, more than the {MOST_DEALS:,} that "
                "can be listed; use a smaller deck or board"
            )
        cards, lengths = bytearray(), bytearray()
        for row, last in self._rows():
            cards.extend(row)
            lengths.append(last)
        streets = np.frombuffer(lengths, np.uint8)
        table = np.frombuffer(cards, np.uint8).reshape(streets.size, self.layout.n_columns)
        weights = self._weights(streets, table)
        pairs = _all_of([variant.deck.ranks] * self._n_bounties)
        looks = _all_of([range(n) for n in self.look_places])
        rows = np.repeat(np.arange(streets.size), len(pairs) * len(looks))
        return self.complete(
            table[rows],
            streets[rows],
            weights[rows] / (len(pairs) * len(looks)),
            np.tile(np.repeat(pairs, len(looks), axis=0), (streets.size, 1)),
            np.tile(looks, (streets.size * len(pairs), 1)),
        )

    @property
    def _groups(self) -> list[int]:
        """How many cards of a deal come together each time: hole cards by seat, then the board."""
        groups = [self.variant.hole_cards] * 2
        for street in self.variant.streets:
            groups += [street.cards, *(s.board for s in street.steps if isinstance(s, Deal))]
        return groups

    def _rows(self) -> Iterator[tuple[list[int], int]]:
        variant, layout = self.variant, self.layout
        deck = variant.deck.cards.tolist()
        extra_groups = list_groups(layout)
        for cards in deal_groups(deck, self._groups):
            rest = [card for card in deck if card not in cards]
            for run in self._runs(cards[-1], rest) if variant.run_suits else [()]:
                left = [card for card in rest if card not in run]
                padding = [0] * (layout.max_runs - len(run))
                for extra in deal_groups(left, extra_groups):
                    street = layout.last_street + len(run)
                    yield [*cards, *run, *padding, *extra], street

    def _runs(self, last: int, rest: list[int]) -> Iterator[tuple[int, ...]]:
        """The cards that may follow the last one of the board."""
        stack: list[tuple[int, ...]] = [()]
        while stack:
            run = stack.pop()
            card = run[-1] if run else last
            if (self.layout.run_suits >> (card & 3)) & 1 and len(run) < self.layout.max_runs:
                stack += [(*run, card) for card in rest if card not in run]
            else:
                yield run

    def _weights(self, streets: NDArray[np.uint8], cards: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Probabilities: hole cards and board are equally likely, runs and draws card by card.

        Cards that come to a hand together come in one order only, in every row alike.
        """
        layout = self.layout
        left = layout.deck.size - 2 * layout.hole_cards - layout.board_cards
        n_drawn = streets.astype(np.int64) - layout.last_street + layout.swaps.size
        may_come = np.flatnonzero(layout.swaps < 1.0)
        odds = layout.swaps[may_come]
        comes = cards[:, layout.n_columns - layout.swaps.size + may_come] != deals_kernels.NO_CARD
        n_drawn -= (~comes).sum(axis=1)
        ways = np.array([perm(left, k) for k in range(int(n_drawn.max(initial=0)) + 1)], float)
        weights: NDArray[np.float64] = np.where(comes, odds, 1.0 - odds).prod(axis=1)
        weights /= ways[n_drawn]
        total: float = weights.sum()
        return weights / total


def draw_rows(limits: NDArray[np.float64], seed: int, first: int, n: int) -> NDArray[np.int64]:
    """`n` rows of a list, from number `first` of a seed on, by cumulated probabilities.

    A row depends only on the seed and its number, not on the size of a batch.
    """
    rows = np.empty(n, np.int64)
    deals_kernels.pick_rows(limits, seed, first, rows)
    return rows


def stage_hand_cells(stage: NDArray[np.int64]) -> slice:
    """The hand cells of one stage, a row of the layout."""
    first = int(stage[deals_kernels.STAGE_CELL])
    return slice(first, first + int(stage[deals_kernels.STAGE_PATHS]))


def join_board(
    cards: NDArray[np.uint8], holes: NDArray[np.uint8], board: int, hole_cards: int
) -> NDArray[np.uint8]:
    """[n * 2 * hand cells, hole + board] the cards of hands on their boards.

    `holes` are [n, 2, hand cells, hole], `cards` rows of deals in which each seat was dealt
    `hole_cards` at first.
    """
    h = holes.shape[3]
    hands = np.empty((*holes.shape[:3], h + board), np.uint8)
    deals_kernels.join_cards(cards, holes, 2 * hole_cards, hands)
    return hands.reshape(-1, h + board)


def _join(holes: NDArray[np.uint8], boards: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """[n * paths, hole + board] hands [n, paths, hole] on boards [n, paths or 1, board]."""
    shared = np.broadcast_to(boards, (*holes.shape[:2], boards.shape[2]))
    joined = np.concatenate([holes, shared], axis=2)
    return joined.reshape(-1, joined.shape[2])


def _repeat_seen(layout: deals_kernels.Layout, at: int, laid: NDArray[np.uint8]) -> None:
    """What both had seen before a stage whose paths are those of the stage before, or follow."""
    if laid.shape[2] == 0:
        return
    before, here = (stage_hand_cells(layout.stages[k]) for k in (at - 1, at))
    n_following = (here.stop - here.start) // (before.stop - before.start)
    laid[:, here] = np.repeat(laid[:, before], n_following, axis=1)


def _count(n: int) -> str:
    """A number for people: digits, or a power of ten if there are too many of them."""
    return f"{n:,}" if n < 10**12 else f"{n:.1e}"


def _all_of(values: Sequence[Sequence[int]]) -> NDArray[np.uint8]:
    """[ways, values] every way to take one of each; one way if there is nothing to take."""
    ways = [*product(*values)]
    return np.array(ways, np.uint8).reshape(len(ways), len(values))
