"""The tables behind the suit isomorphism, built from the rounds and the deck.

The terms (state, place, block, lane) are those of `counterfold.cards.isomorphism_kernels`.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby, product
from math import comb, prod

import numpy as np
from numpy.typing import NDArray

from counterfold.cards.deck import Deck
from counterfold.cards.isomorphism_kernels import (
    BLOCK_ROW,
    HASH_SHIFT,
    HIGH_RANKS,
    LANE_BITS,
    LOW_RANKS,
    MOVE_BITS,
    N_LANES,
    N_SETS,
    STATE_BITS,
    IndexTables,
    UnindexTables,
)
from counterfold.cards.text import N_RANKS, N_SUITS
from counterfold.errors import TooLargeError

MAX_DEALS = 1 << 58  # the kernels need room for 24 times the number of a class
MAX_ROUNDS = 10  # each one multiplies the tables by up to 4; ten of them build in seconds
_HASH_BITS = 60  # four of them add up without overflow

Sizes = tuple[int, ...]  # the cards of each round, of the whole deal or of one suit
Block = tuple[Sizes, ...]  # the sizes of the four suits, ascending


def count_deals(rounds: Sizes, n_cards: int) -> int:
    """Ways to deal `rounds` from `n_cards` cards, the order of cards within a round forgotten."""
    return prod(comb(n_cards - sum(rounds[:r]), n) for r, n in enumerate(rounds))


@lru_cache(maxsize=64)
def build_tables(rounds: Sizes, deck: Deck) -> tuple[IndexTables, UnindexTables]:
    """Tables for both directions; raises `TooLargeError` if there are too many deals or rounds."""
    n_ranks = len(deck.ranks)
    if count_deals(rounds, deck.n_cards) > MAX_DEALS:
        raise TooLargeError(f"more than {MAX_DEALS} deals of {rounds!r} from the deck {deck.name}")
    if len(rounds) > MAX_ROUNDS:
        raise TooLargeError(f"{rounds!r} are more than {MAX_ROUNDS} rounds")
    blocks = list(_list_blocks(rounds, n_ranks, deck.suits))
    states = _number_states(rounds, n_ranks)
    assert len(states) <= 1 << STATE_BITS
    unindex = _unindex_tables(rounds, deck, blocks)

    bits = np.zeros(256, np.int64)
    lane, place = np.divmod(np.arange(N_LANES * LANE_BITS), LANE_BITS)
    held = (lane < deck.suits) & (place < n_ranks)
    bits[unindex.cards[held]] = 1 << np.flatnonzero(held)

    moves = np.zeros(len(states) << MOVE_BITS, np.int64)
    for sizes, state in states.items():
        if sizes:
            before = sizes[:-1]
            span = comb(n_ranks - sum(before), sizes[-1])
            moves[(states[before] << MOVE_BITS) | sizes[-1]] = (span << STATE_BITS) | state

    hashes, slots = _hash_blocks([[states[sizes] for sizes in block] for block in blocks])

    rows = np.zeros((len(blocks), BLOCK_ROW), np.int64)
    orders = unindex.orders.reshape(-1, N_LANES)
    rows[:, 0] = unindex.offsets[:-1]
    rows[:, 1:5] = unindex.strides.reshape(-1, N_LANES)
    rows[:, 5] = orders[:, 1] | orders[:, 2] << 2 | orders[:, 3] << 4

    colex, _ = _rank_sets()
    sets = np.concatenate([colex, _squeeze(LOW_RANKS, with_free=True), _squeeze(HIGH_RANKS)])
    return IndexTables(bits, unindex.ends, sets, moves, hashes, slots, rows.ravel()), unindex


def _number_states(rounds: Sizes, n_ranks: int) -> dict[Sizes, int]:
    """All sizes that a suit may have after 0, 1, ... rounds, numbered."""
    level: list[Sizes] = [()]
    states = list(level)
    for n in rounds:
        level = [(*s, k) for s in level for k in range(min(n, n_ranks - sum(s)) + 1)]
        states += level
    return {sizes: state for state, sizes in enumerate(states)}


def _list_blocks(rounds: Sizes, n_ranks: int, n_suits: int) -> Iterator[Block]:
    """All ways to share `rounds` among the lanes, in ascending order."""
    nothing = (0,) * len(rounds)

    def share(rest: Sizes, shared: Block) -> Iterator[Block]:
        if len(shared) == N_LANES - 1:
            if rest >= shared[-1] and sum(rest) <= n_ranks:
                yield (*shared, rest)
        elif len(shared) < N_LANES - n_suits:
            yield from share(rest, (*shared, nothing))
        else:
            least = shared[-1] if shared else nothing
            for sizes in product(*(range(n + 1) for n in rest)):
                left = tuple(n - k for n, k in zip(rest, sizes, strict=True))
                room = n_ranks * (N_LANES - 1 - len(shared))
                if sizes >= least and sum(sizes) <= n_ranks and sum(left) <= room:
                    yield from share(left, (*shared, sizes))

    yield from share(rounds, ())


def _unindex_tables(rounds: Sizes, deck: Deck, blocks: list[Block]) -> UnindexTables:
    n_ranks = len(deck.ranks)
    n_rounds = len(rounds)
    shape = (len(blocks), N_LANES)
    orders, strides, bounds = (np.zeros(shape, np.int64) for _ in range(3))
    divisors = np.ones((*shape, n_rounds), np.int64)
    sizes = np.array(blocks, np.int64).reshape(*shape, n_rounds)
    ends = np.cumsum(rounds, dtype=np.int64)
    # In a deal the suits come in descending order: lane 0 of the deal is the last of the block.
    firsts = np.cumsum(sizes[:, ::-1], axis=1)[:, ::-1] - sizes + (ends - rounds)
    offsets = [0]
    for b, block in enumerate(blocks):
        stride = 1
        suit = 0
        for suit_sizes, suits in groupby(block):
            n_alike = len(list(suits))
            n_places = count_deals(suit_sizes, n_ranks)
            for order in range(n_alike):
                strides[b, suit] = stride
                if any(suit_sizes):  # suits without cards need no order: they have one place
                    orders[b, suit] = order
                    bounds[b, suit] = n_places
                for r in range(n_rounds):
                    rest = n_ranks - sum(suit_sizes[: r + 1])
                    divisors[b, suit, r] = count_deals(suit_sizes[r + 1 :], rest)
                suit += 1
            stride *= comb(n_places + n_alike - 1, n_alike)
        offsets.append(offsets[-1] + stride)

    cards = np.zeros(N_LANES * LANE_BITS, np.uint8)
    for place, rank in enumerate(deck.ranks):
        for suit in range(deck.suits):
            cards[suit * LANE_BITS + place] = N_SUITS * rank + suit
    _, sets = _rank_sets()
    set_starts = np.cumsum([0] + [comb(N_RANKS, k) for k in range(N_RANKS)], dtype=np.int64)
    tables = [orders, strides, bounds, sizes, divisors, firsts]
    return UnindexTables(
        deck.suits,
        cards,
        ends,
        sets,
        set_starts,
        np.array(offsets, np.int64),
        *(table.ravel() for table in tables),
    )


def _hash_blocks(blocks: list[list[int]]) -> tuple[NDArray[np.int64], NDArray[np.uint32]]:
    """Hashes of states, and slots that find a block by their sum without collision.

    The low bits of the sum choose a shift, which is found so that the high bits plus the shift lead
    to a slot of its own: groups that share a shift are placed largest first.
    """
    n_states = max(map(max, blocks)) + 1
    n_shifts = 1 << (len(blocks) - 1).bit_length()
    n_slots = 2 * n_shifts
    rng = np.random.default_rng(0)  # decides no number of a class, only where it is looked up
    while True:
        hashes = rng.integers(1 << _HASH_BITS, size=n_states)
        totals = hashes[np.array(blocks)].sum(axis=1)
        shifts = np.zeros(n_shifts, np.uint32)
        slots = np.zeros(n_slots, np.uint32)
        free = np.ones(n_slots, np.bool_)
        low = totals % n_shifts
        groups = [np.flatnonzero(low == value) for value in np.unique(low)]
        for group in sorted(groups, key=len, reverse=True):
            wanted = (totals[group] >> HASH_SHIFT) % n_slots
            if len(np.unique(wanted)) < len(group):
                break
            for shift in range(n_slots):
                taken = (wanted + shift) % n_slots
                if free[taken].all():
                    break
            else:
                break
            free[taken] = False
            slots[taken] = group
            shifts[low[group[0]]] = shift
        else:
            return hashes, np.concatenate([shifts, slots])


@lru_cache(maxsize=1)
def _rank_sets() -> tuple[NDArray[np.uint16], NDArray[np.uint16]]:
    """The place of each mask among the masks of its size, and the masks by size and place."""
    masks = np.arange(N_SETS)
    size = np.zeros(N_SETS, np.int64)
    place = np.zeros(N_SETS, np.int64)
    choose = np.array([[comb(n, k) for k in range(N_RANKS + 1)] for n in range(N_RANKS)])
    for rank in range(N_RANKS):
        has = (masks >> rank) & 1
        size += has
        place += has * choose[rank, size]
    return place.astype(np.uint16), np.lexsort((place, size)).astype(np.uint16)


def _squeeze(n_ranks: int, with_free: bool = False) -> NDArray[np.uint16]:
    """By used and dealt masks: the dealt ranks as a mask among the unused, which may be counted."""
    used, dealt = np.divmod(np.arange(1 << 2 * n_ranks), 1 << n_ranks)
    squeezed = np.zeros_like(used)
    free = np.zeros_like(used)
    for rank in range(n_ranks):
        unused = ((used >> rank) & 1) == 0
        squeezed |= np.where(unused, ((dealt >> rank) & 1) << free, 0)
        free += unused
    return (squeezed | (free << n_ranks if with_free else 0)).astype(np.uint16)
