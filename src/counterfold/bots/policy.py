"""A trained strategy as the arrays that kernels play it from; see `bots.policy_kernels`."""

import numpy as np
from numpy.typing import NDArray

from counterfold.bots import bid_kernels, follow_kernels, policy_kernels
from counterfold.games.holdem import betting_kernels as betting
from counterfold.public.deals import Dealer
from counterfold.public.graph import PublicGraph
from counterfold.public.infosets import PublicGame
from counterfold.public.walk_order import walk_graph

RULES = {"nearest": bid_kernels.NEAREST, "pseudo-harmonic": bid_kernels.PSEUDO_HARMONIC}


def make_policy(
    game: PublicGame,
    dealer: Dealer,
    quantized: NDArray[np.uint8] | NDArray[np.uint16],
    n_buckets: tuple[int, ...],
    *,
    recalls: bool = False,
    rule: str = "pseudo-harmonic",
    threshold: float = 0.0,
    purify: bool = False,
) -> policy_kernels.Policy:
    """A policy that plays `quantized`; `n_buckets` are those of its card map."""
    graph = game.graph
    counts = np.array(n_buckets, np.int64)
    if recalls:
        counts = np.concatenate([counts[:1], counts[1:] // counts[:-1]])
    keys, entries = _entries(game)
    return policy_kernels.Policy(
        walk_graph(game, dealer).nodes,
        graph.children,
        graph.kinds,
        graph.amounts,
        graph.labels,
        np.ascontiguousarray(graph.situations[:, [betting.SPENT_0, betting.SPENT_1]]),
        graph.field(betting.FINAL).astype(np.int8),
        _raise_nodes(game.graph),
        quantized,
        keys,
        entries,
        counts,
        graph.menu.nearness,
        _auctions(graph),
        RULES[rule],
        threshold,
        purify,
    )


def _auctions(graph: PublicGraph) -> NDArray[np.int32]:
    """See `Policy.auctions`."""
    if not graph.variant.has_auctions:
        return np.zeros((0, bid_kernels.N_AUCTION_COLUMNS), np.int32)
    columns = [betting.PAID_0, betting.PAID_1, betting.DREW]
    return np.ascontiguousarray(graph.situations[:, columns])


def _raise_nodes(graph: PublicGraph) -> NDArray[np.int32]:
    """For each node, where raises of its actor are read; see `Policy.raise_nodes`.

    A node that several lead to has the first of them as its past.
    """
    sources = np.repeat(np.arange(graph.n_nodes, dtype=np.int32), np.diff(graph.starts))
    parents = np.full(graph.n_nodes, policy_kernels.LOST, np.int32)
    parents[graph.children[::-1]] = sources[::-1]
    betting_nodes = graph.phase == betting.BET
    offers = np.zeros(graph.n_nodes, bool)
    offers[sources[graph.kinds == betting.RAISE]] = True
    nodes = np.arange(graph.n_nodes, dtype=np.int32)
    nodes[~betting_nodes] = policy_kernels.LOST
    while (waiting := np.flatnonzero((nodes != policy_kernels.LOST) & ~offers[nodes])).size:
        nodes[waiting] = _before(
            _before(nodes[waiting], parents, betting_nodes), parents, betting_nodes
        )
    bids = np.flatnonzero(graph.phase == betting.AUCTION)
    second = graph.field(betting.FIRST_BID)[bids] > 0
    nodes[bids] = np.where(second, parents[bids], bids)
    return nodes


def _before(
    nodes: NDArray[np.int32], parents: NDArray[np.int32], betting_nodes: NDArray[np.bool_]
) -> NDArray[np.int32]:
    """The nodes before `nodes` on the same street, where players bet in turn, or `LOST`."""
    found = np.where(nodes == policy_kernels.LOST, policy_kernels.LOST, parents[nodes])
    return np.where(
        (found != policy_kernels.LOST) & betting_nodes[found], found, policy_kernels.LOST
    )


def _entries(game: PublicGame) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """The nodes at which a street begins and someone acts, by `entry_key`.

    A graph that remembers the betting has none to choose from: its nodes are histories.
    """
    graph = game.graph
    if not graph.merged:
        return np.zeros(0, np.int64), np.zeros(0, np.int32)
    dealt = graph.phase == betting.DEAL
    parents = np.repeat(np.arange(graph.n_nodes), np.diff(graph.starts))
    children = np.unique(graph.children[dealt[parents]])
    acting = graph.phase[children] <= betting.BET
    nodes = children[acting]
    fields = graph.situations[nodes].astype(np.int64)
    chips = [betting.SPENT_0, betting.SPENT_1, betting.PAID_0, betting.PAID_1]
    pots = fields[:, chips].sum(axis=1)
    keys = np.array(
        [
            follow_kernels.entry_key(
                row[betting.STREET],
                row[betting.FINAL],
                row[betting.DREW],
                pot,
            )
            for row, pot in zip(fields, pots, strict=True)
        ],
        np.int64,
    )
    order = np.argsort(keys, kind="stable")
    return keys[order], nodes[order].astype(np.int32)
