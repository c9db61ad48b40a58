"""EVs of decisions in play are those of the strategy's table."""

import numpy as np
import pytest

from counterfold.bots.play.decision_values import find_decision_values
from counterfold.bots.play.play_session import PlaySession
from counterfold.bots.policy_kernels import OFF_TREE, TRAINED
from counterfold.bots.trained_bot import TrainedBot
from counterfold.cards import format_cards


def size_of_the_bot(trace, rng):
    names = [name for name, share in trace.probabilities if share] or ["call"]
    words = {"fold": "f", "check": "k", "call": "c"}
    name = str(rng.choice(names))
    return words.get(name) or f"r{name.split()[1]}"


def odd_size(trace, rng):
    """Before the flop a raise by a chip more than the least; calls afterwards."""
    bounds = trace.view.raise_bounds()
    return f"r{bounds[0] + 1}" if bounds and not trace.view.board_cards else "c"


def traces_of(bot, hands, choose=size_of_the_bot):
    """Decisions of a person in random hands."""
    session = PlaySession(bot.variant, bot.player(1), bot.player(2), seed=5)
    rng = np.random.default_rng(7)
    for _ in range(hands):
        while not session.over:
            action = choose(session.hint(), rng)
            session.act(action if session.view.is_legal(action) else session.view.passive_action)
        yield from session.advice
        session.next_hand()


@pytest.mark.parametrize("name", ["nolimit", "limit"])
def test_values_are_those_of_the_table(small_runs, name):
    bot = TrainedBot(small_runs[name])
    n_known = 0
    for trace in traces_of(bot, 25):
        found = find_decision_values(bot, trace)
        if not trace.view.board_cards:
            assert found is None  # two cards are to come
        if found is None:
            continue
        n_known += 1
        line = " ".join(trace.view.history)
        if "r" in line:
            continue
        board = format_cards(trace.view.board_cards)
        table = bot.strategy(None, board, line)
        at = [set(row.hand) for row in table.rows].index(set(trace.view.hole))
        assert list(found.values()) == pytest.approx(bot.values(table).means[at].tolist())
        assert [word[0] for word in found] == [offer.word[0] for offer in table.offered]
    assert n_known > 10


def test_actions_are_written_as_in_play(small_runs):
    bot = TrainedBot(small_runs["nolimit"])
    for trace in traces_of(bot, 25):
        found = find_decision_values(bot, trace)
        if found is not None:
            assert all(trace.view.is_legal(action) for action in found)
            if trace.probabilities and trace.how == TRAINED:
                assert all(trace.share_of(action) is not None for action in found)


def test_what_the_strategy_did_not_decide_has_no_values(small_runs):
    bot = TrainedBot(small_runs["nolimit"])
    trace = next(trace for trace in traces_of(bot, 25) if len(trace.view.board_cards) == 2)
    lost = type(trace)(**{**vars(trace), "how": OFF_TREE})
    assert find_decision_values(bot, lost) is None
    moved = type(trace)(**{**vars(trace), "node": trace.node + 1})
    assert find_decision_values(bot, moved) is None


def test_nothing_is_known_where_hands_change(small_runs):
    bot = TrainedBot(small_runs["river-of-blood"])
    assert not bot.knows_values
    session = PlaySession(bot.variant, bot.player(1), bot.player(2), seed=5)
    assert find_decision_values(bot, session.hint()) is None


def test_chips_that_the_strategy_does_not_have_are_read_as_all_in(small_runs):
    bot = TrainedBot(small_runs["nolimit"])
    shoved = f"r{bot.variant.stack - 5}"  # after a raise to 5, which is read as one to 6
    traces = [trace for trace in traces_of(bot, 400, odd_size) if shoved in trace.view.history]
    found = [find_decision_values(bot, trace) for trace in traces]
    assert any(values is not None for values in found)
