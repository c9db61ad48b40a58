"""The betting tree of a spot: every betting line below a public situation, as flat arrays.

Shapes: ``N`` nodes, ``E`` edges. A node is a betting history, and a parent precedes its children;
nodes are sorted by street. Cards are not enumerated: a deal has one child. When all chips are in
before the last street, the hand ends with that call: its node is a showdown on the street on which
the chips went in, and the cards to come are a matter of equity.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from counterfold.errors import AbstractionError, GameError, UnsupportedGameError
from counterfold.games.holdem import Variant
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.situation import Situation, before_deal
from counterfold.games.holdem.situation_nodes import SituationNodes
from counterfold.ranges.betting_growth import Edge, Growth, GrowthPlace, TreeMenu, root_place

MAX_NODES = 250_000


@dataclass(frozen=True, eq=False)
class BettingTree(SituationNodes):
    """Nodes and edges. `situations` has the fields of `games.holdem.betting_kernels` as columns."""

    variant: Variant
    situations: NDArray[np.int32]  # [N, N_FIELDS]
    starts: NDArray[np.int32]  # [N + 1] node n owns edges starts[n]:starts[n + 1]
    children: NDArray[np.int32]  # [E]
    kinds: NDArray[np.int8]  # [E] FOLD, CALL, RAISE or DEALT
    amounts: NDArray[np.int32]  # [E] a raise's total over the hand, 1 for a last deal, else 0
    labels: tuple[str, ...]  # [E] what the action is called, with chips on this street
    dead: int = 0  # chips in the pot that neither seat has put in


def spot_root(
    variant: Variant, board_cards: int, pot: int, stack: int
) -> tuple[Variant, Situation, int]:
    """Where a street begins with `pot` in the middle and `stack` chips behind for each seat.

    Returns the variant with its stack set to that, the situation, and the odd chip of the pot. On
    the first street the pot is that of blinds and antes, and `stack` is behind the larger blind.
    """
    boards = [variant.board_cards(street) for street in range(len(variant.streets))]
    if board_cards not in boards:
        known = ", ".join(map(str, boards))
        raise GameError(
            f"a board of {board_cards} cards does not begin a street of {variant.name}; "
            f"boards have {known}"
        )
    for word, chips in (("pot", pot), ("stack", stack)):
        if chips < 1:
            raise GameError(f"{word} must be 1 chip or more, not {chips!r}")
    street = boards.index(board_cards)
    first = betting.first_situation(variant.rules)
    spent = (first[betting.SPENT_0], first[betting.SPENT_1])
    if street == 0 and pot != sum(spent):
        raise GameError(
            f"pot must be {sum(spent)} before the flop, the blinds and antes of {variant.name}, "
            f"not {pot!r}"
        )
    each = max(spent) if street == 0 else pot // 2
    variant = replace(variant, stack=each + stack)
    if street == 0:
        return variant, tuple(betting.first_situation(variant.rules)), 0
    before = before_deal(street, each)
    return variant, tuple(betting.after_deal(variant.rules, before, False)), pot % 2


def build_betting_tree(
    variant: Variant,
    root: Situation,
    menu: TreeMenu | None,
    *,
    dead: int = 0,
    added: Sequence[int] = (),
    removed: Sequence[str] = (),
    max_nodes: int = MAX_NODES,
) -> BettingTree:
    """All betting lines below `root` that `menu` offers; with fixed limits it is not looked at.

    Raises to the totals `added` are offered at `root`, too, and must be legal there.
    `removed` are lines in notation, such as ``k b50%``, whose last action is taken out of the tree.
    Raises `TooLargeError` before building more than `max_nodes`.
    """
    root = tuple(int(field) for field in root)
    _check(variant, root, menu, dead)
    if menu is not None and variant.betting != "limit":
        menu.check_fit(variant, root)
    growth = Growth(variant, menu, dead, root, added)
    start = root_place(root, removed)
    growth.check_size(start, max_nodes)
    return _lay_out(growth, start)


def _check(variant: Variant, root: Situation, menu: TreeMenu | None, dead: int) -> None:
    if not variant.has_small_hands or variant.max_runs:
        raise UnsupportedGameError(
            f"{variant.name} has draws, swaps, auctions, runs or more than two hole cards; "
            "spots are for variants without them"
        )
    if variant.bounty is not None or variant.rank_order:
        raise UnsupportedGameError(
            f"{variant.name} has bounties or another order of ranks; spots are for variants "
            "without them"
        )
    if menu is None and variant.betting != "limit":
        raise AbstractionError(
            f"a spot of {variant.name} needs a menu of bets, such as '50%, 100%, allin'"
        )
    if dead < 0:
        raise GameError(f"dead must be 0 chips or more, not {dead!r}")
    spent = root[betting.SPENT_0], root[betting.SPENT_1]
    if root[betting.PHASE] not in (betting.BET, betting.DEAL) or min(spent) >= variant.stack:
        raise GameError(
            f"a spot must begin where someone can still bet, not at {_describe(root)} "
            f"with {spent[0]} and {spent[1]} of {variant.stack} chips in"
        )


_PHASES = {betting.FOLDED: "a fold", betting.SHOWDOWN: "a showdown", betting.DRAW: "a draw"}


def _describe(situation: Situation) -> str:
    return _PHASES.get(situation[betting.PHASE], "all-in")


def _lay_out(growth: Growth, root: GrowthPlace) -> BettingTree:
    """The tree below `root` as arrays."""
    places = [root]
    edges: list[Edge] = []
    children: list[int] = []
    degrees = []
    for place in places:  # grows while it is read
        below = growth.edges(place)
        degrees.append(len(below))
        edges += below
        children += range(len(places), len(places) + len(below))
        places += [edge.child for edge in below]
    situations = np.array([place.situation for place in places], np.int32)
    return _sorted_by_street(growth, situations, edges, children, degrees)


def _sorted_by_street(
    growth: Growth,
    situations: NDArray[np.int32],
    edges: Sequence[Edge],
    children: Sequence[int],
    degrees: Sequence[int],
) -> BettingTree:
    """The tree with its nodes by street, in their order otherwise."""
    order = np.argsort(situations[:, betting.STREET], kind="stable")
    place = np.empty(order.size, np.int32)
    place[order] = np.arange(order.size, dtype=np.int32)
    n_edges = np.array(degrees, np.int32)
    old_starts = np.concatenate([[0], np.cumsum(n_edges)])[:-1]
    starts = np.concatenate([[0], np.cumsum(n_edges[order])]).astype(np.int32)
    moved = np.repeat(old_starts[order] - starts[:-1], n_edges[order]) + np.arange(len(edges))
    sorted_edges = [edges[e] for e in moved.tolist()]
    return BettingTree(
        growth.variant,
        np.ascontiguousarray(situations[order]),
        starts,
        place[np.array(children, np.intp)[moved]],
        np.array([edge.kind for edge in sorted_edges], np.int8),
        np.array([edge.amount for edge in sorted_edges], np.int32),
        tuple(edge.label for edge in sorted_edges),
        growth.dead,
    )
