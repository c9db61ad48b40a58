"""A bot that is not told the order of ranks: what it plays by, and what it learns from."""

import pytest

from counterfold.bots import BASELINES, Hand, MatchInfo, shuffle
from counterfold.bots.interface import HandResult
from counterfold.cards.text import RANKS
from counterfold.contest.rank_learning_bot import RankLearningBot
from counterfold.games import parse_game
from helpers.trained_runs import random_bot

ORDER = "2357TJ469Q8AK"


@pytest.fixture
def learner():
    bot, _ = random_bot(parse_game("permuted(order='32456789TJQKA')"))
    learner = RankLearningBot(bot, seed=4)
    learner.begin_match(MatchInfo(parse_game(f"permuted(order='{ORDER}')")))
    return learner


def play(learner, number):
    """One hand against a caller, and how it ended for the learner."""
    variant = parse_game(f"permuted(order='{ORDER}')")
    hand, other = Hand(variant, shuffle(variant, 1, number)), BASELINES["always-call"]()
    bots = learner, other
    for seat, bot in enumerate(bots):
        bot.begin_hand(hand.view(seat))
    while hand.waits_for is not None:
        seat = hand.waits_for
        hand.act(bots[seat].act(hand.view(seat)))
    folded = "f" in hand.state.history
    shown = () if folded else hand.state.holes[1]
    result = HandResult(hand.view(0), hand.chips[0], shown)
    learner.end_hand(result)
    return folded


def test_the_order_of_the_variant_is_not_looked_at(learner):
    assert learner.bot.variant.rank_order == learner.belief.order != ORDER


def test_it_learns_from_hands_that_are_shown_only(learner):
    for number in range(30):
        before = learner.belief.places
        if play(learner, number):
            assert learner.belief.places is before
        assert learner.bot.variant.rank_order == learner.belief.order
    assert learner.belief.showdowns
    assert sorted(learner.belief.order) == sorted(RANKS)


def test_other_chips_in_a_match_change_nothing_of_what_was_learned(learner):
    for number in range(10):
        play(learner, number)
    before = learner.belief.places
    variant = parse_game(f"permuted(stack=90, order='{ORDER}')")
    learner.begin_match(MatchInfo(variant, under_way=True))
    assert learner.belief.places is before
    assert learner.bot.variant.stack == 90
    assert learner.bot.variant.rank_order == learner.belief.order != ORDER


def test_a_new_match_begins_without_knowledge(learner):
    fresh = learner.belief.places
    for number in range(10):
        play(learner, number)
    learner.begin_match(MatchInfo(parse_game(f"permuted(order='{ORDER}')")))
    assert not learner.belief.showdowns
    assert (learner.belief.places == fresh).all()
