import numpy as np
import pytest

from counterfold.bots import Hand, MatchInfo, first_view, shuffle
from counterfold.bots.follow_kernels import entry_key
from counterfold.bots.other_chips import with_chips
from counterfold.bots.policy_kernels import TRAINED
from counterfold.cards import parse_cards
from counterfold.games.holdem import VARIANTS
from helpers.trained_runs import random_bot

TRAINED_FOR = VARIANTS["nolimit"](stack=40)
TIMES = 50
SCALED = VARIANTS["nolimit"](stack=40 * TIMES, blinds=(TIMES, 2 * TIMES))


def play(bots, variant, number):
    """The actions of a hand between two bots."""
    hand = Hand(variant, shuffle(variant, 1, number))
    actions = []
    for seat, bot in enumerate(bots):
        bot.begin_hand(hand.view(seat))
    while (seat := hand.waits_for) is not None:
        actions.append(bots[seat].act(hand.view(seat)))
        hand.act(actions[-1])
    return actions


def scaled(action):
    return f"r{int(action[1:]) * TIMES}" if action[0] == "r" else action


def test_a_game_in_fiftieths_is_the_same_game():
    bots = [random_bot(TRAINED_FOR, "100%, allin; cap 4", seed)[0] for seed in (1, 2, 1, 2)]
    for bot in bots[2:]:
        bot.begin_match(MatchInfo(SCALED))
    for number in range(100):
        small, large = play(bots[:2], TRAINED_FOR, number), play(bots[2:], SCALED, number)
        assert [scaled(action) for action in small] == large


@pytest.mark.parametrize("stack", [15, 90, 20_000])
def test_a_bot_plays_legally_at_another_stack(stack):
    variant = VARIANTS["nolimit"](stack)
    bots = [random_bot(TRAINED_FOR, seed=seed)[0] for seed in (1, 2)]
    for bot in bots:
        bot.begin_match(MatchInfo(variant))
    for number in range(100):
        play(bots, variant, number)
    assert bots[0].counts[TRAINED] > 100


def test_it_is_said_once_a_match(caplog):
    bot, _ = random_bot(TRAINED_FOR)
    bot.begin_match(MatchInfo(TRAINED_FOR))
    assert not caplog.records
    bot.begin_match(MatchInfo(SCALED))
    view = first_view(SCALED, 0, parse_cards("AcAd"))
    bot.begin_hand(view)
    bot.act(view)
    assert len(caplog.records) == 1
    assert "trained for nolimit(stack=40)" in caplog.text


def test_pots_are_converted_and_what_else_finds_a_street_is_kept():
    """A street is found by its pot, by whether it is the last, and by who has drawn."""
    places = [(street, final, drew) for street in (1, 2) for final in (0, 1) for drew in (0, 5)]
    keys = np.array([entry_key(*place, pot) for place in places for pot in (4, 12, 80)])
    policy = random_bot(TRAINED_FOR)[0].policy._replace(entry_keys=keys)
    expected = [entry_key(*place, TIMES * pot) for place in places for pot in (4, 12, 80)]
    assert with_chips(TRAINED_FOR, policy, SCALED).entry_keys.tolist() == expected
    assert with_chips(TRAINED_FOR, policy, TRAINED_FOR) is policy
