"""EVs on the last street, against every pair of hands one by one, through exact states."""

import numpy as np
import pytest

from counterfold.bots.trained_bot import TrainedBot
from counterfold.cards.pairs import index_pair
from counterfold.games.holdem import betting_kernels as betting

SPENT = (betting.SPENT_0, betting.SPENT_1)


def play_out(bot, node, hands, board):
    """What seat 0 wins in chips below a node, if these two hands meet."""
    graph = bot.run.blueprint.game.graph
    situation = graph.situations[node]
    spent = [int(situation[field]) for field in SPENT]
    actor = int(situation[betting.ACTOR])
    if graph.phase[node] == betting.FOLDED:
        return -spent[0] if actor == 0 else spent[1]
    if graph.phase[node] == betting.SHOWDOWN:
        first, second = (bot.variant.strength([*hand, *board]) for hand in hands)
        return min(spent) * ((first > second) - (first < second))
    shares = shares_of(bot, node, hands[actor], board)
    children = graph.children[graph.starts[node] : graph.starts[node + 1]].tolist()
    return sum(
        share * play_out(bot, child, hands, board)
        for share, child in zip(shares, children, strict=True)
    )


def shares_of(bot, node, hand, board):
    blueprint = bot.run.blueprint
    cards, boards = np.array([[hand]], np.uint8), np.array([board], np.uint8)
    labels = bot.run.cards.label_hands(cards, boards)[0]
    shares = blueprint.at_many(node, labels[int(blueprint.game.stage[node])])[0]
    return np.full(len(shares), 1 / len(shares)) if np.isnan(shares[0]) else shares


@pytest.mark.parametrize("name", ["nolimit", "limit"])
@pytest.mark.parametrize("seat", [0, 1])
def test_values_are_those_of_all_pairs_of_hands(small_runs, name, seat):
    bot = TrainedBot(small_runs[name])
    line = "c k | Ac | k k | Kd |" if seat == 1 else "c k | Ac | k k | Kd | k"
    table = bot.strategy(history=line)
    assert table.seat == seat
    values = bot.values(table)
    graph, node = bot.run.blueprint.game.graph, table.line.node
    children = graph.children[graph.starts[node] : graph.starts[node + 1]].tolist()
    theirs = bot.range(history=line, seat=1 - seat)
    spent = int(graph.situations[node, SPENT[seat]])
    assert values.shape == (len(table.rows), len(children))
    for at in range(0, len(table.rows), 5):
        mine = table.rows[at].hand
        others = [row.hand for row in table.rows if not {*row.hand} & {*mine}]
        weights = np.array([theirs[index_pair(*hand)] for hand in others])
        for edge, child in enumerate(children):
            won = [
                play_out(bot, child, (mine, other) if seat == 0 else (other, mine), table.board)
                for other in others
            ]
            expected = (weights @ won) / weights.sum() * (1 if seat == 0 else -1) + spent
            assert values[at, edge] == pytest.approx(expected, abs=1e-9)


def test_a_fold_is_worth_nothing(small_runs):
    bot = TrainedBot(small_runs["limit"])
    table = bot.strategy(history="c k | Ac | k k | Kd | r4")
    fold = [offer.word for offer in table.offered].index("f")
    assert bot.values(table)[:, fold] == pytest.approx(0.0)


@pytest.mark.parametrize(
    ("name", "line"),
    [("nolimit", "c k | Ac |"), ("discard", "c k | Ac | s s"), ("river-of-blood", "")],
)
def test_values_are_not_known_elsewhere(small_runs, name, line):
    bot = TrainedBot(small_runs[name])
    assert bot.values(bot.strategy(history=line)) is None
