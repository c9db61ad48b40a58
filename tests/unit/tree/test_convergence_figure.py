import pytest

from counterfold.errors import ArtifactError
from counterfold.tree import solve
from counterfold.tree.convergence_figure import check_figure, plot_convergence
from helpers.compiled_games import compiled


@pytest.mark.parametrize(
    ("name", "magic"), [("a.png", b"\x89PNG"), ("b.svg", b"<?xml"), ("c.pdf", b"%PDF")]
)
def test_the_ending_is_the_format(tmp_path, name, magic):
    results = [solve(compiled("kuhn"), algorithm, 20) for algorithm in ("cfr", "lp")]
    check_figure(tmp_path / name)
    plot_convergence(results, tmp_path / name)
    assert (tmp_path / name).read_bytes().startswith(magic)


@pytest.mark.parametrize("name", ["figure", "figure.xyz", "figure.txt", "figure."])
def test_an_unknown_ending_is_refused_with_the_known_ones(tmp_path, name):
    with pytest.raises(ArtifactError, match=r"its suffix must be one of .*pdf, .*png, .*svg"):
        check_figure(tmp_path / name)


def test_a_figure_that_cannot_be_written_is_reported(tmp_path):
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(ArtifactError, match=r"cannot draw to '[^']*': [A-Z][^']*$"):
        plot_convergence([solve(compiled("kuhn"), "cfr", 5)], tmp_path / "file" / "a.png")


def test_runs_that_reach_zero_are_drawn(tmp_path):
    """The axis is logarithmic, and rock, paper, scissors begins at its equilibrium."""
    plot_convergence([solve(compiled("rps"), "cfr", 20)], tmp_path / "a.png")
    assert (tmp_path / "a.png").exists()
