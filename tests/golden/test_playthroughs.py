"""One seeded play of each game as text that a reader can follow.

After a deliberate change of the rules: `pytest tests/golden --regenerate`, then read the diff.
"""

import random
from pathlib import Path

import pytest

from counterfold.games import parse_game
from helpers.game_plays import choices

FOLDER = Path(__file__).parent / "playthroughs"

PLAYS = {  # file name: game and seed
    "kuhn-1": ("kuhn", 3),
    "kuhn-2": ("kuhn(ranks=5)", 2),
    "leduc-1": ("leduc", 5),
    "leduc-2": ("leduc(ranks=4, suits=3, raises=3)", 5),
    "liars-dice-1": ("liars-dice", 8),
    "liars-dice-2": ("liars-dice(faces=4, dice=2)", 2),
    "goofspiel-1": ("goofspiel", 1),
    "goofspiel-2": ("goofspiel(cards=5, order='random')", 2),
    "matrix-1": (
        "matrix(payoffs=((3.0, 0.0), (5.0, 1.0)), column_payoffs=((3.0, 5.0), (0.0, 1.0)))",
        2,
    ),
    "nash-bargaining-1": ("nash-bargaining", 4),
    "rps-1": ("rps", 1),
    "discard-1": ("discard(stack=6, deck='TJQKA/cd', board=(1, 1))", 47),
    "limit-1": ("limit(deck='QKA/cd', board=(1,), hole_cards=1)", 5),
    "river-of-blood-1": ("river-of-blood(stack=9, deck='QKA/cdh', board=(1,))", 18),
}


def playthrough(name, seed):
    """The text of one play; `random.random` draws the same on every version of Python."""
    source = random.Random(seed)
    game = parse_game(name)
    assert game.name == name
    lines = [f"game {game.name}, seed {seed}, {game.unit}"]
    state = game.root()
    while options := choices(state):
        lines += ["", repr(state)]
        if state.chance is not None:
            lines.append("chance")
            odds = [probability for _, probability in options]
            lines += [f"  {action} {probability:.6f}" for action, probability in options]
        else:
            infoset = state.infoset
            lines.append(f"player {infoset.player} knows [{infoset}]")
            odds = [1 / len(options)] * len(options)
            lines += [f"  {action}" for action in infoset.actions]
            lines += [
                f"feature {word} = {feature(infoset)!r}" for word, feature in game.features.items()
            ]
        action = pick(options, odds, source.random())
        lines.append(f"chosen {action}")
        state = state.child(action)
    lines += ["", repr(state), f"utilities {state.utilities}"]
    return "\n".join(lines) + "\n"


def pick(options, odds, point):
    """The action in whose share of the unit interval `point` lies."""
    for (action, _), share in zip(options, odds, strict=True):
        point -= share
        if point < 0:
            return action
    return options[-1][0]


@pytest.mark.parametrize("file", PLAYS)
def test_playthrough(file, regenerate):
    path = FOLDER / f"{file}.txt"
    found = playthrough(*PLAYS[file])
    if regenerate:
        path.write_text(found, encoding="utf-8")
    assert found == path.read_text(encoding="utf-8")


def test_no_file_is_left_over():
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(PLAYS)
