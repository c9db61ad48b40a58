"""Spots from the lines of a trained bot: its ranges, and the pot and stacks that it plays for.

A spot begins where a street does. Where the line goes on from there, the ranges are those at its
end, and the other actions on the way are taken out of the spot, so it is the same game from
the end of the line on.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.blueprints.betting_line import follow, offers
from counterfold.blueprints.strategy_table import check_range
from counterfold.bots.trained_bot import TrainedBot
from counterfold.cards.ranges import Range, format_range
from counterfold.cards.text import format_cards, parse_cards
from counterfold.errors import CardError, IllegalActionError
from counterfold.games.holdem import betting_kernels as betting
from counterfold.ranges.spot import Spot
from counterfold.ranges.tree_lines import follow_line, format_line

_DECIMALS = 6  # of weights, of which the largest is 1


class BotSpot(NamedTuple):
    """What a line of a bot says about a spot."""

    content: dict[str, Any]  # keys of `spots.spot_options`
    words: tuple[str, ...]  # actions on the street on which the line ends


def describe_spot(bot: TrainedBot, history: str, given: Mapping[str, Any]) -> BotSpot:
    """Ranges, pot and stacks after `history`, by the sizes that the bot knows.

    What is `given` overrides them, except that a board adds to the cards in `history`.
    """
    graph, variant, recipe = bot.run.blueprint.game.graph, bot.variant, bot.run.plan.recipe
    check_range(variant)  # before a board is asked for
    line = follow(graph, history, parse_cards(given.get("board", "")))
    situation = graph.situations[line.node]
    street = int(situation[betting.STREET])
    n_cards = variant.board_cards(street)
    if street == 0:
        raise IllegalActionError(
            f"the history {history!r} ends on the first street; a spot of a bot begins on a later "
            "one, as after 'r6 c'"
        )
    if len(line.board) < n_cards:
        raise CardError(
            f"the board after {history!r} has {n_cards} cards, not {len(line.board)}; "
            "write them in the history or pass --board"
        )
    cards = format_cards(line.board[:n_cards])
    ranges = [_range_text(bot.range(cards, history, seat), seat) for seat in (0, 1)]
    first = variant.streets[-1].first
    base = int(situation[betting.BASE])
    words = tuple(
        next(offer.word for offer in offers(graph, node) if offer.edge == edge)
        for node, edge in line.decisions
        if graph.field(betting.STREET)[node] == street
    )
    content: dict[str, Any] = {
        "board": cards,
        "ranges": [ranges[first], ranges[1 - first]],
        "pot": 2 * base,
        "stack": variant.stack - base,
    }
    if "game" not in given:
        content |= {"game": recipe.variant, "rules": recipe.rules}
    return BotSpot({**content, **_without_board(given)}, words)


def _without_board(given: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in given.items() if key != "board"}


def begin_after(spot: Spot, words: Sequence[str]) -> Spot:
    """`spot` without the actions that lead elsewhere than `words`."""
    tree = spot.tree
    removed = list(spot.removed)
    for at in range(len(words)):
        node = follow_line(tree, " ".join(words[:at])).node
        taken = follow_line(tree, " ".join(words[: at + 1])).node
        children = tree.children[tree.starts[node] : tree.starts[node + 1]].tolist()
        removed += [format_line(tree, child) for child in children if child != taken]
    return replace(spot, removed=tuple(removed))


def _range_text(weights: NDArray[np.float64], seat: int) -> str:
    most = weights.max(initial=0.0)
    if most <= 0:
        raise CardError(f"seat {seat} of the bot never gets there with any hand")
    return format_range(Range(np.round(weights / most, _DECIMALS)))
