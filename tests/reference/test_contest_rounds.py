"""The recorded rounds of the contests agree with the recorded traffic of both players."""

import re

import pytest

from counterfold.cards import parse_cards
from helpers.recordings.contest_rounds import GAMES, read_final, read_game_log, read_traffic

DELTA = {2022: "D", 2024: "D", 2025: "D", 2026: "A"}


@pytest.mark.parametrize("year", GAMES)
def test_chips_awarded_add_up_to_the_final_banks(year):
    rounds = read_game_log(year)
    assert [each.number for each in rounds] == [*range(1, 401)]
    banks = dict.fromkeys("AB", 0)
    for each in rounds:
        assert each.banks == tuple(banks[name] for name in each.names)
        for name, chips in zip(each.names, each.awarded, strict=True):
            banks[name] += chips
    assert banks == read_final(year)


@pytest.mark.parametrize("name", "AB")
@pytest.mark.parametrize("year", GAMES)
def test_the_traffic_of_a_player_tells_the_same_rounds(year, name):
    rounds = read_game_log(year)
    messages = " ".join(message for message, _ in read_traffic(year, name))
    dealt = re.findall(r"P([01]) H(\S+)", messages)
    seats = [each.names.index(name) for each in rounds]
    assert [(int(seat), parse_cards(cards)) for seat, cards in dealt] == [
        (seat, each.holes[seat]) for seat, each in zip(seats, rounds, strict=True)
    ]
    ends = re.findall(rf"(?:O(\S+) | F ){DELTA[year]}(-?\d+)", messages)
    assert [(parse_cards(cards), int(chips)) for cards, chips in ends] == [
        (each.shown[1 - seat] if each.shown else (), each.awarded[seat])
        for seat, each in zip(seats, rounds, strict=True)
    ]
