"""Real bets and bids as those of a menu, and back.

A size is counted in pots after the call, so it means the same for different chips; the check
or call is the size 0. A bid is counted in pots as they are. Two rules: the nearest size by the
ratio min(a/b, b/a), and at random between the two neighbors by the pseudo-harmonic mapping of
Ganzfried and Sandholm (2013). The ratio of 0 to anything is 0, which would make every tiny bet the
smallest one on the menu; between 0 and the smallest size B the nearest rule therefore switches
where the other one is even, at B / (B + 2).
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from counterfold.bets.menu import PASSIVE_LABELS, BetMenu, Place, format_size
from counterfold.bets.menu import passive_actions as passive
from counterfold.bets.menu_kernels import ALL_IN, NOTHING, bid_of_size, most_bid, total_of_size
from counterfold.errors import IllegalActionError, UnknownNameError
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.action_words import BID, CALL, CHECK, FOLD, RAISE
from counterfold.games.holdem.situation import total_spent

Rule = Literal["nearest", "pseudo-harmonic"]
Beyond = Literal["call", "allin"]
Places = tuple[tuple[int, float], ...]  # indices of sizes with probabilities above 0


def nearest(size: float, sizes: Sequence[float]) -> Places:
    """The one of the ascending `sizes`, of which the first is 0, that is most like `size`."""
    above = bisect_left(sizes, size)
    if above == len(sizes):
        return ((above - 1, 1.0),)
    if above == 0:
        return ((0, 1.0),)
    low, high = sizes[above - 1], sizes[above]
    is_low = size * size <= low * high if low > 0 else size <= high / (high + 2.0)
    return ((above - 1 if is_low else above, 1.0),)


def pseudo_harmonic(size: float, sizes: Sequence[float]) -> Places:
    """The two of the ascending `sizes`, of which the first is 0, that `size` lies between."""
    above = bisect_left(sizes, size)
    if above == len(sizes):
        return ((above - 1, 1.0),)
    if above == 0 or size == sizes[above]:
        return ((above, 1.0),)
    low, high = sizes[above - 1], sizes[above]
    share = (high - size) * (1.0 + low) / ((high - low) * (1.0 + size))
    return ((above - 1, share), (above, 1.0 - share))


RULES = {"nearest": nearest, "pseudo-harmonic": pseudo_harmonic}
BEYOND = ("call", "allin")


@dataclass(frozen=True)
class Translation:
    """How bets of the real game are read as those of `menu`.

    A real all-in is the all-in of the menu where that is offered. For all other bets the all-in is
    a size like any other: a bet becomes all-in only if that is the nearest, or one of the two
    neighbors. Where the menu offers no bet or raise at all, `beyond` says what a real one counts
    as: a check or call, or all-in, which is then legal but not a situation of the abstract game.
    """

    menu: BetMenu
    rule: Rule = "pseudo-harmonic"
    beyond: Beyond = "call"

    def __post_init__(self) -> None:
        if self.rule not in RULES:
            raise UnknownNameError("translation", self.rule, RULES)
        if self.beyond not in BEYOND:
            raise UnknownNameError("action beyond the menu", self.beyond, BEYOND)

    def distribution(
        self, action: str, real: Place, abstract: Place
    ) -> tuple[tuple[str, float], ...]:
        """The abstract actions that a legal `action` at `real` may be, with probabilities.

        Actions are in the notation of states. A fold where the abstract game has nothing to call is
        a check; draws stay what they are.
        """
        if action == FOLD:
            return ((passive(abstract)[0], 1.0),)
        if action in (CHECK, CALL):
            return ((passive(abstract)[-1], 1.0),)
        if action[:1] == BID:
            return self._bids(int(action[1:]), real, abstract)
        if action[:1] != RAISE:
            return ((action, 1.0),)
        total = _total(action, real)
        paid = real.situation[betting.PAID_0], real.situation[betting.PAID_1]
        stack = real.variant.stack - max(paid)
        bets = self.menu.bets(abstract)
        base = abstract.situation[betting.BASE]
        if not bets:
            high = betting.raise_bounds(abstract.variant.rules, abstract.situation)[1]
            if self.beyond == "allin" and high:
                return ((f"{RAISE}{high - base}", 1.0),)
            return ((passive(abstract)[-1], 1.0),)
        names = (passive(abstract)[-1], *(f"{RAISE}{bet - base}" for _, bet in bets))
        if total == stack and bets[-1][0] == format_size(ALL_IN):
            return ((names[-1], 1.0),)
        sizes = (0.0, *(pots(bet, abstract) for _, bet in bets))
        return tuple((names[at], p) for at, p in RULES[self.rule](pots(total, real), sizes))

    def _bids(self, bid: int, real: Place, abstract: Place) -> tuple[tuple[str, float], ...]:
        offered = self.menu.bids(abstract)
        names = [f"{BID}{chips}" for _, chips in offered]
        all_in = bid == most_bid(real.variant.rules, real.situation)
        if all_in and offered[-1][0] == format_size(ALL_IN):
            return ((names[-1], 1.0),)
        sizes = [bid_pots(chips, abstract) for _, chips in offered]
        return tuple((names[at], p) for at, p in RULES[self.rule](bid_pots(bid, real), sizes))

    def sample(self, action: str, real: Place, abstract: Place, uniform: float) -> str:
        """One abstract action for a number drawn uniformly from [0, 1)."""
        choices = self.distribution(action, real, abstract)
        for name, probability in choices:
            uniform -= probability
            if uniform < 0.0:
                return name
        return choices[-1][0]

    def back(self, label: str, real: Place) -> str:
        """The legal real action for a label of the menu, by the same size of the real pot.

        A size is brought between the smallest and the largest legal raise; where none is legal it
        is a check or call. A fold becomes a check if there is nothing to call.
        """
        if label in PASSIVE_LABELS.values():
            return passive(real)[0 if label == PASSIVE_LABELS[FOLD] else -1]
        bids = real.situation[betting.PHASE] == betting.AUCTION
        rows = [(street.bids, (NOTHING,)) if bids else street.sizes for street in self.menu.streets]
        known = {format_size(size): size for row in rows for sizes in row for size in sizes}
        known[format_size(ALL_IN)] = ALL_IN
        if label not in known:
            raise UnknownNameError("label", label, (*PASSIVE_LABELS.values(), *known))
        if bids:
            return f"{BID}{bid_of_size(real.variant.rules, real.situation, known[label])}"
        rules, nearness = real.variant.rules, self.menu.nearness
        total = total_of_size(rules, nearness, real.situation, known[label])
        if total == 0:
            return passive(real)[-1]
        return f"{RAISE}{total - real.situation[betting.BASE]}"


def pots(total: int, place: Place) -> float:
    """Chips that a raise to `total` over the hand adds to a call, in pots after the call."""
    situation = place.situation
    actor = situation[betting.ACTOR]
    other = situation[betting.SPENT_1 if actor == 0 else betting.SPENT_0]
    paid = situation[betting.PAID_0] + situation[betting.PAID_1]
    return (total - other) / max(2 * other + paid, 1)


def bid_pots(bid: int, place: Place) -> float:
    """A bid in pots."""
    return bid / max(sum(total_spent(place.situation)), 1)


def _total(action: str, real: Place) -> int:
    """The total over the hand of a raise, which must be legal."""
    low, high = betting.raise_bounds(real.variant.rules, real.situation)
    base = real.situation[betting.BASE]
    total = base + int(action[1:]) if action[1:].isdecimal() else 0
    if high == 0:
        raise IllegalActionError(f"{action!r} is not legal where nobody may bet or raise")
    if not low <= total <= high:
        raise IllegalActionError(
            f"{action!r} is not a raise from {RAISE}{low - base} to {RAISE}{high - base}"
        )
    return total
