"""Which games lines can say, and which of them a contest plays."""

from dataclasses import replace

import pytest

from counterfold.contest.wire import PROTOCOLS
from counterfold.contest.wire.mit_years import (
    LINE_PROTOCOLS,
    MIT_2022,
    MIT_2024,
    MIT_PLAIN,
    features,
)
from counterfold.errors import GameError
from counterfold.games.holdem import VARIANTS
from counterfold.games.holdem.street import Auction, Deal, Discard


@pytest.mark.parametrize("protocol", LINE_PROTOCOLS, ids=lambda protocol: protocol.name)
def test_every_contest_plays_its_own_game_and_no_other(protocol):
    for other in LINE_PROTOCOLS:
        if other is protocol:
            protocol.check_contest(other.variant())
        else:
            with pytest.raises(GameError, match=f"{protocol.name} "):
                protocol.check_contest(other.variant())


@pytest.mark.parametrize(
    ("step", "feature"),
    [
        (Discard(), "draws"),
        (Discard(count=2, forced=True, to_board=True, redraw=False), "draws"),
        (Auction(prize="look"), "looks"),
        (Deal(board=1), "deals along the way"),
    ],
)
def test_steps_that_no_line_can_tell_are_refused(step, feature):
    plain = VARIANTS["nolimit"]()
    first, flop, *rest = plain.streets
    variant = replace(
        plain, title="odd", hole_cards=3, streets=(first, replace(flop, steps=(step,)), *rest)
    )
    assert features(variant) == {feature}
    for protocol in LINE_PROTOCOLS:
        with pytest.raises(GameError, match=f"does not support {feature}"):
            protocol.check_variant(variant)


def test_streets_without_betting_are_told_by_no_protocol():
    plain = VARIANTS["nolimit"]()
    first, flop, turn, river = plain.streets
    streets = first, flop, replace(turn, betting=False), river
    variant = replace(plain, title="silent", streets=streets)
    assert features(variant) == {"streets without betting"}
    for protocol in LINE_PROTOCOLS:
        with pytest.raises(GameError, match="does not support streets without betting"):
            protocol.check_variant(variant)
    with pytest.raises(GameError, match="4 streets, all with betting"):
        PROTOCOLS["acpc"].check_variant(variant)


def test_lines_may_say_more_than_a_contest_plays():
    nolimit = VARIANTS["nolimit"]()
    for protocol in (MIT_PLAIN, MIT_2022, MIT_2024):
        protocol.check_variant(nolimit)
        protocol.check_variant(VARIANTS["river-of-blood"]())
    with pytest.raises(GameError, match="swap: mit-plain does not support swaps"):
        MIT_PLAIN.check_variant(VARIANTS["swap"]())


@pytest.mark.parametrize(
    ("protocol", "game", "odd"),
    [
        (MIT_PLAIN, "limit", "fixed limits"),
        (MIT_PLAIN, "potlimit", "pot limits"),
        (MIT_2024, "auction", "first prices"),
    ],
)
def test_what_every_line_can_tell_may_be_in_no_contest(protocol, game, odd):
    variant = VARIANTS[game]()
    if game == "auction":
        protocol.check_contest(variant)
        steps = tuple(replace(step, price="first") for step in variant.streets[1].steps)
        flop = replace(variant.streets[1], steps=steps)
        variant = replace(variant, streets=(variant.streets[0], flop, *variant.streets[2:]))
    protocol.check_variant(variant)
    with pytest.raises(GameError, match=f"^{game}: {protocol.name} is played without {odd}$"):
        protocol.check_contest(variant)
