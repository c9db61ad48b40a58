"""The contests of MIT Pokerbots that speak in lines: game, dialect and log of each year.

A year plays one kind of game. Its engine says what belongs to that game in every hand, whether it
matters or not, so that a bot for another game would not understand it: both must have the same
features, whatever stack, blinds and deck are.
"""

from functools import partial

from counterfold.contest import gamelog
from counterfold.contest.wire import mit_clauses
from counterfold.contest.wire.base import LogFormat, WireProtocol
from counterfold.contest.wire.mit_clauses import Dialect
from counterfold.contest.wire.mit_lines import LineClientSession, LineEngineSession
from counterfold.errors import GameError
from counterfold.games.holdem import VARIANTS, Variant

SWAPS, RUNS = "swaps", "runs"


def features(variant: Variant) -> frozenset[str]:
    """What sets a variant apart from plain no-limit hold'em, as far as lines are concerned."""
    found = {
        "draws": variant.n_draws > 0,
        SWAPS: variant.has_swaps,
        RUNS: bool(variant.run_suits),
        "antes": variant.ante > 0,
    }
    return frozenset(name for name, has in found.items() if has)


def _year(
    name: str,
    game: str,
    feature: str = "",
    dialect: Dialect = mit_clauses.PLAIN,
    course: str = "6.176",
) -> WireProtocol:
    wanted = frozenset([feature] if feature else [])

    def check_variant(variant: Variant) -> None:
        found = features(variant)
        if odd := sorted(found - wanted):
            raise GameError(f"{variant.name}: {name} does not support {' or '.join(odd)}")
        if wanted - found:
            raise GameError(f"{variant.name}: {name} is played with {feature}")

    return WireProtocol(
        name,
        partial(LineClientSession, dialect=dialect),
        partial(LineEngineSession, dialect),
        LogFormat(
            partial(gamelog.format_begin, course=course), gamelog.format_hand, gamelog.format_end
        ),
        VARIANTS[game],
        checks_when_all_in=True,
        check_variant=check_variant,
    )


MIT_PLAIN = _year("mit-plain", "nolimit")
MIT_2022 = _year("mit-2022", "swap", SWAPS, mit_clauses.YEAR_2022)
MIT_2023 = _year("mit-2023", "river-of-blood", RUNS)

LINE_PROTOCOLS = (MIT_PLAIN, MIT_2022, MIT_2023)
