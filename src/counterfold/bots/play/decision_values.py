"""What the actions of a decision in play are worth, if both continue as the bot would."""

from counterfold.bets.menu_kernels import total_of_size
from counterfold.bots.choices import write_action
from counterfold.bots.explain import DecisionTrace
from counterfold.bots.policy_kernels import TRAINED, UNTRAINED
from counterfold.bots.trained_bot import TrainedBot
from counterfold.bots.view import View
from counterfold.cards import format_cards
from counterfold.errors import IllegalActionError
from counterfold.games.holdem.betting_kernels import RAISE
from counterfold.games.holdem.situation import split_history

_MOST_TO_COME = 1  # cards: more take too long between two hands


def find_decision_values(bot: TrainedBot, trace: DecisionTrace) -> dict[str, float] | None:
    """Chips of the pot that each action wins, by its notation, at a decision of the strategy.

    None where EV is not known, where more than one card is to come, and where the bot has read the
    bets of the hand in another way than as the most similar ones.
    """
    view = trace.view
    to_come = bot.variant.board_cards() - len(view.board_cards)
    if trace.how not in (TRAINED, UNTRAINED) or to_come > _MOST_TO_COME or not bot.knows_values:
        return None
    history = " ".join(split_history(view.history))
    board = format_cards(view.board_cards)
    try:
        table = bot.strategy(format_cards(view.hole), board, history)
    except IllegalActionError:  # a raise beyond the cap, which the bot reads as an earlier one
        return None
    if table.line.node != trace.node:
        return None
    means = bot.values(table).means[0].tolist()
    edges = [offer.edge for offer in table.offered]
    pairs = zip(edges, means, strict=True)
    return {_name_edge(bot, view, edge): mean for edge, mean in pairs if mean == mean}


def _name_edge(bot: TrainedBot, view: View, edge: int) -> str:
    """The action that the bot would take for an edge of its game, as views write it."""
    graph, policy = bot.run.blueprint.game.graph, bot.policy
    kind, total = int(graph.kinds[edge]), 0
    if kind == RAISE:
        size = int(graph.labels[edge])
        total = int(total_of_size(view.variant.rules, policy.nearness, view.situation, size))
    return write_action(view, kind, total, view.hole)
