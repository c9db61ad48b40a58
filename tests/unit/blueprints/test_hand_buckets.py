import pytest

from counterfold.blueprints.hand_buckets import HandBuckets
from counterfold.cards import parse_cards
from counterfold.errors import AbstractionError, CardError
from counterfold.training.plan import Plan
from counterfold.training.recipe import parse_recipe
from helpers.small_recipes import DISCARD, content, plan


def hand_buckets(made):
    cards = made.cards()
    return HandBuckets(made.dealer, cards, made.exact[0] if made.is_enumerated else None)


def test_hands_that_were_drawn_to_may_have_come_about_in_several_ways():
    found = hand_buckets(plan(variant=DISCARD))
    hand, board = parse_cards("AdKd"), parse_cards("Qc")
    (kept,) = found.find(2, 1, (False,), [hand], board)
    (drawn,) = found.find(2, 1, (True,), [hand], board)
    assert len(kept.buckets) == 1
    # Either card may be new, in place of one of the five that are neither here nor on the board.
    assert len(drawn.buckets) == 10
    assert sum(drawn.buckets.values()) == pytest.approx(1.0)
    assert not set(kept.buckets) & set(drawn.buckets)


def test_all_hands_of_a_board_are_listed_once():
    found = hand_buckets(plan(variant=DISCARD))
    hands = found.hands(parse_cards("Qc"))
    assert len(hands) == len(set(hands)) == 21  # two of seven cards
    assert hands[0] == parse_cards("AdAc")
    assert len(found.find(1, 0, (), hands, parse_cards("Qc"))) == 21


def test_discards_are_named_by_their_cards():
    found = hand_buckets(plan(variant=DISCARD))
    # The lower card first.
    assert found.discards(parse_cards("AdKd"), parse_cards("Qc")) == parse_cards("KdAd")
    assert found.discards(parse_cards("KdAd"), parse_cards("Qc")) == parse_cards("KdAd")


@pytest.mark.parametrize(
    ("hand", "board", "message"),
    [
        ("AdKd", "", "the board of discard.* has 1 card here, not 0; pass them with --board"),
        ("Ad", "Qc", "a hand of discard.* has 2 cards, not Ad"),
        ("AdQc", "Qc", "Qc"),
        ("Ad2c", "Qc", "2c"),
    ],
)
def test_hands_and_boards_that_do_not_fit_are_refused(hand, board, message):
    with pytest.raises(CardError, match=message):
        hand_buckets(plan(variant=DISCARD)).find(1, 0, (), [parse_cards(hand)], parse_cards(board))


@pytest.mark.parametrize("cards", ["uniform(3)", "percentile(3); recall: sequence", "history(2)"])
def test_card_tables_know_hands_as_training_does(cards, tmp_path, monkeypatch):
    monkeypatch.setenv("COUNTERFOLD_HOME", str(tmp_path))
    made = plan(variant="nolimit(stack=6, deck='9TJQKA/cd')", cards=cards)
    found = hand_buckets(made)
    deals = made.dealer.sample(5, 0, 40)
    labels = found.cards.label(deals)
    for stage, size in enumerate((0, 3, 4, 5)):
        for row in range(len(deals)):
            hand = tuple(deals.holes[row, 1, stage].tolist())
            board = tuple(deals.cards[row, 4 : 4 + size].tolist())
            (held,) = found.find(stage, 1, (), [hand], board)
            assert held.buckets == {int(labels[row, 1, stage]): 1.0}


def test_a_discard_is_not_looked_up_where_the_hand_before_matters(tmp_path, monkeypatch):
    monkeypatch.setenv("COUNTERFOLD_HOME", str(tmp_path))
    keys = content(
        "discard(stack=6, deck='9TJQKA/cd', board=(3,1))", "uniform(2); recall: sequence"
    )
    found = hand_buckets(Plan(parse_recipe(keys, "the recipe of a test")))
    hand, board = parse_cards("AdKd"), parse_cards("QcJcTd")
    assert len(found.find(1, 0, (False,), [hand], board)) == 1
    with pytest.raises(AbstractionError, match="remembers the hand before a discard"):
        found.find(2, 0, (True,), [hand], board)
