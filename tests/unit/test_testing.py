"""Each test breaks one promise of a sound game and expects the sentence that says so."""

from dataclasses import dataclass

import pytest

from counterfold.errors import GameError, IllegalActionError
from counterfold.games import Game, Goofspiel, Infoset, Kuhn, Leduc, Matrix, Outcomes
from counterfold.testing import GameCheck, check_game

COIN = Outcomes(("h", "t"), (0.5, 0.5))


@dataclass(frozen=True)
class Sound:
    """Nature tosses a coin, player 0 sees it and moves, player 1 sees the move only."""

    path: tuple = ()

    @property
    def chance(self):
        return COIN if not self.path else None

    @property
    def utilities(self):
        return (1.0, -1.0) if len(self.path) == 3 else None

    @property
    def infoset(self):
        if len(self.path) == 1:
            return Infoset(0, ("a", "b"), (("coin", self.path[0]),))
        return Infoset(1, ("c", "d"), (("move", self.path[1]),))

    def child(self, action):
        legal = ("h", "t"), ("a", "b"), ("c", "d"), ()
        if action not in legal[len(self.path)]:
            raise IllegalActionError(f"{action!r} in {self!r}")
        return type(self)((*self.path, action))


def game_of(state=Sound, **attributes):
    root = {"word": "toy", "root": lambda self: state()}
    return dataclass(frozen=True)(type("Toy", (Game,), root | attributes))()


def broken(**members):
    """The game whose states are sound but for these members; functions of a state are asked."""
    members = {
        name: member if name in ("child", "__repr__", "__hash__") else property(member)
        for name, member in members.items()
    }
    return game_of(type("Broken", (Sound,), members))


def sound(name):
    return getattr(Sound, name).fget


def at(place, value, name):
    """The member `name` of a sound state, except that it is `value` at one length of the path."""
    return lambda self: value if len(self.path) == place else sound(name)(self)


def raising(error):
    def ask(self):
        raise error

    return ask


class SampleOnly:
    def sample(self, rng):
        return "ht"[rng.integers(2)]


class Unlisted(SampleOnly):
    def outcomes(self):
        return (("t", 1.0),)

    def sample(self, rng):
        return "h"


def test_a_sound_game_passes():
    assert check_game(game_of()) == GameCheck(nodes=15, infosets=4, terminals=8, complete=True)


@pytest.mark.parametrize("game", [Kuhn(), Goofspiel(3, "random"), Leduc(), Matrix(((1, 2),))])
def test_our_games_pass(game):
    assert check_game(game).complete


@pytest.mark.parametrize(
    ("members", "sentence"),
    [
        (
            {"utilities": lambda self: (1.0, -1.0)},
            "toy: a state has both utilities and chance, at the root",
        ),
        (
            {"infoset": at(1, None, "infoset")},
            "toy: a state has neither utilities nor chance nor an infoset, after 'h'",
        ),
        ({"infoset": raising(KeyError("x"))}, r"infoset raises KeyError\('x'\), after 'h'"),
        ({"utilities": raising(KeyError("x"))}, r"utilities raises KeyError\('x'\), at the root"),
        (
            {"chance": at(0, Outcomes(("h", "t"), (0.5, 0.4)), "chance")},
            "probabilities of chance sum to 0.9, not to one, at the root",
        ),
        (
            {"chance": at(0, Outcomes(("h", "t"), (1.0, 0.0)), "chance")},
            "chance gives outcome 't' probability 0.0, at the root",
        ),
        (
            {"chance": at(0, Outcomes(("h", "h"), (0.5, 0.5)), "chance")},
            "chance lists an outcome twice in .*, at the root",
        ),
        ({"chance": at(0, Outcomes((), ()), "chance")}, "chance has no outcomes, at the root"),
        (
            {"chance": at(0, Unlisted(), "chance")},
            r"chance samples 'h', which is not one of \('t',\), at the root",
        ),
        (
            {"infoset": at(1, Infoset(0, (), ()), "infoset")},
            "infoset '' offers no actions, after 'h'",
        ),
        (
            {"infoset": at(1, Infoset(0, ("a", "a"), ()), "infoset")},
            "infoset '' offers an action twice in .*, after 'h'",
        ),
        (
            {"infoset": at(1, Infoset(0, ["a", "b"], ()), "infoset")},
            "infoset raises TypeError.*unhashable.*, after 'h'",
        ),
        (
            {"infoset": at(1, Infoset(0, (1, 2), ()), "infoset")},
            r"actions \(1, 2\) are not a tuple of words, after 'h'",
        ),
        (
            {"infoset": at(1, Infoset(2, ("a", "b"), ()), "infoset")},
            "player 2 is not one of 2 players, after 'h'",
        ),
        (
            {"infoset": at(1, Infoset(0, ("a", "b"), (("x", 1), ("x", 2))), "infoset")},
            "infoset 'x=1 x=2' has two facts with the same name, after 'h'",
        ),
        (
            {"utilities": at(3, (1.0,), "utilities")},
            "not a tuple of 2 numbers, after 'h', 'a', 'c'",
        ),
        (
            {"utilities": at(3, (1.0, float("nan")), "utilities")},
            r"utilities \(1.0, nan\) are not finite numbers, after 'h', 'a', 'c'",
        ),
        (
            {"utilities": at(3, (1.0, 1.0), "utilities")},
            r"utilities \(1.0, 1.0\) of a zero-sum game do not sum to zero, after 'h', 'a', 'c'",
        ),
        ({"__hash__": raising(TypeError("no"))}, r"repr or hash raises TypeError\('no'\), at the"),
    ],
)
def test_faults_of_a_member(members, sentence):
    with pytest.raises(GameError, match=sentence):
        check_game(broken(**members))


def test_general_sum_games_may_sum_to_anything():
    state = type("Generous", (Sound,), {"utilities": property(at(3, (1.0, 1.0), "utilities"))})
    assert check_game(game_of(state, zero_sum=False)).complete


def test_actions_differ_within_an_infoset():
    def infoset(self):
        if len(self.path) == 1:
            return Infoset(0, ("a", "b") if self.path == ("h",) else ("b", "a"), ())
        return sound("infoset")(self)

    with pytest.raises(
        GameError,
        match=r"infoset '' of player 0 offers \('b', 'a'\) here and \('a', 'b'\) elsewhere, "
        "after 't'",
    ):
        check_game(broken(infoset=infoset))


class Forgetful(Sound):
    """Player 0 moves twice and forgets its first move."""

    @property
    def infoset(self):
        if len(self.path) == 2:
            return Infoset(0, ("c", "d"), ())
        return super().infoset


def test_a_forgetful_player():
    with pytest.raises(
        GameError,
        match="player 0 forgets what it knew or did: 'b' in 'coin=h' here, 'a' in 'coin=h' "
        "elsewhere, after 'h', 'b'",
    ):
        check_game(game_of(Forgetful))


def test_forgetting_is_allowed_where_it_is_declared():
    assert check_game(game_of(Forgetful, perfect_recall=False)).infosets == 3


def test_a_state_that_changes_when_asked():
    def utilities(self):
        object.__setattr__(self, "path", (*self.path, "h"))

    with pytest.raises(GameError, match="a state changes when it is queried, at the root"):
        check_game(broken(utilities=utilities, chance=lambda self: COIN))


def test_a_change_that_repr_and_hash_do_not_show():
    def infoset(self):
        known = sound("infoset")(self)
        object.__setattr__(self, "path", ("changed",) * len(self.path))
        return known

    members = {"infoset": infoset, "__repr__": lambda self: "toy", "__hash__": lambda self: 0}
    with pytest.raises(GameError, match="a state changes when it is queried, after 'h'"):
        check_game(broken(**members))


def test_a_state_that_keeps_what_was_asked():
    def child(self, action):
        result = Sound.child(self, action)
        object.__setattr__(self, "kept", [*getattr(self, "kept", ()), action])
        return result

    with pytest.raises(GameError, match="a state changes when it is queried, at the root"):
        check_game(broken(child=child, __repr__=lambda self: f"{vars(self)}"))


def test_two_children_by_one_action_differ():
    counter = iter(range(1000))

    def child(self, action):
        return type(self)((*Sound.child(self, action).path[:-1], next(counter)))

    with pytest.raises(GameError, match=r"child\('h'\) gives two states that are not equal, at"):
        check_game(broken(child=child))


def test_an_illegal_action_is_accepted():
    def child(self, action):
        return type(self)((*self.path, action))

    with pytest.raises(GameError, match=r"child\(None\) is illegal but gives a state, at the root"):
        check_game(broken(child=child))


def test_an_action_of_another_state_is_accepted():
    def child(self, action):
        if action == "h" and len(self.path) == 1:
            return type(self)((*self.path, action))
        return Sound.child(self, action)

    with pytest.raises(GameError, match=r"child\('h'\) is illegal but gives a state, after 'h'"):
        check_game(broken(child=child))


def test_an_illegal_action_raises_another_error():
    def child(self, action):
        if action is None:
            raise KeyError(action)
        return Sound.child(self, action)

    with pytest.raises(
        GameError, match=r"illegal and raises KeyError\(None\), not IllegalActionError, at the root"
    ):
        check_game(broken(child=child))


def test_a_legal_action_is_refused():
    def child(self, action):
        if action == "b":
            raise IllegalActionError("no")
        return Sound.child(self, action)

    with pytest.raises(
        GameError, match=r"child\('b'\) raises IllegalActionError\('no'\), after 'h'"
    ):
        check_game(broken(child=child))


@pytest.mark.parametrize(
    ("feature", "error"),
    [(lambda infoset: infoset["colour"], "KeyError"), (lambda infoset: [], "TypeError")],
)
def test_a_feature_that_fails(feature, error):
    with pytest.raises(GameError, match=f"feature 'shade' raises {error}.*, after 'h'"):
        check_game(game_of(features={"shade": feature}))


def test_chance_that_can_only_be_sampled():
    state = type("Sampled", (Sound,), {"chance": property(at(0, SampleOnly(), "chance"))})
    found = check_game(game_of(state), max_nodes=200)
    assert not found.complete
    assert found.infosets == 4


def test_a_large_tree_is_sampled():
    game = Goofspiel(3)  # 67 nodes
    assert check_game(game, max_nodes=67).complete
    found = check_game(game, max_nodes=66)
    assert (found.complete, found.nodes) == (False, 2 * 66)


def test_faults_are_found_by_descents():
    def utilities(self):
        return (1.0, 1.0) if self.path == ("t", "b", "d") else sound("utilities")(self)

    game = broken(utilities=utilities, chance=at(0, SampleOnly(), "chance"))
    with pytest.raises(GameError, match="do not sum to zero, after 't', 'b', 'd'"):
        check_game(game, max_nodes=1000)


@dataclass(frozen=True)
class Endless:
    """One player who never stops."""

    steps: int = 0
    chance = None
    utilities = None

    @property
    def infoset(self):
        return Infoset(0, ("on",), (("steps", self.steps),))

    def child(self, action):
        if action != "on":
            raise IllegalActionError(f"{action!r}")
        return Endless(self.steps + 1)


def test_play_that_does_not_end():
    with pytest.raises(
        GameError, match="play has not ended after 100 actions, after 70 more actions, 'on', 'on'"
    ):
        check_game(game_of(Endless), max_nodes=100)
