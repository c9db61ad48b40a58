"""A game under an abstraction, ready for the kernels.

Information sets that the abstraction does not distinguish are played alike. Two that belong to
different players or offer different actions are never merged, whatever the abstraction: no strategy
could be played there. Shapes: ``I`` merged information sets, ``Q`` slots; a *slot* is one action of
one information set, and every strategy, regret or average is an array over slots.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from counterfold.checksums import hash_parts
from counterfold.errors import UnknownNameError
from counterfold.games import Game, Infoset
from counterfold.tree.histories import Tree, build_tree
from counterfold.tree.infoset_features import EVERYTHING, Abstraction, parse_abstraction
from counterfold.tree.sequence_form import Sequences, build_sequences


@dataclass(frozen=True, eq=False)
class CompiledGame:
    """The exact tree, the information sets after merging, and their sequence form."""

    tree: Tree
    abstraction: Abstraction
    infoset_of: NDArray[np.int32]  # [exact I] the merged infoset that an exact one is played as
    offsets: NDArray[np.int32]  # [I+1] infoset i owns the slots offsets[i]:offsets[i+1]
    owners: NDArray[np.int32]  # [P+1] player p owns the infosets owners[p]:owners[p+1]
    labels: tuple[str, ...] = field(repr=False)  # [I] what the player knows there
    actions: tuple[tuple[str, ...], ...] = field(repr=False)  # [I]
    sequences: Sequences = field(repr=False)

    def __repr__(self) -> str:
        n_nodes, n_infosets = self.tree.n_nodes, self.n_infosets
        return f"<CompiledGame {self.name}: {n_infosets:,} information sets, {n_nodes:,} nodes>"

    @property
    def game(self) -> Game:
        """The rules."""
        return self.tree.game

    @property
    def name(self) -> str:
        """Game and abstraction."""
        if self.abstraction == EVERYTHING:
            return self.game.name
        return f"{self.game.name} under {self.abstraction.name}"

    @property
    def n_infosets(self) -> int:
        """Information sets after merging, of all players."""
        return len(self.labels)

    @property
    def n_slots(self) -> int:
        """Actions over all information sets: the length of every table."""
        return int(self.offsets[-1])

    @property
    def is_exact(self) -> bool:
        """Whether nothing was merged."""
        return self.n_infosets == len(self.tree.infosets)

    @property
    def perfect_recall(self) -> bool:
        """Whether every player remembers all it knew and did: one decision point per infoset."""
        return self.sequences.parent.size == self.n_infosets

    @property
    def is_two_player_zero_sum(self) -> bool:
        """Whether minimax theory applies."""
        return self.game.n_players == 2 and self.game.zero_sum

    @property
    def nbytes(self) -> int:
        """Bytes of the tree and the sequence form."""
        tables = self.infoset_of.nbytes + self.offsets.nbytes + self.owners.nbytes
        return self.tree.nbytes + self.sequences.nbytes + tables

    @property
    def fingerprint(self) -> str:
        """Hash of rules and abstraction, which a strategy belongs to."""
        return f"{self.tree.fingerprint}-{hash_parts(self.infoset_of)}"

    def find(self, player: int, knows: str) -> int:
        """The number of the information set of `player` with this label."""
        first, last = int(self.owners[player]), int(self.owners[player + 1])
        try:
            return first + self.labels[first:last].index(knows)
        except ValueError:
            labels = self.labels[first:last]
            raise UnknownNameError(f"infoset of player {player}", knows, labels) from None

    @cached_property
    def exact(self) -> "CompiledGame":
        """The same tree with nothing merged."""
        return self if self.is_exact else abstract_tree(self.tree, EVERYTHING)


def compile_game(
    game: Game,
    abstraction: Abstraction | str = EVERYTHING,
    progress: Callable[[int, float], None] | None = None,
) -> CompiledGame:
    """Enumerate `game` and merge its information sets by `abstraction`.

    The abstraction may be text such as ``"rank * board_rank * history"``. Raises `TooLargeError`
    before it would run out of memory. `progress` is called with nodes so far and expected.
    """
    return abstract_tree(build_tree(game, progress), abstraction)


def abstract_tree(tree: Tree, abstraction: Abstraction | str) -> CompiledGame:
    """Merge the information sets of `tree` by `abstraction`."""
    if isinstance(abstraction, str):
        facts = frozenset(name for infoset in tree.infosets for name, _ in infoset.facts)
        abstraction = parse_abstraction(abstraction, tree.game, facts)
    merged: dict[object, int] = {}
    infoset_of = np.empty(len(tree.infosets), np.int32)
    representatives: list[Infoset] = []
    for k, infoset in enumerate(tree.infosets):
        key = (infoset.player, infoset.actions, abstraction.reveal(infoset))
        i = infoset_of[k] = merged.setdefault(key, len(merged))
        if i == len(representatives):
            representatives.append(infoset)
    widths = [len(infoset.actions) for infoset in representatives]
    offsets = np.concatenate(([0], np.cumsum(widths))).astype(np.int32)
    players = [infoset.player for infoset in representatives]
    n_owned = np.bincount(players, minlength=tree.game.n_players)
    return CompiledGame(
        tree,
        abstraction,
        infoset_of,
        offsets,
        np.concatenate(([0], np.cumsum(n_owned))).astype(np.int32),
        tuple(abstraction.describe(infoset) for infoset in representatives),
        tuple(infoset.actions for infoset in representatives),
        build_sequences(tree, infoset_of, offsets),
    )
