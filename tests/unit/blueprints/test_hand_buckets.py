from collections import Counter

import pytest

from counterfold.blueprints.hand_buckets import HandBuckets
from counterfold.cards import parse_cards
from counterfold.errors import AbstractionError, CardError
from counterfold.public.deals_kernels import STAGE_CELL
from counterfold.training.plan import Plan
from counterfold.training.recipe import parse_recipe
from helpers.small_recipes import DISCARD, content, plan
from helpers.trained_runs import RECIPES


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


LOOK = RECIPES["look-tabled"] | {"cards": "preflop: lossless; flop: percentile(3)"}
AFTER_LOOK = 1  # stage


@pytest.fixture
def looks(tmp_path, monkeypatch):
    """Hands once players have bid for a look, by card tables and on listed deals."""
    monkeypatch.setenv("COUNTERFOLD_HOME", str(tmp_path))
    return {
        name: hand_buckets(Plan(parse_recipe(keys, "the recipe of a test")))
        for name, keys in (("tables", LOOK), ("listed", RECIPES["looks"]))
    }


@pytest.mark.parametrize("name", ["tables", "listed"])
def test_a_hand_that_has_seen_a_card_has_the_bucket_of_training(looks, name):
    found = looks[name]
    deals = found.dealer.sample(5, 0, 40) if found.listed is None else found.listed
    labels = found.cards.label(deals)
    variant, stages = found.dealer.variant, found.dealer.stages
    at = next(k for k, stage in enumerate(stages) if stage.looks)
    cell = found.dealer.layout.stages[at, STAGE_CELL]
    first = 2 * variant.hole_cards
    for i in range(0, len(deals), 1 + len(deals) // 40):
        board = tuple(deals.cards[i, first : first + stages[at].n_dealt].tolist())
        hand = tuple(deals.holes[i, 1, 0, : variant.hole_cards].tolist())
        (lost,) = found.find(at, 1, (), [hand], board, won=(False,))
        assert lost.buckets == {int(labels[i, 1, cell]): 1.0}
        seen = (int(deals.seen[i, 1, cell + 1, 0]),)
        (won,) = found.find(at, 1, (), [hand], board, won=(True,), seen=seen)
        assert won.buckets == {int(labels[i, 1, cell + 1]): 1.0}
        (mean,) = found.find(at, 1, (), [hand], board, won=(True,))
        expected = Counter()
        theirs = set(variant.deck.cards.tolist()) - {*hand, *board}
        for card in theirs:
            (told,) = found.find(at, 1, (), [hand], board, won=(True,), seen=(card,))
            (bucket,) = told.buckets
            expected[bucket] += 1 / len(theirs)
        assert mean.buckets == pytest.approx(expected)


def test_a_second_look_may_show_the_card_of_the_first(looks):
    found = looks["listed"]
    at = len(found.dealer.stages) - 1
    hand, board = parse_cards("AdKd"), parse_cards("QcKc")
    assert found.dealer.stages[at].n_held(1, 1) == 2
    (mean,) = found.find(at, 0, (), [hand], board, won=(True, True))
    same = [
        found.find(at, 0, (), [hand], board, won=(True, True), seen=2 * parse_cards(card))[0]
        for card in ("Ac", "Qd")  # all that is left
    ]
    # The other has had one of two cards, then both: it shows the new one as often as the old one.
    assert sum(mean.buckets[bucket] for each in same for bucket in each.buckets) == pytest.approx(
        0.5
    )


@pytest.mark.parametrize(
    ("won", "seen", "message"),
    [
        ((False,), "Qd", "has seen 0 cards of the other's hand here, not Qd"),
        ((True,), "QdQc", "has seen 1 card of the other's hand here, not QdQc"),
        ((True,), "2c", "2c"),
    ],
)
def test_cards_that_nobody_has_seen_are_refused(looks, won, seen, message):
    found = looks["tables"]
    with pytest.raises(CardError, match=message):
        found.find(
            AFTER_LOOK,
            0,
            (),
            [parse_cards("AdKd")],
            parse_cards(""),
            won=won,
            seen=parse_cards(seen),
        )


def test_a_hand_of_its_own_cannot_have_been_seen(looks):
    hand, at = parse_cards("AdKd"), AFTER_LOOK
    assert looks["tables"].find(at, 0, (), [hand], (), won=(True,), seen=parse_cards("Kd")) == []


def test_with_card_tables_two_looks_are_told(tmp_path, monkeypatch):
    monkeypatch.setenv("COUNTERFOLD_HOME", str(tmp_path))
    street = "[[streets]]\ncards = {}\nsteps = [{{ kind = 'auction', prize = 'look' }}]\n"
    rules = "stack = 20\ndeck = '89TJQKA/cd'\n[[streets]]\nfirst = 0\n" + street.format(3)
    keys = LOOK | {"rules": rules + street.format(1), "bets": "100%; bids: 100%"}
    found = hand_buckets(Plan(parse_recipe(keys, "the recipe of a test")))
    asked = len(found.dealer.stages) - 1, 0, (), [parse_cards("AdKd")], parse_cards("QcJcTc8d")
    with pytest.raises(AbstractionError, match="pass the cards seen with --seen"):
        found.find(*asked, won=(True, True))
    told = found.find(*asked, won=(True, True), seen=parse_cards("QdTd"))
    assert [len(each.buckets) for each in told] == [1]
    assert sum(found.find(*asked, won=(False, True))[0].buckets.values()) == pytest.approx(1.0)
