"""A person against a bot, hand after hand, one call for each step.

Cards and choices of the bot follow from the seed and the number of the hand. So the actions of a
hand are all that must be kept to return to the middle of it.
"""

from collections.abc import Sequence

from counterfold.bots.baselines import Baseline
from counterfold.bots.dealt_hands import deal_hand
from counterfold.bots.explain import DecisionTrace
from counterfold.bots.hand import Hand
from counterfold.bots.hand_events import ActionTaken, BoardDealt, CardDrawn
from counterfold.bots.interface import Bot, HandResult, MatchInfo, decide
from counterfold.bots.strategy_bot import StrategyBot
from counterfold.bots.view import View
from counterfold.errors import IllegalActionError
from counterfold.games.holdem import Variant

NAMES = ("bot", "you")


class PlaySession:
    """Deals hand `number` and those after it; `adviser` plays as `bot` does, from the other seat.

    Seats alternate: the person is the dealer of even hands. With `actions`, those of a hand that
    was begun before, the session resumes after them. A bot without an adviser gives no hints.
    """

    def __init__(
        self,
        variant: Variant,
        bot: Bot,
        adviser: StrategyBot | None,
        seed: int,
        number: int = 0,
        actions: Sequence[str] = (),
    ) -> None:
        self.variant, self.bot, self.adviser, self.seed = variant, bot, adviser, seed
        self.number = number  # of the hand in play, from 0
        for player in self._players:
            player.begin_match(MatchInfo(variant, NAMES))
        self._deal(actions)

    @property
    def _players(self) -> tuple[Bot, ...]:
        return (self.bot,) if self.adviser is None else (self.bot, self.adviser)

    def _deal(self, actions: Sequence[str] = ()) -> None:
        """Begin hand `number`, and repeat `actions` of it."""
        self.seat = self.number % 2  # of the person
        self.hand = Hand(
            self.variant,
            deal_hand(self.variant, self.seed, self.number),
            self.number,
            NAMES[::-1] if self.seat == 0 else NAMES,
        )
        self.actions: list[str] = []  # of this hand, of both
        self.advice: list[DecisionTrace] = []  # what the bot would do, at decisions of the person
        self.faults: list[str] = []  # of the bot
        for player, seat in zip(self._players, (1 - self.seat, self.seat), strict=False):
            if isinstance(player, StrategyBot | Baseline):
                player.numbers.hand = self.number
            player.begin_hand(self.hand.view(seat))
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

    @property
    def traces(self) -> list[DecisionTrace] | None:
        """Why the bot did what it did in this hand; None for one that does not explain itself."""
        return self.bot.traces if isinstance(self.bot, StrategyBot) else None

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

    @property
    def can_undo(self) -> bool:
        """Whether nothing has happened since the person acted: no answer, and no card."""
        for event in reversed(self.hand.events):
            if isinstance(event, ActionTaken):
                return event.seat == self.seat
            if isinstance(event, BoardDealt | CardDrawn) or self.hand.showdown:
                return False
        return False

    def undo(self) -> None:
        """Take back the person's last action, such as a fold."""
        if not self.can_undo:
            raise IllegalActionError("there is nothing to take back: the hand has continued")
        self._deal(self.actions[:-1])

    def hint(self) -> DecisionTrace | None:
        """What the bot would do in the place of the person, who is to act; None if nobody knows."""
        if self.over or self.hand.waits_for != self.seat:
            raise IllegalActionError("there is nothing to decide")
        if self.adviser is None:
            return None
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
