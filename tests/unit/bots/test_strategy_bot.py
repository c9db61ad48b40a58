import numpy as np
import pytest

from counterfold.bots import Hand, MatchInfo, first_view, policy_kernels, shuffle
from counterfold.bots.played_run import bot_of
from counterfold.bots.trained_bot import TrainedBot
from counterfold.cards import format_cards, parse_cards
from counterfold.errors import GameError
from counterfold.games import parse_game
from counterfold.games.holdem import VARIANTS
from counterfold.matches.entrants import run_entrant
from counterfold.matches.policy_match import play_policies
from helpers.played_deals import SEED, bot_hands, check_equal, kernel_hands, play_deal
from helpers.trained_runs import RECIPES, SmallRuns

N_DEALS = 100
NUMBERS = [N_DEALS, pytest.param(400, marks=pytest.mark.slow)]


@pytest.fixture(scope="module")
def runs(small_runs):
    return small_runs


@pytest.mark.parametrize("n_deals", NUMBERS)
@pytest.mark.parametrize("name", RECIPES)
def test_bots_play_as_kernels_do_chip_for_chip(runs, name, n_deals):
    check_equal(runs[name], runs[name], n_deals)


@pytest.fixture(scope="module")
def strangers(shared_folder):
    """Runs whose menu is not that of their opponents."""
    return SmallRuns(shared_folder / "strangers", bets="33%, 200%, allin; cap 4")


@pytest.mark.parametrize("n_deals", NUMBERS)
@pytest.mark.parametrize("name", ["discard", "nolimit", "river-of-blood"])
def test_bots_translate_as_kernels_do(runs, strangers, name, n_deals):
    check_equal(runs[name], strangers[name], n_deals)


@pytest.mark.parametrize("name", ["auction", "auction-sealed"])
def test_bots_read_bids_as_kernels_do(runs, shared_folder, name):
    bets = "50%, allin; cap 4; flop: bids: 33%, 150%"
    check_equal(runs[name], SmallRuns(shared_folder / "other-bids", bets=bets)[name], N_DEALS)


def test_bets_outside_the_menu_are_met_and_read(runs, strangers):
    deals, _, _ = kernel_hands(runs["nolimit"], strangers["nolimit"], N_DEALS, False)
    bot = bot_of(runs["nolimit"], SEED)
    other = bot_of(strangers["nolimit"], SEED, 1)
    readings = set()
    for row in deals.cards:
        play_deal(runs["nolimit"].plan.dealer, row, [bot, other])
        readings |= {reading for trace in bot.traces for reading in trace.readings}
    assert any("in its own game" in reading for reading in readings)
    assert set(bot.counts) <= {
        policy_kernels.TRAINED,
        policy_kernels.UNTRAINED,
        policy_kernels.OFF_TREE,
        policy_kernels.FORCED,
    }


def test_play_hands_of_a_whole_match_are_the_same_game(runs):
    run = runs["discard"]
    entrant = run_entrant(run)
    result = play_policies(run.plan.variant, (entrant, entrant), 2 * N_DEALS, seed=SEED, threads=1)
    chips = np.zeros(N_DEALS)
    for swapped in (False, True):
        deals, _, _ = kernel_hands(run, run, N_DEALS, swapped)
        chips += bot_hands(run, run, deals, swapped)[0] / 2
    assert result.plain_chips == pytest.approx(chips.mean())


def test_a_bot_explains_its_last_decision(runs):
    run = runs["nolimit"]
    bot = bot_of(run, SEED)
    view = first_view(run.plan.variant, 0, parse_cards("AcAd"))
    bot.begin_hand(view)
    assert bot.last_trace is None
    action = bot.act(view)
    trace = bot.last_trace
    assert trace.action == action
    assert trace.node == 0
    assert trace.spent == (1, 2)
    names = [name for name, _ in trace.probabilities]
    assert names[:2] == ["fold", "call"]
    assert names[-1] == "to 40 (all-in)"
    assert sum(share for _, share in trace.probabilities) == pytest.approx(1.0)
    assert "from the strategy" in trace.lines()[0]
    hand = run.cards.bucket([(parse_cards("AcAd"), ())])
    np.testing.assert_allclose(
        [share for _, share in trace.probabilities], run.blueprint.at(0, hand)
    )


@pytest.mark.parametrize("name", ["permuted", "permuted-exact", "short-deck"])
def test_the_strategy_that_is_shown_is_the_one_that_is_played(runs, name):
    run = runs[name]
    bot, shown = bot_of(run, SEED), TrainedBot(run)
    for number in range(20):
        hand = Hand(run.plan.variant, shuffle(run.plan.variant, 1, number))
        bot.begin_hand(hand.view(1))
        hand.act("c")
        hand.act("k")
        view = hand.view(1)
        bot.act(view)
        hole, board = format_cards(view.hole), format_cards(view.board_cards)
        (row,) = shown.strategy(hole, board, "c k").rows
        assert row.buckets == (bot.last_trace.bucket,)


def test_a_bot_plays_any_order_of_ranks(runs):
    run = runs["permuted"]
    other = parse_game("permuted(stack=20, deck='89TJQKA/cd', order='89TJQKA')")
    bot = bot_of(run, SEED)
    bot.begin_match(MatchInfo(other))
    hole = parse_cards("Ac9d")
    view = first_view(other, 0, hole)
    bot.begin_hand(view)
    bot.act(view)
    assert bot.last_trace.bucket == run.cards.bucket([(hole, ())])


def test_an_action_that_a_dealer_overrules_is_followed_as_it_was(runs):
    run = runs["nolimit"]
    bot = bot_of(run, SEED)
    deal = shuffle(run.plan.variant, 1, 3)
    hand = Hand(run.plan.variant, deal)
    bot.begin_hand(hand.view(0))
    bot.act(hand.view(0))
    for action in ("c", "r6", "c", "r4"):
        hand.act(action)
    assert hand.view(0).is_legal(bot.act(hand.view(0)))


def test_discards_are_explained_by_card(runs):
    run = runs["discard"]
    bot = bot_of(run, SEED)
    hand = Hand(run.plan.variant, shuffle(run.plan.variant, 1, 3))
    bot.begin_hand(hand.view(1))
    hand.act("c")
    hand.act("k")
    assert hand.view(1).my_turn
    assert hand.view(1).is_legal(bot.act(hand.view(1)))
    names = [name.split()[0] for name, _ in bot.last_trace.probabilities]
    assert names in ([], ["keep", "discard", "discard"])


def test_other_variants_are_refused(runs):
    bot = bot_of(runs["nolimit"])
    bot.begin_match(MatchInfo(runs["nolimit"].plan.variant))
    with pytest.raises(GameError, match="trained for nolimit"):
        bot.begin_match(MatchInfo(VARIANTS["nolimit"]()))
