"""Hands that kernels played, written in the notation of exact states. Only cards and recorded steps
are used here, not the rules: whether a hand was legal, and who won it, is checked when it is
replayed.
"""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from counterfold.bots.dealt_hands import read_deals
from counterfold.bots.shuffled_deck import STAYS, Cards, ShuffledDeck
from counterfold.cards import format_card, format_cards
from counterfold.cards.text import RANKS
from counterfold.games.holdem import Discard, Variant
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.action_words import DISCARD, letter_of
from counterfold.games.holdem.card_sets_kernels import SET_BITS
from counterfold.games.holdem.chance import (
    BOUNTY,
    DRAWN,
    FIRST_SWAP,
    LOOKED,
    OWED_BOARD,
    OWED_HOLE,
    SWAPPED,
    UNSWAPPED,
    chance_steps,
)
from counterfold.matches import policy_match_kernels
from counterfold.matches.hand_histories import HandHistory, clean_name
from counterfold.public import deals_kernels
from counterfold.public.deals import Dealer, Deals
from counterfold.public.stages import stage_table

_NO_KIND = -1  # of a hand in which nobody has acted: the blinds were all in


class Recorder:
    """Records the hands of one variant."""

    def __init__(self, dealer: Dealer) -> None:
        self.dealer, self.variant, self._real = dealer, dealer.variant, dealer.real
        self._rows = dealer.layout.stages.tolist()
        self._stages = stage_table(dealer.stages)

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
        for i, deal in enumerate(read_deals(self.dealer, deals)):
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
                        state=" ".join(
                            self._words(deals, i, deal, play.steps[i, :n_steps].tolist())
                        ),
                        chips=(won, -won),
                        adjusted=(expected, -expected) if adjusted[p, i] else None,
                    )
                )
        return written

    def _words(
        self, deals: Deals, i: int, deal: ShuffledDeck, steps: Iterable[list[int]]
    ) -> Iterator[str]:
        for hole in deal.holes:
            yield _set(hole)
        for rank in deal.bounties or ():
            yield BOUNTY + RANKS[rank]
        chance = _Chance(self.variant, deal)
        yield from chance.steps(0, 0)
        street, turn, place, kind = 0, 0, 0, _NO_KIND
        hand_paths = [0, 0]
        bids: dict[int, int] = {}  # by seat
        for at, seat, kind, amount, _ in steps:
            for later in range(street + 1, at + 1):
                yield from chance.street(later)
                turn = place = 0
            street = at
            if kind not in (betting.DISCARD, betting.KEEP, betting.BID):
                letter = letter_of(kind, amount)
                yield f"{letter}{amount}" if kind == betting.RAISE else letter
                continue
            choice = self.variant.streets[street].choices[place]
            most = choice.count if isinstance(choice, Discard) else 1
            stage = int(self._stages[street, 1 + betting.TURNS * place + most * turn])
            after = self._rows[stage + 1]
            turn += 1
            if kind == betting.BID:
                yield f"{letter_of(kind, amount)}{amount}"
                bids[seat] = amount
                if len(bids) == len(hand_paths):
                    won = [bids[each] == max(bids.values()) for each in (0, 1)]
                    hand_paths = [2 * path + on for path, on in zip(hand_paths, won, strict=True)]
                    for winner in (each for each in (0, 1) if won[each]):
                        cell = after[deals_kernels.STAGE_CELL] + hand_paths[winner]
                        yield self._prize(deals, i, winner, after, cell, chance)
                    bids.clear()
            else:
                number = amount if kind == betting.DISCARD else None
                yield from self._discard(deals, i, seat, stage, hand_paths[seat], number)
                digit = 0 if number is None else 1 + number
                if number is not None and after[deals_kernels.STAGE_GIVER] != deals_kernels.NO_SEAT:
                    digit = number - after[deals_kernels.STAGE_FIRST_SET]
                    digit += after[deals_kernels.STAGE_KEEPS]
                for each in (0, 1) if after[deals_kernels.STAGE_GIVER] in (0, 1) else (seat,):
                    n_choices = after[deals_kernels.STAGE_CHOICES]
                    hand_paths[each] = hand_paths[each] * n_choices + digit
            if turn == len(hand_paths):
                place, turn = place + 1, 0
                yield from chance.steps(street, place)
        if kind != betting.FOLD:
            for later in range(street + 1, int(deals.lengths[i]) + 1):
                yield from chance.street(later)

    def _discard(
        self, deals: Deals, i: int, seat: int, stage: int, hand_path: int, number: int | None
    ) -> Iterator[str]:
        """What a seat does at a choice of discards, a set of cards or None, and what it draws."""
        after = self._rows[stage + 1]
        giver, hand_cell = (
            after[deals_kernels.STAGE_GIVER],
            self._rows[stage][deals_kernels.STAGE_CELL],
        )
        hand = deals.holes[i, seat, hand_cell + hand_path]
        most, bits = 1, 0
        if giver != deals_kernels.NO_SEAT:
            most = after[deals_kernels.STAGE_COUNT]
            bits = (
                0 if number is None else int(SET_BITS[after[deals_kernels.STAGE_GIVEN_OF], number])
            )
        elif number is not None:
            bits = 1 << (number ^ int(deals.discard_first[i, seat, hand_cell + hand_path]))
        cards = self._real[hand].tolist()
        gone = sorted((card for at, card in enumerate(cards) if bits >> at & 1), reverse=True)
        yield from (DISCARD + format_card(card) for card in gone)
        if len(gone) < most:
            yield letter_of(betting.KEEP, 0)
        if (first := after[deals_kernels.STAGE_DRAW]) != deals_kernels.NO_COLUMN:
            first += 0 if giver in (0, 1) else seat * most
            new = self._real[deals.cards[i, first : first + len(gone)]].tolist()
            yield from (DRAWN + format_card(card) for card in new)

    def _prize(
        self, deals: Deals, i: int, seat: int, after: list[int], cell: int, chance: "_Chance"
    ) -> str:
        """What the winner of an auction gets, or sees."""
        auction = after[deals_kernels.STAGE_LOOK]
        if auction != deals_kernels.NO_COLUMN:
            return LOOKED + format_card(int(self._real[deals.seen[i, seat, cell, auction]]))
        chance.add_place(seat)
        card = deals.cards[i, after[deals_kernels.STAGE_PRIZE] + seat]
        return DRAWN + format_card(int(self._real[card]))


class _Chance:
    """What chance deals in a hand, in its order, without what choices bring."""

    def __init__(self, variant: Variant, deal: ShuffledDeck) -> None:
        self.variant = variant
        self._board, self._added, self._swaps = iter(deal.rest), iter(deal.added), iter(deal.swaps)
        # A state has the places of a hand in the order of its first cards.
        self._places = [
            sorted(range(len(hole)), key=hole.__getitem__, reverse=True) for hole in deal.holes
        ]

    def street(self, street: int) -> Iterator[str]:
        """The cards of a street, and what comes before its first choice."""
        streets = self.variant.streets
        yield self._take_board(streets[min(street, len(streets) - 1)].cards)
        yield from self.steps(street, 0)

    def steps(self, street: int, place: int) -> Iterator[str]:
        """What comes along the way after `place` choices of a street."""
        held = len(self._places[0]), len(self._places[1])
        swap: tuple[Cards, Cards] = ((), ())
        for kind, seat, n in chance_steps(self.variant, street, place, held):
            if kind == OWED_BOARD:
                yield self._take_board(n)
            elif kind == OWED_HOLE:
                self.add_place(seat)
                yield DRAWN + format_card(next(self._added))
            else:
                if (kind, seat, n) == FIRST_SWAP:
                    swap = next(self._swaps)
                card = swap[seat][self._places[seat][n]]
                yield UNSWAPPED if card == STAYS else SWAPPED + format_card(card)

    def add_place(self, seat: int) -> None:
        """A seat has got a card more."""
        self._places[seat].append(len(self._places[seat]))

    def _take_board(self, n: int) -> str:
        return _set(next(self._board) for _ in range(n))


def _set(cards: Iterable[int]) -> str:
    return format_cards(sorted(cards, reverse=True))
