"""Matrix games in sequence: the row player chooses, then the column player without seeing it.

The information set of either player has no facts: there is nothing to know but whose turn it is.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from numbers import Real
from typing import Any

from counterfold.errors import GameError
from counterfold.games.protocol import Game, Infoset, illegal

Payoffs = Sequence[Sequence[float]]  # tuples of tuples once checked


@dataclass(frozen=True, slots=True)
class MatrixState:
    """What each player has chosen so far."""

    game: "Matrix" = field(repr=False, hash=False)
    row: str | None = None
    column: str | None = None

    @property
    def chance(self) -> None:
        """Nature never moves."""
        return

    @property
    def utilities(self) -> tuple[float, float] | None:
        """The entry of the row and the column."""
        if self.row is None or self.column is None:
            return None
        i = self.game.row_actions.index(self.row)
        j = self.game.column_actions.index(self.column)
        won = self.game.payoffs[i][j]
        other = self.game.column_payoffs
        return won, other[i][j] if other is not None else 0.0 - won

    @property
    def infoset(self) -> Infoset:
        """The player's actions; it knows nothing else."""
        if self.row is None:
            return Infoset(0, self.game.row_actions, ())
        return Infoset(1, self.game.column_actions, ())

    def child(self, action: str) -> "MatrixState":
        """After the row's or the column's choice."""
        if self.row is None and action in self.game.row_actions:
            return MatrixState(self.game, action)
        if self.row is not None and self.column is None and action in self.game.column_actions:
            return MatrixState(self.game, self.row, action)
        raise illegal(action, self)


@dataclass(frozen=True)
class Matrix(Game):
    """A two-player game given by the row player's payoffs, one sequence per row.

    `column_payoffs` has the same shape; without it the game is zero-sum. `rows` and `columns` name
    the actions, which are otherwise numbered from 0. `zero_sum` follows from the numbers.
    """

    word = "matrix"
    payoffs: Payoffs
    column_payoffs: Payoffs | None = None
    rows: Sequence[str] = ()
    columns: Sequence[str] = ()

    def __post_init__(self) -> None:
        payoffs = _check_payoffs("payoffs", self.payoffs)
        object.__setattr__(self, "payoffs", payoffs)
        shape = len(payoffs), len(payoffs[0])
        if self.column_payoffs is not None:
            other = _check_payoffs("column_payoffs", self.column_payoffs)
            if (len(other), len(other[0])) != shape:
                raise GameError(
                    f"column_payoffs must be {shape[0]} by {shape[1]} like payoffs, "
                    f"not {len(other)} by {len(other[0])}"
                )
            object.__setattr__(self, "column_payoffs", other)
            zero_sum = all(
                mine + yours == 0.0
                for pair in zip(payoffs, other, strict=True)
                for mine, yours in zip(*pair, strict=True)
            )
            object.__setattr__(self, "zero_sum", zero_sum)
        object.__setattr__(self, "rows", _check_labels("rows", self.rows, shape[0]))
        object.__setattr__(self, "columns", _check_labels("columns", self.columns, shape[1]))

    @cached_property
    def row_actions(self) -> tuple[str, ...]:
        """Labels of the rows, numbers where none were given."""
        return tuple(self.rows) or tuple(map(str, range(len(self.payoffs))))

    @cached_property
    def column_actions(self) -> tuple[str, ...]:
        """Labels of the columns, numbers where none were given."""
        return tuple(self.columns) or tuple(map(str, range(len(self.payoffs[0]))))

    def root(self) -> MatrixState:
        """Before the row player chooses."""
        return MatrixState(self)


def _check_payoffs(name: str, rows: Any) -> Payoffs:
    """`rows` as nested tuples of floats, if they are rectangular, non-empty and finite."""
    try:
        numbers = all(isinstance(value, Real) for row in rows for value in row)
    except TypeError:  # not iterable
        numbers = False
    if not numbers:
        raise GameError(f"{name} must be rows of numbers, not {rows!r}")
    matrix = tuple(tuple(map(float, row)) for row in rows)
    if not any(matrix):
        raise GameError(f"{name} must have at least one row and one column, not {rows!r}")
    for number, row in enumerate(matrix):
        if len(row) != len(matrix[0]):
            raise GameError(
                f"{name} must have rows of one length: row {number} has {len(row)} entries, "
                f"row 0 has {len(matrix[0])}"
            )
        for value in row:
            if not math.isfinite(value):
                raise GameError(f"{name} must be finite, not {value} in row {number}")
    return matrix


def _check_labels(name: str, labels: Sequence[str], count: int) -> tuple[str, ...]:
    """`labels` as a tuple, if there are none or `count` distinct ones."""
    if not isinstance(labels, tuple | list) or not all(isinstance(x, str) and x for x in labels):
        raise GameError(f"{name} must be a sequence of words, not {labels!r}")
    if labels and (len(labels) != count or len(set(labels)) != count):
        raise GameError(f"{name} must be {count} distinct words, not {labels!r}")
    return tuple(labels)


_HANDS = ("rock", "paper", "scissors")
_ROCK_PAPER_SCISSORS = Matrix(((0, -1, 1), (1, 0, -1), (-1, 1, 0)), rows=_HANDS, columns=_HANDS)


@dataclass(frozen=True)
class RockPaperScissors(Game):
    """Rock beats scissors, scissors beat paper, paper beats rock; one point."""

    word = "rps"

    def root(self) -> MatrixState:
        """Before the row player chooses."""
        return _ROCK_PAPER_SCISSORS.root()
