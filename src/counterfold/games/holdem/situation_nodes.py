"""What public graphs and the trees of spots say of their nodes alike.

Exported bots have trees of spots, too, so that nothing is imported here but NumPy and betting.
"""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from counterfold.games.holdem import betting_kernels as betting


class SituationNodes:
    """Public situations with a parent before its children: a public graph or the tree of a spot."""

    situations: NDArray[np.int32]  # [N, N_FIELDS]
    starts: NDArray[np.int32]  # [N + 1]
    children: NDArray[np.int32]  # [E]

    @property
    def n_nodes(self) -> int:
        """How many nodes there are."""
        return self.starts.size - 1

    @property
    def n_edges(self) -> int:
        """How many edges there are."""
        return self.children.size

    def field(self, field: int) -> NDArray[np.int32]:
        """A column of the situations."""
        return self.situations[:, field]

    @cached_property
    def phase(self) -> NDArray[np.int32]:
        """[N] what a node waits for."""
        return self.field(betting.PHASE)

    @cached_property
    def decisions(self) -> NDArray[np.intp]:
        """The nodes at which a player acts."""
        return np.flatnonzero(self.phase <= betting.BET)
