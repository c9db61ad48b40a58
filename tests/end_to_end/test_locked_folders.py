"""Two runs in one folder, and two builders of one table."""

import threading

import pytest

from counterfold.errors import ArtifactError
from counterfold.training.train_run import train
from counterfold.tree import solve
from helpers.compiled_games import compiled
from helpers.small_recipes import plan

RUNS = {
    "solve": lambda folder, observe: solve(
        compiled("kuhn"), "cfr", 10, folder=folder, resume=True, observe=lambda *_: observe()
    ),
    "train": lambda folder, observe: train(
        plan(), folder, iterations=100, resume=True, observe=lambda _: observe()
    ),
}


@pytest.mark.parametrize("kind", RUNS)
def test_two_runs_in_one_folder_are_refused(tmp_path, kind):
    refused = []

    def intrude():
        def attempt():
            with pytest.raises(ArtifactError, match="in use by another process"):
                RUNS[kind](tmp_path, lambda: None)
            refused.append(True)

        if not refused:
            thread = threading.Thread(target=attempt)
            thread.start()
            thread.join()

    RUNS[kind](tmp_path, intrude)
    assert refused
    RUNS[kind](tmp_path, lambda: None)
