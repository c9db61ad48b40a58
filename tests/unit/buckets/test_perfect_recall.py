"""Labels by class, in the form that joint tables count."""

import numpy as np
import pytest

from counterfold.buckets.perfect_recall import ClassBuckets, n_sequences
from counterfold.cards import Deck
from counterfold.cards.streets import STREETS, street_classes
from counterfold.errors import AbstractionError

DECK = Deck(5, 2)
N_LABELS = {"preflop": 3, "flop": 1, "turn": 2, "river": 4}


@pytest.fixture
def labels():
    return {
        street: np.arange(street_classes(street, DECK).size) % n for street, n in N_LABELS.items()
    }


def test_sequences_multiply_street_by_street(labels):
    buckets = ClassBuckets(DECK, labels)
    assert [street.n_buckets for street in buckets.streets] == [3, 1, 2, 4]
    assert [n_sequences(buckets, street) for street in STREETS] == [3, 3, 6, 24]


def test_a_fingerprint_tells_labels_and_names_apart(labels):
    first = ClassBuckets(DECK, labels).fingerprint
    assert ClassBuckets(DECK, dict(labels)).fingerprint == first
    other = labels | {"river": labels["river"][::-1]}
    assert ClassBuckets(DECK, other).fingerprint != first
    known = [ClassBuckets(DECK, labels, name).fingerprint for name in ("one", "two")]
    assert len({first, *known}) == 3


@pytest.mark.parametrize("street", STREETS)
def test_each_street_needs_a_label_for_each_class(labels, street):
    n = street_classes(street, DECK).size
    with pytest.raises(AbstractionError, match=f"the {street} .* needs {n} labels.* not none"):
        ClassBuckets(DECK, {s: of for s, of in labels.items() if s != street})
    with pytest.raises(AbstractionError, match=rf"not \({n - 1},\)"):
        ClassBuckets(DECK, labels | {street: labels[street][1:]})


@pytest.mark.parametrize("label", [-1, 1 << 16])
def test_labels_have_sixteen_bits(labels, label):
    labels["turn"][0] = label
    with pytest.raises(AbstractionError, match="from 0 to 65535, unlike those of the turn"):
        ClassBuckets(DECK, labels)
