import pytest

from counterfold.errors import SpotError
from counterfold.spots.spot_list import list_spots

ASKED = {"ranges": ["AA,QQ", "KK"], "pot": 100, "stack": 100, "bets": "allin"}


@pytest.fixture
def boards(tmp_path):
    path = tmp_path / "boards.txt"
    path.write_text("# rivers\n2c2d7h8s3d\n\n 2c 2d 7h 8s 4d  # the other\n")
    return path


@pytest.fixture
def folder(tmp_path):
    path = tmp_path / "many"
    path.mkdir()
    text = 'ranges = ["AA", "KK"]\npot = 20\nstack = 40\nboard = '
    (path / "b.toml").write_text(text + '"2c2d7h8s3d"')
    (path / "a.toml").write_text(text + '"2c2d7h8s4d"\niterations = 7')
    (path / "c.toml").write_text(text + '"2c2d7h8s2c"')
    (path / "notes.txt").write_text("not a spot")
    return path


def test_a_list_has_a_spot_for_each_board(boards):
    found = list_spots(None, boards, ASKED)
    assert [each.name for each in found] == ["2c2d7h8s3d", "2c2d7h8s4d"]
    assert [each.options.spot.board for each in found] == ["2c2d7h8s3d", "2c 2d 7h 8s 4d"]
    assert {each.options.spot.oop for each in found} == {"AA,QQ"}


def test_the_board_of_a_file_gives_way_to_those_of_a_list(boards, folder):
    found = list_spots(folder / "a.toml", boards, {"pot": 30})
    assert [each.options.spot.pot for each in found] == [30, 30]
    assert [each.options.budget.iterations for each in found] == [7, 7]
    assert found[0].options.spot.board == "2c2d7h8s3d"


def test_a_folder_has_its_files_by_name_and_keeps_what_is_wrong_with_one(folder):
    found = list_spots(folder, None, {"stack": 50})
    assert [each.name for each in found] == ["a", "b", "c"]
    assert [each.options.spot.stack for each in found[:2]] == [50, 50]
    assert found[2].options is None
    assert "2c" in found[2].error


def test_a_board_that_is_none_does_not_keep_others_from_being_read(boards):
    boards.write_text("2c2d7h8s3d\n2c2dxx\n")
    good, bad = list_spots(None, boards, ASKED)
    assert good.options is not None
    assert (bad.name, bad.options) == ("2c2dxx", None)
    assert "'2c2dxx'" in bad.error or "'xx'" in bad.error


def test_digests_tell_spots_and_limits_apart(boards):
    digests = {
        each.digest
        for changes in ({}, {"pot": 90}, {"iterations": 9}, {"target": "1%"})
        for each in list_spots(None, boards, ASKED | changes)
    }
    assert len(digests) == 8
    again = list_spots(None, boards, ASKED)[0]
    assert again.digest in digests


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("2c2d7h8s3d\n2c2d7h8s3d", "line 2 of .* again"),
        ("# nothing", "has no boards"),
        (None, "cannot read the boards .*: No such file"),
    ],
)
def test_lists_that_are_none_are_refused(boards, text, why):
    boards.unlink() if text is None else boards.write_text(text)
    with pytest.raises(SpotError, match=why):
        list_spots(None, boards, ASKED)


def test_a_folder_without_spots_is_refused(tmp_path):
    with pytest.raises(SpotError, match="no files of spots"):
        list_spots(tmp_path, None, {})


def test_a_list_goes_with_one_spot_and_no_board(boards, folder):
    with pytest.raises(SpotError, match="takes one spot"):
        list_spots(folder, boards, {})
    with pytest.raises(SpotError, match="leave out --board"):
        list_spots(None, boards, ASKED | {"board": "2c2d7h8s3d"})
