"""Real actions that the menu of a strategy does not have, and where they lead in its game."""

import numpy as np
import pytest

from counterfold.bets import translation
from counterfold.bots import first_view
from counterfold.bots.follow_kernels import find_readings, follow, follow_deal, read_raise
from counterfold.bots.policy import make_policy
from counterfold.bots.policy_kernels import LOST, passive_edge
from counterfold.cards import parse_cards
from counterfold.games.holdem import VARIANTS
from counterfold.games.holdem import betting_kernels as betting
from counterfold.public.walk_kernels import NODE_DEGREE, NODE_START
from helpers.trained_runs import cardless_game, scripted_bot

VARIANT = VARIANTS["nolimit"](stack=200)
MENU = "50%, 100%, allin; cap 4"


def read_four_bet(total):
    """How a bot of system 4 reads its opponent's 4-bet on the flop, over all random numbers.

    Betting on the flop was 3, 9 and 27 chips. Gives the chips that each seat has put in there, and
    how often.
    """
    variant = VARIANTS["discard"]()
    bot = scripted_bot(variant, "discard-winner", lambda situation, kinds: kinds == betting.CALL)
    view = first_view(variant, 1, parse_cards("Js9s")).after("c").after("k")
    view = view.after_board(parse_cards("2c3d4h")).after("s").after("s")
    bot.begin_hand(view)
    for action in ("r3", "r9", "r27"):
        view = view.after(action)
    bot._catch_up(view)
    assert not any(bot.policy.kinds[edge] == betting.RAISE for edge in edges_of(bot, bot._node))
    found = {}
    for number in (np.arange(1000) + 0.5) / 1000:
        node = follow(
            bot.policy, bot._node, betting.RAISE, total, view.situation, variant.stack, number
        )
        spent = tuple(bot.policy.spent[node].tolist())
        found[spent] = found.get(spent, 0) + 1 / 1000
    return found


def edges_of(bot, node):
    start = bot.policy.nodes[node, NODE_START]
    return range(start, start + bot.policy.nodes[node, NODE_DEGREE])


# Read where the opponent could last raise: facing 5 chips, by 100% to 15 or all-in to 200.
CALL_POT_ALL_IN = [(5, 5), (15, 5), (200, 5)]


@pytest.mark.parametrize("total", [62, 87, 120, 160])
def test_a_four_bet_of_system_4_is_read_by_its_formula(total):
    size = (total - 29) / 58  # in pots after the call
    low, high = (0.0, 1.0) if size < 1.0 else (1.0, 19.5)
    share = (high - size) * (1 + low) / ((high - low) * (1 + size))
    expected = [share, 1 - share, 0.0] if size < 1.0 else [0.0, share, 1 - share]
    found = read_four_bet(total)
    assert [found.get(spent, 0.0) for spent in CALL_POT_ALL_IN] == pytest.approx(expected, abs=2e-3)


def test_an_all_in_four_bet_of_system_4_is_an_all_in():
    assert read_four_bet(200) == {(200, 5): pytest.approx(1.0)}


@pytest.mark.parametrize("total", [2, 3, 5, 7, 11, 17, 26, 50, 90, 160])
def test_a_street_begins_at_the_node_of_the_nearest_pot(total):
    """By ratio: a pot of 12 is nearer to one of 18 than to one of 6."""
    game, cards = cardless_game(VARIANT, MENU)
    graph = game.graph
    policy = make_policy(game, cards.dealer, np.zeros(game.n_slots, np.uint8), cards.n_buckets)
    dealt = np.isin(np.arange(graph.n_nodes), policy.entries)
    flops = np.flatnonzero(dealt & (graph.field(betting.STREET) == 1))
    pots = graph.field(betting.SPENT_0)[flops] + graph.field(betting.SPENT_1)[flops]
    assert np.unique(pots).size > 5

    situation = betting.first_situation(VARIANT.rules)
    if total > 2:
        situation = betting.after_raise(situation, total)
    situation = betting.after_call(VARIANT.rules, situation)
    if total == 2:
        situation = betting.after_call(VARIANT.rules, situation)
    situation = betting.after_deal(VARIANT.rules, situation, False)
    node = follow_deal(policy, LOST, situation)
    found = graph.field(betting.SPENT_0)[node] + graph.field(betting.SPENT_1)[node]
    ratios = np.minimum(pots / (2 * total), 2 * total / pots)
    assert min(found / (2 * total), 2 * total / found) == pytest.approx(ratios.max())
    assert graph.field(betting.STREET)[node] == 1


def test_a_pot_above_all_others_begins_at_the_largest():
    """Whatever lies in memory behind the keys."""
    game, cards = cardless_game(VARIANT, MENU)
    policy = make_policy(game, cards.dealer, np.zeros(game.n_slots, np.uint8), cards.n_buckets)
    last = policy.entries[-1]
    keys = np.append(policy.entry_keys, policy.entry_keys[-1] + 1)
    nodes = np.append(policy.entries, np.int32(0))
    policy = policy._replace(entry_keys=keys[:-1], entries=nodes[:-1])
    situation = list(map(int, game.graph.situations[last]))
    situation[betting.SPENT_0] = situation[betting.SPENT_1] = 10_000
    assert follow_deal(policy, LOST, tuple(situation)) == last


@pytest.mark.parametrize("total", [4, 5, 9, 30, 200])
def test_readings_are_where_the_policy_follows_to(total):
    bot = scripted_bot(VARIANT, MENU, lambda situation, kinds: kinds == betting.CALL)
    situation = betting.first_situation(VARIANT.rules)
    action = 0, betting.RAISE, total, situation, VARIANT.stack
    low, high, share = find_readings(bot.policy, *action)
    numbers = (np.arange(1000) + 0.5) / 1000
    nodes = [follow(bot.policy, *action, number) for number in numbers]
    assert {*nodes} == ({low, high} if low != high and 0 < share < 1 else {*nodes[:1]})
    assert nodes.count(low) / 1000 == pytest.approx(share if low != high else 1.0, abs=0.0011)


# At the root: a call of 2 chips, 50% to 4, 100% to 6, all-in to 200.
SIZES = (0.0, 0.5, 1.0, 49.5)  # in pots after the call


@pytest.mark.parametrize("rule", translation.RULES)
@pytest.mark.parametrize("total", [3, 4, 5, 6, 13, 40, 199])
def test_raises_are_read_by_the_rule_of_the_policy(rule, total):
    game, cards = cardless_game(VARIANT, MENU)
    policy = make_policy(
        game, cards.dealer, np.zeros(game.n_slots, np.uint8), cards.n_buckets, rule=rule
    )
    situation = betting.first_situation(VARIANT.rules)
    low, high, share = read_raise(policy, 0, situation, total, VARIANT.stack)
    call = passive_edge(policy, 0)
    expected = translation.RULES[rule]((total - 2) / 4, SIZES)
    readings = ((low - call, share), (high - call, 1.0 - share))
    assert [(at, p) for at, p in readings if p > 0.0] == [
        (at, pytest.approx(p)) for at, p in expected
    ]
    assert (low == high) == (total in (4, 6))
