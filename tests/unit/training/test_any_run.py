import pytest

from counterfold.errors import ArtifactError, StrategyError
from counterfold.runs import Budget
from counterfold.spots.solved_spot import SolvedSpot
from counterfold.spots.spot_run import solve_spot
from counterfold.training.any_run import load_any_run
from counterfold.training.train_folder import TrainedRun
from counterfold.training.train_run import train
from counterfold.tree import SolvedRun, solve
from helpers.small_recipes import plan
from helpers.toy_games import river


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    solve("kuhn", "cfr", 5, folder=folder / "solved")
    train(plan(), folder / "trained", iterations=10)
    solve_spot(river(), Budget(iterations=7), folder=folder / "spot")
    return folder


def test_a_run_is_read_whatever_made_it(folders):
    solved, trained = load_any_run(folders / "solved"), load_any_run(str(folders / "trained"))
    assert isinstance(solved, SolvedRun)
    assert isinstance(trained, TrainedRun)
    assert (solved.progress.iterations, trained.metrics.iterations) == (5, 10)
    spot = load_any_run(folders / "spot")
    assert isinstance(spot, SolvedSpot)
    assert spot.progress.iterations == 7


def test_the_game_of_a_solved_run_may_be_given(folders, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("from counterfold.games import Kuhn\ngame = Kuhn()\n")
    assert load_any_run(folders / "solved", str(file)).strategy.game.game.name == "kuhn"
    with pytest.raises(ArtifactError, match="the rules of leduc have changed since"):
        load_any_run(folders / "solved", "leduc")
    with pytest.raises(StrategyError, match="includes its rules; leave out --game"):
        load_any_run(folders / "trained", "leduc-variant")
    with pytest.raises(StrategyError, match="includes its rules; leave out --game"):
        load_any_run(folders / "spot", "nolimit")
