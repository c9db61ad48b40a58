"""Fewer bets than a menu offers, for spots that must be solved in little time."""

from dataclasses import dataclass

from counterfold.games.holdem import Variant
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.situation import Situation
from counterfold.ranges.betting_growth import TreeMenu


@dataclass(frozen=True)
class SmallerMenu:
    """Of what `menu` offers, the bet or raise nearest to the pot, and all-in.

    After a raise only one of them is left: all-in if it is offered, since raises are large then.
    Streets before `street` have the whole menu.
    """

    menu: TreeMenu
    street: int = 0

    @property
    def name(self) -> str:
        """Text of the menu."""
        return f"fewer of {self.menu.name}"

    def totals(
        self, variant: Variant, situation: Situation, *, donk: bool = False, dead: int = 0
    ) -> tuple[int, ...]:
        """The totals over the hand that the actor is offered to bet or raise to, ascending."""
        offered = self.menu.totals(variant, situation, donk=donk, dead=dead)
        if not offered or situation[betting.STREET] < self.street:
            return offered
        called = max(situation[betting.SPENT_0], situation[betting.SPENT_1])
        of_pot = called + 2 * called + dead
        nearest = min(offered, key=lambda total: (abs(total - of_pot), total))
        if offered[-1] != variant.stack:
            return (nearest,)
        if situation[betting.N_BETS] > 0:
            return offered[-1:]
        return tuple(sorted({nearest, offered[-1]}))

    def check_fit(self, variant: Variant, root: Situation) -> None:
        """Raise `AbstractionError` if it does not fit the variant."""
        self.menu.check_fit(variant, root)
