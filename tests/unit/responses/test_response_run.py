"""Measurements that are interrupted and resumed, and what is kept beside a bot."""

import json

import numpy as np
import pytest

from counterfold.cluster.workers import LocalWorkers
from counterfold.errors import ArtifactError, DeviceError
from counterfold.responses import response_run
from counterfold.responses.exact_response import ExactResponder
from counterfold.responses.known_responses import add_known, known_responses
from counterfold.responses.response_run import measure_response, strategy_digest
from counterfold.training.train_folder import load_trained
from counterfold.training.train_run import train
from helpers.processes.cluster_jobs import Traveling
from helpers.small_recipes import recipe


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bots") / "leduc"
    train(recipe(), folder, iterations=3_000)
    return load_trained(folder)


@pytest.fixture(scope="module")
def responder(run):
    return ExactResponder.of_run(run)


def test_a_resumed_measurement_ends_with_the_same_figures(run, responder, tmp_path):
    boards = responder.boards
    whole = measure_response(responder, run, boards, sampled=False)
    assert whole.done == whole.total == len(boards)
    folder = tmp_path / "rows"
    part = measure_response(responder, run, boards[:2], sampled=False, folder=folder)
    assert part.result is not None
    seen = []
    again = measure_response(
        responder, run, boards, sampled=False, folder=folder, resume=True, observe=seen.append
    )
    assert again.result == whole.result
    assert len(seen) == len(boards) - 2
    assert seen[-1].done == seen[-1].total
    assert seen[0].seconds_left > 0


def test_work_stops_when_told(responder):
    calls = iter([False] * 4)
    rows = list(responder.respond(responder.boards, stopped=lambda: next(calls, True)))
    assert 0 < len(rows) < len(responder.boards)


def test_rows_of_another_bot_are_refused(run, responder, tmp_path):
    measure_response(responder, run, responder.boards[:1], sampled=False, folder=tmp_path)
    other = ExactResponder.of_run(run, by_street=False)
    with pytest.raises(ArtifactError, match="layers True, not False"):
        measure_response(other, run, other.boards, sampled=False, folder=tmp_path, resume=True)


def test_damaged_rows_are_refused(run, responder, tmp_path):
    measure_response(responder, run, responder.boards[:1], sampled=False, folder=tmp_path)
    (array,) = tmp_path.glob("boards/*/worth-0*.npy")
    content = bytearray(array.read_bytes())
    content[-1] ^= 1
    array.write_bytes(content)
    with pytest.raises(ArtifactError, match="damaged"):
        measure_response(
            responder, run, responder.boards, sampled=False, folder=tmp_path, resume=True
        )


def test_a_sample_needs_two_boards_in_each_half(run, responder):
    few = responder.sample(3, seed=1)
    assert measure_response(responder, run, few, sampled=True).result is None
    enough = responder.sample(4, seed=1)
    result = measure_response(responder, run, enough, sampled=True).result
    assert result is not None
    assert result.to_dict()["exploitability"]["interval"] > 0


def test_an_estimate_grows_with_boards_and_falls_with_threads(responder):
    boards = responder.boards
    one = responder.expected_seconds(boards[:1], 2)
    assert 0 < one < 1
    assert responder.expected_seconds(boards, 1) == pytest.approx(len(boards) * one)
    assert responder.expected_seconds(boards, 2) == pytest.approx(len(boards) * one / 2)


def test_the_digest_names_strategy_and_play(run):
    changed = run.blueprint.quantized.copy()
    changed[0] ^= 1
    before = strategy_digest(run)
    kept = run.blueprint.quantized.copy()
    try:
        run.blueprint.quantized[:] = changed
        assert strategy_digest(run) != before
    finally:
        run.blueprint.quantized[:] = kept
    assert strategy_digest(run) == before


def test_known_responses_are_those_of_a_strategy(tmp_path):
    figures = {"kind": "sampled", "unit": "mb/g", "exploitability": {"mean": 1.0, "interval": 0.5}}
    add_known(tmp_path, {"strategy": "a", "settings": {"seed": 1}, **figures})
    add_known(tmp_path, {"strategy": "a", "settings": {"seed": 2}, **figures})
    add_known(tmp_path, {"strategy": "b", "settings": {"seed": 1}, **figures})
    newer = {**figures, "exploitability": {"mean": 3.0, "interval": 0.0}}
    add_known(tmp_path, {"strategy": "a", "settings": {"seed": 1}, **newer})
    found = known_responses(tmp_path, "a")
    assert [entry["exploitability"]["mean"] for entry in found] == [1.0, 3.0]
    assert known_responses(tmp_path, "c") == []
    (tmp_path / "responses.json").write_text(json.dumps({"responses": [{}]}))
    with pytest.raises(ArtifactError, match="measure again"):
        known_responses(tmp_path, "a")


def test_workers_find_the_same_rows(run, responder):
    boards = responder.boards
    here = measure_response(responder, run, boards, sampled=False)
    there = measure_response(responder, run, boards, sampled=False, workers=Traveling(2))
    assert there.result == here.result
    assert there.done == len(boards)


def test_rows_of_the_processor_serve_a_device_and_the_reverse(
    run, responder, tmp_path, monkeypatch
):
    boards = responder.boards
    whole = measure_response(responder, run, boards, sampled=False, device="cpu")
    part = boards[: len(boards) // 2]
    measure_response(responder, run, part, sampled=False, folder=tmp_path, device="cpu")
    monkeypatch.setattr(response_run, "find_library", lambda responder, device: np)
    seen = []
    found = measure_response(
        responder, run, boards, sampled=False, folder=tmp_path, resume=True, observe=seen.append
    )
    assert len(seen) == len(boards) - len(part)
    mean = whole.result.exploitability.mean
    assert found.result.exploitability.mean == pytest.approx(mean, abs=2e-6)


def test_a_cluster_has_no_gpu(run, responder):
    with pytest.raises(DeviceError, match="a cluster responds on processors"):
        measure_response(
            responder, run, responder.boards, sampled=False, workers=LocalWorkers(1), device="gpu"
        )
