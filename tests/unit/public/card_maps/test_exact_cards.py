import numpy as np
import pytest

from helpers.public_games import BLOOD, Small, card_facts


@pytest.mark.parametrize(
    "name", [BLOOD, "one draw", "draw of two", "draw and run", "leduc-variant"]
)
def test_exact_buckets_are_equal_where_all_that_was_seen_is(name):
    small = Small(name, "none")
    for at, n_buckets in enumerate(small.cards.n_buckets):
        found = set(card_facts(small, at))  # the order of discards is known, too
        facts, numbers, _ = zip(*found, strict=True)
        assert len(set(facts)) == len(found) == len(set(numbers))
        assert set(numbers) == set(range(n_buckets))


def test_exact_cards_label_deals_of_which_none_comes_to_a_run():
    small = Small(BLOOD, "none")
    dealer = small.cards.dealer
    deals = dealer.sample(1, 0, 50)
    expected = small.cards.label(deals)
    short = [at for at in range(50) if deals.lengths[at] == dealer.layout.last_street]
    assert short
    for at in short:
        (found,) = small.cards.label(dealer.sample(1, at, 1))
        np.testing.assert_array_equal(found, expected[at])


@pytest.mark.parametrize("name", [BLOOD, "draw of two"])
def test_exact_cards_label_samples_as_the_list(name):
    small = Small(name, "none")
    sampled = small.dealer.sample(1, 0, 300)
    labels = small.cards.label(sampled)
    rows = {tuple(row): i for i, row in enumerate(small.deals.cards.tolist())}
    for i, row in enumerate(sampled.cards.tolist()):
        listed = rows[*sorted(row[:2]), *sorted(row[2:4]), *row[4:]]
        np.testing.assert_array_equal(labels[i, :, 0], small.buckets[listed, :, 0])
