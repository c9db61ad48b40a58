"""All wire protocols by name, and the one that programs are likely to speak in a variant."""

from counterfold.contest.wire.acpc import ACPC
from counterfold.contest.wire.base import WireProtocol
from counterfold.contest.wire.mit_2017 import MIT_2017
from counterfold.contest.wire.mit_years import LINE_PROTOCOLS, MIT_PLAIN
from counterfold.errors import GameError, MatchError, UnknownNameError
from counterfold.games.holdem import Variant

PROTOCOLS: dict[str, WireProtocol] = {
    protocol.name: protocol for protocol in (ACPC, MIT_2017, *LINE_PROTOCOLS)
}


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
    """The most specific feature decides: what a year's game is known for, draws, fixed limits."""
    year = next((each for each in LINE_PROTOCOLS if _plays(each, variant)), MIT_PLAIN)
    if year is not MIT_PLAIN:
        return year
    if variant.n_draws:
        return MIT_2017
    return ACPC if variant.betting == "limit" else MIT_PLAIN


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
