"""A real cluster of local workers, where Ray is installed; with REQUIRE_RAY=1 it must be."""

import importlib
import importlib.util
import os
import random
import re
import sys
import time
from collections import deque

import numpy as np
import pytest
from typer.testing import CliRunner

from counterfold.cards import Deck, StrengthTables
from counterfold.cli import app
from counterfold.cluster import ray_workers
from counterfold.cluster.ray_workers import Actor, RayWorkers, SentJob, _deal, connect
from counterfold.cluster.software import describe_software
from counterfold.cluster.workers import LocalWorkers
from counterfold.errors import CardError, ClusterError, MissingLibraryError
from counterfold.spots.bulk_run import solve_spots
from counterfold.spots.spot_list import list_spots
from counterfold.training.epochs.epoch_solver import EpochSolver
from counterfold.training.epochs.share_walks import ShareJob
from counterfold.training.solver_factory import build_solver, find_chance
from helpers.processes import cluster_jobs
from helpers.processes.cluster_jobs import Deadly, DeadlyWorkers, Squares
from helpers.small_recipes import plan

HAS_RAY = importlib.util.find_spec("ray") is not None
needs_ray = pytest.mark.skipif(
    not HAS_RAY and os.environ.get("REQUIRE_RAY") != "1", reason="Ray is not installed"
)
pytestmark = pytest.mark.filterwarnings("ignore")  # of Ray's own


def ask_for_a_minute(ray, actor):
    """Ray takes its time to end one."""
    for _ in range(600):
        ray.get(actor.describe.remote())
        time.sleep(0.1)


@pytest.fixture(scope="module")
def workers():
    ray = importlib.import_module("ray")
    # Workers cannot import what belongs to tests.
    for module in (sys.modules[__name__], cluster_jobs):
        ray.cloudpickle.register_pickle_by_value(module)
    connect(ray, "auto", 6)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ray_workers, "_START_SECONDS", 900.0)  # on a machine that others keep busy
        with RayWorkers(n_workers=3) as found:
            yield found
    ray.shutdown()


class Broken(Actor):
    """A worker that does not start."""

    def __init__(self):
        raise OSError("no room")


class Forgetful:
    """Ray, as if the machines that kept the first results had gone."""

    def __init__(self, ray, n):
        self._ray, self.n = ray, n

    def __getattr__(self, name):
        return getattr(self._ray, name)

    def get(self, found, **options):
        result = self._ray.get(found, **options)
        if self.n and isinstance(result, int):
            self.n -= 1
            raise self._ray.exceptions.ObjectLostError("00", "", "")
        return result


@needs_ray
def test_results_come_in_order_and_dead_workers_are_replaced(workers, tmp_path):
    before = workers.n_replaced
    crew = workers.begin(Squares(tmp_path, deadly=(0, 7, 19)))
    done = list(crew.do(range(20), crew.publish(1000)))
    assert done == [1000 + n**2 for n in range(20)]
    assert workers.n_replaced >= before + 3  # Ray itself may lose another on a busy machine
    assert list(crew.do([4])) == [16]


@needs_ray
def test_a_piece_that_kills_everybody_is_given_up(workers):
    before = workers.n_replaced
    with pytest.raises(ClusterError, match="3 workers died during piece 2 of 5"):
        list(workers.begin(Squares(fatal=2)).do(range(5)))
    assert workers.n_replaced >= before + 3  # the last, too: nobody dead is left for the next job
    assert list(workers.begin(Squares()).do([5])) == [25]


@needs_ray
def test_pieces_that_fail_or_kill_do_not_keep_others_from_being_done(workers):
    crew = workers.begin(Squares(fatal=1, wrong=4))
    done = {each.number: each for each in crew.finish(range(6))}
    assert {n: each.result for n, each in done.items() if each.error is None} == {
        0: 0, 2: 4, 3: 9, 5: 25
    }  # fmt: skip
    assert str(done[4].error) == "no card 4"
    assert "3 workers died during piece 1 of 6" in str(done[1].error)


@needs_ray
def test_nobody_waits_for_replacements_that_find_no_core(workers, monkeypatch):
    """As after the loss of a machine; they start, at last, when there is room again."""
    n = len(workers.actors) + len(workers.starting)
    crew = workers.begin(Squares(fatal=1))
    with monkeypatch.context() as patch:
        patch.setattr(workers, "_make", workers.ray.remote(num_cpus=1000)(Actor))
        gone = workers.actors[-1]
        workers.replace(gone)
        assert list(crew.do([2, 3, 4, 5])) == [4, 9, 16, 25]
        waiting = list(workers.starting)[-1:]
        assert workers.actors
        assert gone not in workers.actors
        assert not workers.ray.wait(waiting, timeout=0)[0]
    workers.ray.kill(workers.starting[waiting[0]])  # and a normal one is asked for
    while workers.starting:
        workers.admit(workers.ray.wait(list(workers.starting))[0][0])
    assert len(workers.actors) == n
    assert list(crew.do([2, 3, 4, 5])) == [4, 9, 16, 25]


@needs_ray
def test_a_worker_that_is_replaced_leaves_its_core(workers):
    gone = workers.actors[0]
    workers.replace(gone)
    with pytest.raises(workers.ray.exceptions.RayActorError):
        ask_for_a_minute(workers.ray, gone)


@needs_ray
def test_replacements_that_never_start_end_a_job_only_if_nobody_else_is_there(workers, monkeypatch):
    monkeypatch.setattr(workers, "_make", workers.ray.remote(num_cpus=1)(Broken))
    workers.replace(workers.actors[0])
    while workers.starting:
        workers.admit(workers.ray.wait(list(workers.starting))[0][0])
    assert list(workers.begin(Squares()).do([1, 2, 3])) == [1, 4, 9]
    while len(workers.actors) > 1:
        workers.replace(workers.actors[0])
    with pytest.raises(ClusterError, match=r"no worker is left: OSError: no room"):
        list(workers.begin(Squares(fatal=2)).do(range(3)))
    monkeypatch.undo()
    for _ in range(3):
        workers.start_another()


@needs_ray
def test_results_that_were_lost_with_a_machine_are_found_again(workers, monkeypatch):
    monkeypatch.setattr(workers, "ray", Forgetful(workers.ray, 2))
    assert list(workers.begin(Squares()).do(range(5))) == [0, 1, 4, 9, 16]
    assert workers.ray.n == 0
    monkeypatch.setattr(workers.ray, "n", 100)
    with pytest.raises(ClusterError, match=r"3 workers died during piece \d of 5"):
        list(workers.begin(Squares()).do(range(5)))


@needs_ray
def test_an_error_of_ours_comes_home_as_it_is(workers):
    with pytest.raises(CardError, match=r"^no card 3$"):
        list(workers.begin(Squares(wrong=3)).do(range(5)))


@needs_ray
def test_a_worker_refuses_a_job_of_other_software(workers):
    sent = SentJob(-2, {**describe_software(), "numba": "0.1"}, [workers.ray.put(Squares())])
    with pytest.raises(ClusterError, match=r"not '0\.1' as the head has"):
        workers.ray.get(workers.actors[0].do.remote(sent, None, 1))


@needs_ray
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_training_ends_with_the_same_bits_whoever_dies(workers, tmp_path, seed):
    how = plan(shares=6, epoch=90)
    cards = how.cards()
    job = ShareJob(how.recipe, cards.digests())
    firsts = random.Random(seed).sample(range(0, 270, 15), 3)
    deadly = tuple(f"({first}, " for first in firsts)  # a share is its first deal and its end

    def tables(crew):
        solver = build_solver(how, how.game(cards.n_buckets), find_chance(how, cards))
        shared = EpochSolver(solver, crew, how.recipe.solver.shares)
        shared.run(270)
        return shared.tables

    before = workers.n_replaced
    ours = tables(workers.begin(Deadly(job, tmp_path, deadly)))
    assert all((tmp_path / text).exists() for text in deadly)
    assert workers.n_replaced >= before + 3  # Ray itself may lose another on a busy machine
    for name, table in tables(LocalWorkers(1).begin(job)).items():
        np.testing.assert_array_equal(ours[name], table)


@needs_ray
def test_tables_are_the_same_whoever_dies(workers, tmp_path):
    deck = Deck((2, 7, 12), 4)
    here = StrengthTables(deck, 5, folder=tmp_path / "here").street("turn")
    there = StrengthTables(deck, 5, folder=tmp_path / "there").street(
        "turn", workers=DeadlyWorkers(workers, tmp_path, ("(5, 6)", "(21, 22)"))
    )
    assert (tmp_path / "(21, 22)").exists()
    for name in ("sums", "squares", "histograms", "ochs"):
        np.testing.assert_array_equal(getattr(here, name), getattr(there, name))


@needs_ray
def test_spots_are_the_same_whoever_dies(workers, tmp_path):
    boards = ("2c2d7h8s3d", "2c2d7h8s4d", "AcKd7h8s4d", "9c9d9h8s4d")
    (tmp_path / "boards.txt").write_text("\n".join(boards))
    keys = {"ranges": ["AA,QQ", "KK,JJ"], "pot": 100, "stack": 100, "iterations": 20}
    asked = list_spots(None, tmp_path / "boards.txt", keys)
    there = solve_spots(asked, workers=DeadlyWorkers(workers, tmp_path, boards[1:3])).rows
    assert not (tmp_path / boards[0]).exists()
    assert (tmp_path / boards[1]).exists()
    for ours, theirs in zip(solve_spots(asked).rows, there, strict=True):
        assert ours | {"seconds": 0} == theirs | {"seconds": 0}


@needs_ray
def test_the_command_trains_on_a_cluster(workers, tmp_path):
    keys = ["variant='leduc-variant'", "cards='exact'", "bets='min'", "features='history * cards'"]
    recipe = tmp_path / "small.toml"
    recipe.write_text("\n".join(key.replace("=", " = ", 1) for key in keys))
    asked = ["train", str(recipe), "--out", str(tmp_path / "run"), "--iterations", "3000"]
    asked += ["--cluster", "auto", "--workers", "2"]
    asked += ["--set", "solver.epoch=1000", "--set", "solver.algorithm=external"]
    result = CliRunner().invoke(app, asked)
    assert result.exit_code == 0, result.output
    assert re.search(r"trained +3,000 deals", result.output)
    assert re.search(r"cluster +exchange [0-9.]+% of the time", result.output)


@needs_ray
def test_more_workers_than_cores_are_refused(workers):
    with pytest.raises(ClusterError, match="7 workers need as many cores, but the cluster has 6"):
        RayWorkers(n_workers=7)


@needs_ray
def test_a_cluster_that_is_not_there_is_named(monkeypatch):
    ray = importlib.import_module("ray")
    monkeypatch.setattr(ray, "is_initialized", lambda: False)

    def refuse(**_):
        raise ConnectionError("nobody there.\nand a page of advice")

    monkeypatch.setattr(ray, "init", refuse)
    with pytest.raises(ClusterError, match=r"'10\.0\.0\.1:6379': nobody there; give the"):
        RayWorkers("10.0.0.1:6379")
    monkeypatch.setenv("RAY_ADDRESS", "10.0.0.2:6379")
    with pytest.raises(ClusterError, match=r"'10\.0\.0\.2:6379': nobody there"):
        RayWorkers("auto")


def test_suspects_are_done_alone():
    todo = deque([5, 6, 7, 8])
    running = {"one": (1, "ann"), "two": (2, "ben")}
    assert _deal(todo, {1, 5}, ["ann", "ben", "cid", "dan"], running) == [
        (5, "cid"), (6, "dan"), (7, "ben"), (8, "dan")
    ]  # fmt: skip
    assert not todo
    todo = deque([5, 6])
    assert not _deal(todo, {5}, ["ann", "ben"], running)
    assert list(todo) == [5, 6]


def test_without_ray_the_message_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingLibraryError, match=r"counterfold\[cluster\]"):
        RayWorkers()


def test_workers_without_a_cluster_are_refused(tmp_path):
    asked = ["train", "nolimit-quick", "--out", str(tmp_path / "run"), "--workers", "2"]
    result = CliRunner().invoke(app, asked)
    assert isinstance(result.exception, ClusterError)
