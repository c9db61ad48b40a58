"""Sessions on disk: complete at any moment, and data whatever they contain."""

import json

import pytest

from counterfold.bots.trained_bot import TrainedBot
from counterfold.errors import ArtifactError
from counterfold.matches.replay import replay_hand
from counterfold.matches.session_folder import (
    FORMAT,
    HANDS,
    SESSION,
    SessionFolder,
    SessionRecord,
    begin_session,
    find_sessions,
    is_session_name,
    resume_session,
)
from counterfold.search.street_solver import StreetSolver


@pytest.fixture(scope="module")
def bot(small_runs):
    return TrainedBot(small_runs["nolimit"])


@pytest.fixture
def play(bot):
    return begin_session(bot, SessionRecord("/runs/a", 3, 0.0))


def fold_hands(play, folder, n):
    for _ in range(n):
        while not play.over:
            play.act(play.view.plain_actions()[0])
        folder.add_hand(play)
        play.next_hand()


def test_what_was_saved_is_read_back(tmp_path):
    folder = SessionFolder(tmp_path / "ab12")
    record = SessionRecord("/runs/a", 5, 12.5, 3, ["c", "k"])
    folder.save(record)
    assert SessionFolder(folder.path).load() == record
    SessionFolder(tmp_path / "No-Name").save(record)
    (tmp_path / "empty").mkdir()
    assert list(find_sessions(tmp_path)) == [("ab12", record)]


def test_hands_can_be_replayed(tmp_path, play):
    folder = SessionFolder(tmp_path / "ab12")
    folder.save(SessionRecord("/runs/a", 3, 0.0))
    fold_hands(play, folder, 4)
    hands = SessionFolder(folder.path).hands
    assert [hand.hand for hand in hands] == [1, 2, 3, 4]
    for hand in hands:
        replay_hand(hand, play.variant)  # which checks every action and every chip
    assert [hand.players for hand in hands] == [("you", "bot"), ("bot", "you")] * 2


def test_a_hand_is_added_once(tmp_path, play):
    folder = SessionFolder(tmp_path / "ab12")
    folder.save(SessionRecord("/runs/a", 3, 0.0))
    while not play.over:
        play.act(play.view.plain_actions()[0])
    folder.add_hand(play)
    folder.add_hand(play)
    SessionFolder(folder.path).add_hand(play)
    assert len(SessionFolder(folder.path).hands) == 1


def test_a_server_that_died_between_the_two_files_is_forgiven(tmp_path, bot, play):
    folder = SessionFolder(tmp_path / "ab12")
    folder.save(SessionRecord("/runs/a", 3, 0.0))
    fold_hands(play, folder, 1)  # the record still says that the first hand has not begun
    with (folder.path / HANDS).open("a") as file:
        file.write('{"hand": 2, "de')  # died while writing
    found = SessionFolder(folder.path)
    record = found.load()
    again = resume_session(bot, found, record)
    assert (record.number, record.actions) == (1, [])
    assert again.hand.state == play.hand.state
    fold_hands(again, found, 1)
    assert len(SessionFolder(folder.path).hands) == 2


def test_what_was_acted_in_a_hand_that_is_over_is_forgotten(tmp_path, bot):
    folder, record = SessionFolder(tmp_path / "ab12"), SessionRecord("/runs/a", 3, 0.0)
    play = begin_session(bot, record)
    action = next(action for action in play.view.plain_actions() if action[0] in "kc")
    play.act(action)
    assert not play.over
    folder.save(SessionRecord("/runs/a", 3, 0.0, 0, [action]))
    fold_hands(play, folder, 1)  # and a death before the record says so
    found = SessionFolder(folder.path)
    record = found.load()
    again = resume_session(bot, found, record)
    assert (record.number, record.actions) == (1, [])
    assert (again.number, again.actions) == (play.number, play.actions)


def test_a_hand_in_play_is_resumed_where_it_was(tmp_path, bot, play):
    folder = SessionFolder(tmp_path / "ab12")
    folder.save(SessionRecord("/runs/a", 3, 0.0))
    fold_hands(play, folder, 1)
    action = next(action for action in play.view.plain_actions() if action[0] in "kc")
    play.act(action)
    folder.save(SessionRecord("/runs/a", 3, 0.0, play.number, play.actions))
    found = SessionFolder(folder.path)
    again = resume_session(bot, found, found.load())
    assert (again.number, again.actions) == (1, play.actions)
    assert again.hand.state == play.hand.state


def test_actions_that_the_rules_no_longer_allow_are_forgotten(tmp_path, bot):
    folder, record = SessionFolder(tmp_path / "ab12"), SessionRecord("/runs/a", 0, 0.0, 0, ["r1"])
    folder.save(record)
    assert folder.load() == record
    assert resume_session(bot, folder, record).actions == record.actions == []


def test_a_hand_that_is_over_stays_to_be_looked_at(tmp_path, bot, play):
    folder = SessionFolder(tmp_path / "ab12")
    while not play.over:
        play.act(play.view.plain_actions()[0])
    folder.save(SessionRecord("/runs/a", 3, 0.0, 0, play.actions))
    folder.add_hand(play)
    found = SessionFolder(folder.path)
    again = resume_session(bot, found, found.load())
    assert again.over
    assert (again.number, again.chips) == (0, play.chips)


def test_hands_of_the_future_are_refused(tmp_path, play):
    folder = SessionFolder(tmp_path / "ab12")
    folder.save(SessionRecord("/runs/a", 3, 0.0))
    fold_hands(play, folder, 2)
    with pytest.raises(ArtifactError, match="damaged"):
        SessionFolder(folder.path).load()


@pytest.mark.parametrize("content", [
    "",
    "[]",
    "{}",
    "[" * 100_000,
    '{"format": 2}',
    {"format": 1},
    {"run": 5},
    {"seed": -1},
    {"seed": 2**63},
    {"seed": True},
    {"number": "1"},
    {"number": -1},
    {"actions": "ck"},
    {"actions": [1]},
    {"actions": ["k"] * 5000},
    {"begun": None},
])  # fmt: skip
def test_damaged_sessions_are_refused(tmp_path, content):
    folder = SessionFolder(tmp_path / "ab12")
    good = {"format": FORMAT, **vars(SessionRecord("/runs/a", 5, 12.5))}
    folder.path.mkdir()
    (folder.path / SESSION).write_text(json.dumps(good))
    assert folder.load().seed == 5
    text = content if isinstance(content, str) else json.dumps({**good, **content})
    (folder.path / SESSION).write_text(text)
    with pytest.raises(ArtifactError, match="damaged"):
        folder.load()
    assert list(find_sessions(tmp_path)) == []


def test_a_hand_that_cannot_be_written_is_told(tmp_path, play):
    folder = SessionFolder(tmp_path / "ab12")
    folder.save(SessionRecord("/runs/a", 3, 0.0))
    (folder.path / HANDS).mkdir()
    while not play.over:
        play.act(play.view.plain_actions()[0])
    folder.__dict__["hands"] = []  # as they were before somebody put a folder there
    with pytest.raises(ArtifactError, match="cannot"):
        folder.add_hand(play)
    assert folder.hands == []


def test_damaged_hands_are_refused(tmp_path):
    folder = SessionFolder(tmp_path / "ab12")
    folder.save(SessionRecord("/runs/a", 5, 12.5))
    (folder.path / HANDS).write_text("nonsense\n")
    with pytest.raises(ArtifactError, match="damaged"):
        folder.load()


@pytest.mark.parametrize("name", ["", "..", "a/b", "a" * 33, "A", "é", ".a", "a\n", "a\x00"])
def test_names_are_letters_and_digits(name):
    assert not is_session_name(name)
    assert is_session_name("0a1b")


class Killed(BaseException):
    """Nobody catches it, as nobody catches the end of a process."""


def test_a_session_that_was_killed_while_the_bot_solved_is_resumed(tmp_path, bot, monkeypatch):
    solve, n_solved = StreetSolver.solve, 0

    def solve_or_die(*given):
        nonlocal n_solved
        n_solved += 1
        if n_solved == 4:
            raise Killed
        return solve(*given)

    monkeypatch.setattr(StreetSolver, "solve", solve_or_die)
    folder = SessionFolder(tmp_path / "ab12")
    record = SessionRecord("/runs/a", 3, 0.0, search="unsafe")
    with pytest.raises(Killed):
        call_down(begin_session(bot, record), folder, record, 8)
    kept = folder.load()
    assert (kept.number, kept.actions) == (record.number, record.actions)
    call_down(resume_session(bot, folder, kept), folder, kept, 8)
    assert n_solved > 4
    assert [hand.hand for hand in folder.hands] == [*range(1, 9)]
    for hand in folder.hands:
        replay_hand(hand, bot.variant)


def call_down(play, folder, record, n):
    """Check and call until `n` hands are over, and save as a server does."""
    while play.number < n:
        while not play.over:
            record.number, record.actions = play.number, [*play.actions]
            folder.save(record)
            play.act(next(action for action in play.view.plain_actions() if action[0] in "kc"))
        folder.add_hand(play)
        play.next_hand()
