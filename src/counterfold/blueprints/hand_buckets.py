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
from counterfold.public import deals_kernels
from counterfold.public.card_maps import CardMap
from counterfold.public.deals import Dealer, Deals


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
        discarded: tuple[bool, ...],
        hands: list[tuple[int, ...]],
        board: tuple[int, ...],
        n_cards: int | None = None,
    ) -> list[BucketedHand]:
        """The buckets of `hands` of `seat` at a stage, after it `discarded` at its draws or not.

        They have `n_cards` where hands may have grown, by default those that were dealt.

        A hand that cannot have come about is left out.
        """
        self.check_board(stage, board)
        usual = self.dealer.stages[stage].n_held(seat, self.dealer.variant.hole_cards)
        n_cards = n_cards or usual
        self._check_hands(hands, board, n_cards)
        keys = [_key(self._count(hand)) for hand in hands]
        if self.listed is not None:
            self._check_not_laid(stage)
            counted = self._count(board)
            found = self._find_listed(self.listed, stage, seat, discarded, counted)
            pairs = zip(hands, keys, strict=True)
            return [BucketedHand(hand, found[key]) for hand, key in pairs if key in found]
        if any(discarded) and self.cards.recalls:
            raise AbstractionError(
                f"{self.cards.name} remembers the hand before a discard, which is not known here"
            )
        labels = self._label_at(stage, hands, board).tolist()
        labeled = zip(hands, labels, strict=True)
        return [BucketedHand(hand, self._add_bounty(hand, board, label)) for hand, label in labeled]

    def _add_bounty(
        self, hand: tuple[int, ...], board: tuple[int, ...], label: int
    ) -> dict[int, float]:
        """The buckets of a hand by its bounty, if that is known to be hit or not."""
        if self.cards.knows_bounty == "nothing":
            return {label: 1.0}
        hit = len({card // 4 for card in (*hand, *board)}) / len(self.dealer.variant.deck.ranks)
        return {2 * label: 1.0 - hit, 2 * label + 1: hit}

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

    def hands(self, board: tuple[int, ...]) -> list[tuple[int, ...]]:
        """All hands that fit a board, highest cards first."""
        cards = [c for c in self.dealer.variant.deck.cards.tolist()[::-1] if c not in board]
        n = self.dealer.variant.hole_cards
        if n > 2:
            raise CardError(f"hands of {n} cards are too many to list; pass one with --hand")
        if n == 1:
            return [(card,) for card in cards]
        return [(a, b) for at, a in enumerate(cards) for b in cards[at + 1 :]]

    def discards(self, hand: tuple[int, ...], board: tuple[int, ...]) -> tuple[int, ...]:
        """The cards of a hand in the order of the actions that discard them."""
        counted = self._count(hand), self._count(board)
        if self.dealer.variant.lays_cards:
            return tuple(hand[place] for place in self.dealer.lay_order.sort(*counted))
        hands = np.array([[*counted[0], *counted[1]]], np.uint8)
        first = int(self.dealer.order.first_many(hands, len(hand))[0])
        return (hand[first], *(card for at, card in enumerate(hand) if at != first))

    def check_board(self, stage: int, board: tuple[int, ...]) -> None:
        """Raise `CardError` unless `board` has the cards of a stage."""
        variant = self.dealer.variant
        size = int(self.dealer.layout.stages[stage][deals_kernels.STAGE_BOARD])
        if len(board) != size:
            way = "pass them with --board"
            if len(board) > size:
                way = "pass the betting that leads to this board with --history"
            raise CardError(
                f"the board of {variant.name} has {size} card{'s' * (size != 1)} here, "
                f"not {len(board)}; {way}"
            )
        variant.deck.check(board)

    def _check_not_laid(self, stage: int) -> None:
        """Raise `AbstractionError` if a card of the board was laid: a list has dealt ones only."""
        row = self.dealer.layout.stages[stage]
        variant, street = self.dealer.variant, int(row[deals_kernels.STAGE_STREET])
        n_before = variant.board_cards(street - 1) if street else 0
        n_dealt = n_before + variant.streets[min(street, len(variant.streets) - 1)].cards
        if variant.lays_cards and int(row[deals_kernels.STAGE_BOARD]) > n_dealt:
            raise AbstractionError(
                f"{self.cards.name} cards are listed by deal, so hands cannot be found once "
                f"players of {variant.name} have laid cards; show a decision before that"
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
        discarded: tuple[bool, ...],
        board: tuple[int, ...],
    ) -> dict[tuple[int, ...], dict[int, float]]:
        """Buckets by hand with their probabilities."""
        layout = self.dealer.layout
        row = layout.stages[stage]
        rows = deals.lengths >= row[deals_kernels.STAGE_STREET]
        h, at = layout.hole_cards, 0
        for street in range(int(row[deals_kernels.STAGE_STREET]) + 1):
            size = self.dealer.variant.board_cards(street)
            dealt = np.sort(deals.cards[:, 2 * h + at : 2 * h + size], axis=1)
            rows &= (dealt == np.sort(np.array(board[at:size], np.uint8))).all(axis=1)
            at = size
        labels = self.cards.label(deals)
        found: dict[tuple[int, ...], dict[int, float]] = {}
        for hand_path in range(int(row[deals_kernels.STAGE_PATHS])):
            if _discards(hand_path, h + 1, len(discarded)) != discarded:
                continue
            hand_cell = int(row[deals_kernels.STAGE_CELL]) + hand_path
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


def _key(hand: tuple[int, ...] | list[int]) -> tuple[int, ...]:
    return tuple(sorted(card for card in hand if card != deals_kernels.NO_CARD))


def _discards(hand_path: int, n_choices: int, n_draws: int) -> tuple[bool, ...]:
    """At which draws a hand path discarded, the first one first."""
    discard_choices = []
    for _ in range(n_draws):
        discard_choices.append(hand_path % n_choices > 0)
        hand_path //= n_choices
    return tuple(reversed(discard_choices))
