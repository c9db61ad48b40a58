"""Spots as options and files describe them."""

import pytest

from counterfold.errors import CounterfoldError
from counterfold.ranges.locks import parse_lock
from counterfold.runs import Budget
from counterfold.spots.spot_options import load_spot_file, parse_share, read_spot_options
from helpers.toy_games import river

NEEDED = {"board": "2c2d7h8s3d", "ranges": ["AA,QQ", "KK,JJ:0.5"], "pot": 100, "stack": 100}


def test_a_file_describes_a_spot_and_its_budget(tmp_path):
    path = tmp_path / "spot.toml"
    path.write_text(
        """
        board = "2c2d7h8s3d"
        ranges = ["AA,QQ", "KK,JJ:0.5"]
        pot = 100
        stack = 100
        bets = "50%, allin"
        rake = "5%"
        rake_cap = 3
        remove = ["k allin"]
        lock = ["k : KK : k=1"]
        target = "0.5%"
        time = "2m"
        """
    )
    read = read_spot_options(load_spot_file(path))
    assert read.spot == river(
        rake=0.05, rake_cap=3, removed=("k allin",), locks=(parse_lock("k : KK : k=1"),)
    )
    assert read.budget == Budget(until=0.5, seconds=120.0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"boards": ""}, "unknown key of a spot 'boards'; did you mean board"),
        ({"pot": "100"}, "pot of a spot must be a whole number of chips, not '100'"),
        ({"pot": True}, "pot of a spot must be a whole number of chips, not True"),
        ({"stack": 0.5}, "stack of a spot must be a whole number of chips, not 0.5"),
        ({"ranges": "AA"}, "ranges of a spot must be a list of texts"),
        ({"ranges": ["AA", 3]}, "ranges of a spot must be a list of texts"),
        ({"ranges": ["AA"]}, "ranges must be two, that of the seat out of position first, not 1"),
        ({"rake": 0.05}, "rake of a spot must be a percentage such as '5%', not 0.05"),
        ({"target": "0.3"}, "target must be a percentage such as '5%', with its sign, not '0.3'"),
        ({"target": "x%"}, "with its sign, not 'x%'"),
        ({"target": "0%"}, "target must be a share of the pot above 0 and below 1"),
        ({"time": "soon"}, "cannot read the time 'soon'"),
        ({"lock": ["k"]}, "cannot read lock 'k'"),
    ],
    ids=str,
)
def test_what_cannot_be_is_refused_in_one_sentence(change, message):
    with pytest.raises(CounterfoldError) as caught:
        read_spot_options({**NEEDED, **change})
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_missing_keys_are_named():
    with pytest.raises(CounterfoldError, match="ranges and stack are missing"):
        read_spot_options({"board": "2c2d7h8s3d", "pot": 100})


@pytest.mark.parametrize(
    ("content", "message"), [("pot = ", "is not valid TOML"), (None, "cannot read the spot")]
)
def test_files_that_cannot_be_read_are_refused(tmp_path, content, message):
    path = tmp_path / "spot.toml"
    if content is not None:
        path.write_text(content)
    with pytest.raises(CounterfoldError, match=message):
        load_spot_file(path)


def test_percentages_are_shares():
    assert parse_share("rake", " 0.3% ") == pytest.approx(0.003)
