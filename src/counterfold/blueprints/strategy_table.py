"""What a blueprint does in one public situation: a row per hand, for people and for data frames."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counterfold.blueprints.betting_line import Line, Offer, discard_of, follow, offers
from counterfold.blueprints.blueprint import Blueprint
from counterfold.blueprints.hand_buckets import BucketedHand, HandBuckets
from counterfold.cards import format_card, format_cards
from counterfold.cards.pairs import N_PAIRS, index_pairs
from counterfold.errors import UnsupportedGameError
from counterfold.frames import make_frame
from counterfold.games.holdem import Variant
from counterfold.games.holdem import betting_kernels as betting
from counterfold.public.public_variants import check_pot
from counterfold.public.situation_features import Situations

Cards = tuple[int, ...]

# Below it, two seeds of one recipe agree the less the fewer visits there are: see decision 23.
FEW_VISITS = 30
HARDLY_REACHED = f"fewer than {FEW_VISITS} visits: closer to noise than to a strategy"


@dataclass(frozen=True, eq=False)
class HandStrategy:
    """A hand and what is done with it."""

    hand: Cards
    buckets: tuple[int, ...]
    discards: Cards  # its cards in the order of the actions that discard them
    probabilities: NDArray[np.float64] | None  # by action; None where training never came
    visits: float | None  # behind the probabilities; None where they were not recorded

    @property
    def is_hardly_reached(self) -> bool:
        """Whether training came here so seldom that the probabilities say little."""
        trained = self.probabilities is not None
        return trained and self.visits is not None and self.visits < FEW_VISITS

    @property
    def visits_text(self) -> str:
        """The visits in digits, or a dash."""
        return "-" if self.visits is None else f"{self.visits:,.0f}"


@dataclass(frozen=True, eq=False)
class StrategyTable:
    """The strategy at one node of a blueprint, for one hand or for many."""

    blueprint: Blueprint
    line: Line
    board: Cards
    rows: tuple[HandStrategy, ...]
    history: str = ""  # the line as it was asked for

    @property
    def seat(self) -> int:
        """Who acts."""
        return int(self.situation.player)

    @cached_property
    def situation(self) -> Situations:
        """Pot, chips to call and the like."""
        graph = self.blueprint.game.graph
        node = self.line.node
        return Situations(graph.variant, graph.situations[node].tolist(), 0, node)

    @cached_property
    def offered(self) -> tuple[Offer, ...]:
        """The actions, in the order of probabilities."""
        return offers(self.blueprint.game.graph, self.line.node)

    @property
    def n_buckets(self) -> int:
        """How many buckets hands have here."""
        game = self.blueprint.game
        return int(game.n_buckets[game.classes[self.line.node]])

    @property
    def features(self) -> str:
        """The values of the abstraction's features in the situation."""
        abstraction = self.blueprint.game.abstraction
        labels = zip(abstraction.names, abstraction.labels(self.situation), strict=True)
        known = [f"{name} {int(x)}" for name, x in labels if name not in ("actions", "history")]
        return ", ".join(known) or abstraction.name

    def actions(self, row: HandStrategy) -> dict[str, float] | None:
        """Probability by action; None where training never came."""
        if row.probabilities is None:
            return None
        pairs = zip(self.offered, row.probabilities.tolist(), strict=True)
        return {offer.label: share for offer, share in pairs}

    def cards_of(self, offer: Offer, row: HandStrategy) -> Cards:
        """The cards of a hand that go with an offer."""
        _, places = discard_of(self.blueprint.game.graph, self.line.node, offer.edge)
        return tuple(row.discards[place] for place in places)

    def to_dict(self) -> dict[str, Any]:
        """Everything, for JSON."""
        return {
            "variant": self.blueprint.game.graph.variant.name,
            "node": self.line.node,
            "seat": self.seat,
            "pot": int(self.situation.pot),
            "to_call": int(self.situation.to_call),
            "betting": list(self.line.read),
            "board": format_cards(self.board),
            "features": self.features,
            "offered": [{"action": each.label, "word": each.word} for each in self.offered],
            "hands": [
                {
                    "hand": format_cards(row.hand),
                    "buckets": list(row.buckets),
                    "trained": row.probabilities is not None,
                    "visits": row.visits,
                    "discards": [format_card(card) for card in row.discards],
                    "actions": self.actions(row),
                }
                for row in self.rows
            ],
        }

    def to_frame(self) -> Any:
        """A row per hand, a column per action; needs pandas or polars."""
        even = {offer.label: None for offer in self.offered}
        return make_frame(
            [
                {
                    "hand": format_cards(row.hand),
                    "visits": row.visits,
                    **(self.actions(row) or even),
                }
                for row in self.rows
            ]
        )

    def __repr__(self) -> str:
        return str(self)  # as a table, also in a notebook

    def __str__(self) -> str:
        place = (
            f"seat {self.seat} acts, pot {self.situation.pot}, to call {self.situation.to_call}, "
            f"board {format_cards(self.board) or 'none'}, after "
            f"{' '.join(self.line.read) or 'no action'}"
        )
        heads = ["hand", *(offer.text for offer in self.offered), "visits"]
        lines = [heads, *(self._texts(row) for row in self.rows)]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        rows = ("  ".join(t.rjust(w) for t, w in zip(line, widths, strict=True)) for line in lines)
        few = any(row.is_hardly_reached for row in self.rows)
        return "\n".join([place, *rows, *([f"* {HARDLY_REACHED}"] if few else [])])

    def _texts(self, row: HandStrategy) -> list[str]:
        shares = row.probabilities
        cells = ["-" for _ in self.offered] if shares is None else [f"{p:.1%}" for p in shares]
        mark = "*" if row.is_hardly_reached else ""
        return [format_cards(row.hand), *cells, mark + row.visits_text]


def look_up(
    blueprint: Blueprint,
    hand_buckets: HandBuckets,
    history: str = "",
    board: Cards = (),
    hands: Sequence[Cards] | None = None,
    seen: Cards = (),
) -> StrategyTable:
    """The strategy after the betting `history`; of all hands that fit the board by default.

    Cards of the board may be written in `history` instead. With the cards that the player has
    `seen` of the other's hand at auctions, the strategy of one who has seen these, else the average
    over what it may have seen.
    """
    graph = blueprint.game.graph
    line = follow(graph, history, board)
    board = line.board
    seat = int(graph.field(betting.ACTOR)[line.node])
    situation = tuple(graph.situations[line.node].tolist())
    stage = int(blueprint.game.stage[line.node])
    here = hand_buckets.dealer.stages[stage]
    n_cards = here.n_held(seat, graph.variant.hole_cards)
    auctions = [step for step in here.steps if step.is_auction]
    won = tuple(bool(situation[betting.DREW] >> 2 * step.round + seat & 1) for step in auctions)
    for step, has_won in zip(auctions, won, strict=True):
        n_cards -= step.kind == "win" and not has_won
    turns = [step for step in here.steps if step.gives(seat)]
    for step, n_gone in zip(turns, line.discarded[seat], strict=False):
        n_cards -= n_gone if step.may_keep and not step.discard.redraw else 0
    if hands is None and n_cards > graph.variant.hole_cards:
        raise UnsupportedGameError(
            f"a player of {graph.variant.name} has {n_cards} cards here, which make too many hands "
            "to list; pass one with --hand"
        )
    wanted = hand_buckets.hands(board, n_cards) if hands is None else list(hands)
    gone = line.discarded[seat]
    found = hand_buckets.find(stage, seat, gone, wanted, board, n_cards, won, seen)
    draws = graph.phase[line.node] == betting.DRAW
    means, visits = _average(blueprint, line.node, found)
    trained = ~np.isnan(means[:, 0])
    rows = [
        HandStrategy(
            held.hand,
            tuple(sorted(held.buckets)),
            hand_buckets.discards(held.hand, board) if draws else (),
            means[at] if trained[at] else None,
            None if visits is None else float(visits[at]),
        )
        for at, held in enumerate(found)
    ]
    return StrategyTable(blueprint, line, board, tuple(rows), history)


def check_range(variant: Variant) -> None:
    """Raise `UnsupportedGameError` unless seats of `variant` have ranges."""
    check_pot(variant, "a range")
    if variant.hands_change or variant.hole_cards != 2:
        raise UnsupportedGameError(
            f"a range needs two hole cards that never change, unlike those of {variant.name}"
        )


def find_range(
    blueprint: Blueprint, hand_buckets: HandBuckets, history: str, board: Cards, seat: int
) -> NDArray[np.float64]:
    """[1326] how likely `seat` is to reach the end of `history` with each hand, by `index_pair`.

    A hand that the board rules out has 0. Where training never came all actions count the same.
    """
    graph = blueprint.game.graph
    check_range(graph.variant)
    line = follow(graph, history, board)
    board = line.board
    hands = np.array(hand_buckets.hands(board), np.uint8)
    buckets = hand_buckets.label(hand_buckets.hands(board), board)
    reached = np.ones(len(hands))
    for node, edge in line.decisions:
        if graph.field(betting.ACTOR)[node] != seat:
            continue
        stage, taken = int(blueprint.game.stage[node]), edge - int(graph.starts[node])
        if stage >= len(buckets):
            hand_buckets.check_board(stage, board)
        even = 1.0 / int(graph.starts[node + 1] - graph.starts[node])
        shares = blueprint.at_many(node, buckets[stage])[:, taken]
        reached *= np.where(np.isnan(shares), even, shares)
    weights = np.zeros(N_PAIRS)
    weights[index_pairs(hands)] = reached
    return weights


def _average(
    blueprint: Blueprint, node: int, found: Sequence[BucketedHand]
) -> tuple[NDArray[np.float64], NDArray[np.float64] | None]:
    """[hands, actions] what hands do on average over their trained buckets, nan without any, and
    [hands] the visits of their buckets together.
    """
    of = np.repeat(np.arange(len(found)), [len(held.buckets) for held in found])
    buckets = np.array([bucket for held in found for bucket in held.buckets], np.int64)
    strategies = blueprint.at_many(node, buckets)
    weights = np.array([weight for held in found for weight in held.buckets.values()])
    weights = np.where(np.isnan(strategies[:, 0]), 0.0, weights)
    totals = np.bincount(of, weights, len(found))
    totals[totals == 0] = np.nan
    means = np.stack(
        [np.bincount(of, weights * np.nan_to_num(p), len(found)) / totals for p in strategies.T],
        axis=1,
    )
    visits = blueprint.visits_at(node, buckets)
    return means, None if visits is None else np.bincount(of, visits, len(found)).astype(float)
