"""A trained bot that finds out the order of ranks during a match; see `contest.rank_belief`."""

from dataclasses import replace

from counterfold.bots.interface import Bot, HandResult, MatchInfo
from counterfold.bots.strategy_bot import StrategyBot
from counterfold.bots.view import View
from counterfold.contest.rank_belief import RankBelief
from counterfold.games.holdem import Variant


class RankLearningBot(Bot):
    """Plays `bot` by the order of ranks that showdowns suggest, whatever its variant says."""

    def __init__(self, bot: StrategyBot, seed: int = 0) -> None:
        self.bot, self.seed = bot, seed
        self.belief = RankBelief(seed)

    @property
    def variant(self) -> Variant:
        """The rules that the bot was trained for."""
        return self.bot.variant

    def begin_match(self, match: MatchInfo) -> None:
        """Know nothing of the order again, unless only the chips turned out to be others."""
        self.bot.begin_match(match)
        if not match.under_way:
            self.belief = RankBelief(self.seed)
        self._count_anew()

    def begin_hand(self, view: View) -> None:
        """As the bot does."""
        self.bot.begin_hand(view)

    def act(self, view: View) -> str:
        """As the bot does, by the order that is believed in now."""
        return self.bot.act(view)

    def end_hand(self, result: HandResult) -> None:
        """Learn from who won if both hands were shown."""
        self.bot.end_hand(result)
        if result.opponent_hole:
            view, board = result.view, result.view.board_cards
            sign = (result.chips > 0) - (result.chips < 0)
            self.belief.observe((*view.hole, *board), (*result.opponent_hole, *board), sign)
            self._count_anew()

    def _count_anew(self) -> None:
        self.bot.variant = replace(self.bot.variant, rank_order=self.belief.order)
