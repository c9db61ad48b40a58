"""Strategies of a small menu where the opponent does what the menu does not have."""

import numpy as np
import pytest

from counterfold.bots import first_view, follow_kernels, policy_kernels
from counterfold.bots.policy import make_policy
from counterfold.bots.policy_kernels import FORCED, LOST, TRAINED, UNTRAINED, choose
from counterfold.cards import parse_cards
from counterfold.games.holdem import VARIANTS
from counterfold.games.holdem import betting_kernels as betting
from helpers.trained_runs import cardless_game, scripted_bot

VARIANT = VARIANTS["nolimit"](stack=200)
MENU = "50%, 100%, allin; cap 4"


def fold_to_all_ins(situation, kinds):
    """Fold to an all-in, else call."""
    faced = max(situation[betting.SPENT_0], situation[betting.SPENT_1]) == VARIANT.stack
    return kinds == (betting.FOLD if faced else betting.CALL)


def act(bot, history, hole="Js9s"):
    """What the bot does as the dealer after actions before the flop."""
    view = first_view(bot.variant, 0, parse_cards(hole))
    bot.begin_hand(view)
    for action in history.split():
        view = view.after(action)
    return bot.act(view)


def test_an_all_in_beyond_the_cap_is_met_as_an_earlier_one_would_be():
    bot = scripted_bot(VARIANT, MENU, fold_to_all_ins)
    assert act(bot, "r4 r6 r12 r200") == "f"
    assert bot.last_trace.how == TRAINED
    assert bot.last_trace.readings[-1].endswith("in total as one to 200 in its own game")


def test_a_small_raise_beyond_the_cap_is_not_read_as_an_all_in():
    bot = scripted_bot(VARIANT, MENU, fold_to_all_ins)
    assert act(bot, "r4 r6 r12 r18") == "c"


class OneBucket:
    """Puts every hand into the same bucket."""

    knows_bounty = "nothing"
    knows_look = "nothing"
    sees_shown = False

    def __init__(self, bucket):
        self._bucket = bucket

    def bucket(self, path):
        return self._bucket


# Of ten buckets; 198 chips for a pot of 400 need to beat half of the hands, 2 of 8 a quarter.
@pytest.mark.parametrize(
    ("bucket", "history", "action"),
    [(0, "c r200", "f"), (4, "c r200", "f"), (5, "c r200", "c"), (9, "c r200", "c"),
     (1, "c r4", "f"), (3, "c r4", "c")],
)  # fmt: skip
def test_where_the_menu_has_no_raise_at_all_the_odds_decide(bucket, history, action):
    bot = scripted_bot(VARIANT, "none", fold_to_all_ins)
    bot.policy = bot.policy._replace(last_buckets=np.full_like(bot.policy.last_buckets, 10))
    bot.cards = OneBucket(bucket)
    assert act(bot, history) == action
    assert bot.last_trace.how == FORCED


@pytest.mark.parametrize(("n_buckets", "action"), [(1, "c"), (10, "f")])
def test_a_bet_that_is_read_as_a_check_is_called_by_the_odds(n_buckets, action):
    bot = scripted_bot(VARIANT, f"{MENU}; flop: none", fold_to_all_ins)
    bot.policy = bot.policy._replace(last_buckets=np.full_like(bot.policy.last_buckets, n_buckets))
    view = first_view(VARIANT, 0, parse_cards("Js9s"))
    bot.begin_hand(view)
    view = view.after("c").after("k").after_board(parse_cards("2c3d4h")).after("r2")
    assert bot.act(view) == action  # in the weakest bucket
    assert bot.last_trace.how == FORCED


def edges_chosen(weights, **play):
    """The edges that a bot plays at its first decision, over all random numbers."""
    bot = scripted_bot(
        VARIANT, "100%, allin", lambda situation, kinds: weights[: kinds.size], **play
    )
    numbers = (np.arange(1000) + 0.5) / 1000
    chosen = [choose(bot.policy, 0, 0, number)[0] for number in numbers]
    return np.bincount(chosen, minlength=4) / numbers.size


# At the root: fold, call, the pot, all-in.
WEIGHTS = np.array([5, 60, 30, 5])


def test_actions_are_played_as_often_as_the_strategy_says():
    np.testing.assert_allclose(edges_chosen(WEIGHTS), WEIGHTS / 100, atol=0.0011)


def test_actions_below_the_threshold_are_never_played():
    shares = edges_chosen(WEIGHTS, threshold=0.05)
    np.testing.assert_allclose(shares, [0.0, 2 / 3, 1 / 3, 0.0], atol=0.0011)
    np.testing.assert_allclose(edges_chosen(WEIGHTS, threshold=0.04), WEIGHTS / 100, atol=0.0011)
    # Where all are below it, the likeliest is played.
    np.testing.assert_array_equal(edges_chosen(WEIGHTS, threshold=0.7), [0.0, 1.0, 0.0, 0.0])


def test_a_purified_strategy_plays_its_likeliest_action_alone():
    np.testing.assert_array_equal(edges_chosen(WEIGHTS, purify=True), [0.0, 1.0, 0.0, 0.0])
    np.testing.assert_array_equal(edges_chosen(WEIGHTS[::-1], purify=True), [0.0, 0.0, 1.0, 0.0])


@pytest.mark.parametrize("play", [{}, {"threshold": 0.05}, {"purify": True}, {"threshold": 0.9}])
def test_chances_are_how_often_an_edge_is_chosen(play):
    bot = scripted_bot(
        VARIANT, "100%, allin", lambda situation, kinds: WEIGHTS[: kinds.size], **play
    )
    chances = np.empty(4)
    assert policy_kernels.find_chances(bot.policy, 0, 0, chances)
    np.testing.assert_allclose(edges_chosen(WEIGHTS, **play), chances, atol=0.0011)


def test_where_nothing_was_trained_no_edge_has_a_chance():
    bot = scripted_bot(VARIANT, "100%, allin", lambda situation, kinds: 0 * WEIGHTS[: kinds.size])
    chances = np.ones(4)
    assert not policy_kernels.find_chances(bot.policy, 0, 0, chances)
    assert chances.tolist() == [0, 0, 0, 0]


# Of ten buckets; 1 chip for a pot of 4 needs to beat a quarter of the hands.
@pytest.mark.parametrize(("bucket", "kind"), [(0, betting.FOLD), (2, betting.CALL)])
def test_where_nothing_was_trained_the_odds_decide(bucket, kind):
    game, cards = cardless_game(VARIANT, MENU)
    policy = make_policy(game, cards.dealer, np.zeros(game.n_slots, np.uint8), (10,) * 4)
    situation = betting.first_situation(VARIANT.rules)
    found = policy_kernels.perform(
        policy, VARIANT.rules, situation, 0, 0, bucket, policy_kernels.NO_EDGE
    )
    assert found == (kind, 0, policy_kernels.passive_edge(policy, 0), UNTRAINED)


@pytest.mark.parametrize(
    ("name", "kind"),
    [("discard", betting.KEEP), ("toss", betting.DISCARD), ("auction", betting.BID)],
)
def test_before_the_betting_no_more_is_done_than_must_be(name, kind):
    """Without a strategy: no card goes unless one has to, and nothing is bid."""
    variant = VARIANTS[name](stack=20)
    situation = betting.first_situation(variant.rules)
    while situation[betting.PHASE] == betting.BET:
        situation = betting.after_call(variant.rules, situation)
    situation = betting.after_deal(variant.rules, situation, False)
    game, cards = cardless_game(variant, "allin" + "; flop: bids: allin" * variant.has_auctions)
    policy = make_policy(game, cards.dealer, np.zeros(game.n_slots, np.uint8), cards.n_buckets)
    node = follow_kernels.follow_deal(policy, LOST, situation)
    found = policy_kernels.decide(policy, variant.rules, situation, node, 0, 0, 0.5)
    assert (*found[:2], found[3]) == (kind, 0, UNTRAINED)
