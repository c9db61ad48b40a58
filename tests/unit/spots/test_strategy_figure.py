"""Pictures of decisions."""

import pytest

from counterfold.errors import ArtifactError
from counterfold.runs import Budget
from counterfold.spots.spot_run import solve_spot
from counterfold.spots.strategy_figure import plot_strategy
from helpers.toy_games import river


@pytest.fixture(scope="module")
def node():
    return solve_spot(river(), Budget(iterations=20)).at("k")


def test_a_picture_is_written_in_either_format(node, tmp_path):
    plot_strategy(node, tmp_path / "grid.png", "png")
    plot_strategy(node, tmp_path / "grid", "svg")
    assert (tmp_path / "grid.png").read_bytes().startswith(b"\x89PNG")
    assert b"<svg" in (tmp_path / "grid").read_bytes()


def test_a_picture_that_cannot_be_written_is_refused(node, tmp_path):
    with pytest.raises(ArtifactError, match="cannot draw to"):
        plot_strategy(node, tmp_path / "no" / "grid.png", "png")
