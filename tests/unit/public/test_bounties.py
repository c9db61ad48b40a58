"""Bounties of deals: how long they last, when they are hit, and what players know of them."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from counterfold.cards import parse_cards
from counterfold.cards.text import RANKS
from counterfold.errors import AbstractionError, UnsupportedGameError
from counterfold.games import parse_game
from counterfold.games.holdem import Auction, Deal, Discard, Street, Swap
from counterfold.public.bounties import classify_bounty, label_bounties
from counterfold.public.card_maps import BountyCards, ExactCards, NoCards, with_bounties
from counterfold.public.deals import Dealer
from counterfold.public.deals_kernels import STAGE_CELL, STAGE_PATHS
from helpers.small_recipes import plan

BOUNTY = parse_game("bounty")
STEPS = (
    Swap(0.5), Auction(), Deal(1, (1, 0)), Discard(count=2), Discard(shown=True, redraw=False),
    Discard(forced=True, redraw=False, to_board=True),
)  # fmt: skip
SMALL = "bounty(stack=6, deck='QKA/cd', board=(1,))"


def test_players_keep_their_bounties_for_25_deals_and_change_seats():
    bounties = Dealer(BOUNTY).sample(3, 0, 1000).bounties
    players = np.where(np.arange(1000)[:, None] % 2 == 0, bounties, bounties[:, ::-1])
    rounds = players.reshape(40, 25, 2)
    assert (rounds == rounds[:, :1]).all()
    assert len(np.unique(rounds[:, 0], axis=0)) > 25
    assert np.unique(bounties).tolist() == list(range(13))


def test_a_bounty_is_hit_from_the_street_on_that_shows_its_rank():
    dealer = Dealer(BOUNTY)
    cards = np.array([parse_cards("AhKs" + "2c7d" + "Ad9c9h" + "7s" + "3c")], np.uint8)
    lengths, weights = np.array([3], np.uint8), np.ones(1)
    streets = {"A": (0, 1), "K": (0, 4), "2": (4, 0), "7": (2, 0), "9": (1, 1), "3": (3, 3)}
    for rank, expected in streets.items():
        bounty = np.full((1, 2), RANKS.index(rank), np.uint8)
        hits = dealer.complete(cards, lengths, weights, bounty).hits[0]
        assert hits.tolist() == [[street >= first for street in range(4)] for first in expected]
    assert dealer.complete(cards, lengths, weights).hits.shape == (1, 0, 0)


@pytest.mark.parametrize("step", STEPS, ids=str)
def test_hands_and_boards_that_change_hit_by_what_they_have_become(step):
    """Deals against the cards of each hand path: those that went away no longer hit."""
    streets = Street(first=0), Street(2, steps=(step,)), Street(1)
    dealer = Dealer(replace(BOUNTY, streets=streets, hole_cards=3))
    deals = dealer.sample(5, 0, 60)
    for at, stage in enumerate(dealer.layout.stages):
        boards = dealer.boards(at, deals.cards, deals.laid)
        for cell in range(int(stage[STAGE_CELL]), int(stage[STAGE_CELL] + stage[STAGE_PATHS])):
            board = boards[:, min(cell - int(stage[STAGE_CELL]), boards.shape[1] - 1)]
            for i, seat in product(range(len(deals)), (0, 1)):
                cards = [*deals.holes[i, seat, cell].tolist(), *board[i].tolist()]
                hit = any(card // 4 == deals.bounties[i, seat] for card in cards)
                assert deals.hits[i, seat, cell] == hit
    assert 0.1 < deals.hits.mean() < 0.9


@pytest.mark.parametrize("knows", ["hit", "rank"])
def test_one_hand_is_classified_as_in_a_batch(knows):
    deals = Dealer(BOUNTY).sample(8, 0, 200)
    known = label_bounties(BOUNTY, knows, deals.bounties, deals.hits)
    for i, row in enumerate(deals.cards.tolist()):
        for seat in (0, 1):
            for street, size in enumerate((0, 3, 4, 5)):
                cards = row[2 * seat : 2 * seat + 2] + row[4 : 4 + size]
                bounty = int(deals.bounties[i, seat])
                assert classify_bounty(BOUNTY, knows, bounty, cards) == known[i, seat, street]


def test_a_list_has_every_pair_of_bounties_equally_often():
    listed = Dealer(parse_game(SMALL)).enumerate()
    assert len(listed) == 9 * 15 * 6 * 2
    assert listed.weights.sum() == pytest.approx(1.0)
    pairs, counts = np.unique(listed.bounties, axis=0, return_counts=True)
    assert len(pairs) == 9
    assert (counts == counts[0]).all()


def test_variants_without_bounties_keep_their_maps():
    cards = NoCards(Dealer(parse_game("nolimit")))
    assert with_bounties(cards, "hit") is cards


def test_a_hand_without_its_bounty_has_no_bucket():
    dealer = Dealer(parse_game(SMALL))
    cards = BountyCards(ExactCards(dealer, dealer.enumerate()), "rank")
    with pytest.raises(UnsupportedGameError, match="depends on its bounty"):
        cards.label_hands(np.array([[[48, 49]]], np.uint8), np.zeros((1, 0), np.uint8))


def test_maps_that_remember_are_refused():
    cards = NoCards(Dealer(parse_game(SMALL)))
    cards.recalls = True
    with pytest.raises(AbstractionError, match="use recall: current"):
        BountyCards(cards, "hit")


@pytest.mark.parametrize("algorithm", ["public-chance", "cfr-br"])
def test_walks_over_boards_need_a_plain_pot(algorithm):
    asked = plan(variant=SMALL, algorithm=algorithm, epoch=None)
    with pytest.raises(UnsupportedGameError, match=f"{algorithm} needs a pot without bounties"):
        _ = asked.algorithm


def test_listed_percentiles_know_no_bounties():
    with pytest.raises(AbstractionError, match="does not handle bounties; use exact cards"):
        plan(variant=SMALL, cards="listed-percentile(3)").cards()


@pytest.mark.parametrize("changes", [{"run_suits": "dh"}, {"rank_order": "32456789TJQKA"}])
def test_combinations_that_cannot_be_dealt(changes):
    with pytest.raises(UnsupportedGameError, match="has bounties"):
        Dealer(replace(BOUNTY, **changes))
