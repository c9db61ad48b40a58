"""A run from its folder, whether `solve`, `spot` or `train` made it."""

from pathlib import Path

from counterfold.cards.table_files import Progress as TableProgress
from counterfold.errors import StrategyError
from counterfold.games.files import find_game
from counterfold.spots.solved_spot import SolvedSpot
from counterfold.spots.spot_folder import is_spot, load_spot
from counterfold.training.train_folder import TrainedRun, is_trained, load_trained
from counterfold.tree.solve_folder import SolvedRun, load_solved


def load_any_run(
    folder: Path | str, game: str | None = None, progress: TableProgress | None = None
) -> SolvedRun | SolvedSpot | TrainedRun:
    """Read the run in `folder`.

    `game`, a name or a file, makes the game of a solved run; a file in Python is run. A trained
    strategy and a spot include their rules and take none.
    """
    folder = Path(folder)
    if not (is_trained(folder) or is_spot(folder)):
        return load_solved(folder, None if game is None else find_game(game))
    if game is not None:
        raise StrategyError(f"the run in {str(folder)!r} includes its rules; leave out --game")
    return load_spot(folder) if is_spot(folder) else load_trained(folder, progress)
