"""What players see of each other's hands."""

import numpy as np
import pytest

from counterfold.cards import parse_cards
from counterfold.errors import UnsupportedGameError
from counterfold.games import parse_game
from counterfold.public import looks
from counterfold.public.card_maps import ExactCards, LookCards, NoCards, with_secrets
from counterfold.public.deals import Dealer, stage_hand_cells
from counterfold.public.deals_kernels import NO_CARD
from helpers.public_games import CARD_VARIANTS, SPECIAL

HOLDEM = parse_game("nolimit")


@pytest.mark.parametrize(
    ("card", "board", "level"),
    [
        ("2c", "", looks.BELOW),
        ("8c", "", looks.AMONG),
        ("Ac", "", looks.ABOVE),
        ("2c", "Ts7d3h", looks.BELOW),
        ("8c", "Ts7d3h", looks.AMONG),
        ("Qc", "Ts7d3h", looks.ABOVE),
        ("7c", "Ts7d3h", looks.PAIRED),
        ("Tc", "Ts7d3h", looks.PAIRED_HIGHEST),
        ("", "Ts7d3h", looks.NOT_SEEN),
    ],
)
def test_a_seen_card_has_a_level_on_each_board(card, board, level):
    seen = parse_cards(card) if card else [NO_CARD]
    assert looks.classify_looks(HOLDEM, "level", seen, parse_cards(board)) == level


def test_what_is_known_is_a_number_with_a_digit_for_each_auction():
    seen, board = [NO_CARD, *parse_cards("Tc")], parse_cards("Ts7d3h")
    assert looks.classify_looks(HOLDEM, "level", seen, board) == looks.PAIRED_HIGHEST
    assert looks.classify_looks(HOLDEM, "level", seen[::-1], board) == 6 * looks.PAIRED_HIGHEST
    assert looks.classify_looks(HOLDEM, "card", seen, board) == 1 + parse_cards("Tc")[0]
    assert looks.classify_looks(HOLDEM, "nothing", seen, board) == 0
    assert looks.count_look_classes(HOLDEM, "level", 2) == 36
    assert looks.count_look_classes(HOLDEM, "card", 1) == 53
    assert looks.count_look_classes(HOLDEM, "card", 0) == 1


@pytest.mark.parametrize("name", ["looks", "a look before the flop", "laid and dealt"])
def test_who_wins_sees_any_card_of_the_other_equally_often(name):
    dealer = Dealer(CARD_VARIANTS[name])
    deals = dealer.sample(3, 0, 4000)
    at = next(k for k, stage in enumerate(dealer.stages) if stage.looks)
    cells = stage_hand_cells(dealer.layout.stages[at])
    for seat in (0, 1):
        n = dealer.stages[at].n_held(1 - seat, dealer.layout.hole_cards)
        seen = deals.seen[:, seat, cells, 0]
        theirs = np.sort(deals.holes[:, 1 - seat, cells], axis=2)[..., :n]
        assert (seen[:, ::2] == NO_CARD).all()
        places = (theirs[:, 1::2] == seen[:, 1::2, None]).argmax(axis=2)[:, 0]
        assert (theirs[:, 1::2] == seen[:, 1::2, None]).any(axis=2).all()
        # Four and a half standard errors of a share of 4,000.
        shares = np.bincount(places, minlength=n) / len(places)
        assert shares == pytest.approx(np.full(n, 1 / n), abs=4.5 * 0.5 / np.sqrt(4000))


def test_all_looks_are_listed_equally_often():
    dealer = Dealer(SPECIAL["look at two"])
    deals = dealer.enumerate()
    pairs, counts = np.unique(deals.looks, axis=0, return_counts=True)
    assert pairs.tolist() == [[0, 0], [0, 1], [1, 0], [1, 1]]
    assert set(counts.tolist()) == {len(deals) // 4}
    assert deals.weights.sum() == pytest.approx(1.0)


def test_a_bucket_is_split_by_what_was_seen_and_needs_it():
    dealer = Dealer(SPECIAL["look at one"])
    deals = dealer.enumerate()
    cards = with_secrets(ExactCards(dealer, deals), exactly=True)
    assert isinstance(cards, LookCards)
    before, plain = cards.cards.label(deals).copy(), cards.label(deals)
    assert cards.cards.label(deals).tolist() == before.tolist()
    cells = stage_hand_cells(dealer.layout.stages[-1])
    known = plain[:, :, cells] - 7 * before[:, :, cells]
    assert (known[..., 0] == 0).all()
    places = np.searchsorted(dealer.variant.deck.cards, deals.holes[:, ::-1, 0, 0])
    assert (known[..., 1] == 1 + places).all()
    with pytest.raises(UnsupportedGameError, match="depends on what its player has seen"):
        cards.label_stage(0, deals.holes[:, :, 0], deals.cards[:, :0], None)
    assert with_secrets(NoCards(Dealer(HOLDEM))).name == "nothing"
