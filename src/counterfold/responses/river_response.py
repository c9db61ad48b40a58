"""What a best responder wins on the last street from a bot, where it plays on or searches.

The responder holds one hand and knows the range of the bot, exactly as the bot has played so far.
In the tree of the street it does what is best against all hands of that range at once. Beside the
bets of the tree it may open with others: the bot that searches then solves the street with such a
bet, and the bot that does not reads it as one that it knows.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from counterfold.bets.menu import BetMenu, PublicPlace
from counterfold.bots.choices import write_action
from counterfold.bots.tracking import range_tracking_kernels as tracking
from counterfold.bots.view import View
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.betting_kernels import CALL, RAISE
from counterfold.ranges.betting_tree import BettingTree
from counterfold.search.blueprint_strategies import BlueprintStrategies
from counterfold.search.hand_ranges import Act, StreetRanges, Values, copy_range
from counterfold.search.hand_walk import HandWalk
from counterfold.search.played_shares import play_shares
from counterfold.search.search_bot import SearchBot
from counterfold.search.street_solution import find_edge

_CHECK = Act(CALL, 0)


class StreetPlay(NamedTuple):
    """What the hands of a bot do below the root of a tree, and a node of it."""

    tree: BettingTree
    strategies: dict[int, Values]  # [actions, hands of 52 cards] by node
    node: int


class _Board(NamedTuple):
    """The only board of a street that ends the hand."""

    board: tuple[int, ...]
    street: int = 0
    parent: int = 0


Asked = Callable[[Sequence[Act]], StreetPlay]  # what a bot does after actions of the street


@dataclass(frozen=True)
class RiverResponse:
    """Chips that the responder wins over the whole hand, on average over the bot's range."""

    alone: float  # from the bot that plays its strategy
    searched: float
    is_searched: bool  # whether the bot found a solution at all


class RiverResponder:
    """Responds to `bot` from the start of the last street on; `menu` is what it may open with."""

    def __init__(self, bot: SearchBot, menu: BetMenu) -> None:
        self.bot, self.menu = bot, menu

    def respond(self, view: View, hole: Sequence[int], results: Values) -> RiverResponse:
        """`view` is the bot's when the street begins, `hole` and `results` are the responder's.

        `results` [hands of 52 cards] are 1 against hands that it beats, -1 against those that beat
        it.
        """
        bot = self.bot
        bot.begin_hand(view)
        ranges, variant = bot.ranges, bot.variant
        street = ranges.follow(variant, view.board, view.history, view.seat)
        reach = ranges.weights(street.held[view.seat])
        reach *= ranges.possible_hands((*hole, *view.board_cards))
        if view.my_turn:
            bot.act(view)  # later bets are solved from where this solution has led
        searched = _SearchedPlay(bot, view, street)
        alone = _BlueprintPlay(bot, view, street)
        hand = _Hand(1 - view.seat, results, reach / reach.sum(), view, self.menu)
        return RiverResponse(hand.win(alone.find), hand.win(searched.find), not searched.n_missed)


class _BlueprintPlay:
    """A bot that plays its strategy in the trees that its search would solve."""

    def __init__(self, bot: SearchBot, view: View, street: StreetRanges) -> None:
        self.bot, self.view, self.street = bot, view, street

    def find(self, acts: Sequence[Act]) -> StreetPlay:
        """What it does after `acts`."""
        root, held, since = self.street.root, self.street.held[self.view.seat], tuple(acts)
        if len(acts) == 2:  # it has checked, and is bet into
            root, held = self._after_check()
            since = since[1:]
        bet = since[0].total if since and since[0].is_raise else None
        tree = self.bot.solver.tree(self.bot.variant, root, bet)
        boards = [_Board(self.street.board)]
        strategies = BlueprintStrategies(self.bot.ranges, held, self.view.seat)
        found = {shares.node: shares.shares for shares in strategies(tree, boards)}
        return StreetPlay(tree, _with_all_nodes(tree, found), _go(tree, 0, since))

    def _after_check(self) -> tuple[tuple[int, ...], tracking.TrackedRange]:
        ranges, variant, root = self.bot.ranges, self.bot.variant, self.street.root
        k, held = root[betting.STREET], copy_range(self.street.held[self.view.seat])
        labels = ranges.label(self.street.board, k)[k]
        tracking.range_after_bot(
            ranges.policy, variant.rules, root, k, labels, *_CHECK, held, ranges.room
        )
        return tuple(betting.after_call(variant.rules, root)), held


class _SearchedPlay:
    """A bot that searches, or plays its strategy where it cannot."""

    def __init__(self, bot: SearchBot, view: View, street: StreetRanges) -> None:
        self.bot, self.view = bot, view
        self.n_missed = 0
        self._alone = _BlueprintPlay(bot, view, street)

    def find(self, acts: Sequence[Act]) -> StreetPlay:
        """What it does after `acts`, at a decision of its own."""
        view = self.view
        for act in acts:
            view = view.after(write_action(view, *act, view.hole))
        foreseen = self.bot.foresee(view)
        if foreseen is None:
            self.n_missed += 1
            return self._alone.find(acts)
        policy, solution = self.bot.policy, foreseen.solution
        played = {
            node: play_shares(shares, policy.threshold, policy.purify)
            for node, shares in solution.strategies.items()
        }
        return StreetPlay(solution.tree, played, foreseen.node)


@dataclass(frozen=True)
class _Hand:
    """A hand of the responder at the start of the street, against a range that adds up to 1."""

    seat: int
    results: Values
    reach: Values
    view: View  # the bot's
    menu: BetMenu

    def win(self, find: Asked) -> float:
        """Chips that it wins at best from a bot that plays as `find` says."""
        root = self.view.situation
        if root[betting.ACTOR] == self.seat:
            play = find((_CHECK,))
            return max(self._walk(play).value(0, self.reach), *self._open(find, play, 0, ()))
        play = find(())
        tree, total = play.tree, 0.0
        for k, share in enumerate(play.strategies[0]):
            edge = tree.starts[0] + k
            child, reach = int(tree.children[edge]), self.reach * share
            won = self._walk(play).value(child, reach)
            if tree.kinds[edge] == CALL:
                won = max(won, *self._open(find, play, child, (_CHECK,), reach))
            total += won
        return total

    def _walk(self, play: StreetPlay) -> HandWalk:
        return HandWalk(play.tree, play.strategies, self.seat, self.results)

    def _open(
        self,
        find: Asked,
        play: StreetPlay,
        node: int,
        before: tuple[Act, ...],
        reach: Values | None = None,
    ) -> list[float]:
        """What each bet wins that the tree of `play` does not offer at `node`; never empty."""
        situation = tuple(play.tree.situations[node].tolist())
        found = [-np.inf]
        for _, total in self.menu.bets(PublicPlace(self.view.variant, situation)):
            act = Act(RAISE, total)
            if find_edge(play.tree, node, act) is None:
                answer = find((*before, act))
                found.append(
                    self._walk(answer).value(answer.node, self.reach if reach is None else reach)
                )
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
