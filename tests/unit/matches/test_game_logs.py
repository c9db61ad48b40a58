"""Game logs of real engines are replayed by the exact rules."""

import pytest

from counterfold.errors import HistoryError
from counterfold.games.holdem import VARIANTS
from counterfold.matches import replay_histories
from counterfold.matches.game_logs import is_game_log, read_game_log
from counterfold.matches.replay import find_hand
from helpers.recordings.contest_rounds import GAMES
from helpers.recordings.contest_rounds import read_game_log as read_game_log_facts
from helpers.recordings.discard_logs import LOGS, read_discard_log
from helpers.recordings.recorded_matches import read_recording

BLOOD = "river_of_blood_gamelog_1000_rounds.txt.gz"
PLAIN = """6.176 MIT Pokerbots - A vs B

Round #1, A (0), B (0)
A posts the blind of 1
B posts the blind of 2
A dealt [Ah Kd]
B dealt [2c 7d]
A raises to 400
B ran out of time
B folds
A awarded 2
B awarded -2

Final, B (-2), A (2)"""


@pytest.fixture
def log(tmp_path):
    def write(text):
        file = tmp_path / "gamelog.txt"
        file.write_text(text)
        return file

    return write


@pytest.mark.parametrize("name", LOGS)
def test_logs_of_2017(name, log):
    file = log(read_recording(name))
    assert is_game_log(file)
    result = replay_histories(file)
    assert (result.variant, result.hands) == ("discard", 100)
    _, hands, final = read_discard_log(name)
    assert f"{result.players[0]} ({round(100 * result.chips)})" in final
    history, state = find_hand(file, 2)
    assert (history.players, history.chips) == (hands[1].names, tuple(map(int, state.utilities)))


@pytest.mark.parametrize(("year", "game"), GAMES.items())
def test_logs_since_2022(year, game, log):
    text = read_recording(f"mit_{year}_{game}_gamelog_400_rounds.txt.gz")
    result = replay_histories(log(text))
    folded = {each.number for each in read_game_log_facts(year) if folds_all_in(each)}
    assert (result.variant, result.hands) == (game, 400 - len(folded))
    won = sum(
        each.awarded[each.names.index(result.players[0])]
        for each in read_game_log_facts(year)
        if each.number not in folded
    )
    assert round(result.hands * result.chips) == won
    assert len(folded) <= 12
    assert year >= 2025 or not folded


def folds_all_in(each):
    """Whether a round ended by a fold although the stacks were in."""
    spent = [event.spent for event in each.events if event.spent]
    return bool(spent) and max(spent[-1]) == 400 and each.events[-1].value == "f"


def test_a_log_of_2023(log):
    result = replay_histories(log(read_recording(BLOOD)))
    assert (result.variant, result.hands) == ("river-of-blood", 1000)


def test_a_log_that_does_not_say_its_game(log):
    file = log(PLAIN)
    with pytest.raises(HistoryError, match="pass it as --variant, such as nolimit"):
        replay_histories(file)
    (hand,) = (history for _, history in read_game_log(file, VARIANTS["nolimit"]()))
    assert (hand.state, hand.chips) == ("AhKd 7d2c r400 f", (2, -2))
    # A hand whose end is missing is not read.
    text = PLAIN.partition("\n\nFinal")[0]
    assert [*read_game_log(log(text), VARIANTS["nolimit"]())] == []


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("raises to 400", "raises to 401", "line 8 of .* refuse 'A raises to 401'"),
        ("[2c 7d]", "[2c Ah]", "line 7 of .* refuse 'B dealt"),
        ("[2c 7d]", "[2c Zz]", "line 7 of .* refuse 'B dealt"),
        ("B (-2), A (2)", "B (-3), A (3)", "line 3 of .*chips"),
        ("B (-2), A (2)", "C (-2), A (2)", "ends with the banks of other"),
    ],
)
def test_logs_that_break_the_rules(old, new, reason, log):
    with pytest.raises(HistoryError, match=reason):
        replay_histories(log(PLAIN.replace(old, new)), VARIANTS["nolimit"]())


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(HistoryError, match="cannot read"):
        replay_histories(tmp_path / "none.txt", VARIANTS["nolimit"]())
