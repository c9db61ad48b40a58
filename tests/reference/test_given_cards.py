"""Sets of cards that players give away, in public graphs and deals, against exact states."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from counterfold.bets import parse_menu
from counterfold.bots.strategy_bot import StrategyBot
from counterfold.cards import parse_deck
from counterfold.errors import GameError
from counterfold.games.holdem import Auction, Deal, Discard, Street, Variant, parse_state
from counterfold.matches.entrants import baseline_entrant
from counterfold.matches.hosted_match import IN_PROCESS, play_hosted
from counterfold.matches.policy_match import play_policies
from counterfold.public.deals import Dealer
from counterfold.public.graph import build_graph
from counterfold.public.infosets_kernels import normalize
from counterfold.public.public_variants import is_public
from counterfold.sampling import Sampling
from counterfold.training.deal_sampling import DealSamplingSolver
from counterfold.tree import evaluate, solve_linear_program
from helpers.drawn.steps import SEATS, discards
from helpers.entrants import policy_entrant
from helpers.naive.given_games import TreeStrategies, play_hand
from helpers.public_games import LAY, SPECIAL, Small
from helpers.trained_runs import random_bot

ROUNDING = 1e-11
FILTERED = [HealthCheck.filter_too_much, HealthCheck.too_slow]  # most draws are no variant


def small(title, *steps, deck="QKA/cd", hole_cards=2, cards=1, **more):
    """Antes, steps on the only board or before one bet without any, and one bet."""
    streets = (Street(first=0), Street(cards, first=0, steps=steps))
    if not cards:
        streets = (Street(first=0, steps=steps),)
    rules = {"stack": 2, "blinds": (0, 0), "ante": 1, "hole_cards": hole_cards} | more
    return Variant(title, streets, deck=parse_deck(deck), **rules)


GIVEN = {
    variant.title: variant
    for variant in (
        small("lay or not", Discard(redraw=False, to_board=True), cards=4, deck="JQKA/cd"),
        small("must draw", Discard(0, forced=True), hole_cards=1),
        small("lay for another", Discard(to_board=True), hole_cards=1, cards=2),
        small("give one away", Discard(forced=True, redraw=False)),
        small("show one for another", Discard(shown=True), hole_cards=1),
        small("must show", Discard(0, forced=True, shown=True, redraw=False)),
        small("show one at first", Discard(0, 1, True, True, False), cards=0),
        small(
            "lay two of three",
            Discard(0, 2, True, False, False, True),
            hole_cards=3,
            deck="89TJQKA/c",
        ),
        small(
            "draw, then lay",
            Discard(),
            Discard(0, forced=True, redraw=False, to_board=True),
            deck="89TJQKA/c",
        ),
        small("draw two", Discard(count=2), cards=0, deck="789TJQKA/c"),
        small("lay one of a short deck", LAY, cards=4, deck="6789/cd", ranking="short-deck"),
        small("must draw two", Discard(0, 2, forced=True), cards=0, deck="789TJQKA/c"),
    )
}
SPECIAL.update(GIVEN)

DISCARDS = discards(3)
OTHERS = st.one_of(
    st.builds(Deal, st.integers(0, 1), st.sampled_from(((0, 0), (1, 1)))),
    st.builds(Auction, SEATS, prize=st.sampled_from(("card", "look"))),
)


@st.composite
def variants(draw, choices=DISCARDS):
    """Three streets with a few steps, of discards of all kinds and perhaps of others."""
    steps = st.lists(choices, max_size=2)
    flop, turn = tuple(draw(steps)), tuple(draw(steps))
    first = tuple(draw(st.lists(DISCARDS.filter(lambda step: not step.to_board), max_size=1)))
    streets = (Street(first=0, steps=first), Street(2, steps=flop), Street(1, 0, steps=turn))
    try:
        variant = Variant(
            "drawn", streets, stack=8, deck=parse_deck("89TJQKA/cdhs"),
            hole_cards=draw(st.integers(2, 4)),
        )  # fmt: skip
    except GameError:
        assume(False)
    assume(variant.gives_cards and is_public(variant))
    return variant


@settings(max_examples=25, deadline=None, suppress_health_check=FILTERED)
@given(variants(), st.integers(0, 99))
def test_hands_of_any_discards_by_the_exact_rules(variant, seed):
    """What is held and lies on the board at each decision, what is offered, and what is won."""
    graph, dealer = build_graph(variant, parse_menu("allin")), Dealer(variant)
    deals, rng = dealer.sample(seed, 0, 8), np.random.default_rng(seed)
    for i in range(len(deals)):
        play_hand(graph, dealer, deals, i, rng)


@settings(max_examples=10, deadline=None, suppress_health_check=FILTERED)
@given(variants(st.one_of(DISCARDS, OTHERS)), st.integers(0, 99))
def test_matches_in_kernels_are_hosted_matches_and_replay(variant, seed):
    """The same hands chip for chip and card for card, all-ins adjusted or not."""
    bot, cards = random_bot(variant, "100%, allin; cap 2", seed)
    mine = policy_entrant("strategy", bot.policy, cards, cards.dealer)
    mine = replace(mine, start=lambda seed, number: copy(bot, seed, number))
    players = mine, baseline_entrant("random", variant)
    histories = []
    kernels = play_policies(variant, players, 40, seed=seed, histories=histories.extend)
    plain = play_policies(variant, players, 40, seed=seed, adjust=False)
    for history in histories:
        assert parse_state(variant, history.state).utilities == history.chips
    hosted = play_hosted(variant, players, 40, IN_PROCESS, seed=seed)
    assert kernels.plain_chips == plain.chips == hosted.chips
    for one, other in zip(hosted.sides, plain.sides, strict=True):
        assert one.decisions == other.decisions


def copy(bot, seed, number):
    """The bot with random numbers of its own."""
    return StrategyBot(bot.variant, bot.policy, bot.cards, seed=seed, player=number)


@cache
def game(name):
    return Small(name, "none")


@pytest.mark.parametrize("name", ["both lay a card", *GIVEN])
def test_values_and_best_responses_are_those_of_the_tree(name, rng):
    table = game(name)
    trees = TreeStrategies(table)
    for pure in (0.0, 0.5):
        strategy = table.random_strategy(rng, pure)
        figures = evaluate(trees.strategy(strategy))
        listed, knowledge = table.listed, table.knowledge
        value = listed.expected_value(knowledge, strategy)
        responses = [listed.best_response_value(seat, knowledge, strategy) for seat in (0, 1)]
        assert value == pytest.approx(figures.values[0], abs=ROUNDING)
        assert responses == pytest.approx(figures.responses, abs=ROUNDING)


@pytest.mark.parametrize("sampling", [Sampling(), Sampling(single=True, epsilon=0.6)])
@pytest.mark.parametrize("name", ["lay for another", "give one away", "must show"])
def test_sampled_training_comes_to_the_value_of_the_tree(name, sampling):
    table = Small(name, "allin")
    solver = DealSamplingSolver(table.game, table.dealer, table.source, sampling, seed=1, threads=1)
    solver.run(100_000)
    strategy = np.empty(table.game.n_slots)
    offsets, widths = table.game.offsets, table.game.n_actions
    normalize(solver.averages, solver.layout, offsets, widths, strategy)
    exploitability = table.exploitability(strategy)
    assert exploitability < (0.3 if sampling.single else 0.1)  # chips
    value = table.listed.expected_value(table.knowledge, strategy)
    assert value == pytest.approx(solve_linear_program(table.compiled).value, abs=exploitability)
