"""One decision of a solved spot: what every hand does there, and what that is worth."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counterfold.cards.pairs import N_HAND_CLASSES, PAIR_HAND_CLASSES
from counterfold.cards.text import N_RANKS, format_cards
from counterfold.frames import make_frame

Cards = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class HandTable:
    """The hands of a seat at a line, in ascending order."""

    numbers: NDArray[np.intp]  # of pairs, or of cards with one hole card
    cards: NDArray[np.int32]  # [hands, hole cards]
    weight: NDArray[np.float64]  # how often the hand is held and played to here
    met: NDArray[np.float64]  # weight of the hands of the other that it can meet here
    equity: NDArray[np.float64]  # share of the pot if nobody bets anymore; nan if none is met
    ev: NDArray[np.float64]  # chips of the pot; nan if none is met

    @cached_property
    def matchups(self) -> NDArray[np.float64]:
        """Weight of each hand together with what it meets."""
        return self.weight * self.met

    def mean(self, figures: NDArray[np.float64]) -> float:
        """The mean of a figure of all hands, nan if no hand is there."""
        total = self.matchups.sum()
        return float(self.matchups @ np.nan_to_num(figures) / total) if total else np.nan

    @property
    def texts(self) -> list[str]:
        """The hands as text, higher card first."""
        return [format_cards(row[::-1]) for row in self.cards.tolist()]


@dataclass(frozen=True, eq=False)
class SpotNode:
    """A decision of a solved spot."""

    line: str
    board: Cards
    pot: float  # chips in the middle
    position: str  # of the seat that acts
    labels: tuple[str, ...]  # of its actions
    hands: dict[str, HandTable]  # by position
    strategy: NDArray[np.float64]  # [actions, hands of the seat that acts]
    action_ev: NDArray[np.float64]  # the same: chips of the pot

    @property
    def actor(self) -> HandTable:
        """The hands of the seat that acts."""
        return self.hands[self.position]

    def totals(self) -> dict[str, Any]:
        """Means over the ranges."""
        return {
            "strategy": {
                label: self.actor.mean(share)
                for label, share in zip(self.labels, self.strategy, strict=True)
            },
            "ev": {name: hands.mean(hands.ev) for name, hands in self.hands.items()},
            "equity": {name: hands.mean(hands.equity) for name, hands in self.hands.items()},
            "hands": {name: float(hands.weight.sum()) for name, hands in self.hands.items()},
        }

    def grid(self) -> dict[str, NDArray[np.float64]]:
        """Means over the 169 classes of hands of the seat that acts, ``[13, 13]`` each."""
        hands = self.actor
        classes = PAIR_HAND_CLASSES[hands.numbers]
        total = np.bincount(classes, hands.matchups, N_HAND_CLASSES)

        def mean(figures: NDArray[np.float64]) -> NDArray[np.float64]:
            sums = np.bincount(classes, hands.matchups * np.nan_to_num(figures), N_HAND_CLASSES)
            with np.errstate(invalid="ignore", divide="ignore"):
                return np.asarray(sums / total).reshape(N_RANKS, N_RANKS)

        weight = np.bincount(classes, hands.weight, N_HAND_CLASSES).astype(np.float64)
        return {
            "strategy": np.stack([mean(share) for share in self.strategy]),
            "ev": mean(hands.ev),
            "equity": mean(hands.equity),
            "weight": weight.reshape(N_RANKS, N_RANKS),
        }

    def rows(self) -> Iterator[dict[str, Any]]:
        """A row for each hand of both seats; only the seat that acts has a strategy."""
        for name, hands in self.hands.items():
            for h, text in enumerate(hands.texts):
                row: dict[str, Any] = {
                    "position": name,
                    "hand": text,
                    "weight": float(hands.weight[h]),
                    "equity": _or_none(hands.equity[h]),
                    "ev": _or_none(hands.ev[h]),
                }
                for k, label in enumerate(self.labels):
                    acts = name == self.position
                    row[label] = float(self.strategy[k, h]) if acts else None
                    row[f"ev {label}"] = _or_none(self.action_ev[k, h]) if acts else None
                yield row

    def columns(self) -> dict[str, list[str] | NDArray[np.float64]]:
        """The hands of the seat that acts, once for each action; the same names at any decision."""
        hands, texts, n = self.actor, self.actor.texts, len(self.labels)
        n_rows = n * len(texts)
        return {
            "line": [self.line] * n_rows,
            "board": [format_cards(self.board)] * n_rows,
            "position": [self.position] * n_rows,
            "hand": texts * n,
            "weight": np.tile(hands.weight, n),
            "equity": np.tile(hands.equity, n),
            "ev": np.tile(hands.ev, n),
            "action": [label for label in self.labels for _ in texts],
            "share": self.strategy.ravel(),
            "action_ev": self.action_ev.ravel(),
        }

    def to_dict(self) -> dict[str, Any]:
        """All figures by name."""
        return {
            "line": self.line,
            "board": format_cards(self.board),
            "pot": self.pot,
            "position": self.position,
            "actions": list(self.labels),
            "totals": self.totals(),
            "hands": list(self.rows()),
        }

    def to_frame(self) -> Any:
        """A row for each hand of both seats; needs pandas or polars."""
        return make_frame([*self.rows()])

    def __repr__(self) -> str:
        return f"<SpotNode: {self}>"

    def __str__(self) -> str:
        totals = self.totals()
        shares = format_shares(totals["strategy"])
        evs = ", ".join(f"{name} {ev:.4g}" for name, ev in totals["ev"].items())
        return (
            f"{self.position} acts after {self.line or 'no action'} on {format_cards(self.board)}, "
            f"pot {self.pot:g}: {shares}; EV {evs}"
        )


def _or_none(figure: float) -> float | None:
    return None if np.isnan(figure) else float(figure)


def format_shares(shares: Mapping[str, float]) -> str:
    """How often each action is taken."""
    return ", ".join(f"{label} {share:.1%}" for label, share in shares.items())
