"""The buckets that hands have at a point of the play.

A hand with drawn cards may have come about in several ways, and a strategy that remembers them has
a bucket for each. On listed deals all of them are found; card tables have one bucket per hand.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from counterfold.cards import format_cards
from counterfold.errors import AbstractionError, CardError
from counterfold.games.holdem.card_sets_kernels import set_size
from counterfold.public import deals_kernels
from counterfold.public.card_maps import CardMap
from counterfold.public.card_maps.exact_cards import new_groups
from counterfold.public.deals import Dealer, Deals
from counterfold.public.looks import classify_looks, count_look_classes
from counterfold.public.stages import LAID, SHOWN, PathStep


@dataclass(frozen=True)
class BucketedHand:
    """A hand, with its buckets and how likely each is given the hand and the board."""

    hand: tuple[int, ...]
    buckets: dict[int, float]


@dataclass(frozen=True, eq=False)
class HandBuckets:
    """Looks up hands; `listed` are all deals of the variant if `cards` are made for them."""

    dealer: Dealer
    cards: CardMap
    listed: Deals | None = None

    def find(
        self,
        stage: int,
        seat: int,
        discarded: tuple[int, ...],
        hands: list[tuple[int, ...]],
        board: tuple[int, ...],
        n_cards: int | None = None,
        won: tuple[bool, ...] = (),
        seen: tuple[int, ...] = (),
    ) -> list[BucketedHand]:
        """The buckets of `hands` of `seat` at a stage, and how likely each is.

        `discarded` has how many cards it gave away at each of its turns so far. Hands have
        `n_cards` where they may have changed their size, by default the most. Of the auctions so
        far the seat has `won` some; the cards of the other's hand that looks have shown it are
        `seen`, or unknown if there are none.

        A hand that cannot have come about is left out.
        """
        self.check_board(stage, board)
        self._check_seen(stage, won, seen)
        usual = self.dealer.stages[stage].n_held(seat, self.dealer.variant.hole_cards)
        n_cards = n_cards or usual
        self._check_hands(hands, board, n_cards)
        keys = [_key(self._count(hand)) for hand in hands]
        if self.listed is not None:
            counted = self._count(board), self._count(seen)
            found = self._find_listed(self.listed, stage, seat, discarded, won, *counted)
            pairs = zip(hands, keys, strict=True)
            return [BucketedHand(hand, found[key]) for hand, key in pairs if key in found]
        if any(discarded) and self.cards.recalls:
            raise AbstractionError(
                f"{self.cards.name} remembers the hand before a discard, which is not known here"
            )
        labels = self._label_at(stage, hands, board).tolist()
        labeled = zip(hands, labels, strict=True)
        if self.dealer.stages[stage].looks:
            theirs = set(seen) - (set(board) if self.dealer.stages[stage].n_laid else set())
            return [
                BucketedHand(
                    hand,
                    self._add_bounty(
                        hand, board, self._add_looks(stage, hand, board, won, seen, label)
                    ),
                )
                for hand, label in labeled
                if not theirs.intersection((*hand, *board))
            ]
        return [
            BucketedHand(hand, self._add_bounty(hand, board, {label: 1.0}))
            for hand, label in labeled
        ]

    def _add_looks(
        self,
        stage: int,
        hand: tuple[int, ...],
        board: tuple[int, ...],
        won: tuple[bool, ...],
        seen: tuple[int, ...],
        label: int,
    ) -> dict[int, float]:
        """The buckets of a hand by what looks may have shown: any card that is not here."""
        variant, knows = self.dealer.variant, self.cards.knows_look
        looks = self._looks_won(stage, won)
        ways: list[tuple[int, ...]] = [seen]
        if len(seen) < sum(looks):
            here = (*hand, *board)
            ways = [(card,) for card in variant.deck.cards.tolist() if card not in here]
        n_classes = count_look_classes(variant, knows, len(looks))
        found: dict[int, float] = {}
        for cards in ways:
            told = iter(self._count(cards))
            of_looks = [next(told) if has_won else deals_kernels.NO_CARD for has_won in looks]
            known = classify_looks(variant, knows, of_looks, self._count(board))
            bucket = label * n_classes + known
            found[bucket] = found.get(bucket, 0.0) + 1.0 / len(ways)
        return found

    def _looks_won(self, stage: int, won: tuple[bool, ...]) -> list[bool]:
        """Which of the auctions for a look a seat has won, by which of all auctions it has."""
        kinds = [step.kind for step in self.dealer.stages[stage].steps if step.is_auction]
        return [each for kind, each in zip(kinds, won, strict=True) if kind == "look"]

    def _add_bounty(
        self, hand: tuple[int, ...], board: tuple[int, ...], of_cards: dict[int, float]
    ) -> dict[int, float]:
        """The buckets of a hand by its bounty, if that is known to be hit or not."""
        if self.cards.knows_bounty == "nothing":
            return of_cards
        hit = len({card // 4 for card in (*hand, *board)}) / len(self.dealer.variant.deck.ranks)
        ways = (0, 1.0 - hit), (1, hit)
        return {2 * label + k: share * p for label, share in of_cards.items() for k, p in ways}

    def _label_at(
        self, stage: int, hands: Sequence[tuple[int, ...]], board: tuple[int, ...]
    ) -> NDArray[np.int32]:
        """[hands] the buckets of hands at a stage."""
        if self.cards.chained:
            found: NDArray[np.int32] = self.label(hands, board)[stage]
            return found
        cards = self.cards.without_bounty
        return np.asarray(cards.label_stage(stage, *self._arrays(hands, board), None)[0])

    def label(self, hands: Sequence[tuple[int, ...]], board: tuple[int, ...]) -> NDArray[np.int32]:
        """[stages, hands] the buckets of hands that never change, up to a board.

        Nothing is known of bounties.
        """
        arrays = self._arrays(hands, board)
        labels: NDArray[np.int32] = self.cards.without_bounty.label_hands(*arrays)[0]
        return labels

    def _arrays(
        self, hands: Sequence[tuple[int, ...]], board: tuple[int, ...]
    ) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """Hands on their board, as what they count as."""
        counts_as = np.array(self.dealer.variant.counts_as, np.uint8)
        return counts_as[np.array([hands])], counts_as[np.array([board], np.uint8)]

    def _count(self, cards: tuple[int, ...]) -> tuple[int, ...]:
        """What cards count as."""
        return tuple(self.dealer.variant.counts_as[card] for card in cards)

    def hands(self, board: tuple[int, ...], n_cards: int | None = None) -> list[tuple[int, ...]]:
        """All hands of `n_cards`, by default those dealt, that fit a board, highest cards first."""
        cards = [c for c in self.dealer.variant.deck.cards.tolist()[::-1] if c not in board]
        n = n_cards or self.dealer.variant.hole_cards
        if n > 2:
            raise CardError(f"hands of {n} cards are too many to list; pass one with --hand")
        if n == 1:
            return [(card,) for card in cards]
        return [(a, b) for at, a in enumerate(cards) for b in cards[at + 1 :]]

    def discards(self, hand: tuple[int, ...], board: tuple[int, ...]) -> tuple[int, ...]:
        """The cards of a hand in the order of the actions that discard them."""
        counted = self._count(hand), self._count(board)
        if self.dealer.variant.gives_cards:
            return tuple(hand[place] for place in self.dealer.lay_order.sort(*counted))
        hands = np.array([[*counted[0], *counted[1]]], np.uint8)
        first = int(self.dealer.order.first_many(hands, len(hand))[0])
        return (hand[first], *(card for at, card in enumerate(hand) if at != first))

    def check_board(self, stage: int, board: tuple[int, ...]) -> None:
        """Raise `CardError` unless `board` has the cards of a stage."""
        variant = self.dealer.variant
        size = int(self.dealer.layout.stages[stage][deals_kernels.STAGE_BOARD])
        steps = self.dealer.stages[stage].steps
        free = sum(step.discard.count for step in steps if step.way == LAID and step.may_keep)
        if not size - free <= len(board) <= size:
            way = "pass them with --board"
            if len(board) > size:
                way = "pass the betting that leads to this board with --history"
            raise CardError(
                f"the board of {variant.name} has {size} card{'s' * (size != 1)} here, "
                f"not {len(board)}; {way}"
            )
        variant.deck.check(board)

    def _check_seen(self, stage: int, won: tuple[bool, ...], seen: tuple[int, ...]) -> None:
        """Raise `CardError` unless a seat can have seen `seen`, and it need not be told."""
        variant, steps = self.dealer.variant, self.dealer.stages[stage].steps
        n_looks = sum(self._looks_won(stage, won)) if self.dealer.stages[stage].looks else 0
        variant.deck.check(sorted(set(seen)))
        if seen and len(seen) != n_looks:
            raise CardError(
                f"a player of {variant.name} has seen {n_looks} card{'s' * (n_looks != 1)} of the "
                f"other's hand here, not {format_cards(seen)}"
            )
        looks = [at for at, step in enumerate(steps) if step.kind == "look"]
        shows = looks and any(step.kind == "give" for step in steps[looks[0] :])
        if self.listed is None and len(seen) < n_looks and (n_looks > 1 or shows):
            raise AbstractionError(
                f"how likely a player of {variant.name} is to have seen which card here depends on "
                "more than its hand and the board; pass the cards seen with --seen"
            )

    def _check_hands(
        self, hands: list[tuple[int, ...]], board: tuple[int, ...], n_cards: int
    ) -> None:
        variant = self.dealer.variant
        left = set(variant.deck.cards.tolist()) - set(board)
        for hand in hands:
            if len(hand) != n_cards:
                raise CardError(
                    f"a hand of {variant.name} has {n_cards} cards, "
                    f"not {format_cards(hand) or 'none'}"
                )
            if len(left.intersection(hand)) < len(hand):  # the deck says which card is wrong
                variant.deck.check([*hand, *board])

    def _find_listed(
        self,
        deals: Deals,
        stage: int,
        seat: int,
        discarded: tuple[int, ...],
        won: tuple[bool, ...],
        board: tuple[int, ...],
        seen: tuple[int, ...],
    ) -> dict[tuple[int, ...], dict[int, float]]:
        """Buckets by hand with their probabilities."""
        row = self.dealer.layout.stages[stage]
        reached = np.flatnonzero(deals.lengths >= row[deals_kernels.STAGE_STREET])
        boards = self.dealer.boards(stage, deals.cards[reached], deals.laid[reached])
        wanted = np.full(boards.shape[2], deals_kernels.NO_CARD, np.uint8)
        wanted[: len(board)] = board
        fits = self._fit_boards(stage, boards, wanted)
        labels = self.cards.label(deals)
        found: dict[tuple[int, ...], dict[int, float]] = {}
        for hand_path in range(int(row[deals_kernels.STAGE_PATHS])):
            if self._discards(stage, seat, hand_path) != discarded:
                continue
            if won and self._auctions(stage, hand_path) != won:
                continue
            rows = reached[fits[:, hand_path if boards.shape[1] > 1 else 0]]
            hand_cell = int(row[deals_kernels.STAGE_CELL]) + hand_path
            if seen:
                shown = deals.seen[rows, seat, hand_cell]
                looks = np.flatnonzero(self._looks_won(stage, won))
                rows = rows[(shown[:, looks] == seen).all(axis=1)]
            for hand, bucket, weight in zip(
                deals.holes[rows, seat, hand_cell].tolist(),
                labels[rows, seat, hand_cell].tolist(),
                deals.weights[rows].tolist(),
                strict=True,
            ):
                of_hand = found.setdefault(_key(hand), {})
                of_hand[bucket] = of_hand.get(bucket, 0.0) + weight
        for of_hand in found.values():
            total = sum(of_hand.values())
            for bucket in of_hand:
                of_hand[bucket] /= total
        return found

    def _fit_boards(
        self, stage: int, boards: NDArray[np.uint8], wanted: NDArray[np.uint8]
    ) -> NDArray[np.bool_]:
        """[deals, paths] whether boards are `wanted`: in any order where cards came together.

        If players might have laid more, it is not known which are missing: after the first cards
        any order fits.
        """
        ways = [way for way in self.dealer.ways[stage] if way != SHOWN]
        streets = self._streets(stage)
        kinds = [f"{street} {way}" for street, way in zip(streets, ways, strict=True)]
        groups = new_groups(kinds, 0)
        if (wanted == deals_kernels.NO_CARD).any():
            groups = [groups[0], (groups[0][1], wanted.size)]
        fits: NDArray[np.bool_] = np.ones(boards.shape[:2], np.bool_)
        for start, stop in groups:
            here = np.sort(boards[..., start:stop], axis=2) == np.sort(wanted[start:stop])
            fits &= here.all(axis=2)
        return fits

    def _streets(self, stage: int) -> list[int]:
        """The street of each card of the board at a stage."""
        n_cards = int(self.dealer.layout.stages[stage, deals_kernels.STAGE_BOARD])
        streets: list[int] = []
        for street in range(self.dealer.stages[stage].street + 1):
            size = min(self.dealer.variant.board_cards(street), n_cards)
            streets += [street] * (size - len(streets))
        return streets

    def _discards(self, stage: int, seat: int, hand_path: int) -> tuple[int, ...]:
        """How many cards a seat has discarded at each of its turns, the first one first."""
        found: list[int] = []
        for step, digit in self._digits(stage, hand_path):
            if step.kind == "draw":
                found.append(int(digit > 0))
            elif step.gives(seat):
                number = digit + step.first_set - step.may_keep
                found.append(0 if number < 0 else int(set_size(step.n_held, number)))
        return tuple(found)

    def _auctions(self, stage: int, hand_path: int) -> tuple[bool, ...]:
        """Which auctions a hand path has won."""
        digits = self._digits(stage, hand_path)
        return tuple(digit > 0 for step, digit in digits if step.is_auction)

    def _digits(self, stage: int, hand_path: int) -> list[tuple[PathStep, int]]:
        """The digits of a hand path, the first one first."""
        found: list[tuple[PathStep, int]] = []
        for step in reversed(self.dealer.stages[stage].steps):
            found.insert(0, (step, hand_path % step.n_choices))
            hand_path //= step.n_choices
        return found


def _key(hand: tuple[int, ...] | list[int]) -> tuple[int, ...]:
    return tuple(sorted(card for card in hand if card != deals_kernels.NO_CARD))
