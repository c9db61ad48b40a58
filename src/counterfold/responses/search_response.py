"""A lower bound on what can be won from a bot that searches its last streets, and without search.

Before those streets the responder plays as a local best response does; there both the bot that
searches and the one that plays its strategy are responded to, from the same hands. So hands that
end earlier count alike, and the difference of the two bounds has a narrow interval. What is won on
the last street is a mean over all hands of the bot and all that both may do, not a sample; where
the street before it is searched, too, some boards of the last one are drawn for each hand.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.bets.menu import BetMenu
from counterfold.bots.choices import write_action
from counterfold.bots.dealt_hands import deal_hand
from counterfold.bots.hand import Hand
from counterfold.bots.interface import MatchInfo
from counterfold.bots.played_run import policy_of
from counterfold.cards.ranking_kernels import card_bit
from counterfold.errors import MatchError, UnsupportedGameError
from counterfold.frames import NamedFigures
from counterfold.intervals import Estimate, mean_and_interval
from counterfold.responses import run_out_kernels
from counterfold.responses.responder import NO_ACT, Responder, run_out_room
from counterfold.responses.river_response import HandResponse, RiverResponder
from counterfold.responses.turn_response import TurnResponder
from counterfold.search.hand_ranges import Values
from counterfold.search.searching_bot import SearchingBot

KIND = "lower bound with search"

DEFAULT_BOARDS = 2
MOST_STREETS = 2

_BATCH = 32  # deals
_MOST_ACTS = 64  # of a hand before the last street


@dataclass(frozen=True)
class SearchResponse(NamedFigures):
    """What was won from a bot with and without search, in mb/hand: lower bounds."""

    variant: str  # its name
    mode: str
    menu: str  # of the responder
    hands: int
    seed: int
    alone: Estimate  # from the bot that plays its strategy, the mean of both seats
    searched: Estimate
    difference: Estimate  # how much less is won from the bot that searches
    streets: int  # that may be searched
    reached: int  # hands that came to the first of them
    unsearched: int  # of those, the ones where the bot played its strategy somewhere
    seconds: float = field(compare=False)

    def to_dict(self) -> dict[str, Any]:
        """All figures by name, as JSON has them."""
        return {
            "kind": KIND,
            "unit": "mb/g",
            "mode": self.mode,
            "menu": self.menu,
            "hands": self.hands,
            "seed": self.seed,
            "exploitability": self.searched.to_dict(),
            "without_search": self.alone.to_dict(),
            "difference": self.difference.to_dict(),
            "streets": self.streets,
            "reached": self.reached,
            "unsearched": self.unsearched,
            "seconds": self.seconds,
        }

    def __str__(self) -> str:
        return (
            f"at least {self.searched} mb/hand can be won with search, {self.alone} without, "
            f"{self.difference} less (95% intervals), in {self.hands:,} hands of {self.variant}"
        )


class _Batch(NamedTuple):
    """What came of a batch of deals, each played in both seats."""

    alone: NDArray[np.float64]  # [2, n] chips of the responder
    searched: NDArray[np.float64]
    n_reached: int
    n_unsearched: int


def search_response(
    bot: SearchingBot,
    *,
    hands: int = 1000,
    seed: int = 0,
    menu: BetMenu | str | None = None,
    boards: int = DEFAULT_BOARDS,
    progress: Callable[[int, int], None] | None = None,
) -> SearchResponse:
    """What is won from `bot` over `hands` hands, half of them in either seat.

    The same seed plays the same hands as `local_response` up to the first street that is searched,
    and without a limit of time gives the same figures.

    Parameters
    ----------
    menu
        The bets that the responder considers before the streets that are searched, and may open the
        last one with.
    boards
        Where the last street but one is searched: how many of the boards that may follow are drawn
        for each hand.
    progress
        Called with the deals that are done and all of them; each is played in both seats.
    """
    if hands < 4:
        raise MatchError(f"a local best response needs at least four hands, not {hands!r}")
    if boards < 1:
        raise MatchError(f"boards must be 1 or more, not {boards!r}")
    if bot.options.streets > MOST_STREETS:
        raise UnsupportedGameError(
            f"a response to search is for the last {MOST_STREETS} streets, not for "
            f"{bot.options.streets}; pass streets={MOST_STREETS}, --resolve-streets {MOST_STREETS}"
        )
    started, n_deals = perf_counter(), hands // 2
    players = _Players(bot, menu, seed, boards)
    batches = []
    for first in range(0, n_deals, _BATCH):
        batches.append(players.play(first, min(_BATCH, n_deals - first)))
        if progress is not None:
            progress(min(first + _BATCH, n_deals), n_deals)
    in_mb = 1000.0 / bot.variant.big_blind
    alone = in_mb * np.concatenate([each.alone for each in batches], axis=1).mean(axis=0)
    searched = in_mb * np.concatenate([each.searched for each in batches], axis=1).mean(axis=0)
    return SearchResponse(
        variant=bot.variant.name,
        mode=bot.options.mode,
        menu=players.responder.menu.name,
        hands=2 * n_deals,
        seed=seed,
        alone=Estimate(*mean_and_interval(alone)),
        searched=Estimate(*mean_and_interval(searched)),
        difference=Estimate(*mean_and_interval(alone - searched)),
        streets=bot.options.streets,
        reached=sum(each.n_reached for each in batches),
        unsearched=sum(each.n_unsearched for each in batches),
        seconds=perf_counter() - started,
    )


class _Players:
    """The responder, up to the streets that are searched and there, and the bot."""

    def __init__(
        self, bot: SearchingBot, menu: BetMenu | str | None, seed: int, boards: int
    ) -> None:
        run = bot.run
        self.variant, self.seed = bot.variant, seed
        self.responder = Responder(run.plan.dealer, policy_of(run), run.cards, menu)
        player = bot.player(seed)
        player.begin_match(MatchInfo(bot.variant))
        self.first_street = player.first_street
        self.on_river = RiverResponder(player, self.responder.menu, bot.blueprint_menu)
        self.on_turn = TurnResponder(self.on_river, self._compare, boards)
        opponent = self.responder.opponent
        self._room = run_out_room(opponent.hands, opponent.showdowns)

    def play(self, first: int, n: int) -> _Batch:
        """Play deals in both seats."""
        values, _, acts = self.responder.play_until(
            self.first_street, self.seed, first, n, _MOST_ACTS
        )
        alone, searched = values, values.copy()
        n_reached = n_unsearched = 0
        for seat, i in np.argwhere(np.isnan(values)).tolist():
            hand = self._rebuild(first + i, acts[seat, i].tolist())
            found = self._respond(hand, seat, first + i)
            alone[seat, i], searched[seat, i] = found.alone, found.searched
            n_reached += 1
            n_unsearched += not found.is_searched
        return _Batch(alone, searched, n_reached, n_unsearched)

    def _respond(self, hand: Hand, seat: int, number: int) -> HandResponse:
        view, hole = hand.view(1 - seat), hand.view(seat).hole
        if self.first_street == len(self.variant.streets) - 1:
            return self.on_river.respond(view, hole, self._compare(hole, view.board_cards))
        rng = np.random.default_rng((self.seed, number, seat))
        return self.on_turn.respond(view, hole, rng)

    def _rebuild(self, number: int, acts: list[list[int]]) -> Hand:
        """A deal, at the beginning of the first street that is searched."""
        hand = Hand(self.variant, deal_hand(self.variant, self.seed, number))
        for kind, amount in _until_end(acts):
            assert hand.waits_for is not None
            view = hand.view(hand.waits_for)
            hand.act(write_action(view, kind, amount, view.hole))
        return hand

    def _compare(self, hole: Sequence[int], board: tuple[int, ...]) -> Values:
        """[hands of 52 cards] 1 where `hole` wins, -1 where it loses, else 0."""
        opponent, ranges = self.responder.opponent, self.on_river.bot.ranges
        own, seen = np.int64(0), np.int64(0)
        for card in hole:
            own |= card_bit(np.uint8(card))
        for card in (*hole, *board):
            seen |= np.int64(1) << np.int64(card)
        margins = np.zeros(len(opponent.hands.cards))
        run_out_kernels.find_margins(
            opponent.hands,
            opponent.showdowns,
            np.array(board, np.uint8),
            len(board),
            own,
            0,
            seen,
            np.uint64(0),
            self._room,
            margins,
        )
        return ranges.by_number(margins)


def _until_end(acts: list[list[int]]) -> Iterator[list[int]]:
    for act in acts:
        if act[0] == NO_ACT:
            return
        yield act
