"""`counterfold equity` as people call it."""

import json
import re
import subprocess
import sys

import pytest

from counterfold.cli import main


@pytest.fixture
def call(monkeypatch, capsys):
    """Run the command in this process: exit code, stdout and stderr."""

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["counterfold", "equity", *arguments])
        with pytest.raises(SystemExit) as exit_info:
            main()
        captured = capsys.readouterr()
        return exit_info.value.code or 0, captured.out, captured.err

    return run


def test_prints_percentages_and_counts(call):
    code, out, _ = call("AhKh", "QQ+,AKs", "--board", "2h7hTc")
    assert code == 0
    rows = dict(line.split("  ", 1) for line in out.splitlines())
    figures = {name.strip(): text.strip() for name, text in rows.items()}
    assert figures == {
        "win": "45.41%",
        "tie": "12.42%",
        "lose": "42.16%",
        "equity": "51.63%",
        "run-outs": "990 for each pair of hands",
        "pairs of hands": "15",
    }


def test_json(call):
    code, out, _ = call(
        "AhKh", "QQ+,AKs:0.5", "--board", "2h 7h Tc 3d 3h", "--dead", "QcQd", "--json"
    )
    assert code == 0
    content = json.loads(out)
    # The flush beats all pairs but loses to nothing; QhQs is the one pair of queens left.
    assert content["win"] == content["equity"] == 1.0
    assert (content["run_outs"], content["hand_pairs"]) == (1, 1 + 3 + 3 + 3)
    assert content["total_weight"] == 1 + 3 + 3 + 1.5
    assert (content["second"], content["dead"]) == ("QQ+,AKs:0.5", "QcQd")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["AhKh", "QQ", "--board", "2h7h2h"], "card 2h twice, at position 5 of '2h7h2h'"),
        (["AhXh", "QQ"], "unknown rank 'X' at position 3 of 'AhXh'"),
        (["AhKh", "QQ", "--board", "2h7hT"], "suit missing at position 6"),
        (["AhKh", "QQ", "--board", "Ah7h2c"], "card Ah of every hand .* number 1 of the board"),
        (["AhKh", "AhQd"], "card Ah is in every hand of the first range AhKh and the second"),
        (["AA", "QQ", "--board", "2h3h4h", "--dead", "4h"], "card 4h, number 1 of the dead cards"),
        (["QQ", "KK", "--board", "QcQdQh"], "no hand of the first range QQ is left"),
        (["QQ+", ""], "hands missing at position 1"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(call, arguments, message):
    code, out, err = call(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("counterfold: ")
    assert err.count("\n") == 1
    assert re.search(message, err)


def test_from_the_shell():
    command = "from counterfold.cli import main; main()"
    arguments = ["equity", "AsAc", "KsKc", "--board", "2c3d4h5s9c"]
    done = subprocess.run(
        [sys.executable, "-c", command, *arguments], capture_output=True, text=True, check=True
    )
    assert "equity          100.00%" in done.stdout
