"""Matches that outlive the server: the latest first, damaged files left out."""

import pytest

from counterfold.errors import ArtifactError
from counterfold.web.match_archive import MatchArchive, PlayedMatches, PlayedPair, Rate


def played(begun):
    pair = PlayedPair(
        first="bot",
        second="random",
        hands=200,
        mb=12.5,
        interval=None,
        aivat=Rate(mb=11.0, interval=2.0),
    )
    return PlayedMatches(begun=begun, variant="nolimit", seed=3, rows=(pair,))


def test_matches_are_read_back_the_latest_first(tmp_path):
    archive = MatchArchive(tmp_path / "matches")
    assert archive.latest(5) == []
    for begun in (999, 1_700_000_000, 1_000):
        archive.keep(played(begun))
    assert archive.latest(2) == [played(1_700_000_000), played(1_000)]
    assert archive.latest(9)[-1] == played(999)


@pytest.mark.parametrize("text", ["", "{", '{"format": 2}', "null"])
def test_damaged_and_foreign_files_are_left_out(tmp_path, text):
    archive = MatchArchive(tmp_path)
    archive.keep(played(5))
    (tmp_path / "9999999999-0123abcd.json").write_text(text)
    (tmp_path / "notes.json").write_text(played(7).model_dump_json())
    assert archive.latest(9) == [played(5)]


def test_a_place_that_cannot_be_written_to_is_one_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ArtifactError, match="the matches are over, but cannot be kept in"):
        MatchArchive(tmp_path / "file").keep(played(5))
