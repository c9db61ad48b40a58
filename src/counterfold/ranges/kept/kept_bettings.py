"""Betting trees with their lines that are kept for the next spot with the same betting."""

from collections import OrderedDict
from typing import NamedTuple

from counterfold.games.holdem import Variant
from counterfold.games.holdem.situation import Situation
from counterfold.ranges.betting_growth import TreeMenu
from counterfold.ranges.betting_tree import BettingTree, build_betting_tree
from counterfold.ranges.line_tree import LineTree, find_lines


class BettingKey(NamedTuple):
    """What betting depends on."""

    variant: Variant
    root: Situation
    menu: TreeMenu | None
    dead: int
    added: tuple[int, ...]


class Betting(NamedTuple):
    """What may be bet below a root: the tree and its lines."""

    tree: BettingTree
    lines: LineTree


class KeptBettings:
    """At most `most`; those that were not asked for longest go first."""

    def __init__(self, most: int = 64, max_nodes: int = 20_000) -> None:
        self.most, self.max_nodes = most, max_nodes
        self._kept: OrderedDict[BettingKey, Betting] = OrderedDict()

    def find(self, key: BettingKey) -> Betting:
        """The betting of a key; raises `TooLargeError` if it has too many nodes."""
        key = key._replace(root=tuple(int(field) for field in key.root))
        if key not in self._kept:
            tree = build_betting_tree(
                key.variant,
                key.root,
                key.menu,
                dead=key.dead,
                added=key.added,
                max_nodes=self.max_nodes,
            )
            self._kept[key] = Betting(tree, find_lines(tree, dead=key.dead))
        self._kept.move_to_end(key)
        if len(self._kept) > self.most:
            self._kept.popitem(last=False)
        return self._kept[key]
