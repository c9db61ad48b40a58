"""The bet menu of a spot: sizes by street, by seat and by raise, in chips, pots or multiples.

A spot is solved as it stands, so its menu may say more than a `BetMenu`, whose labels must
mean the same in every situation: sizes in chips, multiples of the bet, geometric sizes, sizes of
one seat. Folds, checks and calls are always offered where they are legal.

Of sizes that are close to each other the larger is kept, as postflop solvers do: of two bets of x
and y pots, x > y, the smaller is dropped if ``(1 + x) / (1 + y) <= 1 + merge``, from the largest
size down. Shares of the pot that options name are rounded to chips, half up.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from counterfold.bets.menu import STREETS
from counterfold.bets.menu_grammar import (
    AS_BETS,
    MAX_COUNT,
    NO_CAP,
    NONE,
    format_rows,
    trim_rows,
)
from counterfold.errors import AbstractionError
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.bet_size import (
    CHIPS,
    POT,
    TIMES,
    BetSize,
    pot_after_call,
    raise_total,
    round_share,
)
from counterfold.games.holdem.situation import Situation
from counterfold.games.holdem.variant import Variant

SPOT_STREETS = STREETS[:4]  # later streets are like the last of them
SEATS = ("oop", "ip")  # out of position: first to act on the last street
OPTIONS = ("add allin", "force allin", "merge")  # in the order of the fields of `SpotMenu`
MAX_OPTION = 100_000  # per mille


@dataclass(frozen=True)
class SeatBets:
    """What one seat is offered on one street; sizes are put in order."""

    # by bets already made, the big blind as one of them; rows beyond the last repeat it
    sizes: tuple[tuple[BetSize, ...], ...] = ((),)
    # of the first to act when the other bet last on the street before; None if like other bets
    donk: tuple[BetSize, ...] | None = None

    def __post_init__(self) -> None:
        for size in (*self.row(0), *(self.donk or ())):
            if size.kind == TIMES:
                raise AbstractionError(
                    f"a bet cannot be {size} the bet before it; write {size} for raises"
                )
        rows = [tuple(sorted(set(row))) for row in self.sizes]
        object.__setattr__(self, "sizes", trim_rows(rows))
        if self.donk is not None:
            object.__setattr__(self, "donk", tuple(sorted(set(self.donk))))

    def row(self, n_bets: int) -> tuple[BetSize, ...]:
        """The sizes after `n_bets` bets."""
        return self.sizes[min(n_bets, len(self.sizes) - 1)] if self.sizes else ()

    def all_sizes(self) -> Iterator[BetSize]:
        """Every size of every row."""
        for row in (*self.sizes, self.donk or ()):
            yield from row


@dataclass(frozen=True)
class SpotStreet:
    """What is offered on one street."""

    oop: SeatBets = SeatBets()
    ip: SeatBets = SeatBets()
    cap: int = NO_CAP  # bets and raises, counting a big blind as the first

    def __post_init__(self) -> None:
        if not 0 <= self.cap <= MAX_COUNT:
            raise AbstractionError(f"cap must be 1 to {MAX_COUNT}, not {self.cap!r}")


@dataclass(frozen=True)
class SpotMenu:
    """Bets of every street; equal menus offer the same, however they were written."""

    streets: tuple[SpotStreet, SpotStreet, SpotStreet, SpotStreet]
    add_all_in: int = 0  # all-in is offered where it is at most this per mille of the pot
    force_all_in: int = 0  # a bet that leaves at most this per mille of the pot is all-in
    merge: int = 0  # per mille by which pots after bets must differ; see above

    def __post_init__(self) -> None:
        if len(self.streets) != len(SPOT_STREETS):
            raise AbstractionError(f"a menu must have bets for {', '.join(SPOT_STREETS)}")
        for name in ("add_all_in", "force_all_in", "merge"):
            if not 0 <= getattr(self, name) <= MAX_OPTION:
                raise AbstractionError(
                    f"{name} must be 0 to {MAX_OPTION} per mille, not {getattr(self, name)!r}"
                )

    @property
    def name(self) -> str:
        """Text that `parse_spot_menu` reads back."""
        same = all(street == self.streets[0] for street in self.streets)
        parts = []
        before: SpotStreet | None = None
        for word, street in zip(SPOT_STREETS, self.streets, strict=True):
            if told := "; ".join(_format_street(street, before)):
                parts.append(told if same else f"{word}: {told}")
            before = street
        options = zip(OPTIONS, (self.add_all_in, self.force_all_in, self.merge), strict=True)
        parts += [f"{word} {BetSize(POT, share)}" for word, share in options if share]
        return "; ".join(parts)

    def seat_bets(self, variant: Variant, situation: Situation) -> SeatBets:
        """What the actor of a situation is offered on its street."""
        street = self._street(situation)
        return street.oop if situation[betting.ACTOR] == oop_seat(variant) else street.ip

    def totals(
        self, variant: Variant, situation: Situation, *, donk: bool = False, dead: int = 0
    ) -> tuple[int, ...]:
        """The totals over the hand that the actor is offered to bet or raise to, ascending.

        With `donk` the other seat bet last on the street before, and the actor is first to act.
        """
        _, high = betting.raise_bounds(variant.rules, situation)
        n_bets, cap = situation[betting.N_BETS], self._street(situation).cap
        if not high or (cap and n_bets >= cap):
            return ()
        bets = self.seat_bets(variant, situation)
        sizes = bets.donk if donk and bets.donk is not None else bets.row(n_bets)
        found = {raise_total(variant, situation, size, dead) for size in sizes}
        if high == variant.stack:
            found = self._with_all_in(found, situation, high, dead)
        return self._merged(found, situation, dead)

    def check_fit(self, variant: Variant, root: Situation) -> None:
        """Raise `AbstractionError` if it names missing streets or chips that no seat has."""
        n_streets = len(variant.streets)
        for at in range(n_streets, len(SPOT_STREETS)):
            if self.streets[at] != self.streets[at - 1]:
                raise AbstractionError(
                    f"the menu {self.name!r} names the {SPOT_STREETS[at]}, but {variant.name} has "
                    f"only {', '.join(SPOT_STREETS[:n_streets])}"
                )
        behind = variant.stack - root[betting.BASE]
        for street in self.streets[min(root[betting.STREET], len(self.streets) - 1) :]:
            for size in (*street.oop.all_sizes(), *street.ip.all_sizes()):
                if size.kind == CHIPS and size.amount > behind:
                    raise AbstractionError(
                        f"the menu {self.name!r} offers {size} chips, but a seat has only {behind} "
                        "for a street; write allin, or a smaller size"
                    )

    def _street(self, situation: Situation) -> SpotStreet:
        return self.streets[min(situation[betting.STREET], len(self.streets) - 1)]

    def _with_all_in(
        self, totals: Iterable[int], situation: Situation, stack: int, dead: int
    ) -> set[int]:
        """`totals` with all-in where it is near enough, and instead of what is nearly all-in."""
        other = max(situation[betting.SPENT_0], situation[betting.SPENT_1])
        found = set(totals)
        if stack - other <= round_share(2 * other + dead, self.add_all_in):
            found.add(stack)
        force = self.force_all_in
        return {
            stack if stack - total <= round_share(2 * total + dead, force) else total
            for total in found
        }

    def _merged(self, totals: Iterable[int], situation: Situation, dead: int) -> tuple[int, ...]:
        """`totals` without those that are too close to a larger one."""
        pot = pot_after_call(situation, dead)
        other = max(situation[betting.SPENT_0], situation[betting.SPENT_1])
        kept: list[int] = []
        for total in sorted(totals, reverse=True):
            grown = (pot + total - other) * (1000 + self.merge)
            if not kept or 1000 * (pot + kept[-1] - other) > grown:
                kept.append(total)
        return tuple(reversed(kept))


def oop_seat(variant: Variant) -> int:
    """The seat out of position, which acts first on the last street."""
    return variant.streets[-1].first


def _format_street(street: SpotStreet, before: SpotStreet | None) -> Iterator[str]:
    """The parts in which the street differs from the one `before` it; all of it if none is."""
    oop = _format_seat(street.oop, before.oop if before else None)
    ip = _format_seat(street.ip, before.ip if before else None)
    if oop == ip:
        yield from oop
    else:
        for seat, parts in zip(SEATS, (oop, ip), strict=True):
            if parts:
                yield f"{seat}: {'; '.join(parts)}"
    if street.cap != (before.cap if before else NO_CAP):
        yield f"cap {street.cap or NONE}"


def _format_seat(bets: SeatBets, before: SeatBets | None) -> list[str]:
    parts: list[str] = []
    if before is None or bets.sizes != before.sizes:
        parts += format_rows(bets.sizes, str)
    if bets.donk != (before.donk if before else None):
        told = AS_BETS if bets.donk is None else ", ".join(map(str, bets.donk)) or NONE
        parts.append(f"donk: {told}")
    return parts
