"""All histories of a game as flat arrays.

Shapes: ``N`` nodes, ``Z`` terminals, ``I`` information sets, ``P`` players, ``D`` levels. Nodes are
numbered level by level and the children of a node are neighbors, so a parent precedes its
children, node ``n`` owns the nodes ``first_child[n]:first_child[n + 1]``, and the k-th of them is
reached by the k-th action. A pass from ``0`` to ``N - 1`` goes down the tree, the reverse goes up.
"""

import math
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from counterfold.checksums import hash_parts
from counterfold.errors import GameError, UnsupportedGameError
from counterfold.games import Action, Game, Infoset, ListedChance, State
from counterfold.tree.tree_size import check_fits

CHANCE = -1
TERMINAL = -2
NO_INFOSET = -1

_REPORT_EVERY = 20_000  # nodes between two checks of memory and calls of the progress function


@dataclass(frozen=True, eq=False)
class Tree:
    """The exact game: every history, its information set and its utilities."""

    game: Game
    player: NDArray[np.int8]  # [N] seat to act, CHANCE or TERMINAL
    parent: NDArray[np.int32]  # [N] the root's is 0
    first_child: NDArray[np.int32]  # [N+1]
    chance: NDArray[np.float64]  # [N] probability of the edge into n if nature chose it, else 1
    infoset: NDArray[np.int32]  # [N] of the actor; at a terminal its row of utilities
    utilities: NDArray[np.float64]  # [Z, P] in the game's unit
    levels: NDArray[np.int32]  # [D+1] level d holds the nodes levels[d]:levels[d+1]
    infosets: tuple[Infoset, ...] = field(repr=False)  # [I] by player, then by first occurrence

    @property
    def n_nodes(self) -> int:
        """Histories, including the empty one and the terminal ones."""
        return self.player.size

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays."""
        return sum(value.nbytes for value in vars(self).values() if isinstance(value, np.ndarray))

    @cached_property
    def fingerprint(self) -> str:
        """Hash of the rules: equal exactly when two trees have the same histories and labels."""
        arrays = (self.player, self.first_child, self.chance, self.infoset, self.utilities)
        labels = (f"{each.player}|{each}|{each.actions}\n" for each in self.infosets)
        return hash_parts(*arrays, *labels)


def build_tree(game: Game, progress: Callable[[int, float], None] | None = None) -> Tree:
    """Enumerate all histories of `game`.

    Once a tree turns out not to be small, its size is estimated: raises `TooLargeError` if it would
    not fit into memory. `progress` is called with the nodes seen so far and the estimated total.
    """
    size = None
    player, parent, depth, infoset = array("b"), array("i"), array("h"), array("i")
    chance, utilities = array("d"), array("d")
    infosets: dict[Infoset, int] = {}
    stack: list[tuple[State, int, int, float]] = [(game.root(), 0, 0, 1.0)]
    while stack:
        state, above, level, probability = stack.pop()
        node = len(player)
        if node > 0 and node % _REPORT_EVERY == 0:
            size = size or check_fits(game)
            size.check(node)
            if progress is not None:
                progress(node, size.nodes)
        parent.append(above)
        depth.append(level)
        chance.append(probability)
        if (payoffs := state.utilities) is not None:
            _check_utilities(game, payoffs, state)
            player.append(TERMINAL)
            infoset.append(len(utilities) // game.n_players)
            utilities.extend(payoffs)
        elif (nature := state.chance) is not None:
            if not isinstance(nature, ListedChance):
                raise UnsupportedGameError(
                    f"chance in {state!r} can only be sampled, so {game.name} has no finite tree"
                )
            player.append(CHANCE)
            infoset.append(NO_INFOSET)
            outcomes = nature.outcomes()
            _check_chance(outcomes, state)
            # Pushed in reverse, so children are numbered in the order of their actions.
            stack += [(state.child(a), node, level + 1, p) for a, p in reversed(outcomes)]
        else:
            known = state.infoset
            player.append(known.player)
            infoset.append(infosets.setdefault(known, len(infosets)))
            stack += [(state.child(a), node, level + 1, 1.0) for a in reversed(known.actions)]
    return _by_level(
        game,
        np.frombuffer(player, np.int8),
        np.frombuffer(parent, np.int32),
        np.frombuffer(depth, np.int16),
        np.frombuffer(chance, np.float64),
        np.frombuffer(infoset, np.int32),
        np.frombuffer(utilities, np.float64).reshape(-1, game.n_players),
        tuple(infosets),
    )


def _check_utilities(game: Game, payoffs: tuple[float, ...], state: State) -> None:
    if len(payoffs) != game.n_players:
        raise GameError(f"{len(payoffs)} utilities for {game.n_players} players in {state!r}")
    if not all(map(math.isfinite, payoffs)):
        raise GameError(f"{game.name} pays {payoffs}, which is not finite, in {state!r}")
    if game.zero_sum and abs(sum(payoffs)) > 1e-9:
        raise GameError(f"{game.name} is declared zero-sum but pays {payoffs} in {state!r}")


def _check_chance(outcomes: Sequence[tuple[Action, float]], state: State) -> None:
    total = sum(probability for _, probability in outcomes)
    if not abs(total - 1.0) < 1e-9:
        raise GameError(f"the probabilities of chance sum to {total!r}, not to one, in {state!r}")


def _by_level(
    game: Game,
    player: NDArray[np.int8],
    parent: NDArray[np.int32],
    depth: NDArray[np.int16],
    chance: NDArray[np.float64],
    infoset: NDArray[np.int32],
    utilities: NDArray[np.float64],
    infosets: tuple[Infoset, ...],
) -> Tree:
    """Renumber a depth-first enumeration by level; ties keep their order, so siblings meet."""
    order = np.argsort(depth, kind="stable")
    place = np.empty(order.size, np.int32)
    place[order] = np.arange(order.size, dtype=np.int32)
    player, chance, infoset = player[order], chance[order], infoset[order]
    parent = place[parent[order]]
    n_children = np.bincount(parent[1:], minlength=order.size)
    first_child = np.ones(order.size + 1, np.int32)
    np.cumsum(n_children, out=first_child[1:], dtype=np.int32)
    first_child[1:] += 1
    terminal = player == TERMINAL
    utilities = utilities[infoset[terminal]]
    infoset[terminal] = np.arange(utilities.shape[0], dtype=np.int32)

    owner = np.array([known.player for known in infosets], np.int64)
    deciding = player >= 0
    first_seen = np.full(len(infosets), order.size)
    np.minimum.at(first_seen, infoset[deciding], np.flatnonzero(deciding))
    rank = np.lexsort((first_seen, owner))
    renumbered = np.empty(len(infosets), np.int32)
    renumbered[rank] = np.arange(len(infosets), dtype=np.int32)
    infoset[deciding] = renumbered[infoset[deciding]]
    levels = np.zeros(int(depth.max()) + 2, np.int32)
    np.cumsum(np.bincount(depth), out=levels[1:])
    return Tree(
        game,
        player,
        parent,
        first_child,
        chance,
        infoset,
        utilities,
        levels,
        tuple(infosets[i] for i in rank),
    )
