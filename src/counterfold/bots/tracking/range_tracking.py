"""All hands of a bot at once: their buckets and order of discards on boards."""

import numpy as np
from numpy.typing import NDArray

from counterfold.bots.tracking.deck_hands import card_bits, list_hands
from counterfold.public import deals_kernels
from counterfold.public.card_maps import CardMap
from counterfold.public.deals import Dealer

NO_BUCKET = 0  # of a hand that the board rules out, which is never asked for


class LabeledHands:
    """All hands of a variant, and what a card map makes of them on a board.

    A hand that a later card of the board rules out is still possible before that card is dealt. So
    each hand is labeled on the part of the board that leaves it possible.
    """

    def __init__(self, dealer: Dealer, cards: CardMap) -> None:
        self.dealer, self.cards, self.hands = dealer, cards, list_hands(dealer.variant)

    def label(self, boards: NDArray[np.uint8], lengths: NDArray[np.uint8]) -> NDArray[np.int32]:
        """[n, stages, H] the buckets of hands as long as the board leaves them possible.

        A row of `boards` is dealt up to the street in `lengths`. Hole cards are taken to be those
        of the beginning, which matters to maps that remember.
        """
        stages = self.dealer.layout.stages
        labels = np.full((len(boards), len(stages), len(self.hands.cards)), NO_BUCKET, np.int32)
        if not self.cards.chained:
            self._label_stages(boards, lengths, labels)
            return labels
        for rows, chosen, dealt in self._groups(boards, lengths):
            found = self.cards.label_hands(self.hands.cards[chosen], dealt)
            at = np.arange(found.shape[1])
            labels[rows[:, None, None], at[:, None], chosen[:, None, :]] = found
        return labels

    def _label_stages(
        self,
        boards: NDArray[np.uint8],
        lengths: NDArray[np.uint8],
        labels: NDArray[np.int32],
    ) -> None:
        """Label stage by stage, which looks at each board once."""
        for at, stage in enumerate(self.dealer.layout.stages):
            rows = np.flatnonzero(lengths >= stage[deals_kernels.STAGE_STREET])
            if rows.size:
                dealt = boards[rows, : int(stage[deals_kernels.STAGE_BOARD])]
                chosen = self._choose(card_bits(dealt), np.zeros(rows.size, np.int64))
                found = self.cards.label_stage(at, self.hands.cards[chosen], dealt, None)
                labels[rows[:, None], at, chosen] = found

    def order(self, boards: NDArray[np.uint8]) -> NDArray[np.int8]:
        """[n, stages, H] before a draw, which hole card of a hand has place 0."""
        dealer, n_hands = self.dealer, len(self.hands.cards)
        n_stages = len(dealer.stages) if dealer.variant.n_draws else 1
        orders = np.zeros((len(boards), n_stages, n_hands), np.int8)
        for at, stage in enumerate(dealer.stages):
            if stage.before_draw:
                size = int(dealer.layout.stages[at, deals_kernels.STAGE_BOARD])
                dealt = boards[:, :size]
                chosen = self._choose(card_bits(dealt), np.zeros(len(boards), np.int64))
                hands = np.empty((*chosen.shape, dealer.layout.hole_cards + size), np.uint8)
                hands[..., : dealer.layout.hole_cards] = self.hands.cards[chosen]
                hands[..., dealer.layout.hole_cards :] = dealt[:, None]
                first = dealer.order.first_many(
                    hands.reshape(-1, hands.shape[2]), dealer.layout.hole_cards
                )
                rows = np.arange(len(boards))[:, None]
                orders[rows, at, chosen] = first.reshape(chosen.shape)
        return orders

    def _groups(
        self, boards: NDArray[np.uint8], lengths: NDArray[np.uint8]
    ) -> list[tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.uint8]]]:
        """Deals, hands [deals, some] and boards: the longest boards that leave these hands."""
        layout, groups = self.dealer.layout, []
        streets = np.unique(layout.stages[:, deals_kernels.STAGE_STREET])
        for street in streets.tolist():
            size = self.dealer.variant.board_cards(street)
            bits = card_bits(boards[:, :size])
            over = np.flatnonzero(lengths == street)
            if over.size:
                chosen = self._choose(bits[over], np.zeros(over.size, np.int64))
                groups.append((over, chosen, boards[over, :size]))
            more = np.flatnonzero(lengths > street)
            if more.size:
                longer = self.dealer.variant.board_cards(street + 1)
                chosen = self._choose(bits[more], card_bits(boards[more, size:longer]))
                groups.append((more, chosen, boards[more, :size]))
        return groups

    def _choose(self, without: NDArray[np.int64], with_any: NDArray[np.int64]) -> NDArray[np.intp]:
        """[n, some] the hands that have no card of `without`, and one of `with_any` unless 0."""
        bits = self.hands.bits
        fits = (bits & without[:, None]) == 0
        if with_any.any():
            fits &= (bits & with_any[:, None]) != 0
        return np.nonzero(fits)[1].reshape(len(without), -1)
