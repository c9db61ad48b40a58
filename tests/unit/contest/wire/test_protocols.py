"""Which protocol programs speak in a variant."""

from dataclasses import replace

import pytest

from counterfold.cards import parse_deck
from counterfold.contest.wire import find_protocol
from counterfold.errors import MatchError, UnknownNameError
from counterfold.games import parse_game

SHORT_TOSS = replace(parse_game("toss"), ranking="short-deck", deck=parse_deck("6789TJQKA/cdhs"))


@pytest.mark.parametrize(
    ("game", "name", "found"),
    [
        ("discard", None, "mit-2017"),
        ("river-of-blood", None, "mit-2023"),
        ("swap", None, "mit-2022"),
        ("auction", None, "mit-2024"),
        ("bounty", None, "mit-2025"),
        ("toss", None, "mit-2026"),
        ("permuted(order='32456789TJQKA')", None, "mit-2020"),
        ("short-deck", None, "mit-plain"),
        ("nolimit", None, "mit-plain"),
        ("limit", None, "acpc"),
        (SHORT_TOSS, None, "mit-2026"),
        ("nolimit", "acpc", "acpc"),
        ("nolimit", "mit-2023", "mit-2023"),
    ],
)
def test_protocols_follow_the_variant(game, name, found):
    variant = parse_game(game) if isinstance(game, str) else game
    assert find_protocol(variant, name).name == found


def test_what_no_lines_say_is_compared_with_the_nearest_contest():
    bounty = parse_game("bounty")
    for name, steps in (("toss", "tosses"), ("auction", "auctions"), ("swap", "swaps")):
        variant = replace(parse_game(name), bounty=bounty.bounty)
        with pytest.raises(MatchError, match=f"mit-202[56] does not support (bounties|{steps})$"):
            find_protocol(variant)


def test_protocols_that_cannot_be_spoken():
    with pytest.raises(MatchError, match=r"mit-2023.*--protocol may be mit-2017"):
        find_protocol(parse_game("discard"), "mit-2023")
    with pytest.raises(UnknownNameError, match="mit-2017"):
        find_protocol(parse_game("discard"), "mit-2018")
    with pytest.raises(MatchError, match="does not support swaps; --protocol may be mit-2022"):
        find_protocol(parse_game("swap"), "mit-plain")
    with pytest.raises(MatchError, match="toss: mit-2024 does not support tosses"):
        find_protocol(parse_game("toss"), "mit-2024")
    with pytest.raises(MatchError, match="leduc-variant"):
        find_protocol(parse_game("leduc-variant"))
