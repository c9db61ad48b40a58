"""The bets of a blueprint as the menu of a tree: the same sizes, of the real pot."""

from dataclasses import dataclass

from counterfold.bets.menu import BetMenu, PublicPlace
from counterfold.games.holdem import Variant
from counterfold.games.holdem.situation import Situation


@dataclass(frozen=True)
class BlueprintMenu:
    """Offers what `bets` offers."""

    bets: BetMenu

    @property
    def name(self) -> str:
        """Text of the menu."""
        return self.bets.name

    def totals(
        self, variant: Variant, situation: Situation, *, donk: bool = False, dead: int = 0
    ) -> tuple[int, ...]:
        """The totals over the hand that the actor is offered to bet or raise to, ascending."""
        return tuple(total for _, total in self.bets.bets(PublicPlace(variant, situation)))

    def check_fit(self, variant: Variant, root: Situation) -> None:
        """Raise `AbstractionError` if it does not fit the variant."""
        self.bets.compile(variant)
