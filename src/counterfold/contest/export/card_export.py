"""Packs a card map, and an order of discards, for the look-ups of an exported bot."""

from collections.abc import Iterable, Mapping
from functools import singledispatch
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counterfold.bots.choices import LowerFirst
from counterfold.buckets import label_numbers_kernels
from counterfold.buckets.bucketing import MetricBucketing
from counterfold.buckets.histories.history import FittedHistory
from counterfold.buckets.long_hand_strength import LongHandStrength, is_squared
from counterfold.buckets.street_abstraction import StreetBuckets
from counterfold.buckets.strength_lookup import StrengthLookup
from counterfold.cards.draws_kernels import DISCARD_SECOND
from counterfold.cards.isomorphism import Isomorphism
from counterfold.cards.streets import BOARD_SIZES, STREET_OF_BOARD
from counterfold.contest.exported import exported_cards as packed
from counterfold.contest.exported import exported_lays as packed_lays
from counterfold.contest.exported import exported_long_hands as packed_long
from counterfold.errors import ExportError
from counterfold.public.card_maps import (
    BountyCards,
    CardMap,
    ExactCards,
    LookCards,
    NoCards,
    TabledCards,
)
from counterfold.public.card_maps.given_card_map import GivenCards
from counterfold.public.card_maps.laid_card_map import LaidCards
from counterfold.public.discard_orders import ByRank, ByStrength
from counterfold.public.enumerated_cards import PercentileCards
from counterfold.public.lay_orders import ByStrengthLeft, SetsByStrengthLeft
from counterfold.public.stages import DiscardOrder, LayOrder, LowestFirst

Arrays = dict[str, NDArray[Any]]

MOST_RUNS = 1 << 20  # of a river; with more of them its table is packed as it is
_NO_LABEL = -1


@singledispatch
def pack_cards(card_map: CardMap) -> tuple[dict[str, Any], Arrays]:
    """The part of `card_map` that JSON can hold, and its arrays."""
    raise ExportError(f"the card map {card_map.name} cannot be exported")


@pack_cards.register
def _(card_map: NoCards) -> tuple[dict[str, Any], Arrays]:
    return {"kind": packed.NOTHING}, {}


@pack_cards.register
def _(card_map: ExactCards) -> tuple[dict[str, Any], Arrays]:
    known = {f"exact.{at}": each for at, each in enumerate(card_map.knowledge)}
    groups = [card_map.groups(at) for at in range(len(card_map.knowledge))]
    return {"kind": packed.EXACT, "groups": groups}, known


@pack_cards.register
def _(card_map: BountyCards) -> tuple[dict[str, Any], Arrays]:
    content, arrays = pack_cards(card_map.cards)
    return {**content, "bounty": card_map.knows_bounty}, arrays


@pack_cards.register
def _(card_map: LookCards) -> tuple[dict[str, Any], Arrays]:
    content, arrays = pack_cards(card_map.cards)
    return {**content, "look": card_map.knows_look}, arrays


@pack_cards.register
def _(card_map: PercentileCards) -> tuple[dict[str, Any], Arrays]:
    content, known = pack_cards(card_map.exact)
    return content, known | {f"labels.{at}": each for at, each in enumerate(card_map.tables)}


@pack_cards.register
def _(card_map: TabledCards) -> tuple[dict[str, Any], Arrays]:
    buckets, long = card_map.buckets, card_map.long_boards
    histories, streets = buckets.factors
    content = {
        "kind": packed.PRODUCT if histories else packed.STREETS,
        "recalls": streets is not None and streets.recalls,
        "deck": buckets.deck.cards.tolist(),
        "ranking": buckets.source.strength.ranking,
        "counts": _counts(streets),
        "histories": [fitted.history.n_buckets for fitted in histories],
        "long_n": long.n if long else 0,
        "long_quirk": long.first_flush_suit_only if long else False,
        "dealt": [each.held for each in card_map.all_dealt],
        "strengths": {
            str(strength.held): {str(n): is_squared(each) for n, each in bucketings.items()}
            for strength, bucketings in card_map.all_strengths.items()
        },
    }
    arrays = _pack_classes(buckets.source)
    for strength, bucketings in card_map.all_strengths.items():
        arrays |= pack_strength(strength, bucketings)
    for dealt in card_map.all_dealt:
        name, tables = f"dealt.{dealt.held}", dealt.classes.tables._asdict()
        arrays |= {f"{name}.{field}": array for field, array in tables.items()}
        arrays[f"{name}.labels"] = dealt.labels
    if streets is not None:
        arrays |= _pack_streets(streets)
        if streets.run is not None:
            arrays[packed.RUNS] = streets.run.centers
    for at, fitted in enumerate(histories):
        arrays |= _pack_history(fitted, f"histories.{at}")
    return content, arrays


@pack_cards.register
def _(card_map: LaidCards) -> tuple[dict[str, Any], Arrays]:
    pairs, arrays = pack_cards.dispatch(TabledCards)(card_map)
    tables = card_map.trios.tables._asdict()
    arrays |= {f"trios.{name}": array for name, array in tables.items()}
    arrays[packed_lays.TRIO_BUCKETS] = card_map.preflop
    return {"kind": packed_lays.LAID, "pairs": pairs}, arrays | pack_lays(card_map.lays)[1]


@pack_cards.register
def _(card_map: GivenCards) -> tuple[dict[str, Any], Arrays]:
    pairs, arrays = pack_cards.dispatch(TabledCards)(card_map)
    return {"kind": packed_lays.GIVEN, "pairs": pairs}, arrays | pack_lays(card_map.gives)[1]


@singledispatch
def pack_lays(order: LayOrder) -> tuple[str, Arrays]:
    """The kind of an order of laid cards, and its arrays."""
    raise ExportError(f"the order of laid cards {order!r} cannot be exported")


@pack_lays.register
def _(order: LowestFirst) -> tuple[str, Arrays]:
    return packed.BY_RANK, {}


@pack_lays.register
def _(order: SetsByStrengthLeft) -> tuple[str, Arrays]:
    return packed_lays.BY_SETS, _pack_levels(order, order.tabled_boards)


@pack_lays.register
def _(order: ByStrengthLeft) -> tuple[str, Arrays]:
    return packed.BY_STRENGTH, _pack_levels(order, packed_lays.LAY_BOARDS)


def _pack_levels(order: ByStrengthLeft | SetsByStrengthLeft, sizes: Iterable[int]) -> Arrays:
    arrays: Arrays = {}
    for size in sizes:
        arrays |= _pack_tables(size, order.tables.isomorphism(STREET_OF_BOARD[size]))
        arrays[f"lays.{size}"] = order.levels(size)
    return arrays


@singledispatch
def pack_order(order: DiscardOrder) -> tuple[str, Arrays]:
    """The kind of an order of discards, and its arrays."""
    raise ExportError(f"the order of discards {order!r} cannot be exported")


@pack_order.register(LowerFirst)
@pack_order.register(ByRank)
def _(order: LowerFirst | ByRank) -> tuple[str, Arrays]:
    return packed.BY_RANK, {}


@pack_order.register
def _(order: ByStrength) -> tuple[str, Arrays]:
    arrays: Arrays = {}
    for street, size in BOARD_SIZES.items():
        if street in packed.DRAWING:
            table = order.street(street)
            differs = np.packbits(table.choice == DISCARD_SECOND, bitorder="little")
            arrays |= {f"order.{size}": differs, **_pack_tables(size, table.isomorphism)}
    return packed.BY_STRENGTH, arrays


def _counts(streets: StreetBuckets | None) -> Mapping[str, int]:
    if streets is None:
        return {}
    return {str(size): streets.n_buckets(street) for street, size in BOARD_SIZES.items()}


def _pack_classes(source: StrengthLookup) -> Arrays:
    arrays: Arrays = {}
    for street, size in BOARD_SIZES.items():
        arrays |= _pack_tables(size, source.strength.isomorphism(street))
    return arrays


def pack_strength(strength: LongHandStrength, bucketings: Mapping[int, MetricBucketing]) -> Arrays:
    """The arrays of the strength of many hole cards, and of its buckets by cards on the board."""
    name = f"{packed_long.STRENGTH}.{strength.held}"
    arrays: Arrays = {f"{name}.ranks": strength.ranks}
    tables = strength.boards.tables._asdict()
    arrays |= {f"{name}.boards.{field}": array for field, array in tables.items()}
    for n_board, bucketing in bucketings.items():
        arrays[f"{name}.{n_board}.places"] = strength.run_outs(n_board).places
        arrays[f"{name}.{n_board}.columns"] = strength.columns(n_board)
        arrays[f"{name}.{n_board}.cuts"] = strength.cuts(n_board, bucketing)
    return arrays


def _pack_tables(size: int, isomorphism: Isomorphism) -> Arrays:
    tables = isomorphism.tables._asdict()
    return {f"classes.{size}.{name}": array for name, array in tables.items()}


def _pack_streets(buckets: StreetBuckets) -> Arrays:
    arrays: Arrays = {}
    for street, size in BOARD_SIZES.items():
        name, labels = f"streets.{size}", buckets.labels[street]
        runs = find_runs(buckets.source, labels) if street == "river" else None
        if runs is not None:
            arrays[f"{name}.keys"], labels = runs
        arrays[f"{name}.labels"] = labels
    return arrays


def find_runs(
    source: StrengthLookup, labels: NDArray[np.integer]
) -> tuple[NDArray[np.int64], NDArray[np.integer]] | None:
    """Keys of runs and their buckets on the river; None if there are too many runs.

    A key is the score of a hand, and below it the class from which on hands of that score have the
    bucket.
    """
    table = source.strength.street("river", threads=source.threads, progress=source.progress)
    scores = np.asarray(table.sums)
    last = np.full(2 * source.strength.n_opponents + 1, _NO_LABEL, np.int64)
    starts = np.empty(MOST_RUNS, np.int64)
    n = label_numbers_kernels.find_runs(scores, np.asarray(labels), last, starts)
    if n > MOST_RUNS:
        return None
    starts = starts[:n]
    keys = (scores[starts].astype(np.int64) << packed.CLASS_BITS) | starts
    order = np.argsort(keys)
    return keys[order], np.asarray(labels[starts[order]])


def _pack_history(fitted: FittedHistory, name: str) -> Arrays:
    arrays: Arrays = {}
    for street, size in zip(fitted.streets, BOARD_SIZES.values(), strict=True):
        for field in ("levels", "cuts", "within", "within_cuts"):
            arrays[f"{name}.{size}.{field}"] = getattr(street, field)
    return arrays
