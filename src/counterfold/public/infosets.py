"""A public graph under an abstraction: classes of nodes, and where information sets are stored.

An information set is a class of nodes and a bucket of cards. Its slots, one for each action, are
contiguous, and so are the information sets of a class: ``offset[class] + bucket * n_actions``.
Shapes: ``N`` nodes, ``C`` classes, ``Q`` slots.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.buckets.label_numbers import number_rows
from counterfold.errors import AbstractionError
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.street import Auction
from counterfold.public import graph_kernels
from counterfold.public.graph import PublicGraph
from counterfold.public.situation_features import PublicAbstraction, Situations
from counterfold.public.stages import CardStage, card_stages, stage_table

NO_CLASS = -1

Labels = NDArray[np.integer]


class SlotLayout(NamedTuple):
    """Where a table keeps action k of bucket b: at ``starts + b * strides + k * steps``."""

    starts: NDArray[np.int64]  # [C]
    strides: NDArray[np.int64]  # [C]
    steps: NDArray[np.int64]  # [C]


@dataclass(frozen=True, eq=False)
class PublicGame:
    """A graph with its classes. `n_buckets` of a class is that of its stage."""

    graph: PublicGraph
    abstraction: PublicAbstraction
    stages: tuple[CardStage, ...]
    stage: NDArray[np.int8]  # [N] index of the card stage; that of the deal or end elsewhere
    classes: NDArray[np.int32]  # [N] class of a decision, else NO_CLASS
    n_buckets: NDArray[np.int64]  # [C]
    n_actions: NDArray[np.int64]  # [C]
    offsets: NDArray[np.int64]  # [C + 1] first slot of a class

    @property
    def n_classes(self) -> int:
        """How many classes of nodes there are."""
        return self.n_buckets.size

    @property
    def n_infosets(self) -> int:
        """How many information sets there are."""
        return int(self.n_buckets.sum())

    @property
    def n_slots(self) -> int:
        """Actions of all information sets."""
        return int(self.offsets[-1])

    @property
    def layout(self) -> SlotLayout:
        """Class by class, as strategies are stored."""
        return SlotLayout(self.offsets[:-1], self.n_actions, np.ones_like(self.n_actions))

    @cached_property
    def node_offsets(self) -> NDArray[np.int64]:
        """[N] first slot of a decision's class, else 0."""
        return np.where(self.classes == NO_CLASS, 0, self.offsets[self.classes])

    def with_buckets(self, n_buckets: Sequence[int]) -> "PublicGame":
        """The same classes with `n_buckets` at each stage; cheap, as nothing is reclassified."""
        counts = _bucket_counts(self.graph, self.abstraction, self.stages, n_buckets)
        stage = np.zeros(self.n_classes, np.intp)
        nodes = self.graph.decisions
        stage[self.classes[nodes]] = self.stage[nodes]  # all nodes of a class have one stage
        buckets = counts[stage]
        return replace(self, n_buckets=buckets, offsets=_offsets(buckets, self.n_actions))


def classify(
    graph: PublicGraph, abstraction: PublicAbstraction, n_buckets: Sequence[int]
) -> PublicGame:
    """Group the decisions of `graph` by what `abstraction` reveals about them.

    `n_buckets` is the number of buckets at each stage of `card_stages`.
    """
    if abstraction.needs_histories and graph.merged:
        raise AbstractionError(
            f"{abstraction.name!r} has the feature history, but the graph of {graph.variant.name} "
            "is merged; build it with merge=False"
        )
    stages = card_stages(graph.variant)
    counts = _bucket_counts(graph, abstraction, stages, n_buckets)
    stage = find_stages(graph, stages)
    nodes = graph.decisions
    fields = list(graph.situations[nodes].T)
    offers = _offers(graph)[nodes]
    situations = Situations(graph.variant, fields, offers, known_histories(graph)[nodes])
    always: list[Labels] = [fields[betting.ACTOR], stage[nodes], offers]
    if graph.variant.has_auctions:
        always += [fields[betting.DREW] & graph.variant.auction_rounds, _told_bids(graph)[nodes]]
    if graph.variant.size_rounds:
        always.append(fields[betting.DREW] & graph.variant.size_rounds)
    numbers = number_rows([*always, *abstraction.labels(situations)])
    n_classes = int(numbers.max(initial=-1)) + 1
    first = np.zeros(n_classes, np.int64)
    first[numbers[::-1]] = nodes[::-1]
    classes = np.full(graph.n_nodes, NO_CLASS, np.int32)
    classes[nodes] = numbers
    n_actions = np.diff(graph.starts).astype(np.int64)[first]
    buckets = counts[stage[first]]
    offsets = _offsets(buckets, n_actions)
    return PublicGame(graph, abstraction, stages, stage, classes, buckets, n_actions, offsets)


def _bucket_counts(
    graph: PublicGraph,
    abstraction: PublicAbstraction,
    stages: Sequence[CardStage],
    n_buckets: Sequence[int],
) -> NDArray[np.int64]:
    """Buckets by stage, one each if cards are ignored."""
    if len(n_buckets) != len(stages):
        raise AbstractionError(
            f"{len(n_buckets)} numbers of buckets for the {len(stages)} card stages of "
            f"{graph.variant.name}; give one for each stage"
        )
    if min(n_buckets) < 1:
        raise AbstractionError(f"every stage needs at least one bucket, unlike {list(n_buckets)}")
    return np.asarray(n_buckets if abstraction.cards else [1] * len(stages), np.int64)


def _offsets(n_buckets: NDArray[np.int64], n_actions: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(n_buckets * n_actions)])


def find_stages(graph: PublicGraph, stages: Sequence[CardStage]) -> NDArray[np.int8]:
    """[N] the stage of each node."""
    table = stage_table(stages).astype(np.int8)
    turns = np.where(graph.phase < betting.BET, 1 + graph.field(betting.N_ACTIONS), 0)
    found: NDArray[np.int8] = table[graph.field(betting.STREET), turns]
    return found


def known_histories(graph: PublicGraph) -> NDArray[np.intp]:
    """[N] a number for each history that an actor knows: that of its node, unless a bid is sealed.

    Of all the nodes that follow sealed bids it is one beyond the nodes.
    """
    known = np.arange(graph.n_nodes)
    if graph.variant.has_auctions:
        edges = _first_bids(graph, sealed=True)
        known[graph.children[edges]] = graph.n_nodes + graph.sources[edges]
    return known


def _told_bids(graph: PublicGraph) -> NDArray[np.int32]:
    """[N] the size of the bid that the actor was told of and answers now, else 0."""
    told = np.zeros(graph.n_nodes, np.int32)
    edges = _first_bids(graph, sealed=False)
    told[graph.children[edges]] = graph.labels[edges]
    return told


def _first_bids(graph: PublicGraph, *, sealed: bool) -> NDArray[np.intp]:
    """The edges of first bids at auctions that are sealed, or at those that are not."""
    choices = [
        (street, place)
        for street, rules in enumerate(graph.variant.streets)
        for place, choice in enumerate(rules.choices)
        if isinstance(choice, Auction) and choice.sealed == sealed
    ]
    waits = graph.field(betting.FIRST_BID)[graph.children] > 0
    street = graph.field(betting.STREET)[graph.children]
    place = graph.field(betting.N_ACTIONS)[graph.children] // betting.TURNS
    here = [(street == at) & (place == choice) for at, choice in choices]
    return np.flatnonzero(waits & np.any(here, axis=0)) if here else np.zeros(0, np.intp)


def _offers(graph: PublicGraph) -> NDArray[np.int64]:
    """[N] which kinds of action and which sizes a node offers, as a number for each set.

    A check is not a call, although both are edges of one kind.
    """
    _, sizes = np.unique(graph.labels, return_inverse=True)
    kinds = graph.kinds.astype(np.int64) + (graph_kernels.DEALT + 1) * sizes
    # Edges stand in one order, so that equal sets make equal numbers.
    degrees = np.diff(graph.starts)
    bets = graph.phase == betting.BET
    calls = graph.field(betting.SPENT_0) != graph.field(betting.SPENT_1)
    offers: NDArray[np.int64] = (bets & calls).astype(np.int64)
    base = int(kinds.max(initial=0)) + 2
    for place in range(int(degrees.max(initial=0))):
        has = np.flatnonzero(degrees > place)
        offers[has] = offers[has] * base + kinds[graph.starts[:-1][has] + place] + 1
        _, offers = np.unique(offers, return_inverse=True)
    return offers
