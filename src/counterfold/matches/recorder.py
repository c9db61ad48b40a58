"""Hands that kernels played, written in the notation of exact states. Only cards and recorded steps
are used here, not the rules: whether a hand was legal, and who won it, is checked when it is
replayed.
"""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from counterfold.cards import format_card, format_cards
from counterfold.cards.text import RANKS
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.action_words import DISCARD, letter_of
from counterfold.games.holdem.chance import BOUNTY, DRAWN, SWAPPED, UNSWAPPED
from counterfold.matches import policy_match_kernels
from counterfold.matches.hand_histories import HandHistory, clean_name
from counterfold.public import deals_kernels
from counterfold.public.deals import Dealer, Deals
from counterfold.public.stages import stage_table

_NO_KIND = -1  # of a hand in which nobody has acted: the blinds were all in


class Recorder:
    """Records the hands of one variant."""

    def __init__(self, dealer: Dealer) -> None:
        self.variant, self._real = dealer.variant, dealer.real
        self._swaps: dict[int, int] = {}  # street: first column of its new cards
        self._prizes: dict[int, int] = {}  # street: column of the card that an auction brings
        self._rows = dealer.layout.stages.tolist()
        self._stages = stage_table(dealer.stages)
        for row in self._rows:
            if row[deals_kernels.STAGE_SWAP] != deals_kernels.NO_COLUMN:
                self._swaps[row[deals_kernels.STAGE_STREET]] = row[deals_kernels.STAGE_SWAP]
            if row[deals_kernels.STAGE_PRIZE] != deals_kernels.NO_COLUMN:
                self._prizes[row[deals_kernels.STAGE_STREET]] = row[deals_kernels.STAGE_PRIZE]

    def write(
        self,
        deals: Deals,
        first: int,
        names: tuple[str, str],
        swaps: NDArray[np.uint8],
        plays: Sequence[policy_match_kernels.Played],
        chips: NDArray[np.float64],
        adjusted: NDArray[np.uint8],
    ) -> list[HandHistory]:
        """The hands of a batch that begins with deal `first`, deal by deal.

        `swaps`, `chips` and `adjusted` are [plays, n], of player 0.
        """
        one, two = (clean_name(name) for name in names)
        if one == two:
            two += " (2)"
        written = []
        for i in range(len(deals)):
            for p, play in enumerate(plays):
                n_steps = int(play.ends[i, policy_match_kernels.N_STEPS])
                swapped = bool(swaps[p, i])
                sign = -1 if swapped else 1
                won, expected = sign * int(play.winnings[i]), sign * float(chips[p, i])
                written.append(
                    HandHistory(
                        hand=(first + i) * len(plays) + p + 1,
                        deal=first + i + 1,
                        variant=self.variant.name,
                        players=(two, one) if swapped else (one, two),
                        state=" ".join(self._words(deals, i, play.steps[i, :n_steps].tolist())),
                        chips=(won, -won),
                        adjusted=(expected, -expected) if adjusted[p, i] else None,
                    )
                )
        return written

    def _words(self, deals: Deals, i: int, steps: Iterable[list[int]]) -> Iterator[str]:
        h = self.variant.hole_cards
        cards = self._real[deals.cards[i]].tolist()
        holes = cards[:h], cards[h : 2 * h]
        for hole in holes:
            yield _set(hole)
        for rank in deals.bounties[i].tolist():
            yield BOUNTY + RANKS[rank]
        # A state has the places of a hand in the order of its first cards.
        places = [sorted(range(h), key=hole.__getitem__, reverse=True) for hole in holes]
        street, turn, kind = 0, 0, _NO_KIND
        hand_paths = [0, 0]
        bids: dict[int, int] = {}  # by seat
        for at, seat, kind, amount, _ in steps:
            for later in range(street + 1, at + 1):
                yield from self._deal(later, cards, places)
                turn = 0
            street = at
            if kind not in (betting.DISCARD, betting.KEEP):
                letter = letter_of(kind, amount)
                yield f"{letter}{amount}" if kind in (betting.RAISE, betting.BID) else letter
                if kind == betting.BID:
                    bids[seat] = amount
                if len(bids) == len(holes):
                    winners = [each for each in (0, 1) if bids[each] == max(bids.values())]
                    for winner in winners:
                        yield DRAWN + format_card(cards[self._prizes[street] + winner])
                    bids.clear()
                continue
            stage = int(self._stages[street, 1 + turn])
            turn += 1
            after = self._rows[stage + 1]
            lays = after[deals_kernels.STAGE_LAYER] != deals_kernels.NO_SEAT
            if kind == betting.DISCARD:
                hand_cell = self._rows[stage][deals_kernels.STAGE_CELL] + hand_paths[seat]
                place = amount ^ int(deals.discard_first[i, seat, hand_cell])
                yield DISCARD + format_card(int(self._real[deals.holes[i, seat, hand_cell, place]]))
                if not lays:
                    yield DRAWN + format_card(cards[after[deals_kernels.STAGE_DRAW] + seat])
            else:
                yield letter_of(kind, amount)
            choice = amount if lays else 1 + amount if kind == betting.DISCARD else 0
            for each in (0, 1) if lays else (seat,):
                hand_paths[each] = hand_paths[each] * after[deals_kernels.STAGE_CHOICES] + choice
        if kind != betting.FOLD:
            for later in range(street + 1, int(deals.lengths[i]) + 1):
                yield from self._deal(later, cards, places)

    def _deal(self, street: int, cards: list[int], places: list[list[int]]) -> Iterator[str]:
        """A street's cards, and its swaps."""
        h = self.variant.hole_cards
        start, stop = (self._n_dealt(at) for at in (street - 1, street))
        yield _set(cards[2 * h + start : 2 * h + stop])
        if street in self._swaps:
            for seat in range(2):
                for place in places[seat]:
                    card = cards[self._swaps[street] + seat * h + place]
                    yield (
                        UNSWAPPED if card == deals_kernels.NO_CARD else SWAPPED + format_card(card)
                    )

    def _n_dealt(self, street: int) -> int:
        """Cards that chance has dealt to the board."""
        laid = sum(each.laid for each in self.variant.streets[: street + 1])
        return self.variant.board_cards(street) - laid


def _set(cards: Iterable[int]) -> str:
    return format_cards(sorted(cards, reverse=True))
