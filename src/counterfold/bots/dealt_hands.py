"""The deals of kernels as an engine deals them, card by card."""

from collections.abc import Iterator
from functools import lru_cache

from counterfold.bots.shuffled_deck import STAYS, Cards, ShuffledDeck, shuffle
from counterfold.games.holdem import Variant
from counterfold.games.holdem import betting_kernels as betting
from counterfold.public import deals_kernels
from counterfold.public.deals import Dealer, Deals
from counterfold.public.public_variants import is_public

_BATCH = 1024


def deal_hands(variant: Variant, seed: int, n: int) -> Iterator[ShuffledDeck]:
    """The deals that kernel matches play with this seed, or shuffled ones if kernels do not."""
    if not is_public(variant):
        yield from (shuffle(variant, seed, number) for number in range(n))
        return
    dealer = Dealer(variant)
    for first in range(0, n, _BATCH):
        yield from read_deals(dealer, dealer.sample(seed, first, min(_BATCH, n - first)))


def deal_hand(variant: Variant, seed: int, number: int) -> ShuffledDeck:
    """Deal `number` of those of `deal_hands`."""
    if not is_public(variant):
        return shuffle(variant, seed, number)
    dealer = _make_dealer(variant)
    return next(read_deals(dealer, dealer.sample(seed, number, 1)))


@lru_cache(maxsize=16)
def _make_dealer(variant: Variant) -> Dealer:
    return Dealer(variant)


def read_deals(dealer: Dealer, deals: Deals) -> Iterator[ShuffledDeck]:
    """Each deal of a batch card by card."""
    variant, h = dealer.variant, dealer.variant.hole_cards
    draws, prizes = _draws_of(dealer), _columns_of(dealer, deals_kernels.STAGE_PRIZE)
    rows = dealer.real[deals.cards]
    lists = rows.tolist(), deals.lengths.tolist(), deals.bounties.tolist(), deals.looks.tolist()
    for row, last, bounties, looks in zip(*lists, strict=True):
        end = 2 * h + variant.board_cards(last) - dealer.stages[-1].n_laid
        yield ShuffledDeck(
            (tuple(row[:h]), tuple(row[h : 2 * h])),
            tuple(row[2 * h : end]),
            tuple(tuple(tuple(row[at] for at in own) for own in seats) for seats in draws),
            _swaps(dealer, row),
            tuple(bounties) or None,
            tuple((row[at], row[at + 1]) for at in prizes),
            _added(dealer, row),
            tuple(zip(looks[::2], looks[1::2], strict=True)),
        )


def _draws_of(dealer: Dealer) -> list[tuple[range, range]]:
    """The columns of the cards that each seat may get, for each drawing round."""
    found: dict[tuple[int, int], list[range]] = {}
    for stage, row in zip(dealer.stages, dealer.layout.stages[1:], strict=False):
        first = int(row[deals_kernels.STAGE_DRAW])
        if first == deals_kernels.NO_COLUMN:
            continue
        giver = int(row[deals_kernels.STAGE_GIVER])
        n = 1 if giver == deals_kernels.NO_SEAT else int(row[deals_kernels.STAGE_COUNT])
        at = stage.street, stage.turns[0] // betting.TURNS
        seats = found.setdefault(at, [range(0), range(0)])
        for k, seat in enumerate((giver,) if giver in (0, 1) else (0, 1)):
            seats[seat] = range(first + k * n, first + (k + 1) * n)
    return [(first, second) for first, second in found.values()]


def _columns_of(dealer: Dealer, kind: int) -> list[int]:
    """Where the cards of each auction begin."""
    columns = dealer.layout.stages[:, kind]
    return [int(at) for at in columns if at != deals_kernels.NO_COLUMN]


def _swaps(dealer: Dealer, row: list[int]) -> tuple[tuple[Cards, Cards], ...]:
    """The new cards of each swap, by seat."""
    found = []
    for stage in dealer.layout.stages.tolist():
        at, held = stage[deals_kernels.STAGE_SWAP], stage[deals_kernels.STAGE_HELD]
        if at != deals_kernels.NO_COLUMN:
            new = [STAYS if card == deals_kernels.NO_CARD else card for card in row[at:]]
            found.append((tuple(new[:held]), tuple(new[held : 2 * held])))
    return tuple(found)


def _added(dealer: Dealer, row: list[int]) -> Cards:
    """The hole cards that come along the way, in their order."""
    found: list[int] = []
    for stage in dealer.layout.stages.tolist():
        at = stage[deals_kernels.STAGE_DEAL]
        if at != deals_kernels.NO_COLUMN:
            n = stage[deals_kernels.STAGE_DEALT_0] + stage[deals_kernels.STAGE_DEALT_1]
            found += row[at : at + n]
    return tuple(found)
