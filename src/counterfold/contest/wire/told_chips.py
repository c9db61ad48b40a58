"""What lines tell of an engine's chips, which they never name: its stack and its blinds."""

from dataclasses import dataclass, field, replace

from counterfold.games.holdem import Variant
from counterfold.games.holdem.action_words import CHECK
from counterfold.games.holdem.payoff import MAX_STACK

_LARGE_BET = 10  # big blinds; a smaller raise may be refused because blinds are others
_UNKNOWN = MAX_STACK


@dataclass
class ToldChips:
    """The stack is at least what somebody has put in, and less than what the engine refused."""

    least: int = 0
    most: int = _UNKNOWN
    posted: dict[int, int] = field(default_factory=dict)  # blind and ante of a seat, once known

    def put_in(self, total: int, variant: Variant) -> Variant:
        """The variant with a stack of which somebody has put `total` in."""
        if total >= MAX_STACK:
            return variant
        self.least, self.most = max(self.least, total), max(self.most, total)
        if total <= variant.stack:
            return variant
        if self.most < _UNKNOWN:  # then the stack was guessed, and whoever goes beyond is all-in
            return replace(variant, stack=total)
        times = -(-total // variant.stack)
        return replace(variant, stack=min(times * variant.stack, MAX_STACK - 1))

    def refuse(self, total: int, variant: Variant) -> Variant:
        """The variant with a stack of which nobody can put `total` in; the same if blinds alone
        may be why it was refused.
        """
        if total < _LARGE_BET * variant.big_blind:
            return variant
        self.most = total - 1
        if self.least >= total:  # what was told before was wrong
            self.least = 0
        least = max(self.least, variant.ante + max(variant.blinds) + 1)
        return replace(variant, stack=max(least, total // 2))

    def name(self, stack: int, variant: Variant) -> Variant:
        """The variant with a stack that the engine has named."""
        self.least = self.most = stack
        return replace(variant, stack=stack)

    def post(self, seat: int, chips: int, variant: Variant) -> Variant:
        """The variant in which a fold of `seat` to a blind costs `chips`.

        The other blind is what it was known to be, or in proportion. Raises `GameError` if nobody
        can post this.
        """
        changed = with_blind(variant, seat, chips)
        if (other := self.posted.get(1 - seat)) is not None:
            own, other = chips - changed.ante, other - changed.ante
            changed = replace(changed, blinds=(own, other) if seat == 0 else (other, own))
        self.posted[seat] = chips
        if self.most < _LARGE_BET * changed.big_blind:  # then the blinds were why it was refused
            self.most = _UNKNOWN
        return changed

    def post_as(self, action: str, variant: Variant) -> Variant:
        """The variant whose blinds allow the first action of a hand: a check if they are equal,
        a call or a fold if they are not.
        """
        if action != CHECK:
            self.posted.clear()
            return replace(variant, blinds=(variant.big_blind // 2, variant.big_blind))
        known = next(iter(self.posted.values()), max(variant.blinds) + variant.ante)
        return replace(variant, blinds=(known - variant.ante,) * 2)


def with_blind(variant: Variant, seat: int, chips: int) -> Variant:
    """The variant in which a seat posts `chips`, ante included, and all else is in proportion.

    The stack stays as it is if both can post from it.
    """
    posted = variant.blinds[seat] + variant.ante
    ante, min_bet, stack, *blinds = (
        old * chips // posted
        for old in (variant.ante, variant.min_bet, variant.stack, *variant.blinds)
    )
    blinds[seat] = chips - ante
    if variant.stack > ante + max(blinds):
        stack = variant.stack
    return replace(variant, ante=ante, min_bet=min_bet, stack=stack, blinds=(blinds[0], blinds[1]))
