"""What a recipe says of the cards: read, counted, and made into a card map."""

import pytest

from counterfold.buckets.strength_lookup import StrengthLookup
from counterfold.cards import StrengthTables, parse_deck
from counterfold.errors import AbstractionError
from counterfold.public.card_maps import ExactCards, NoCards, TabledCards
from counterfold.public.card_spec import NOTHING_TO_BUILD, ExactSpec
from counterfold.public.card_spec_text import parse_card_spec
from counterfold.public.enumerated_cards import EnumeratedPercentile, PercentileCards
from helpers.small_recipes import plan

LIMIT = "limit(deck='9TJQKA/cd')"


@pytest.mark.parametrize(
    "text", ["exact", "listed-percentile(3)", "history(2, metric=ehs2) * percentile(3)"]
)
def test_names_are_read_back(text):
    spec = parse_card_spec(f" {text} ")
    assert spec.name == text
    assert parse_card_spec(spec.name) == spec


@pytest.mark.parametrize(
    ("text", "kind"), [("exact", ExactCards), ("listed-percentile(2)", PercentileCards)]
)
def test_listed_cards_need_no_tables(text, kind):
    made = plan(cards=text)
    assert made.spec.lists_deals
    assert type(made.spec.card_map(made)) is kind
    assert made.spec.max_buckets(made) == made.cards().n_buckets
    assert made.spec.estimate(made) == NOTHING_TO_BUILD
    assert (made.spec.tables_bytes(made), made.spec.strength_tables()) == (0, set())
    with pytest.raises(AbstractionError, match="have no joint tables"):
        made.spec.estimate_joint(made)
    with pytest.raises(AbstractionError, match="have no joint tables"):
        made.cards().joint_tables()


def test_joint_tables_are_refused_for_boards_without_tables():
    made = plan(variant="nolimit(stack=9, deck='9TJQKA/cd', board=(2, 1))", cards="history(2)")
    with pytest.raises(AbstractionError, match=r"of boards of 3, 4 and 5 cards, .* unlike those"):
        made.spec.estimate_joint(made)


def test_tables_are_counted_before_they_are_built(tmp_path, monkeypatch):
    monkeypatch.setenv("COUNTERFOLD_HOME", str(tmp_path))
    lookup = StrengthLookup(StrengthTables(parse_deck("9TJQKA/cd")), 1)
    for cards, counts in {
        "uniform(2)": (2, 2, 2, 2),
        "uniform(2); recall: sequence": (2, 4, 8, 16),
        "history(3)": (3, 9, 27, 81),
        "history(3) * uniform(2)": (6, 18, 54, 162),
    }.items():
        made = plan(variant=LIMIT, cards=cards)
        assert not made.spec.lists_deals
        assert made.spec.max_buckets(made) == counts
        assert made.spec.estimate(made).disk_bytes > 0
        assert made.spec.tables_bytes(made) > 0
        empty = made.spec.empty_map(made.dealer, lookup)
        assert isinstance(empty, TabledCards)
        assert not empty.label(made.dealer.sample(1, 0, 5)).any()
    assert not any(tmp_path.iterdir())


def test_an_empty_map_of_listed_cards_tells_nothing():
    made = plan()
    for spec in (ExactSpec(), EnumeratedPercentile(2)):
        assert isinstance(spec.empty_map(made.dealer, None), NoCards)
