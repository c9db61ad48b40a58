"""Matches in kernels: results that follow from the rules, and reproducibility."""

import itertools

import numpy as np
import pytest

from counterfold.bets import parse_menu
from counterfold.bots import BASELINES
from counterfold.bots.policy import make_policy
from counterfold.cards import StrengthTables
from counterfold.errors import MatchError
from counterfold.games import parse_game
from counterfold.matches.entrants import baseline_entrant
from counterfold.matches.policy_match import play_policies
from counterfold.public.deals import Dealer
from counterfold.public.graph import build_graph
from counterfold.public.infosets import classify
from counterfold.public.situation_features import parse_public_abstraction
from helpers.entrants import policy_entrant


class OneBucket:
    """A card map that tells nothing."""

    name = "one"

    def __init__(self, dealer):
        self.dealer = dealer
        self.n_buckets = (1,) * len(dealer.stages)

    def label(self, deals):
        return np.zeros((len(deals), 2, self.dealer.n_hand_cells), np.int32)


def no_tables():
    raise AssertionError("these baselines look at no tables")


def baseline(name, variant):
    return baseline_entrant(name, variant, no_tables)


def constant_player(variant, menu, prefers, features="history * cards"):
    """A strategy that plays the first of the labels of `prefers` that a node offers."""
    dealer = Dealer(variant)
    cards = OneBucket(dealer)
    abstraction = parse_public_abstraction(features)
    graph = build_graph(variant, parse_menu(menu), merge=not abstraction.needs_histories)
    game = classify(graph, abstraction, cards.n_buckets)
    quantized = np.zeros(game.n_slots, np.uint8)
    for node in graph.decisions:
        start, stop = graph.starts[node], graph.starts[node + 1]
        names = [int(graph.kinds[e]) for e in range(start, stop)]
        k = next((names.index(kind) for kind in prefers if kind in names), 0)
        quantized[game.node_offsets[node] + k] = 255
    policy = make_policy(game, dealer, quantized, cards.n_buckets)
    return policy_entrant("constant", policy, cards, dealer)


VARIANTS = ["nolimit", "discard", "river-of-blood", "limit", "swap", "short-deck", "toss"]


@pytest.mark.parametrize("name", VARIANTS)
def test_all_in_wins_the_blinds_of_one_who_folds(name):
    variant = parse_game(name)
    players = baseline("all-in", variant), baseline("check-fold", variant)
    result = play_policies(variant, players, 400)
    # Both blinds are folded, one of each pair of hands: 1 and 2 chips.
    assert result.chips == 1.5
    assert result.chips_interval == 0.0
    assert result.mb == 750.0


@pytest.mark.parametrize("name", VARIANTS)
def test_callers_break_even_in_every_pair_of_hands(name):
    variant = parse_game(name)
    players = baseline("always-call", variant), baseline("always-call", variant)
    result = play_policies(variant, players, 1000)
    assert result.chips == 0.0
    assert result.chips_interval == 0.0
    alone = play_policies(variant, players, 1000, duplicate=False)
    # Two chips are won or lost in a hand: 95% intervals cover zero but once in 20 seeds.
    assert 0.0 < alone.chips_interval < 2 * 1.96 / np.sqrt(1000) * 1.01
    assert abs(alone.chips) < 2 * alone.chips_interval


def test_stacks_go_in_against_a_caller():
    variant = parse_game("nolimit(stack=50)")
    players = baseline("all-in", variant), baseline("always-call", variant)
    alone = play_policies(variant, players, 4000, duplicate=False)
    # 50 chips are won or lost but for ties, which are about 2% of hands.
    assert alone.plain_interval == pytest.approx(1.96 * 50 / np.sqrt(4000), rel=0.05)


@pytest.mark.parametrize("name", sorted(set(BASELINES) - {"pot-odds", "hand-rank", "outs"}))
def test_the_same_seed_plays_the_same_match_on_two_threads(name):
    variant = parse_game("discard")
    players = baseline("random", variant), baseline(name, variant)
    one = play_policies(variant, players, 9000, seed=5, threads=1)
    two = play_policies(variant, players, 9000, seed=5, threads=2)
    assert one == two
    assert one != play_policies(variant, players, 9000, seed=6, threads=1)


def test_swapping_the_players_swaps_the_result():
    variant = parse_game("nolimit")
    one, two = baseline("always-call", variant), baseline("check-fold", variant)
    forth = play_policies(variant, (one, two), 2000)
    back = play_policies(variant, (two, one), 2000)
    assert forth.chips == pytest.approx(-back.chips)


@pytest.mark.parametrize("name", ["nolimit", "discard", "river-of-blood"])
@pytest.mark.parametrize("features", ["history * cards", "pot * to_call * raises * cards"])
def test_a_strategy_that_always_calls_plays_like_the_baseline(name, features):
    variant = parse_game(f"{name}(stack=40)")
    caller = constant_player(variant, "100%, allin; cap 2", prefers=(1, 3), features=features)
    for opponent in ("always-call", "all-in", "random"):
        other = baseline(opponent, variant)
        result = play_policies(variant, (caller, other), 2000, seed=2)
        expected = play_policies(variant, (baseline("always-call", variant), other), 2000, seed=2)
        assert result.chips == pytest.approx(expected.chips, abs=0.5 * expected.chips_interval)
        if opponent != "random":  # whose numbers depend on nothing else; the caller's do not matter
            assert result.chips == expected.chips


def test_a_strategy_that_raises_puts_its_stack_in():
    variant = parse_game("nolimit(stack=30)")
    raiser = constant_player(variant, "allin", prefers=(2, 1))
    players = raiser, baseline("check-fold", variant)
    assert play_policies(variant, players, 200).chips == 1.5


def test_untrained_and_off_tree_decisions_are_counted_and_never_bet():
    variant = parse_game("nolimit(stack=40)")
    dealer = Dealer(variant)
    cards = OneBucket(dealer)
    graph = build_graph(variant, parse_menu("100%; cap 2"), merge=False)
    game = classify(graph, parse_public_abstraction("history * cards"), cards.n_buckets)
    policy = make_policy(game, dealer, np.zeros(game.n_slots, np.uint8), cards.n_buckets)
    players = policy_entrant("empty", policy, cards, dealer), baseline("random", variant)
    result = play_policies(variant, players, 2000)
    side = result.sides[0]
    assert side.untrained > 0
    assert side.untrained + side.off_tree + side.forced == side.decisions
    # Who bets takes the blinds of one who folds to bets: 0.96 chips a hand at random, 1.5 all in.
    passive = play_policies(variant, (players[0], baseline("check-fold", variant)), 2000)
    assert passive.chips < 0.75


@pytest.fixture(scope="module")
def full_tables(tmp_path_factory):
    """Strength tables of the full deck, which take a minute."""
    return StrengthTables(folder=tmp_path_factory.mktemp("tables"))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["pot-odds", "hand-rank", "outs"])
def test_baselines_that_look_at_their_cards_beat_random_play(name, full_tables):
    variant, tables = parse_game("discard"), full_tables
    players = baseline_entrant(name, variant, lambda: tables), baseline("random", variant)
    result = play_policies(variant, players, 20_000, threads=2)
    assert result.chips > result.chips_interval


@pytest.mark.parametrize("duplicate", [True, False])
def test_decisions_are_counted_and_timed(duplicate, monkeypatch):
    # A clock that moves on by a second whenever it is looked at, before and after a batch.
    monkeypatch.setattr("counterfold.matches.batch.thread_time", itertools.count().__next__)
    variant = parse_game("limit")
    players = baseline("always-call", variant), baseline("always-call", variant)
    result = play_policies(variant, players, 1000, duplicate=duplicate)
    # Each player checks or calls once on each of four streets.
    assert [side.decisions for side in result.sides] == [4000, 4000]
    assert result.decision_seconds == 1.0  # one batch; what compiles before it is not counted
    assert result.decision_microseconds == 1e6 * result.decision_seconds / 8000


def test_what_is_counted_belongs_to_its_side_and_progress_ends_with_the_match():
    variant = parse_game("nolimit(stack=20)")
    players = baseline("always-call", variant), baseline("all-in", variant)
    seen = []
    result = play_policies(
        variant, players, 3000, adjust=False, progress=lambda done, total: seen.append(done / total)
    )
    assert result.adjusted == 0
    assert seen[-1] == 1.0
    assert [side.name for side in result.sides] == ["always-call", "all-in"]
    caller, shover = (side.decisions for side in result.sides)
    # The caller acts before and after the shove where it is the dealer, the other once a hand.
    assert (caller, shover) == (4500, 3000)
    adjusted = play_policies(variant, players, 3000, adjust=True)
    assert adjusted.adjusted == 3000


def test_a_match_has_hands():
    variant = parse_game("nolimit")
    players = baseline("random", variant), baseline("random", variant)
    with pytest.raises(MatchError, match="at least two hands, not 1"):
        play_policies(variant, players, 1)
