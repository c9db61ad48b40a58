import json
import shutil

import numpy as np
import pytest

from counterfold import artifacts
from counterfold.errors import ArtifactError
from counterfold.ranges.device.device_pass import DevicePass
from counterfold.runs.run_folder import CHECKPOINT
from counterfold.training import solver_factory
from counterfold.training.evaluate_run import measure
from counterfold.training.plan import Plan
from counterfold.training.recipe import parse_recipe
from counterfold.training.train_folder import (
    METRICS,
    append_metrics,
    identify,
    is_trained,
    load_metrics,
    load_trained,
)
from counterfold.training.train_run import train
from helpers.small_recipes import content, plan, recipe


def metrics_in(folder):
    return [json.loads(line) for line in (folder / METRICS).read_text().splitlines()]


def test_a_line_of_metrics_that_was_cut_short_is_dropped(tmp_path):
    append_metrics(tmp_path, {"iterations": 1})
    with open(tmp_path / METRICS, "a") as file:
        file.write('{"iterati')
    append_metrics(tmp_path, {"iterations": 2})
    append_metrics(tmp_path, {"iterations": 3})
    assert metrics_in(tmp_path) == [{"iterations": n} for n in (1, 2, 3)]
    (tmp_path / METRICS).write_text('{"iterati')
    append_metrics(tmp_path, {"iterations": 4})
    assert metrics_in(tmp_path) == [{"iterations": 4}]


def edit(folder, part="details", **changes):
    """Change keys of a part of a manifest, or of itself."""
    manifest = artifacts.load_manifest(folder)
    (manifest[part] if part else manifest).update(changes)
    artifacts.write_manifest(folder, manifest)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made") / "run"
    train(plan(), folder, iterations=10)
    return folder


@pytest.fixture
def folder(made, tmp_path):
    shutil.copytree(made, tmp_path / "run")
    return tmp_path / "run"


def test_runs_that_pruned_by_chips_are_read_in_big_blinds(folder):
    stored = recipe(prune_below_blinds=-3.0).model_dump()
    stored["solver"]["prune_below"] = 10 * stored["solver"].pop("prune_below_blinds")
    edit(folder, recipe=stored)
    found = load_trained(folder).plan
    assert found.recipe.solver.prune_below_blinds == 10 * -3.0 / found.variant.big_blind


@pytest.mark.parametrize(
    ("part", "changes", "message"),
    [
        ("details", {"recipe": {}}, "is damaged: its recipe: the key 'variant' is missing"),
        ("details", {"recipe": content(variant="discord")}, "unknown game 'discord'"),
        ("", {"fingerprint": "0"}, "has changed since it was trained; train it again"),
        ("details", {"trained": None}, "is damaged"),
        ("details", {"metrics": {}}, "is damaged"),
        ("", {"kind": "solve"}, "holds a run of counterfold solve, not train"),
        ("", {"built_on": {"flop-x": "0"}}, "the card tables flop-x are not those that"),
    ],
    ids=str,
)
def test_damaged_strategies_are_refused(folder, part, changes, message):
    edit(folder, part, **changes)
    with pytest.raises((ArtifactError, ValueError), match=message):
        load_trained(folder)


@pytest.mark.parametrize(
    ("part", "changes", "message"),
    [
        ("progress", {"iterations": -1}, "its progress has iterations -1"),
        ("progress", {"seconds": "long"}, "its progress has seconds 'long'"),
        ("progress", {"visited": None}, "is damaged"),
        ("", {"fingerprint": "0"}, "has changed since it was saved"),
        ("", {"identity": None}, "its manifest lacks 'identity'"),
        ("", {"built_on": {"flop-x": "0"}}, "the card tables flop-x are not those that"),
    ],
    ids=str,
)
def test_damaged_checkpoints_are_refused(folder, part, changes, message):
    edit(folder / CHECKPOINT, part, **changes)
    with pytest.raises(ArtifactError, match=message):
        train(plan(), folder, iterations=20, resume=True)


def test_a_folder_without_a_strategy_yet_says_how_to_get_one(folder):
    (folder / artifacts.MANIFEST).unlink()
    with pytest.raises(ArtifactError, match="has no strategy yet; continue the run with --resume"):
        is_trained(folder)


def test_threads_budget_and_play_are_not_what_a_run_is(folder):
    other = content(threads=2, device="cpu") | {"play": {"purify": True}, "budget": {"time": "5s"}}
    assert identify(parse_recipe(other, "a test")) == identify(recipe())
    assert identify(parse_recipe(content(epoch=400), "a test")) != identify(recipe())


def test_runs_are_resumed_from_before_averages_had_a_power():
    assert "averages_power" not in identify(recipe())["solver"]
    assert identify(parse_recipe(content(averages_power=1.0), "a test")) != identify(recipe())


@pytest.fixture
def joint_plan(tmp_path, monkeypatch):
    monkeypatch.setenv("COUNTERFOLD_HOME", str(tmp_path / "home"))
    keys = content("limit(deck='9TJQKA/cd')", "history(2)", algorithm="joint-tables", epoch=None)
    return Plan(parse_recipe(keys | {"bets": "min"}, "a test"), "test")


def test_runs_are_resumed_that_named_the_order_of_discards_that_is_now_chosen():
    toss = content(variant="toss", cards="percentile(4)")
    for keys, chosen in ((content(), "by-rank"), (toss, "by-strength")):
        found = {
            order: identify(parse_recipe(keys | {"discards": order}, "a test"))
            for order in ("auto", "by-rank", "by-strength")
        }
        assert found["auto"] == found[chosen]
        assert found["by-rank"] != found["by-strength"]


def test_full_width_runs_resume_and_play_what_they_learned(joint_plan, tmp_path):
    whole = train(joint_plan, tmp_path / "whole", iterations=30)
    for n in (10, 30):
        parts = train(joint_plan, tmp_path / "parts", iterations=n, resume=n > 10)
    assert (whole.blueprint.quantized == parts.blueprint.quantized).all()
    assert whole.metrics.trained_infosets == whole.blueprint.coverage
    # Playing uniformly leaves 3,500 mb/g in this game, 30 iterations leave 130.
    found = measure(load_trained(tmp_path / "parts"), hands=100)
    assert found.joint.exploitability_mb < 300.0


def test_a_checkpoint_moves_from_one_device_to_another(joint_plan, tmp_path, monkeypatch):
    """Through copies of the tables, as a GPU gives them; NumPy stands in for it."""

    class Elsewhere(DevicePass):
        def to_numpy(self, table):
            return table.copy()

    here = train(joint_plan, tmp_path / "here", iterations=6)
    there = Plan(joint_plan.recipe, "test")
    there.device = "gpu"
    monkeypatch.setattr(solver_factory, "gpu_library", lambda: np)
    monkeypatch.setattr(solver_factory, "DevicePass", Elsewhere)
    moved = tmp_path / "moved"
    for n, made in ((2, there), (4, joint_plan), (6, there)):
        found = train(made, moved, iterations=n, resume=n > 2)
    ours, theirs = (artifacts.load(folder / CHECKPOINT)[1] for folder in (tmp_path / "here", moved))
    for name, table in ours.items():
        np.testing.assert_allclose(theirs[name], table, rtol=1e-3, atol=1e-3)
    assert found.metrics.mean_positive_regret == pytest.approx(
        here.metrics.mean_positive_regret, rel=1e-3
    )


def test_tables_in_the_order_of_an_earlier_version_are_refused(joint_plan, tmp_path):
    train(joint_plan, tmp_path / "run", iterations=1)
    manifest = artifacts.load_manifest(tmp_path / "run" / CHECKPOINT)
    assert manifest["progress"].pop("order") == "actions"
    artifacts.write_manifest(tmp_path / "run" / CHECKPOINT, manifest)
    with pytest.raises(ArtifactError, match="the order of an earlier version; begin a new run"):
        train(joint_plan, tmp_path / "run", iterations=2, resume=True)


def test_sampled_runs_of_versions_that_named_no_order_are_resumed(folder):
    manifest = artifacts.load_manifest(folder / CHECKPOINT)
    assert manifest["progress"].pop("order") == "infosets"
    artifacts.write_manifest(folder / CHECKPOINT, manifest)
    assert train(plan(), folder, iterations=11, resume=True).metrics.iterations == 11


def test_averages_of_64_bits_as_earlier_versions_had_are_read(folder, tmp_path):
    """Rounded once; the run goes on as if they had always been like that."""
    shutil.copytree(folder, tmp_path / "same")
    _, arrays = artifacts.load(folder / CHECKPOINT)
    manifest = artifacts.load_manifest(folder / CHECKPOINT)
    wide = arrays["averages"].astype(np.float64) * (1.0 + 2.0**-30)
    artifacts.save(folder / CHECKPOINT, manifest, {**arrays, "averages": wide})
    for each in (folder, tmp_path / "same"):
        train(plan(), each, iterations=20, resume=True)
    found, expected = (artifacts.load(f / CHECKPOINT)[1] for f in (folder, tmp_path / "same"))
    assert found["averages"].dtype == np.float32
    for name, table in expected.items():
        np.testing.assert_array_equal(found[name], table)


def test_metrics_that_cannot_be_read_or_written_are_told(tmp_path):
    (tmp_path / METRICS).mkdir()
    with pytest.raises(ArtifactError, match="cannot read"):
        load_metrics(tmp_path)
    with pytest.raises(ArtifactError, match=r"cannot write to .*; the checkpoint is complete"):
        append_metrics(tmp_path, {"iterations": 1})


def test_metrics_are_read_back_without_what_is_unfinished(tmp_path):
    assert load_metrics(tmp_path) == []
    rows = [{"iterations": n, "seconds": 0.5} for n in (1, 2)]
    for row in rows:
        append_metrics(tmp_path, row)
    with (tmp_path / METRICS).open("a") as file:
        file.write('[1]\n{"iterations": "x"}\n{"seconds": 1}\nnonsense\n{"iterations": 3')
    assert load_metrics(tmp_path) == rows
