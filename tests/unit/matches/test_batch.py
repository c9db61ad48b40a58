"""Batches of deals: who sits where, what is kept, and that batches may be cut anywhere."""

import numpy as np
import pytest

from counterfold.bots import Bot
from counterfold.errors import MatchError
from counterfold.games import parse_game
from counterfold.matches.batch import BatchRunner, stage_table_of
from counterfold.matches.entrants import baseline_entrant, bot_entrant
from counterfold.public.deals import Dealer

NOLIMIT = parse_game("nolimit(stack=20)")


def no_tables():
    raise AssertionError("these baselines look at no tables")


def runner(first="random", second="all-in", variant=NOLIMIT, **options):
    pair = tuple(baseline_entrant(name, variant, no_tables) for name in (first, second))
    return BatchRunner(variant, pair, 5, **options)


def test_every_deal_is_played_in_both_seats():
    assert runner().swaps(3, 2).tolist() == [[0, 0], [1, 1]]
    assert runner("all-in", "all-in", adjust=False).play(0, 200).plain.sum() == 0.0


def test_without_duplicates_seats_alternate_by_the_number_of_the_deal():
    assert runner(duplicate=False).swaps(3, 4).tolist() == [[1, 0, 1, 0]]


@pytest.mark.parametrize("duplicate", [True, False])
def test_batches_may_be_cut_anywhere(duplicate):
    whole = runner(duplicate=duplicate).play(0, 60)
    parts = [runner(duplicate=duplicate).play(*part) for part in ((0, 17), (17, 43))]
    for field in ("plain", "chips"):
        joined = np.concatenate([getattr(part, field) for part in parts], axis=1)
        np.testing.assert_array_equal(joined, getattr(whole, field))
    np.testing.assert_array_equal(sum(part.counts for part in parts), whole.counts)
    assert sum(part.n_adjusted for part in parts) == whole.n_adjusted


def test_adjusting_changes_all_ins_alone():
    found = runner("all-in", "always-call").play(0, 100)
    assert found.n_adjusted == 200  # every hand is all-in before the flop
    assert (found.chips != found.plain).any()
    plain = runner("all-in", "always-call", adjust=False).play(0, 100)
    np.testing.assert_array_equal(plain.chips, found.plain)
    assert plain.n_adjusted == 0
    folds = runner("all-in", "check-fold").play(0, 100)
    assert folds.n_adjusted == 0


def test_bounties_are_not_adjusted():
    found = runner("all-in", "always-call", parse_game("bounty(stack=20)")).play(0, 50)
    assert found.n_adjusted == 0


def test_hands_are_recorded_if_asked_for():
    assert runner().play(0, 3).histories == []
    hands = runner(histories=True).play(4, 3).histories
    assert [hand.hand for hand in hands] == [9, 10, 11, 12, 13, 14]
    assert [hand.deal for hand in hands] == [5, 5, 6, 6, 7, 7]


def test_a_player_of_no_policy_needs_an_engine():
    class Mine(Bot):
        def act(self, view):
            return view.passive_action

    with pytest.raises(MatchError, match="kernels cannot play Mine; let an engine host"):
        BatchRunner(NOLIMIT, (baseline_entrant("random", NOLIMIT), bot_entrant(Mine)), 1)


def test_draws_and_laid_cards_stand_in_tables_of_their_own():
    discard = stage_table_of(Dealer(parse_game("discard")))
    assert discard.draws.tolist() == [0, 3, 0, 3, 0, 0]
    assert not discard.gives.any()
    toss = stage_table_of(Dealer(parse_game("toss")))
    assert not toss.draws.any()
    assert toss.gives[:, 0].tolist() == [0, 3, 3, 0, 0, 0]
