"""Agents translate bets as `bets.translation` says, and never act against the rules."""

from functools import lru_cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterfold.bets import PublicPlace, Translation, parse_menu
from counterfold.bots import follow_kernels, policy_kernels
from counterfold.bots.policy import RULES, make_policy
from counterfold.games import parse_game
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.betting_kernels import CALL, DISCARD, FOLD, KEEP, RAISE
from counterfold.public.deals import Dealer
from counterfold.public.graph import build_graph
from counterfold.public.infosets import classify
from counterfold.public.situation_features import parse_public_abstraction

MENUS = ["50%, 100%, allin; cap 4", "33%, 75%; raises: 100%; cap 3", "min, 200%, allin; rounds 1"]


@lru_cache
def make(variant, menu, *, merge, rule="pseudo-harmonic", seed=0, threshold=0.0):
    dealer = Dealer(variant)
    graph = build_graph(variant, parse_menu(menu), merge=merge)
    n_buckets = (3,) * len(dealer.stages)
    text = "pot * to_call * raises * cards" if merge else "history * cards"
    game = classify(graph, parse_public_abstraction(text), n_buckets)
    quantized = np.random.default_rng(seed).integers(0, 86, game.n_slots).astype(np.uint8)
    return game, make_policy(game, dealer, quantized, n_buckets, rule=rule, threshold=threshold)


@pytest.mark.parametrize("menu", MENUS)
@pytest.mark.parametrize("rule", sorted(RULES))
def test_a_raise_is_translated_as_by_the_reference(menu, rule, rng):
    variant = parse_game("nolimit(stack=100)")
    game, policy = make(variant, menu, merge=True, rule=rule)
    graph = game.graph
    reference = Translation(parse_menu(menu), rule=rule)
    nodes = graph.decisions[graph.phase[graph.decisions] == betting.BET]
    n_capped = 0
    for node in rng.choice(nodes, 60):
        real = PublicPlace(variant, tuple(graph.situations[node].tolist()))
        low, high = betting.raise_bounds(variant.rules, real.situation)
        if not high:
            continue
        # Beyond the cap a raise is read at the last node of the actor that offers any.
        read_at = policy.raise_nodes[node]
        n_capped += read_at != node
        abstract = PublicPlace(variant, tuple(graph.situations[read_at].tolist()))
        for field in (betting.ACTOR, betting.STREET):
            assert abstract.situation[field] == real.situation[field]
        total = int(rng.integers(low, high + 1))
        action = f"r{total - real.situation[betting.BASE]}"
        expected = dict(reference.distribution(action, real, abstract))
        situation, stack = real.situation, variant.stack
        low, high, share = follow_kernels.read_raise(policy, node, situation, total, stack)
        base = abstract.situation[betting.BASE]
        found = {}
        for edge, chance in ((low, share), (high, 1.0 - share)):
            name = f"r{graph.amounts[edge] - base}" if graph.kinds[edge] == RAISE else "k"
            found[name] = found.get(name, 0.0) + chance
        expected = {"k" if a in "kc" else a: p for a, p in expected.items()}
        for name in {*expected, *found}:
            assert found.get(name, 0.0) == pytest.approx(expected.get(name, 0.0), abs=1e-12)
    assert n_capped > 0


@pytest.mark.parametrize("name", ["nolimit(stack=60)", "discard(stack=40)", "limit", "potlimit",
                                  "river-of-blood(stack=30)"])  # fmt: skip
@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_an_agent_never_acts_against_the_rules(name, data):
    variant = parse_game(name)
    menu = "min; cap 4" if name == "limit" else data.draw(st.sampled_from(MENUS))
    merge = name.startswith("river") or data.draw(st.booleans())  # a run has too many histories
    _, policy = make(variant, menu, merge=merge, threshold=0.05)
    seed = data.draw(st.integers(0, 1000))
    rng = np.random.default_rng(seed)
    state, node, stack = variant.root(), 0, variant.stack
    while state.utilities is None:
        if state.chance is not None:
            dealing = len(state.holes) == 2 and not state.owed
            state = state.child(state.chance.sample(rng))
            if dealing:
                node = follow_kernels.follow_deal(policy, node, state.situation)
            continue
        real = state.situation
        if state.actor == 0:
            stage = min(real[betting.STREET], 3)
            bucket, number = int(rng.integers(3)), float(rng.random())
            kind, amount, edge, how = policy_kernels.decide(
                policy, variant.rules, real, node, stage, bucket, number
            )
            action = _text(state, kind, amount)
            assert action in state.actions()
            if how != policy_kernels.TRAINED:
                assert kind in (FOLD, CALL, KEEP)
            if edge != policy_kernels.NO_EDGE:
                node = policy.children[edge]
        else:
            action = str(rng.choice(state.actions()))
            kind, amount = _read(state, action)
            node = follow_kernels.follow(
                policy, node, kind, amount, real, stack, float(rng.random())
            )
        state = state.child(action)


def _text(state, kind, amount):
    if kind == RAISE:
        return f"r{amount - state.situation[betting.BASE]}"
    if kind == DISCARD:
        return state.actions()[1 + amount]
    return {FOLD: "f", KEEP: "s", CALL: "c" if state.to_call else "k"}[kind]


def _read(state, action):
    if action[0] == "r":
        return RAISE, int(action[1:]) + state.situation[betting.BASE]
    kinds = {"f": FOLD, "k": CALL, "c": CALL, "s": KEEP, "d": DISCARD}
    return kinds[action[0]], 0
