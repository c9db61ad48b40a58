"""What a best responder wins on the last street from a bot, where it plays on or searches.

The responder holds one hand and knows the range of the bot, exactly as the bot has played so far.
In the tree of the street it does what is best against all hands of that range at once. Beside the
bets of the tree it may open with others: the bot that searches then solves the street with such a
bet, and the bot that does not reads it as one that it knows.
"""

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from counterfold.bets.menu import BetMenu, PublicPlace
from counterfold.bots.choices import write_action
from counterfold.bots.tracking import range_tracking_kernels as tracking
from counterfold.bots.view import View
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.betting_kernels import CALL, RAISE
from counterfold.ranges.betting_growth import TreeMenu
from counterfold.ranges.betting_tree import BettingTree
from counterfold.search.blueprint_strategies import BlueprintStrategies
from counterfold.search.hand_ranges import Act, StreetRanges, Values, copy_range
from counterfold.search.hand_walk import HandWalk
from counterfold.search.played_shares import play_shares
from counterfold.search.search_bot import SearchBot
from counterfold.search.street_solution import find_edge

CHECK = Act(CALL, 0)


class StreetPlay(NamedTuple):
    """What the hands of a bot do in a tree, where the street begins in it, and a node of it."""

    tree: BettingTree
    strategies: dict[int, Values]  # [actions, hands of 52 cards] by node
    first: int
    node: int


class OneBoard(NamedTuple):
    """A board of a spot: the only one of a street, or one that is dealt."""

    board: tuple[int, ...]
    street: int = 0
    parent: int = 0


Asked = Callable[[Sequence[Act]], StreetPlay]  # what a bot does after actions of the street


@dataclass(frozen=True)
class HandResponse:
    """Chips that the responder wins over the whole hand, on average over the bot's range."""

    alone: float  # from the bot that plays its strategy
    searched: float
    is_searched: bool  # whether the bot found a solution at each decision that was asked for


class RiverResponder:
    """Responds to `bot` from the start of the last street on.

    Parameters
    ----------
    menu
        What the responder may open with.
    own
        The bets of the bot's strategy; None for fixed limits.
    """

    def __init__(self, bot: SearchBot, menu: BetMenu, own: TreeMenu | None) -> None:
        self.bot, self.menu, self.own = bot, menu, own

    def respond(self, view: View, hole: Sequence[int], results: Values) -> HandResponse:
        """`view` is the bot's when the street begins, `hole` and `results` are the responder's.

        `results` [hands of 52 cards] are 1 against hands that it beats, -1 against those that beat
        it.
        """
        self.bot.begin_hand(view)
        reach = bot_range(self.bot, view, hole)
        alone = self.win_alone(view, results, reach)
        return HandResponse(alone, *self.win_searched(view, results, reach))

    def win_alone(self, view: View, results: Values, reach: Values) -> float:
        """Chips, times the `reach` of the bot's hands, from the bot that plays its strategy."""
        return self._hand(view, results, reach).win(self._alone(view).find)

    def win_searched(self, view: View, results: Values, reach: Values) -> tuple[float, bool]:
        """The same from the bot that searches from here on, and whether it always could."""
        # Where it is the first to act, later bets are solved from where its solution has led.
        with self.bot.supposing(view) if view.my_turn else nullcontext():
            searched = _SearchedPlay(self.bot, view, self._alone(view))
            won = self._hand(view, results, reach).win(searched.find)
        return won, not searched.n_missed

    def _alone(self, view: View) -> "_BlueprintPlay":
        street = self.bot.ranges.follow(view.variant, view.board, view.history, view.seat)
        return _BlueprintPlay(self.bot, view, street, self.own)

    def _hand(self, view: View, results: Values, reach: Values) -> "_Hand":
        return _Hand(1 - view.seat, results, reach, view, self.menu)


def view_after(view: View, acts: Sequence[Act]) -> View:
    """The view once `acts` are done."""
    for act in acts:
        view = view.after(write_action(view, *act, view.hole))
    return view


def bot_range(bot: SearchBot, view: View, hole: Sequence[int]) -> Values:
    """[hands of 52 cards] the range of the bot when a street begins, beside `hole`; adds up to 1.

    As it has played so far by its strategy.
    """
    street = bot.ranges.follow(view.variant, view.board, view.history, view.seat)
    reach = bot.ranges.weights(street.held[view.seat])
    reach *= bot.ranges.possible_hands((*hole, *view.board_cards))
    return np.asarray(reach / reach.sum())


class _BlueprintPlay:
    """A bot that plays its strategy, in trees with all of its bets."""

    def __init__(
        self, bot: SearchBot, view: View, street: StreetRanges, menu: TreeMenu | None
    ) -> None:
        self.bot, self.view, self.street, self.menu = bot, view, street, menu

    def find(self, acts: Sequence[Act]) -> StreetPlay:
        """What it does after `acts`."""
        root, held, since = self.street.root, self._every_hand(), tuple(acts)
        if len(acts) == 2:  # it has checked, and is bet into
            root, held = self._after_check(held)
            since = since[1:]
        bet = since[0].total if since and since[0].is_raise else None
        tree = self.bot.solver.tree(self.view.variant, root, self.menu, bet)
        strategies = BlueprintStrategies(self.bot.ranges, held, self.view.seat)
        found = {each.node: each.shares for each in strategies(tree, [OneBoard(self.street.board)])}
        return StreetPlay(tree, _with_all_nodes(tree, found), 0, _go(tree, 0, since))

    def _every_hand(self) -> tracking.TrackedRange:
        """Its range with the hands that it would not have here: a search may have led them here."""
        held = copy_range(self.street.held[self.view.seat])
        weights = held.weights[: int(held.n[0])]
        weights[:, ~weights.any(axis=0)] = 1.0
        tracking.remove_cards(
            self.bot.ranges.labeled.hands, sum(1 << card for card in self.street.board), held
        )
        return held

    def _after_check(
        self, held: tracking.TrackedRange
    ) -> tuple[tuple[int, ...], tracking.TrackedRange]:
        ranges, variant, root = self.bot.ranges, self.view.variant, self.street.root
        k = root[betting.STREET]
        labels = ranges.label(self.street.board, k)[k]
        tracking.range_after_bot(
            ranges.policy, variant.rules, root, k, labels, *CHECK, held, ranges.room
        )
        return tuple(betting.after_call(variant.rules, root)), held


class _SearchedPlay:
    """A bot that searches, or plays its strategy where it cannot."""

    def __init__(self, bot: SearchBot, view: View, alone: _BlueprintPlay) -> None:
        self.bot, self.view, self.alone = bot, view, alone
        self.n_missed = 0

    def find(self, acts: Sequence[Act]) -> StreetPlay:
        """What it does after `acts`, at a decision of its own."""
        foreseen = self.bot.foresee(view_after(self.view, acts))
        if foreseen is None:
            self.n_missed += 1
            return self.alone.find(acts)
        policy, solution = self.bot.policy, foreseen.solution
        played = {
            node: play_shares(shares, policy.threshold, policy.purify)
            for node, shares in solution.strategies.items()
        }
        return StreetPlay(solution.tree, played, solution.first, foreseen.node)


@dataclass(frozen=True)
class _Hand:
    """A hand of the responder at the start of the street, against a range."""

    seat: int
    results: Values
    reach: Values
    view: View  # the bot's
    menu: BetMenu

    def win(self, find: Asked) -> float:
        """Chips that it wins at best from a bot that plays as `find` says, times its reach."""
        root = self.view.situation
        if root[betting.ACTOR] == self.seat:
            play = find((CHECK,))
            best = self._value(play, play.first, self.reach)
            return max(best, *self._open(find, play, play.first, (), self.reach))
        play = find(())
        tree, total = play.tree, 0.0
        for k, share in enumerate(play.strategies[play.first]):
            edge = tree.starts[play.first] + k
            child, reach = int(tree.children[edge]), self.reach * share
            won = self._value(play, child, reach)
            if tree.kinds[edge] == CALL:
                won = max(won, *self._open(find, play, child, (CHECK,), reach))
            total += won
        return total

    def _value(self, play: StreetPlay, node: int, reach: Values) -> float:
        walk = HandWalk(play.tree, play.strategies, self.seat, self.results)
        return float(walk.value(node, reach))

    def _open(
        self, find: Asked, play: StreetPlay, node: int, before: tuple[Act, ...], reach: Values
    ) -> list[float]:
        """What each bet wins that the tree of `play` does not offer at `node`; never empty."""
        situation = tuple(play.tree.situations[node].tolist())
        found = [-np.inf]
        for _, total in self.menu.bets(PublicPlace(self.view.variant, situation)):
            act = Act(RAISE, total)
            if find_edge(play.tree, node, act) is None:
                answer = find((*before, act))
                found.append(self._value(answer, answer.node, reach))
        return found


def _go(tree: BettingTree, node: int, acts: Sequence[Act]) -> int:
    """The node that `acts` lead to, all of which the tree offers."""
    for act in acts:
        edge = find_edge(tree, node, act)
        assert edge is not None
        node = int(tree.children[edge])
    return node


def _with_all_nodes(tree: BettingTree, found: dict[int, Values]) -> dict[int, Values]:
    """The strategies, with zeros where no hand comes."""
    n_hands = next(iter(found.values())).shape[1]
    for node in tree.decisions.tolist():
        width = int(tree.starts[node + 1] - tree.starts[node])
        found.setdefault(node, np.zeros((width, n_hands)))
    return found
