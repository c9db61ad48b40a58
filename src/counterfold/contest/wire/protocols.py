"""All wire protocols by name, and the one that programs are likely to speak in a variant."""

from counterfold.contest.wire.acpc import ACPC
from counterfold.contest.wire.base import WireProtocol
from counterfold.contest.wire.mit_2017 import MIT_2017
from counterfold.contest.wire.mit_years import (
    AUCTIONS,
    BOUNTIES,
    DRAWS,
    LINE_PROTOCOLS,
    MIT_2022,
    MIT_2023,
    MIT_2024,
    MIT_2025,
    MIT_2026,
    MIT_PLAIN,
    RUNS,
    SWAPS,
    TOSSES,
    features,
)
from counterfold.errors import GameError, MatchError, UnknownNameError
from counterfold.games.holdem import Variant

PROTOCOLS: dict[str, WireProtocol] = {
    protocol.name: protocol for protocol in (ACPC, MIT_2017, *LINE_PROTOCOLS)
}

_KNOWN_FOR = {
    TOSSES: MIT_2026, BOUNTIES: MIT_2025, AUCTIONS: MIT_2024, RUNS: MIT_2023, SWAPS: MIT_2022,
}  # fmt: skip


def find_protocol(variant: Variant, name: str | None = None) -> WireProtocol:
    """The protocol `name`; by default that of the contest that plays such a variant.

    Raises `MatchError` if `variant` cannot be played in it.
    """
    name = name or usual_protocol(variant).name
    if name not in PROTOCOLS:
        raise UnknownNameError("protocol", name, PROTOCOLS)
    try:
        PROTOCOLS[name].check_variant(variant)
    except GameError as error:
        others = [each for each in PROTOCOLS if _speaks(PROTOCOLS[each], variant)]
        hint = f"; --protocol may be {', '.join(others)}" if others else ""
        raise MatchError(f"programs cannot play over {name}: {error}{hint}") from error
    return PROTOCOLS[name]


def usual_protocol(variant: Variant) -> WireProtocol:
    """That of the contest that plays such a variant; else one that can say it, else the nearest.

    The most specific feature decides: what a year's game is known for, draws, fixed limits.
    """
    year = next((each for each in LINE_PROTOCOLS if _plays(each, variant)), MIT_PLAIN)
    if year is not MIT_PLAIN:
        return year
    found = features(variant)
    if DRAWS in found:
        return MIT_2017
    if found.isdisjoint(_KNOWN_FOR):
        return ACPC if variant.betting == "limit" else MIT_PLAIN
    nearest = next(year for feature, year in _KNOWN_FOR.items() if feature in found)
    return next((each for each in LINE_PROTOCOLS if _speaks(each, variant)), nearest)


def _speaks(protocol: WireProtocol, variant: Variant) -> bool:
    try:
        protocol.check_variant(variant)
    except GameError:
        return False
    return True


def _plays(contest: WireProtocol, variant: Variant) -> bool:
    try:
        contest.check_contest(variant)
    except GameError:
        return False
    return True
