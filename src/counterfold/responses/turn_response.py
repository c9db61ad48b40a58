"""What a responder wins from the last street but one on, from a bot that searches or plays on.

The responder holds one hand and knows the range of the bot, exactly as the bot has played. On the
first of both streets it does what is best against all hands of that range if the bot played what it
has found there, or its strategy, to the end of the hand: a walk over a tree with all boards. Each
reply of the bot counts as often as its range gives it. Of the boards that may follow some are
drawn; there the bot that searches solves the last street again, and `responses.river_response`
closes the hand. The walk decides, and what is won comes from those boards: so it is what a strategy
wins, on average over the draws, and never more than the best one does.

Both bots are met with the same bets on the first street, the one nearest to the pot and all-in, and
with the same boards.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np

from counterfold.bots.view import View
from counterfold.cards.pairs import unindex_pair
from counterfold.games.holdem import Variant
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.betting_kernels import RAISE
from counterfold.ranges.betting_growth import TreeMenu
from counterfold.ranges.betting_tree import BettingTree
from counterfold.responses.river_response import (
    CHECK,
    HandResponse,
    OneBoard,
    RiverResponder,
    bot_range,
    view_after,
)
from counterfold.search.blueprint_strategies import BlueprintStrategies
from counterfold.search.hand_ranges import Act, Values
from counterfold.search.hand_walk import HandWalk, NextBoards, Strategies
from counterfold.search.played_shares import play_shares
from counterfold.search.smaller_menu import SmallerMenu
from counterfold.search.street_solution import StreetSolution, list_acts

Compare = Callable[[Sequence[int], tuple[int, ...]], Values]  # a hand with all, on a board


class StreetEnd(NamedTuple):
    """Where the responder's hand comes to on the first street."""

    acts: tuple[Act, ...]
    reach: Values  # [hands of 52 cards] of the bot
    value: float | None  # chips times `reach`, if the hand is decided; None if more is dealt


class TurnResponder:
    """Responds from the last street but one on; `river` does on the last one.

    Parameters
    ----------
    compare
        [hands of 52 cards] 1 where a hand wins a showdown on a whole board, -1 where it loses.
    n_boards
        How many of the boards that may follow are drawn for each hand.
    """

    def __init__(self, river: RiverResponder, compare: Compare, n_boards: int) -> None:
        self.bot, self.river, self.compare, self.n_boards = river.bot, river, compare, n_boards

    def respond(self, view: View, hole: Sequence[int], rng: np.random.Generator) -> HandResponse:
        """`view` is the bot's when the street begins, and `hole` the responder's."""
        bot = self.bot
        bot.begin_hand(view)
        reach = bot_range(bot, view, hole)
        boards = self._list_boards(view, hole)
        n = min(self.n_boards, len(boards.cards))
        drawn = rng.choice(len(boards.cards), n, replace=False).tolist()
        alone = self._hand_alone(view, boards).play(reach)
        with bot.supposing(view if view.my_turn else view_after(view, [CHECK])) as found:
            searched = alone
            if found is not None:
                searched = self._hand_searched(view, boards, found.solution).play(reach)
            won_alone, won = _add_decided(alone), _add_decided(searched)
            is_searched = found is not None
            for b in drawn:
                chance, results = boards.chance[b] * (len(boards.cards) / n), boards.results[b]
                for end, river in self._deal(view, alone, boards.cards[b], chance):
                    won_alone += self.river.win_alone(river, results, end.reach * chance)
                for end, river in self._deal(view, searched, boards.cards[b], chance):
                    more, known = self.river.win_searched(river, results, end.reach * chance)
                    won += more
                    is_searched &= known
        return HandResponse(won_alone, won, is_searched)

    def _list_boards(self, view: View, hole: Sequence[int]) -> NextBoards:
        """What may be dealt beside the responder's hand."""
        variant, seen = view.variant, {*hole, *view.board_cards}
        size, left = variant.streets[-1].cards, set(variant.deck.cards.tolist()) - seen
        cards = tuple(combinations(sorted(left, reverse=True), size))
        possible = np.stack([self.bot.ranges.possible_hands(each) for each in cards])
        results = np.stack([self.compare(hole, (*view.board_cards, *each)) for each in cards])
        return NextBoards(cards, possible / comb(len(left) - len(hole), size), results)

    def _hand_alone(self, view: View, boards: NextBoards) -> "_TurnHand":
        """Against the strategy of the bot, all of whose bets the tree has on this street."""
        bot, own, root = self.bot, self.river.own, view.situation
        menu = None if own is None else SmallerMenu(own, root[betting.STREET] + 1)
        tree = bot.solver.tree(view.variant, root, menu)
        street = bot.ranges.follow(view.variant, view.board, view.history, view.seat)
        listed = [OneBoard(street.board)]
        listed += [OneBoard((*street.board, *cards), 1) for cards in boards.cards]
        found: dict[int, Values] = {}
        for each in BlueprintStrategies(bot.ranges, street.held[view.seat], view.seat)(
            tree, listed
        ):
            if each.board == 0:
                found[each.node] = each.shares
                continue
            if each.node not in found:
                shape = (len(each.shares), len(boards.cards), each.shares.shape[1])
                found[each.node] = np.zeros(shape, np.float32)
            found[each.node][:, each.board - 1] = each.shares
        return self._make(view, tree, _Known(tree, found), boards, own)

    def _hand_searched(
        self, view: View, boards: NextBoards, solution: StreetSolution
    ) -> "_TurnHand":
        policy = self.bot.policy
        played = _Played(solution, boards.cards, policy.threshold, policy.purify)
        return self._make(view, solution.tree, played, boards, self.bot.solver.menu)

    def _make(
        self,
        view: View,
        tree: BettingTree,
        strategies: Strategies,
        boards: NextBoards,
        menu: TreeMenu | None,
    ) -> "_TurnHand":
        mean = np.asarray((boards.chance * boards.results).sum(axis=0))
        walk = HandWalk(tree, strategies, 1 - view.seat, mean, boards=boards)
        return _TurnHand(walk, view.variant, menu and SmallerMenu(menu))

    def _deal(
        self, view: View, ends: Sequence[StreetEnd], cards: tuple[int, ...], chance: Values
    ) -> list[tuple[StreetEnd, View]]:
        """Ends to which `cards` may be dealt, with what the bot sees then.

        It holds the hand that it has most often there.
        """
        found = []
        for end in ends:
            reach = end.reach * chance
            if end.value is None and reach.any():
                hole = _name_hand(view.variant, int(reach.argmax()))
                after = view_after(replace(view, hole=hole), end.acts).after_board(cards)
                found.append((end, after))
        return found


class _TurnHand:
    """A hand of the responder that plays what `walk` finds best; `menu` is what it may bet."""

    def __init__(self, walk: HandWalk, variant: Variant, menu: TreeMenu | None) -> None:
        self.walk, self.variant, self.menu = walk, variant, menu

    def play(self, reach: Values) -> list[StreetEnd]:
        """Where it comes to, with all hands of the bot in `reach`."""
        return self._play(0, reach, ())[1]

    def _play(
        self, node: int, reach: Values, acts: tuple[Act, ...]
    ) -> tuple[float, list[StreetEnd]]:
        """What a node is worth, and the ends below."""
        walk, tree = self.walk, self.walk.tree
        if tree.phase[node] != betting.BET:
            value = float(walk.value(node, reach))
            decided = None if tree.phase[node] == betting.DEAL else value
            return value, [StreetEnd(acts, reach, decided)]
        mine = tree.situations[node, betting.ACTOR] == walk.seat
        children = tree.children[tree.starts[node] : tree.starts[node + 1]].tolist()
        below = []
        for k, act in enumerate(list_acts(tree, node)):
            if mine and not self._may(node, act):
                continue
            share = 1.0 if mine else walk.strategies[node][k]
            below.append(self._play(children[k], reach * share, (*acts, act)))
        if mine:
            return max(below, key=lambda found: found[0])
        return sum(value for value, _ in below), [end for _, ends in below for end in ends]

    def _may(self, node: int, act: Act) -> bool:
        """Whether the responder considers an action."""
        if act.kind != RAISE or self.menu is None:
            return True
        situation = tuple(self.walk.tree.situations[node].tolist())
        return act.total in self.menu.totals(self.variant, situation)


class _Known:
    """Strategies by node; zeros where no hand comes."""

    def __init__(self, tree: BettingTree, found: dict[int, Values]) -> None:
        self.tree, self.found = tree, found
        self._n_hands = next(iter(found.values())).shape[-1]

    def __getitem__(self, node: int) -> Values:
        if node in self.found:
            return self.found[node]
        return np.zeros((int(self.tree.starts[node + 1] - self.tree.starts[node]), self._n_hands))


class _Played:
    """What a solution plays on its street and, once each of `cards` is dealt, to the end."""

    def __init__(
        self,
        solution: StreetSolution,
        cards: Sequence[tuple[int, ...]],
        threshold: float,
        purify: bool,
    ) -> None:
        self.solution, self.cards = solution, cards
        self.threshold, self.purify = threshold, purify

    def __getitem__(self, node: int) -> Values:
        solution = self.solution
        if node in solution.strategies:
            return play_shares(solution.strategies[node], self.threshold, self.purify)
        shares = np.stack([solution.shares(node, (each,)) for each in self.cards], axis=1)
        return play_shares(shares, self.threshold, self.purify)


def _add_decided(ends: Sequence[StreetEnd]) -> float:
    return sum(end.value for end in ends if end.value is not None)


def _name_hand(variant: Variant, number: int) -> tuple[int, ...]:
    """The cards of a hand of 52, the highest first."""
    return (number,) if variant.hole_cards == 1 else unindex_pair(number)[::-1]
