"""Plots of runs."""

from collections.abc import Sequence
from pathlib import Path

from counterfold.artifacts import save_figure
from counterfold.errors import ArtifactError
from counterfold.tree.solve_run import SolveResult


def check_figure(path: Path) -> None:
    """Raise `ArtifactError` now if a plot could not be written to `path` after a long run."""
    from matplotlib.backend_bases import FigureCanvasBase

    formats = FigureCanvasBase.get_supported_filetypes()
    if path.suffix.removeprefix(".").lower() not in formats:
        raise ArtifactError(
            f"cannot draw to {str(path)!r}: its suffix must be one of {', '.join(sorted(formats))}"
        )
    if not path.parent.is_dir():
        raise ArtifactError(
            f"cannot draw to {str(path)!r}: there is no folder {str(path.parent)!r}; "
            "create it first"
        )


def plot_convergence(results: Sequence[SolveResult], path: Path) -> None:
    """Plot how NashConv falls, by iterations and by seconds; the suffix of `path` is the format."""
    from matplotlib.figure import Figure  # slow to import, and few commands plot

    game = results[0].game
    figure = Figure(figsize=(10, 4.5), layout="constrained")
    by_iterations, by_seconds = figure.subplots(1, 2, sharey=True)
    seen = [p.nash_conv for r in results if len(r.points) > 1 for p in r.points if p.nash_conv > 0]
    floor = min(seen, default=0.0) / 3
    for result in results:
        points = [point for point in result.points if point.nash_conv > 0]
        exact = len(points) == 1  # the linear program: one point, which would squeeze the others
        label = f"{result.algorithm} (exact)" if exact else result.algorithm
        style = {"label": label, "linewidth": 1.5, "marker": "o" if exact else ""}
        heights = [max(point.nash_conv, floor) for point in points]
        by_iterations.loglog([point.iterations for point in points], heights, **style)
        by_seconds.loglog([point.seconds for point in points], heights, **style)
    by_iterations.set_xlabel("iterations")
    by_iterations.set_ylabel(f"NashConv [{game.game.unit}]")
    by_seconds.set_xlabel("solving time [s]")
    for axes in (by_iterations, by_seconds):
        axes.grid(which="major", alpha=0.3)
    by_iterations.legend()
    figure.suptitle(f"{game.name}: {game.n_infosets:,} information sets")
    save_figure(figure, path)
