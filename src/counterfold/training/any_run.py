"""A run from its folder, whether `solve` or `train` made it."""

from pathlib import Path

from counterfold.cards.table_files import Progress as TableProgress
from counterfold.errors import StrategyError
from counterfold.games.files import find_game
from counterfold.training.train_folder import TrainedRun, is_trained, load_trained
from counterfold.tree.solve_folder import SolvedRun, load_solved


def load_any_run(
    folder: Path | str, game: str | None = None, progress: TableProgress | None = None
) -> SolvedRun | TrainedRun:
    """Read the run in `folder`.

    `game`, a name or a file, makes the game of a solved run; a file in Python is run. A trained
    strategy includes its rules and takes none.
    """
    folder = Path(folder)
    if not is_trained(folder):
        return load_solved(folder, None if game is None else find_game(game))
    if game is not None:
        raise StrategyError(f"{str(folder)!r} was trained and includes its rules; leave out --game")
    return load_trained(folder, progress)
