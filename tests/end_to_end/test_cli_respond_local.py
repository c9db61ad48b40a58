"""`counterfold respond --local` on a small trained bot."""

import json

import pytest

from counterfold.responses.known_responses import known_responses
from helpers.trained_runs import train_small


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A bot of its own: what is measured is kept beside it."""
    path = tmp_path_factory.mktemp("respond") / "run"
    train_small("discard-history", path)
    return path


def test_a_local_response_is_told_as_a_lower_bound(command, folder):
    code, out, _ = command("respond", folder, "--local", "--hands", "200")
    assert code == 0
    rows = dict(line.split(maxsplit=1) for line in out.splitlines() if not line.startswith("seat"))
    assert rows["response"] == "local, to discard-history, 200 hands, seed 0"
    assert rows["exploitability"].startswith("at least ")
    assert "a lower bound" in rows["exploitability"]
    assert "preflop " in out
    assert "seat 0" in out
    assert "seat 1" in out


def test_figures_are_kept_beside_the_bot(command, folder):
    arguments = ("respond", folder, "--local", "--hands", "100", "--bets", "100%, allin", "--json")
    code, out, _ = command(*arguments)
    assert code == 0
    found = json.loads(out)
    assert found["kind"] == "local lower bound"
    assert found["menu"] == "100%, allin"
    assert found["exploitability"]["interval"] > 0
    kept = [entry for entry in known_responses(folder, found["strategy"]) if entry["hands"] == 100]
    assert [entry["exploitability"] for entry in kept] == [found["exploitability"]]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--local", "--flops", "8"), "--local plays hands"),
        (("--local", "--all"), "--local plays hands"),
        (("--hands", "100"), "--hands goes with --local"),
    ],
)
def test_options_of_the_other_kind_are_refused(command, folder, options, message):
    code, _, err = command("respond", folder, *options)
    assert code != 0
    assert message in err
