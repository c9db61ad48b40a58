"""`counterfold respond` and what `evaluate` tells of it afterwards."""

import json
import re

import numpy as np
import pytest

from counterfold.cli import respond
from counterfold.responses import response_run
from counterfold.training.recipe import parse_recipe
from counterfold.training.train_run import train
from helpers.small_recipes import content, recipe


@pytest.fixture(scope="module")
def bot(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bots") / "leduc"
    train(recipe(), folder, iterations=20_000)
    return folder


def test_responses_are_measured_and_told(command, bot, tmp_path):
    code, out, _ = command("evaluate", bot, "--hands", "100")
    assert code == 0
    assert "none measured in the real game; see counterfold respond" in out
    rows = tmp_path / "rows"
    code, out, _ = command("respond", bot, "--all", "--out", rows, "--json")
    assert code == 0
    found = json.loads(out)
    assert (found["kind"], found["boards"], found["unit"]) == ("exact", 6, "mb/g")
    assert list(found["by_street"]) == ["preflop", "flop"]
    code, out, err = command("respond", bot, "--flops", "8", "--out", rows, "--resume")
    assert code == 0
    assert "8 sampled flops" in out
    assert "time: about 0 s with 1 thread" in err
    code, out, _ = command("evaluate", bot, "--hands", "100", "--json")
    told = json.loads(out)
    assert [entry["kind"] for entry in told["responses"]] == ["exact", "sampled"]
    exact = told["exact"]["exploitability"] * 1000 / told["big_blind"]
    assert found["exploitability"] == {"mean": pytest.approx(exact, rel=1e-3), "interval": 0.0}
    code, out, _ = command("evaluate", bot, "--hands", "100")
    assert f"exact: {found['exploitability']['mean']:,.1f} mb/g (boards 6)" in out
    assert "mb/g (boards 8, seed 0)" in out


def test_turns_alone_give_a_lower_bound(command, tmp_path):
    folder = tmp_path / "bot"
    three = {**content("limit(bets=1, deck='QKA/cd', board=(1, 1))"), "bets": "min"}
    train(parse_recipe(three, "the recipe"), folder, iterations=2_000)
    code, out, _ = command("respond", folder, "--turns", "8")
    assert code == 0
    assert "8 sampled turns" in out
    assert "at least" in out
    assert "a lower bound: the responder responds from the turn on" in out
    code, out, _ = command("evaluate", folder, "--hands", "100")
    assert "lower bound" in out


def test_free_bets_give_a_lower_bound(command, tmp_path):
    free = content("nolimit(stack=6, deck='QKA/cd', board=(1,))")
    folder = tmp_path / "bot"
    train(parse_recipe(free, "the recipe"), folder, iterations=2_000)
    code, out, _ = command("respond", folder, "--all", "--bets", "50%, allin; cap 2")
    assert code == 0
    assert "at least" in out
    assert "a lower bound: the responder chose from a menu" in out
    assert "of which" not in out


def test_a_learned_response_is_measured_told_and_kept(command, bot, tmp_path):
    options = ("--deals", "5000", "--hands", "4000", "--threads", "1")
    code, out, _ = command("respond", bot, "--learned", *options, "--json")
    assert code == 0
    found = json.loads(out)
    assert (found["kind"], found["deals"], found["hands"]) == ("learned lower bound", 5000, 4000)
    folder = tmp_path / "responder"
    code, out, _ = command("respond", bot, "--learned", *options, "--out", folder)
    assert code == 0
    assert "learned, to leduc, 4,000 hands, seed 0" in out
    assert "(95% interval), a lower bound" in out
    code, told, _ = command("evaluate", bot, "--hands", "100")
    assert "learned lower bound: " in told
    assert "(deals 5000, hands 4000, seed 0)" in told
    code, out, _ = command("match", folder, bot, "--hands", "4000", "--json")
    assert code == 0
    code, out, _ = command("show", folder)
    assert code == 0


def test_a_gpu_responds_if_there_is_one(command, bot, monkeypatch):
    _, out, err = command("respond", bot, "--all", "--device", "cpu", "--json")
    assert "time: about" in err
    for module in (respond, response_run):  # the twins of its kernels are in its place
        monkeypatch.setattr(module, "find_library", lambda responder, device: np)
    monkeypatch.setattr(respond, "gpu_name", lambda: "a large GPU")
    code, again, err = command("respond", bot, "--all", "--json")
    assert code == 0
    assert re.search(r"device: a large GPU, about \d+\.\d\d GB of its memory", err)
    assert re.search(r"time: about \d+ s on an H200", err)
    mean = json.loads(out)["exploitability"]["mean"]
    assert json.loads(again)["exploitability"]["mean"] == pytest.approx(mean, abs=1e-2)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--local", "--learned"), "choose one of --local and --learned"),
        (("--learned", "--flops", "4"), "--learned trains a responder with the bets of the bot"),
        (("--learned", "--bets", "50%"), "--learned trains a responder with the bets of the bot"),
        (("--time", "1m"), "--time and --deals go with --learned"),
        (("--learned", "--time", "0s"), "the time limit must be a number of seconds above 0"),
        (("--all", "--flops", "4"), "choose one of --flops, --turns, --rivers and --all"),
        (("--turns", "4", "--rivers", "4"), "choose one of --flops, --turns, --rivers and --all"),
        (("--turns", "4"), "leduc-variant has 2 streets; turns are never dealt"),
        (("--resume",), "--resume continues in a folder; name it with --out"),
        (("--flops", "3"), "greater than or equal to 4"),
        (("--bets", "50%"), "bets of leduc-variant are fixed; leave out '50%'"),
        (("--device", "tpu"), "device 'tpu' is not one of auto, cpu, gpu"),
        (
            ("--device", "gpu", "--local"),
            "--device gpu is for responses over boards; leave it out with --local",
        ),
    ],
)
def test_bad_options_are_refused_in_one_sentence(command, bot, options, sentence):
    code, out, err = command("respond", bot, *options)
    assert (code, out) == (2, "")
    assert sentence in err
    assert len(err.strip().splitlines()) == 1
