"""Who takes part in matches: the one place where a name, a run, a program or a bot becomes an
entrant.

An `Entrant` is the same object from the command line to the result. Trained runs and baselines have
a policy, which kernels play by the million; anybody can be started as a bot or a program and asked
by an engine. With the same seed both ways play the same hands.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from counterfold.artifacts import MANIFEST
from counterfold.bots.baselines import BASELINES
from counterfold.bots.interface import Bot
from counterfold.bots.played_run import bot_of, policy_of
from counterfold.bots.strengths import TabledStrength, check_ranks_hands, is_tabled
from counterfold.bots.trained_bot import TrainedBot
from counterfold.cards import StrengthTables
from counterfold.cards.table_files import Progress as TableProgress
from counterfold.contest.exported.exported_data import exported_game
from counterfold.contest.programs import COMMANDS_FILE, Program, load_program
from counterfold.errors import MatchError, UnknownNameError
from counterfold.games import Game
from counterfold.games.files import find_game
from counterfold.games.holdem import Variant
from counterfold.matches.match_policies import MatchPolicy, baseline_policy, strategy_policy
from counterfold.public.deals import Dealer
from counterfold.public.public_variants import is_public
from counterfold.search.search_options import SearchOptions
from counterfold.search.searching_bot import SearchingBot
from counterfold.training.train_folder import TrainedRun, load_trained


@dataclass(frozen=True, eq=False)
class Entrant:
    """Someone who takes part in matches.

    `start` makes a fresh one for a match, from a seed and its number there, 0 or 1.
    """

    name: str
    start: Callable[[int, int], Bot | Program]
    policy: MatchPolicy | None = None  # None for those that only an engine can ask
    variant: Variant | None = None  # what it can play; None for any
    is_program: bool = False  # it is then spoken to in a wire protocol, and has a clock
    usual_variant: Variant | None = None  # of an exported bot: played if nobody names another
    protocol: str | None = None  # that an exported bot speaks; None if nobody knows
    run: TrainedRun | None = None  # that it plays, without search
    before_search: MatchPolicy | None = None  # of one that searches: what it plays elsewhere


# A baseline's name, the folder of a run or of a program, or any of these themselves; a custom bot
# is a class or a function that makes one, since every match begins with a new one.
EntrantLike = (
    Entrant | str | Path | TrainedBot | TrainedRun | SearchingBot | Program | Callable[[], Bot]
)


def enter(
    given: Sequence[EntrantLike],
    variant: Game | str | None = None,
    progress: TableProgress | None = None,
) -> tuple[Variant, list[Entrant]]:
    """The variant to play, and everyone in `given` as an entrant. Runs determine the variant, and
    must have been trained for the same rules; without any run, it is `variant`, or else that of an
    exported bot. `progress` is called while card tables are built.
    """
    game = _find_variant(variant)
    # Anyone named twice is entered once.
    load = cache(lambda folder: _enter_folder(folder, progress))
    baseline = cache(baseline_entrant)
    found: list[Entrant | str] = []  # baselines by name until the variant is known
    for each in given:
        name = _find_baseline(each)
        if name is not None:
            found.append(name)
            continue
        entrant = load(each) if isinstance(each, str | Path) else _enter(each)
        found.append(entrant)
        if entrant.variant is not None:
            called = str(each) if isinstance(each, str | Path) else entrant.name
            game = _agree(called, entrant.variant, game)
    if game is None:
        usual = [each.usual_variant for each in found if isinstance(each, Entrant)]
        game = next((variant for variant in usual if variant is not None), None)
    if game is None:
        raise MatchError(
            "there is no run to take the variant from; pass one, such as --variant discard"
        )
    entrants = [baseline(each, game) if isinstance(each, str) else each for each in found]
    return game, entrants


def baseline_entrant(
    name: str, variant: Variant, tables: Callable[[], StrengthTables] | None = None
) -> Entrant:
    """A baseline; `tables` is called when it first looks at its cards."""
    if name not in BASELINES:
        raise UnknownNameError("baseline", name, BASELINES)
    baseline = BASELINES[name]
    # An engine asks it hand by hand where kernels do not know the game, or how strong hands are.
    if not is_public(variant) or (baseline.ranks_hands() and not is_tabled(variant)):
        if baseline.ranks_hands():
            check_ranks_hands(variant)
        return Entrant(name, lambda seed, number: baseline(seed, player=number), variant=variant)
    strength = TabledStrength(
        tables or (lambda: StrengthTables(variant.deck, ranking=variant.ranking)),
        variant.first_flush_suit_only,
    )
    return Entrant(
        name,
        lambda seed, number: baseline(seed, strength, player=number),
        baseline_policy(baseline, Dealer(variant), strength),
        variant,
    )


def run_entrant(run: TrainedRun, name: str = "") -> Entrant:
    """A trained run, under its own name unless another is given."""
    return Entrant(
        name or run.name,
        lambda seed, number: bot_of(run, seed, number),
        strategy_policy(policy_of(run), run.cards, run.plan.dealer),
        run.plan.variant,
        run=run,
    )


def let_search(entrant: Entrant, options: SearchOptions) -> Entrant:
    """The same trained run, searching; raises `MatchError` for anyone else."""
    if entrant.run is None:
        raise MatchError(
            f"{entrant.name} is not a trained run, and only those search; leave out --resolve"
        )
    return search_entrant(SearchingBot(entrant.run, options), f"{entrant.name}+{options.mode}")


def search_entrant(bot: SearchingBot, name: str = "") -> Entrant:
    """A trained bot that searches; only an engine can ask it."""
    known = run_entrant(bot.run).policy
    return Entrant(name or bot.name, bot.player, variant=bot.variant, before_search=known)


def program_entrant(program: Program, name: str = "") -> Entrant:
    """A program, under the name of its folder unless another is given."""
    name = name or program.folder.resolve().name
    variant, protocol = exported_game(program.folder)
    return Entrant(
        name,
        lambda seed, number: program,
        is_program=True,
        usual_variant=variant,
        protocol=protocol,
    )


def bot_entrant(make_bot: Callable[[], Bot], name: str = "") -> Entrant:
    """A custom bot: a class, or a function that makes a new one for each match."""
    called = getattr(make_bot, "__name__", "")
    name = name or (called if called.isidentifier() else "bot")

    def start(seed: int, number: int) -> Bot:
        bot = make_bot()
        if not isinstance(bot, Bot):
            raise MatchError(f"{name} made {bot!r}; it must make a counterfold.bots.Bot")
        return bot

    return Entrant(name, start)


def _find_variant(variant: Game | str | None) -> Variant | None:
    if variant is None:
        return None
    game = find_game(variant) if isinstance(variant, str) else variant
    if not isinstance(game, Variant):
        raise MatchError(f"{game.name} is not a hold'em variant")
    return game


def _find_baseline(given: EntrantLike) -> str | None:
    """The name of a baseline, also if its class is given."""
    if isinstance(given, str):
        return given if given in BASELINES else None
    return next((name for name, baseline in BASELINES.items() if baseline is given), None)


def _enter(given: object) -> Entrant:
    """An entrant that is neither a baseline nor in a folder."""
    if isinstance(given, Entrant):
        return given
    if isinstance(given, TrainedRun):
        return run_entrant(given)
    if isinstance(given, TrainedBot):
        return run_entrant(given.run)
    if isinstance(given, SearchingBot):
        return search_entrant(given)
    if isinstance(given, Program):
        return program_entrant(given)
    if isinstance(given, Bot):
        raise MatchError(
            f"{given!r} is a single bot, but every match needs a new one; pass its class, or a "
            "function that makes one"
        )
    if callable(given):
        return bot_entrant(given)
    raise MatchError(
        f"{given!r} cannot play; pass a baseline's name, a folder, a run, a program, or a class of "
        "bots"
    )


def _enter_folder(given: str | Path, progress: TableProgress | None) -> Entrant:
    folder = Path(given)
    if not _is_there(folder):
        raise UnknownNameError("baseline or folder", str(given), BASELINES)
    name = folder.resolve().name
    if _holds_program(folder):
        return program_entrant(load_program(folder), name)
    return run_entrant(load_trained(folder, progress), name)


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # such as a name that is too long
        return False


def _holds_program(folder: Path) -> bool:
    """Whether `folder` holds a contest bot rather than a run."""
    if folder.is_file():
        raise MatchError(f"{str(folder)!r} is a file; unpack it and pass the folder")
    program = (folder / COMMANDS_FILE).exists()
    if not program and not (folder / MANIFEST).exists():
        raise MatchError(
            f"{str(folder)!r} has neither {MANIFEST}, as runs have, nor {COMMANDS_FILE}, as "
            "programs have; train a run or export one"
        )
    return program


def _agree(name: str, trained: Variant, game: Variant | None) -> Variant:
    """The variant of a run; raises `MatchError` if another one is to be played."""
    if game is not None and trained != game:
        rules = "other rules of the same name" if trained.name == game.name else game.name
        raise MatchError(f"{name!r} was trained for {trained.name}, not for {rules}")
    return trained
