"""AIVAT of sessions: what a person won less the luck of the cards and of the bot's choices.

Cards and choices of a session follow from its seed as those of a hosted match do, so the same
corrections hold. A bot that searches is not known to act by its strategy: then the cards alone are
corrected.
"""

from collections.abc import Iterable
from dataclasses import replace

from counterfold.bots.dealt_hands import deal_hand
from counterfold.bots.hand import Hand
from counterfold.bots.interface import Bot
from counterfold.bots.play.play_session import NAMES
from counterfold.bots.trained_bot import TrainedBot
from counterfold.errors import CounterfoldError, HistoryError, MatchError
from counterfold.games.holdem import Variant
from counterfold.games.holdem.notation import format_action, read_line
from counterfold.matches.aivat.hosted_luck import HostedLuck
from counterfold.matches.entrants import Entrant, run_entrant
from counterfold.matches.hand_histories import HandHistory
from counterfold.matches.match_result import AivatRates

_BOT, _PERSON = NAMES


class SessionLuck:
    """Collects the hands of a session from the first one on."""

    def __init__(self, bot: TrainedBot, seed: int, *, searches: bool = False) -> None:
        self.variant, self.seed = bot.variant, seed
        known = run_entrant(bot.run, _BOT)
        entrant = replace(known, policy=None) if searches else known
        self._luck = HostedLuck(bot.variant, (entrant, Entrant(_PERSON, _refuse)), seed)
        self._luck.begin_match()
        self.n_hands = 0

    def add(self, hand: Hand) -> None:
        """Add the next hand, which is over."""
        self._luck.add(hand, hand.names[1] == _BOT)
        self.n_hands += 1

    def add_histories(self, histories: Iterable[HandHistory]) -> None:
        """Add the hands of a file that follow those that are here."""
        for history in histories:
            if history.hand > self.n_hands:
                self.add(rebuild_hand(history, self.variant, self.seed))

    def rates(self) -> AivatRates | None:
        """What the person won per hand less luck; None before the first hand."""
        if not self.n_hands:
            return None
        found = self._luck.rates()
        return replace(found, chips=-found.chips)


def rebuild_hand(history: HandHistory, variant: Variant, seed: int) -> Hand:
    """The hand of a session as it was played; raises `HistoryError` if it is not of `seed`."""
    number = history.hand - 1
    hand = Hand(variant, deal_hand(variant, seed, number), number, history.players)
    try:
        for word in read_line(history.state):
            if word.is_action:
                hand.act(format_action(variant, hand.state.situation, word))
    except CounterfoldError:
        pass  # told below
    if hand.state.notation != history.state:
        raise HistoryError(
            f"hand {history.hand} was not dealt with seed {seed}, so its luck is unknown"
        )
    return hand


def _refuse(seed: int, number: int) -> Bot:
    raise MatchError("a person cannot be started")
