"""A person against a bot, hand after hand, one call for each step.

Cards and choices of the bot follow from the seed and the number of the hand. So the actions of a
hand are all that must be kept to return to the middle of it.
"""

from collections.abc import Sequence

from counterfold.bots.explain import DecisionTrace
from counterfold.bots.hand import Hand, shuffle
from counterfold.bots.interface import HandResult, MatchInfo, decide
from counterfold.bots.strategy_bot import StrategyBot
from counterfold.bots.view import View
from counterfold.errors import IllegalActionError
from counterfold.games.holdem import Variant

NAMES = ("bot", "you")


class PlaySession:
    """Deals hand `number` and those after it; `adviser` plays as `bot` does, from the other seat.

    Seats alternate: the person is the dealer of even hands. With `actions`, those of a hand that
    was begun before, the session resumes after them.
    """

    def __init__(
        self,
        variant: Variant,
        bot: StrategyBot,
        adviser: StrategyBot,
        seed: int,
        number: int = 0,
        actions: Sequence[str] = (),
    ) -> None:
        self.variant, self.bot, self.adviser, self.seed = variant, bot, adviser, seed
        self.number = number  # of the hand in play, from 0
        for player in (bot, adviser):
            player.begin_match(MatchInfo(variant, NAMES))
            player.numbers.hand = number
        self._deal(actions)

    def _deal(self, actions: Sequence[str] = ()) -> None:
        """Begin hand `number`, and repeat `actions` of it."""
        self.seat = self.number % 2  # of the person
        self.hand = Hand(
            self.variant,
            shuffle(self.variant, self.seed, self.number),
            self.number,
            NAMES[::-1] if self.seat == 0 else NAMES,
        )
        self.actions: list[str] = []  # of this hand, of both
        self.advice: list[DecisionTrace] = []  # what the bot would do, at decisions of the person
        self.faults: list[str] = []  # of the bot
        self.bot.begin_hand(self.hand.view(1 - self.seat))
        self.adviser.begin_hand(self.hand.view(self.seat))
        for action in actions:
            self._take(action)
        self._let_bot_act()

    @property
    def view(self) -> View:
        """What the person knows."""
        return self.hand.view(self.seat)

    @property
    def over(self) -> bool:
        """Whether the hand has ended."""
        return self.hand.waits_for is None

    @property
    def chips(self) -> int:
        """Chips that the person has won, once the hand is over."""
        return self.hand.chips[self.seat]

    def act(self, action: str) -> None:
        """Do `action` for the person; then the bot acts until it is the person's turn again."""
        if self.over or not self.view.is_legal(action):
            raise IllegalActionError(f"action {action!r} is not legal in {self.view}")
        self._take(action)
        self._let_bot_act()

    def next_hand(self) -> None:
        """Deal the next hand, once this one is over."""
        if not self.over:
            raise IllegalActionError(f"the hand is not over in {self.view}")
        self.number += 1
        self._deal()

    def hint(self) -> DecisionTrace:
        """What the bot would do in the place of the person, who is to act."""
        if self.over or self.hand.waits_for != self.seat:
            raise IllegalActionError("there is nothing to decide")
        if not self.advice or self.advice[-1].view != self.view:
            self.adviser.act(self.view)
            trace = self.adviser.last_trace
            assert trace is not None
            self.advice.append(trace)
        return self.advice[-1]

    def _let_bot_act(self) -> None:
        while self.hand.waits_for == 1 - self.seat:
            action, fault = decide(self.bot, self.hand.view(1 - self.seat))
            self._play(action, fault)

    def _take(self, action: str) -> None:
        """Play an action of either seat; the bot sees its own decisions again."""
        if self.hand.waits_for == self.seat:
            self.hint()
            self._play(action)
            return
        if self.hand.waits_for is None:
            raise IllegalActionError(f"action {action!r} comes after the end of the hand")
        _, fault = decide(self.bot, self.hand.view(1 - self.seat))
        self._play(action, fault)

    def _play(self, action: str, fault: str = "") -> None:
        self.hand.act(action)
        self.actions.append(action)
        if fault:
            self.faults.append(fault)
        if self.over:
            shown = tuple(self.hand.holes[self.seat]) if self.hand.showdown else ()
            view = self.hand.view(1 - self.seat)
            self.bot.end_hand(HandResult(view, self.hand.chips[1 - self.seat], shown))
