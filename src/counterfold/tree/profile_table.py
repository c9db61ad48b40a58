"""A strategy as rows for people to read."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counterfold.errors import StrategyError, UnknownNameError
from counterfold.frames import make_frame
from counterfold.tree.histories import CHANCE
from counterfold.tree.profile import Strategy


@dataclass(frozen=True)
class Row:
    """One information set."""

    player: int
    knows: str
    reached: float  # visits in a play of this profile; a probability unless a player forgets
    actions: dict[str, float]


@dataclass(frozen=True, eq=False)
class ProfileTable:
    """Information sets of a strategy and what it does there."""

    strategy: Strategy
    rows: tuple[Row, ...]

    def to_dict(self) -> dict[str, Any]:
        """Everything, for JSON."""
        game = self.strategy.game
        return {
            "game": game.game.name,
            "abstraction": game.abstraction.name,
            "rows": [asdict(row) for row in self.rows],
        }

    def to_frame(self) -> Any:
        """A row per action of an information set; needs pandas or polars."""
        return make_frame(
            [
                {
                    "player": row.player,
                    "knows": row.knows,
                    "reached": row.reached,
                    "action": action,
                    "probability": share,
                }
                for row in self.rows
                for action, share in row.actions.items()
            ]
        )

    def __repr__(self) -> str:
        return str(self)  # as a table, also in a notebook

    def __str__(self) -> str:
        width = max((len(row.knows) for row in self.rows), default=0)
        return "\n".join(
            f"player {row.player}  {row.knows:<{width}}  reached {row.reached:7.2%}  "
            + "  ".join(f"{action} {share:.1%}" for action, share in row.actions.items())
            for row in self.rows
        )


def show_profile(strategy: Strategy, player: int | None = None, match: str = "") -> ProfileTable:
    """The information sets that `find_rows` finds, as a table."""
    return ProfileTable(strategy, tuple(find_rows(strategy, player, match)))


def find_rows(strategy: Strategy, player: int | None = None, match: str = "") -> list[Row]:
    """The information sets of `player`, or of all, whose text contains `match`.

    By player, those reached most often first.
    """
    players = range(strategy.game.game.n_players)
    if player is not None and player not in players:
        raise UnknownNameError("player", str(player), map(str, players))
    rows = [
        row for row in tabulate(strategy) if player in (None, row.player) and match in row.knows
    ]
    if not rows:
        likely = max(tabulate(strategy), key=lambda row: row.reached)
        raise StrategyError(
            f"no information set has {match!r} in its text, which is like {likely.knows!r}"
        )
    return sorted(rows, key=lambda row: (row.player, -row.reached))


def tabulate(strategy: Strategy) -> list[Row]:
    """All information sets, by player and then in the order of the tree."""
    game = strategy.game
    reached = _reached(strategy)
    return [
        Row(player, game.labels[i], float(reached[i]), strategy.at(i))
        for player in range(game.game.n_players)
        for i in range(int(game.owners[player]), int(game.owners[player + 1]))
    ]


def _reached(strategy: Strategy) -> NDArray[np.float64]:
    """Probability of each information set: a pass down the tree."""
    game, tree = strategy.game, strategy.game.tree
    deciding = tree.player >= 0
    infoset = np.zeros(tree.n_nodes, np.int64)
    infoset[deciding] = game.infoset_of[tree.infoset[deciding]]
    edge = tree.chance.copy()
    action = np.arange(tree.n_nodes) - tree.first_child[tree.parent]
    chosen = np.flatnonzero(tree.player[tree.parent[1:]] != CHANCE) + 1  # the root has no edge
    slots = game.offsets[infoset[tree.parent[chosen]]] + action[chosen]
    edge[chosen] = strategy.probabilities[slots]
    probability = np.ones(tree.n_nodes)
    for start, stop in zip(tree.levels[1:-1], tree.levels[2:], strict=True):
        probability[start:stop] = probability[tree.parent[start:stop]] * edge[start:stop]
    sums = np.zeros(game.n_infosets)
    np.add.at(sums, infoset[deciding], probability[deciding])
    return sums
