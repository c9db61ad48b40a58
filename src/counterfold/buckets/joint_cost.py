"""What counting joint tables will cost, estimated before any pair is counted."""

from itertools import accumulate
from math import comb
from operator import mul

from counterfold.buckets.bucket_cost import BuildEstimate
from counterfold.buckets.card_abstraction import CardAbstraction
from counterfold.buckets.device.board_counts import fits_device
from counterfold.buckets.joint_tables import check_samples, joint_spec, memory_bytes
from counterfold.buckets.strength_lookup import StrengthLookup
from counterfold.cards.deck import FULL
from counterfold.cards.isomorphism import Isomorphism
from counterfold.cards.streets import N_FINAL, STREETS
from counterfold.cards.table_files import find_table
from counterfold.devices import counting_library
from counterfold.threads import thread_count

# Measured on one core with a full deck, of which a board has 1081 hands.
_TURN_SECONDS = 1e-4  # of a board of the turn
_RIVER_SECONDS = 9e-5  # of ranking a complete board and finding the buckets of its hands
_SEQUENCE_SECONDS = 6.8e-7  # of a sequence on the board, in the sweep over its hands
_PAIR_SECONDS = 9e-10  # of a pair of them
_DEVICE_SECONDS = 4e-6  # of a board on an H200 with 10,000 sequences; half of it with 625
_HANDS = comb(FULL.n_cards - N_FINAL, 2)


def estimate_joint(
    abstraction: CardAbstraction,
    source: StrengthLookup,
    samples: int | None = None,
    seed: int = 0,
) -> BuildEstimate:
    """What `build_joint` will cost once the abstraction's buckets are built.

    Raises `AbstractionError` for an abstraction that has no joint tables.
    """
    fingerprint, n_buckets = abstraction.joint_key(source)
    check_samples(samples)
    deck, threads = source.strength.deck, thread_count(source.threads)
    total = BuildEstimate(0.0, 0, 0)
    for street, n in zip(STREETS, accumulate(n_buckets, mul), strict=True):
        spec = joint_spec(fingerprint or "", deck, n, street, samples, seed)
        if fingerprint is not None and find_table(spec, source.strength.folder) is not None:
            continue
        seconds, sums = _seconds(street, n, source, samples) / threads, threads
        if street == "river" and samples is None and _counts_on_device(source, n):
            seconds, sums = _boards(source) * _DEVICE_SECONDS, 1
        memory = memory_bytes(n, samples is not None and street == "river", sums)
        total += BuildEstimate(seconds, memory, spec.nbytes)
    return total


def _counts_on_device(source: StrengthLookup, n: int) -> bool:
    xp = counting_library(source.device)
    return xp is not None and fits_device(xp, n)


def _boards(source: StrengthLookup) -> float:
    """Complete boards, both orders of turn and river together, by their hands."""
    deck = source.strength.deck
    return Isomorphism((3, 2), deck).size * comb(deck.n_cards - N_FINAL, 2) / _HANDS


def _seconds(street: str, n: int, source: StrengthLookup, samples: int | None) -> float:
    """Of one core, for `n` sequences up to a street."""
    deck = source.strength.deck
    hands = comb(deck.n_cards - N_FINAL, 2) / _HANDS
    # A board has hands of only a few sequences; measured with 16 to 1296 sequences.
    seen = min(n, 17.0 * n**0.32)
    tally = _SEQUENCE_SECONDS * seen + _PAIR_SECONDS * seen * seen
    if street == "turn":
        return float(Isomorphism((3, 1), deck).size * hands * (_TURN_SECONDS + tally / 4))
    if street != "river":
        return 0.0
    if samples is not None:
        return float(samples * hands * 2 * (_RIVER_SECONDS + tally))
    # Both orders of turn and river share the ranking of a board.
    return float(_boards(source) * (_RIVER_SECONDS + 2 * tally))
