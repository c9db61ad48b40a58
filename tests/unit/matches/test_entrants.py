"""Everyone who may take part is entered in one place, and in one way."""

import json

import pytest

from counterfold.bots import Bot
from counterfold.bots.baselines import AlwaysCall, PotOdds
from counterfold.bots.strategy_bot import StrategyBot
from counterfold.bots.trained_bot import TrainedBot
from counterfold.contest import Program
from counterfold.contest.export import TARGETS
from counterfold.contest.export.package import write_bot
from counterfold.errors import MatchError, UnknownNameError, UnsupportedGameError
from counterfold.games import parse_game
from counterfold.matches import Entrant, enter
from counterfold.matches.entrants import baseline_entrant
from helpers.trained_runs import random_bot, train_small

NOLIMIT = parse_game("nolimit(stack=20)")


def test_an_unknown_baseline_is_refused_with_the_known_ones():
    with pytest.raises(UnknownNameError, match="unknown baseline 'randm'; did you mean random"):
        baseline_entrant("randm", NOLIMIT)


class Passive(Bot):
    """Checks, else folds."""

    def act(self, view):
        return view.passive_action


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("runs") / "limit"


@pytest.fixture(scope="module")
def run(folder):
    return train_small("limit", folder, iterations=20)


@pytest.fixture
def program(tmp_path):
    folder = tmp_path / "program"
    folder.mkdir()
    (folder / "commands.json").write_text(json.dumps({"build": [], "run": ["./bot"]}))
    return folder


def one(given, variant=None):
    game, (entrant,) = enter([given], variant)
    assert isinstance(entrant, Entrant)
    return game, entrant


@pytest.mark.parametrize("given", ["always-call", AlwaysCall])
def test_a_baseline_by_its_name_or_its_class(given):
    game, entrant = one(given, NOLIMIT)
    assert (game, entrant.name, entrant.variant) == (NOLIMIT, "always-call", NOLIMIT)
    assert entrant.policy.kind == AlwaysCall.kind
    assert not entrant.is_program
    bots = [entrant.start(3, number) for number in (0, 1)]
    assert [type(bot) for bot in bots] == [AlwaysCall, AlwaysCall]
    assert [(bot.numbers.seed, bot.numbers.player) for bot in bots] == [(3, 0), (3, 1)]


def test_a_run_by_its_folder_loaded_or_as_a_bot(run, folder):
    for given in (str(folder), folder, run, TrainedBot(run)):
        game, entrant = one(given)
        assert game == run.plan.variant
        assert entrant.name == "limit"
        assert entrant.policy is not None
        assert not entrant.is_program
        bot = entrant.start(5, 1)
        assert isinstance(bot, StrategyBot)
        assert (bot.variant, bot.numbers.seed, bot.numbers.player) == (game, 5, 1)


def test_a_program_by_its_folder_or_its_commands(program):
    for given in (str(program), Program(("./bot",), program)):
        _, entrant = one(given, NOLIMIT)
        assert (entrant.name, entrant.is_program, entrant.policy) == ("program", True, None)
        assert entrant.start(0, 0) == Program(("./bot",), program)
        assert entrant.protocol is None  # nobody knows


def test_a_bot_of_ones_own_by_its_class_or_by_what_makes_it():
    for given, name in ((Passive, "Passive"), (lambda: Passive(), "bot")):
        _, entrant = one(given, NOLIMIT)
        assert (entrant.name, entrant.is_program, entrant.policy) == (name, False, None)
        first, second = entrant.start(0, 0), entrant.start(0, 0)
        assert isinstance(first, Passive)
        assert first is not second


def test_a_baseline_with_rules_of_ones_own_is_a_bot_of_ones_own():
    class Timid(PotOdds):
        pass

    _, entrant = one(Timid, NOLIMIT)
    assert (entrant.name, entrant.policy) == ("Timid", None)


def test_an_entrant_stays_what_it_is():
    _, entrant = one("random", NOLIMIT)
    assert one(entrant) == (NOLIMIT, entrant)


def test_who_is_named_twice_is_entered_once(run, folder):
    _, entrants = enter([folder, "random", str(folder), "random"])
    assert entrants[0].variant == entrants[2].variant
    assert entrants[1] is entrants[3]
    _, (first, second) = enter([str(folder), str(folder)])
    assert first is second


def test_runs_say_what_is_played(run):
    game, (_, other) = enter([run, "random"])
    assert game == other.variant == run.plan.variant
    with pytest.raises(
        MatchError, match="there is no run to take the variant from; pass one, such as --variant"
    ):
        enter(["random", Passive])
    with pytest.raises(MatchError, match=r"'limit' was trained for limit\(.*, not for nolimit"):
        enter([run], NOLIMIT)
    with pytest.raises(MatchError, match="kuhn is not a hold'em variant"):
        enter(["random"], "kuhn")


def test_who_cannot_take_part_is_told_why(tmp_path):
    file = tmp_path / "bot.zip"
    file.touch()
    for given, error, words in (
        ("rondom", UnknownNameError, "unknown baseline or folder 'rondom'"),
        (300 * "x", UnknownNameError, "unknown baseline or folder"),
        (str(file), MatchError, "is a file; unpack it"),
        (str(tmp_path), MatchError, "has neither manifest.json"),
        (Passive(), MatchError, "pass its class, or a function that makes one"),
        (7, MatchError, "7 cannot play; pass a baseline's name"),
    ):
        with pytest.raises(error, match=words):
            enter([given], NOLIMIT)
    with pytest.raises(UnsupportedGameError, match="needs two hole cards"):
        enter(["pot-odds"], "kuhn-variant")
    _, (entrant,) = enter([dict], NOLIMIT)
    with pytest.raises(MatchError, match=r"dict made \{\}; it must make a counterfold.bots.Bot"):
        entrant.start(0, 0)


def test_an_exported_bot_says_what_is_played_unless_another_does(tmp_path):
    bot, cards = random_bot(NOLIMIT)
    write_bot("bot", bot, cards, TARGETS["mit-plain"], tmp_path)
    game, entrant = one(tmp_path)
    assert game == entrant.usual_variant == NOLIMIT
    assert entrant.protocol == "mit-plain"
    deeper = parse_game("nolimit(stack=50)")
    assert one(tmp_path, deeper)[0] == deeper
