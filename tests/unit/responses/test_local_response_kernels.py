"""Local best responses in kernels, hand by hand against the same in plain Python."""

import pytest

from counterfold.bots.played_run import policy_of
from counterfold.responses.responder import Responder
from helpers.naive.naive_local_response import NaiveBot, NaiveResponder
from helpers.trained_runs import randomized, train_small

SWAP = {
    "variant": "swap(stack=20, deck='6789TJQKA/cd')",
    "cards": "preflop: lossless; flop: percentile(6); turn: percentile(6); river: percentile(9)",
    "bets": "100%, allin; cap 3",
    "features": "pot * to_call * raises * cards",
    "discards": "by-rank",
}
SEED, FIRST = 11, 3


def naive_responder(run, responder):
    play = run.plan.recipe.play
    bot = NaiveBot(
        run.blueprint.game,
        run.blueprint.quantized,
        run.cards,
        play.translation,
        play.threshold,
        play.purify,
    )
    return NaiveResponder(bot, run.plan.dealer, responder.menu, responder.opponent.first_margins)


def check(run, n, menu=None):
    responder = Responder(run.plan.dealer, policy_of(run), run.cards, menu)
    values, _ = responder.play(SEED, FIRST, n)
    naive, dealt = naive_responder(run, responder), responder.deal(SEED, FIRST, n)
    for seat in (0, 1):
        expected = [naive.play(dealt, i, seat, SEED + 1, FIRST) for i in range(n)]
        assert values[seat].tolist() == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("name", ["limit", "nolimit-listed", "nolimit", "discard-history"])
def test_hands_are_played_as_in_plain_python(small_runs, name):
    run = small_runs[name]
    check(run, 30, run.plan.recipe.bets)


def test_discards_are_followed_as_in_plain_python(small_runs):
    """A bot that was hardly trained keeps nearly all of its cards; a random one does not."""
    run = randomized(small_runs["discard-history"], 1)
    check(run, 4, run.plan.recipe.bets)


def test_runs_are_played_as_in_plain_python(small_runs):
    run = small_runs["river-of-blood"]
    check(run, 12, run.plan.recipe.bets)


def test_bets_off_the_menu_are_answered_in_both_readings(tmp_path):
    run = train_small("nolimit", tmp_path / "run", bets="50%, 100%, allin")
    check(run, 30, "min, 30%, 70%, 140%, allin")


def test_swaps_are_followed_as_in_plain_python(tmp_path):
    run = train_small("discard-tabled", tmp_path / "run", **SWAP)
    check(run, 4, run.plan.recipe.bets)
