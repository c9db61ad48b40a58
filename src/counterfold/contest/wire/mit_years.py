"""The contests of MIT Pokerbots that speak in lines: game, dialect and log of each year.

Lines can say more games than the one that a contest plays: River of Blood only has longer boards
than plain hold'em. So a protocol is spoken in every game that its lines can say, and a bot is
exported for a contest only if that plays its kind of game, whatever stack, blinds and deck are; for
the plain engine with the ranking of a short deck, too. In 2020 nobody was told the order of the
ranks; a variant here has one, and an exported bot learns the real one during the match.
"""

from collections.abc import Callable
from functools import partial

from counterfold.contest import gamelog
from counterfold.contest.gamelog import LogStyle
from counterfold.contest.rank_orders import draw_rank_order
from counterfold.contest.wire import mit_clauses
from counterfold.contest.wire.base import LogFormat, WireProtocol
from counterfold.contest.wire.mit_clauses import Dialect, letter_of
from counterfold.contest.wire.mit_line_client import LineClientSession
from counterfold.contest.wire.mit_line_engine import LineEngineSession
from counterfold.errors import GameError
from counterfold.games.holdem import VARIANTS, Variant
from counterfold.games.holdem.street import Auction, Deal, Discard

DRAWS, SWAPS, RUNS, ANTES = "draws", "swaps", "runs", "antes"
AUCTIONS, LOOKS, BOUNTIES, TOSSES = "auctions", "looks", "bounties", "tosses"
DEALS, PERMUTED, SHORT_DECKS = "deals along the way", "permuted ranks", "short-deck ranking"
SILENT = "streets without betting"

# What a dialect must have for lines to tell of a feature; those that are not here are never told.
_CLAUSES = {
    SWAPS: mit_clauses.HAND,
    AUCTIONS: mit_clauses.AUCTION,
    BOUNTIES: mit_clauses.BOUNTY,
    TOSSES: mit_clauses.TOSS,
    RUNS: mit_clauses.BOARD,
    PERMUTED: mit_clauses.HOLE,
    SHORT_DECKS: mit_clauses.HOLE,
}


def features(variant: Variant) -> frozenset[str]:
    """What sets a variant apart from plain no-limit hold'em, as far as lines are concerned."""
    steps = [step for street in variant.streets for step in street.steps]
    discards = [step for step in steps if isinstance(step, Discard)]
    auctions = [step for step in steps if isinstance(step, Auction)]
    tosses = [step for step in discards if step.to_board and step.forced and step.count == 1]
    found = {
        DRAWS: len(discards) > len(tosses),
        SWAPS: variant.has_swaps,
        RUNS: bool(variant.run_suits),
        ANTES: variant.ante > 0,
        AUCTIONS: any(step.prize == "card" for step in auctions),
        LOOKS: any(step.prize == "look" for step in auctions),
        BOUNTIES: variant.bounty is not None,
        TOSSES: bool(tosses),
        DEALS: any(isinstance(step, Deal) for step in steps),
        SILENT: not all(street.betting for street in variant.streets),
        PERMUTED: bool(variant.rank_order),
        SHORT_DECKS: variant.ranking == "short-deck",
    }
    return frozenset(name for name, has in found.items() if has)


def _unplayed(variant: Variant) -> frozenset[str]:
    """What lines tell like anything else, and no contest has."""
    auctions = [step for step in variant.steps if isinstance(step, Auction)]
    found = {
        "fixed limits": variant.betting == "limit",
        "pot limits": variant.betting == "pot-limit",
        "first prices": any(step.price == "first" for step in auctions),
    }
    return frozenset(name for name, has in found.items() if has)


def _year(
    name: str,
    variant: Callable[[], Variant],
    feature: str = "",
    dialect: Dialect = mit_clauses.PLAIN,
    style: LogStyle = gamelog.PLAIN,
    game_seconds: float = 30.0,
    also: str = "",
) -> WireProtocol:
    wanted = frozenset([feature] if feature else [])

    def check_variant(variant: Variant) -> None:
        said = {each for each, kind in _CLAUSES.items() if letter_of(kind, dialect) is not None}
        if odd := sorted(features(variant) - said):
            raise GameError(f"{variant.name}: {name} does not support {' or '.join(odd)}")

    def check_contest(variant: Variant) -> None:
        check_variant(variant)
        found = (features(variant) | _unplayed(variant)) - {also}
        if found != wanted:
            odd = " and ".join(sorted(found - wanted))
            how = f"without {odd}" if wanted <= found else f"with {feature}"
            raise GameError(f"{variant.name}: {name} is played {how}")

    return WireProtocol(
        name,
        partial(LineClientSession, dialect=dialect, knows_order=feature != PERMUTED),
        partial(LineEngineSession, dialect),
        LogFormat(
            partial(gamelog.format_begin, style=style),
            partial(gamelog.format_hand, style=style),
            gamelog.format_end,
        ),
        variant,
        game_seconds=game_seconds,
        checks_when_all_in=True,
        tells_ranks=feature != PERMUTED,
        check_variant=check_variant,
        check_contest=check_contest,
    )


def _permuted() -> Variant:
    return VARIANTS["permuted"](order=draw_rank_order(0))


# No contest of its own plays short-deck hold'em, but the plain lines tell all of it.
MIT_PLAIN = _year("mit-plain", VARIANTS["nolimit"], also=SHORT_DECKS)
MIT_2020 = _year("mit-2020", _permuted, PERMUTED)
MIT_2022 = _year("mit-2022", VARIANTS["swap"], SWAPS, mit_clauses.YEAR_2022)
MIT_2023 = _year("mit-2023", VARIANTS["river-of-blood"], RUNS)
MIT_2024 = _year(
    "mit-2024", VARIANTS["auction"], AUCTIONS, mit_clauses.YEAR_2024, gamelog.YEAR_2024
)
MIT_2025 = _year(
    "mit-2025", VARIANTS["bounty"], BOUNTIES, mit_clauses.YEAR_2025, gamelog.YEAR_2025, 60.0
)
MIT_2026 = _year(
    "mit-2026", VARIANTS["toss"], TOSSES, mit_clauses.YEAR_2026, gamelog.YEAR_2026, 60.0
)

LINE_PROTOCOLS = (MIT_PLAIN, MIT_2020, MIT_2022, MIT_2023, MIT_2024, MIT_2025, MIT_2026)
