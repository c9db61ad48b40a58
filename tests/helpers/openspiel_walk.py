"""Walks a game of ours and one of OpenSpiel's together, node by node.

What the walk returns carries a profile over: the information state string of each information set,
and the number of each of its actions.
"""

from collections.abc import Callable
from dataclasses import dataclass

import pyspiel
import pytest

from counterfold.games import Action, Game, Infoset

ActionMap = Callable[[Action], int]  # our label, or outcome of chance, to OpenSpiel's number


@dataclass(frozen=True)
class Correspondence:
    """Counts of the tree, and how to find our information sets in OpenSpiel."""

    nodes: int
    terminals: int
    strings: dict[Infoset, tuple[int, str]]  # player and information state string
    actions: dict[Infoset, tuple[int, ...]]  # in the order of the information set's actions


def walk_together(game: Game, other: pyspiel.Game, number: ActionMap) -> Correspondence:
    """Assert that both games have the same tree and information sets; cost is one full walk."""
    nodes = terminals = 0
    strings: dict[Infoset, tuple[int, str]] = {}
    actions: dict[Infoset, tuple[int, ...]] = {}
    infosets: dict[tuple[int, str], Infoset] = {}
    stack = [(game.root(), other.new_initial_state())]
    while stack:
        state, twin = stack.pop()
        nodes += 1
        if (utilities := state.utilities) is not None:
            assert twin.is_terminal(), state
            assert list(utilities) == pytest.approx(twin.returns(), abs=1e-12), state
            terminals += 1
            continue
        assert not twin.is_terminal(), state
        if (chance := state.chance) is not None:
            assert twin.is_chance_node(), state
            labels = [outcome for outcome, _ in chance.outcomes()]
            odds = {number(outcome): p for outcome, p in chance.outcomes()}
            assert odds == pytest.approx(dict(twin.chance_outcomes())), state
        else:
            assert not twin.is_chance_node(), state
            infoset = state.infoset
            assert infoset.player == twin.current_player(), state
            key = infoset.player, twin.information_state_string(infoset.player)
            labels = infoset.actions
            numbers = tuple(map(number, labels))
            assert sorted(numbers) == sorted(twin.legal_actions()), state
            assert strings.setdefault(infoset, key) == key, state
            assert infosets.setdefault(key, infoset) == infoset, state
            assert actions.setdefault(infoset, numbers) == numbers, state
        assert len(set(map(number, labels))) == len(labels), state
        stack += [(state.child(label), twin.child(number(label))) for label in labels]
    return Correspondence(nodes, terminals, strings, actions)


def kuhn_number(label: str) -> int:
    return {"J": 0, "Q": 1, "K": 2, "pass": 0, "bet": 1}[label]


def leduc_number(label: str) -> int:
    if label in ("fold", "call", "raise"):
        return ("fold", "call", "raise").index(label)
    return 2 * "JQK".index(label[0]) + "sh".index(label[1])


def liars_dice_number(faces: int, dice: int) -> ActionMap:
    def number(label: str) -> int:
        if label == "liar":
            return 2 * dice * faces
        if "x" not in label:  # a die
            return int(label) - 1
        count, face = map(int, label.split("x"))
        return (count - 1) * faces + face - 1

    return number


def goofspiel_number(label: str) -> int:
    return int(label) - 1


def rps_number(label: str) -> int:
    return ("rock", "paper", "scissors").index(label)


def leduc() -> pyspiel.Game:
    return pyspiel.load_game("leduc_poker")


def liars_dice(faces: int, dice: int) -> pyspiel.Game:
    return pyspiel.load_game(f"liars_dice(players=2,numdice={dice},dice_sides={faces})")


def goofspiel(cards: int, order: str = "descending") -> pyspiel.Game:
    rules = f"imp_info=True,num_cards={cards},points_order={order},returns_type=point_difference"
    return pyspiel.load_game(f"turn_based_simultaneous_game(game=goofspiel({rules}))")


def matrix(payoffs, column_payoffs=None) -> pyspiel.Game:
    """OpenSpiel's matrix game of these payoffs, played in sequence."""
    if column_payoffs is None:
        column_payoffs = [[-value for value in row] for row in payoffs]
    game = pyspiel.create_matrix_game(
        [list(map(float, row)) for row in payoffs],
        [list(map(float, row)) for row in column_payoffs],
    )
    return pyspiel.convert_to_turn_based(game)
