"""A trained run as people use it: its strategy, its ranges, and a bot that plays it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from counterfold.blueprints.action_values import ActionValues, ValueEstimate, check_valued
from counterfold.blueprints.betting_line import find_end, follow, list_steps
from counterfold.blueprints.hand_buckets import HandBuckets
from counterfold.blueprints.strategy_table import StrategyTable, find_range, look_up
from counterfold.bots.played_run import bot_of, policy_of
from counterfold.bots.policy_kernels import Policy
from counterfold.bots.strategy_bot import StrategyBot
from counterfold.cards import Range, equity, format_card, format_cards, parse_cards
from counterfold.cards.pairs import PAIR_CARDS, index_pairs
from counterfold.cards.table_files import Progress
from counterfold.errors import IllegalActionError, UnsupportedGameError
from counterfold.games.holdem import Variant
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.line_steps import extend_by_deal, write_line
from counterfold.training.train_folder import TrainedRun, load_trained


@dataclass(frozen=True, eq=False)
class TrainedBot:
    """A trained strategy, and what can be asked about it."""

    run: TrainedRun

    @property
    def name(self) -> str:
        """Name of the recipe."""
        return self.run.name

    @property
    def variant(self) -> Variant:
        """The rules that it was trained for."""
        return self.run.plan.variant

    def strategy(
        self, hand: str | None = None, board: str = "", history: str = "", seen: str = ""
    ) -> StrategyTable:
        """What it does with `hand`, or with every hand, after `history` on `board`.

        Parameters
        ----------
        hand
            Such as ``AhKs``; all hands that fit the board if not given.
        board
            Such as ``2h7hTc``.
        history
            The betting, words as in ``c k r12 / k``; see the reference of the command `show`.
        seen
            The cards of the other's hand that it has seen at auctions for a look, in their order;
            if not given, the average over what it may have seen. One that was seen twice is
            written twice, with a space between.
        """
        hands = None if hand is None else [parse_cards(hand)]
        shown = tuple(card for word in seen.split() for card in parse_cards(word))
        cards = parse_cards(board), hands, shown
        return look_up(self.run.blueprint, self._hand_buckets, history, *cards)

    def range(
        self, board: str = "", history: str = "", seat: int | None = None
    ) -> NDArray[np.float64]:
        """[1326] how likely a seat is to reach a situation with each hand, in the order of
        `index_pair`. The seat is by default the one to act. Hands that the board rules out have 0.
        """
        cards, blueprint = parse_cards(board), self.run.blueprint
        if seat is None:
            graph = blueprint.game.graph
            seat = int(graph.field(betting.ACTOR)[follow(graph, history, cards).node])
        return find_range(blueprint, self._hand_buckets, history, cards, seat)

    def write_line(self, board: str = "", history: str = "") -> str:
        """The line of `history` on `board`, its cards written where they are dealt."""
        graph = self.run.blueprint.game.graph
        return write_line(list_steps(graph, follow(graph, history, parse_cards(board))))

    def runouts(self, history: str, board: str = "") -> Iterator[tuple[str, StrategyTable]]:
        """The strategy after each next card, with the card, for a line that ends a street."""
        graph = self.run.blueprint.game.graph
        line = find_end(graph, history, parse_cards(board))
        situation = graph.situations[line.node]
        street = int(situation[betting.STREET]) + 1
        streets = self.variant.streets
        if (
            situation[betting.PHASE] != betting.DEAL
            or streets[min(street, len(streets) - 1)].cards != 1
        ):
            raise IllegalActionError(
                f"no single card is dealt after the line {history!r}; end it with the call or "
                "check that ends the betting of a street"
            )
        text = write_line(list_steps(graph, line))
        for card in self.variant.deck.cards.tolist()[::-1]:
            if card not in line.board:
                yield format_card(card), self.strategy(history=extend_by_deal(text, (card,)))

    def equities(self, table: StrategyTable, hands: Sequence[Sequence[int]]) -> list[float] | None:
        """The equity of `hands` against the range with which the other seat gets to `table`.

        None before the flop, where hands change, and where the board is not that of hold'em.
        """
        variant = self.variant
        holdem = variant.hole_cards == 2 and variant.board_cards() == 5
        holdem = holdem and variant.usual_showdown
        if not holdem or not table.board or variant.hands_change or variant.max_runs:
            return None
        blueprint, seat = self.run.blueprint, 1 - table.seat
        theirs = find_range(blueprint, self._hand_buckets, table.history, table.board, seat)
        found = []
        for hand in hands:
            free = ~np.isin(PAIR_CARDS, list(hand)).any(axis=1)
            if (theirs * free).sum() <= 0:
                found.append(float("nan"))
                continue
            against = Range(np.where(free, theirs, 0.0))
            met = equity(format_cards(hand), against, table.board, deck=variant.deck)
            found.append(met.equity)
        return found

    def reach(self, table: StrategyTable) -> NDArray[np.float64] | None:
        """[rows] how likely the seat to act is to get here with the hand of each row.

        None where hands change, or have one card, or a bounty.
        """
        if self.variant.hands_change or self.variant.hole_cards != 2 or self.variant.bounty:
            return None
        weights = find_range(
            self.run.blueprint, self._hand_buckets, table.history, table.board, table.seat
        )
        return weights[index_pairs(np.array([row.hand for row in table.rows]).reshape(-1, 2))]

    def values(
        self,
        table: StrategyTable,
        *,
        runouts: int | None = None,
        seed: int = 0,
        progress: Callable[[int, int], bool] | None = None,
    ) -> ActionValues:
        """What each hand of `table` wins of the pot by each action, against the range with which
        the other seat gets there, if both seats play this strategy from there on.

        Raises `UnsupportedGameError` where hands change, the board may run on, or more than the pot
        is won.

        Parameters
        ----------
        runouts
            How many run-outs to take: by default all of them where at most one card is to come,
            which is exact, and 100 random ones before that, with intervals.
        seed
            Of the order in which run-outs are taken.
        progress
            Called after each run-out with the numbers taken and wanted; if it returns False, the
            values so far are returned.
        """
        estimate = self.estimate_values(table, seed)
        wanted = runouts or estimate.n_wanted
        while estimate.n_runouts < wanted and estimate.add_runout():
            if progress is not None and not progress(estimate.n_runouts, wanted):
                break
        return estimate.values()

    @property
    def knows_values(self) -> bool:
        """Whether `values` can be computed in its variant."""
        try:
            check_valued(self.variant)
        except UnsupportedGameError:
            return False
        return True

    def estimate_values(self, table: StrategyTable, seed: int = 0) -> ValueEstimate:
        """The same, one run-out at a time."""
        return ValueEstimate(table, self._hand_buckets, seed)

    @cached_property
    def _hand_buckets(self) -> HandBuckets:
        plan = self.run.plan
        return HandBuckets(
            plan.dealer, self.run.cards, plan.exact[0] if plan.is_enumerated else None
        )

    @cached_property
    def policy(self) -> Policy:
        """What it plays, as arrays."""
        return policy_of(self.run)

    def player(self, seed: int = 0) -> StrategyBot:
        """A bot that plays the strategy from views; `seed` is for its choices."""
        return bot_of(self.run, seed, policy=self.policy)

    def __repr__(self) -> str:
        return f"<TrainedBot {self}>"

    def __str__(self) -> str:
        game = self.run.blueprint.game
        return (
            f"{self.name}: {self.variant.name}, {game.n_infosets:,} information sets, "
            f"{self.run.blueprint.coverage:.1%} trained"
        )


def load_bot(folder: str | Path, progress: Progress | None = None) -> TrainedBot:
    """The bot of the run in `folder`; card tables are built if the cache does not have them."""
    return TrainedBot(load_trained(Path(folder), progress))
