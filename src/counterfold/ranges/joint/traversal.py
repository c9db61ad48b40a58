"""What solving and evaluating a game with joint tables need of its passes, on any device."""

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from counterfold.ranges.joint.joint_slots import JointSlots

Array = Any  # of NumPy or of a library that replaces it
Reach = list[Array]  # [lines, S] by street


class Traversal(Protocol):
    """What solving and evaluation need; arrays have one library and, except sums, one precision."""

    slots: JointSlots

    def zeros(self, n: int) -> Array:
        """A table of `n` slots."""
        ...

    def sums(self, n: int) -> Array:
        """The same in 64 bits, for what only grows."""
        ...

    def to_numpy(self, table: Array) -> NDArray[Any]:
        """A table in the memory of the processor."""
        ...

    def pick(self, table: Array, slots: slice | NDArray[np.int64]) -> NDArray[Any]:
        """A part of a table in the memory of the processor."""
        ...

    def fill(self, table: Array, numbers: NDArray[Any]) -> None:
        """Overwrite a table by numbers of the processor."""
        ...

    def wait(self) -> None:
        """Wait until all work is done."""
        ...

    def reach(self, seat: int, weights: Array, *, whole: bool = True) -> Reach:
        """How often `seat` plays along each of its lines; overwritten by the next call.

        Its strategy is in proportion to positive `weights`. Unless it is `whole`, what the last
        street takes may be left to the next update or value, until which they must not change.
        """
        ...

    def update(
        self, seat: int, other: Reach, own: Reach, factors: Array, regrets: Array, averages: Array
    ) -> None:
        """Learn from one iteration, in which strategies follow from `regrets`.

        In the slots of `seat`, positive regrets, negative ones and averages are multiplied by the
        three `factors`; then instantaneous regrets and `own` are added.
        """
        ...

    def value(self, seat: int, other: Reach, weights: Array | None) -> float:
        """Chips that `seat` wins with `weights` as its strategy, or with a best response."""
        ...
