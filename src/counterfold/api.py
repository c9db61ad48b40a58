"""The calls of the API that join several rooms: recipes, spots, figures, exports."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, overload

from counterfold.bets.spot_menu_text import parse_spot_menu
from counterfold.blueprints.strategy_table import StrategyTable
from counterfold.bots.bot_spot import begin_after, describe_spot
from counterfold.bots.trained_bot import TrainedBot, load_bot
from counterfold.cluster.workers import Workers
from counterfold.contest.export.bot_package import Package
from counterfold.contest.export.package import export_run
from counterfold.devices import Device
from counterfold.errors import BudgetError, SpotError
from counterfold.ranges.locks import parse_lock
from counterfold.ranges.range_solver import RangeEvaluation
from counterfold.ranges.spot import Spot
from counterfold.ranges.spot_node import SpotNode
from counterfold.responses.exact_response import ExactResponder, ExactResponse
from counterfold.responses.response_run import measure_response
from counterfold.spots.solved_spot import SolvedSpot, SpotProgress
from counterfold.spots.spot_cost import check_cost, estimate_spot
from counterfold.spots.spot_options import check_complete, find_rules
from counterfold.spots.spot_run import make_budget, solve_spot
from counterfold.training.any_run import load_any_run
from counterfold.training.evaluate_run import DEFAULT_HANDS, Measures, measure
from counterfold.training.recipe import Recipe
from counterfold.training.train_folder import TrainedRun, load_trained
from counterfold.training.train_metrics import Metrics
from counterfold.training.train_run import train as train_run
from counterfold.tree.exact_evaluation import Evaluation
from counterfold.tree.exact_evaluation import evaluate as evaluate_exactly
from counterfold.tree.profile import Strategy
from counterfold.tree.profile_table import ProfileTable, show_profile
from counterfold.tree.solve_folder import SolvedRun


def train(
    recipe: str | Path | Recipe,
    folder: str | Path,
    *,
    seconds: float | None = None,
    iterations: int | None = None,
    threads: int | None = None,
    device: Device | None = None,
    overrides: Sequence[str] = (),
    resume: bool = False,
    observe: Callable[[Metrics], None] | None = None,
    workers: Workers | None = None,
) -> TrainedBot:
    """Train a recipe, leave the strategy in `folder`, and return the bot that plays it.

    Parameters
    ----------
    recipe
        The name of a shipped recipe, such as ``river-of-blood-quick``, the path of a file, or a
        `Recipe`.
    seconds, iterations
        When to stop: after this much time in this call, or at this total number of iterations. With
        neither, the limits of the recipe apply.
    threads, device, overrides
        Keys of the recipe to change: ``solver.threads``, ``solver.device`` (``cpu``, ``gpu`` or
        ``auto``), and texts such as ``seed=2``.
    resume
        Continue the run in `folder`, or begin one if there is none.
    observe
        Called with the metrics about twice a second.
    workers
        Who walks the samples, such as `counterfold.cluster.ray_workers.RayWorkers`; this process by
        default.
    """
    chosen = [] if device is None else [f"solver.device={device}"]
    trained = train_run(
        recipe,
        folder,
        seconds=seconds,
        iterations=iterations,
        threads=threads,
        overrides=[*overrides, *chosen],
        resume=resume,
        observe=observe,
        workers=workers,
    )
    return TrainedBot(trained.run)


def spot(
    board: str = "",
    ranges: tuple[str, str] | None = None,
    pot: int | None = None,
    stack: int | None = None,
    bets: str = "50%, 100%, allin",
    *,
    game: str | None = None,
    bot: TrainedBot | str | Path | None = None,
    history: str = "",
    rake: float = 0.0,
    rake_cap: float = 0.0,
    remove: Sequence[str] = (),
    lock: Sequence[str] = (),
    target: float | None = None,
    iterations: int | None = None,
    seconds: float | None = None,
    folder: str | Path | None = None,
    resume: bool = False,
    threads: int | None = None,
    device: Device = "auto",
    observe: Callable[[SpotProgress], None] | None = None,
) -> SolvedSpot:
    """Solve a spot: two ranges on a board, with a pot, stacks and bet sizes.

    Parameters
    ----------
    board
        Cards such as ``Td9d6hQc``: a flop, a turn or a river.
    ranges
        Two ranges such as ``("TT+,AKs:0.5", "random")``; the first belongs to the seat that acts
        first.
    pot, stack
        Chips in the middle, and chips that each seat has left.
    bets
        A bet menu by street, seat and raise.
    game
        The variant, which says the deck, the minimum raise and the big blind, by name or as the
        path of a TOML file; ``nolimit`` if neither it nor a bot is given.
    bot, history
        A trained bot or its folder, and its betting up to the spot, such as ``r6 c | Qd7c2s | k``:
        ranges, pot, stack and game that are not given are taken from it.
    rake, rake_cap
        Share of every pot that the house takes, and the most chips; 0 for no cap.
    remove, lock
        Lines whose last action is taken out, such as ``k b50%``, and strategies that are fixed,
        such as ``k : AKs : b50%=1``.
    target, iterations, seconds
        When to stop: at this exploitability as a share of the pot, at this total number of
        iterations, or after this much time. With none, the target is 0.003.
    folder, resume
        Where to keep the run, and whether to continue the one that is there.
    device
        ``cpu``, ``gpu``, or ``auto``: the GPU for spots from the flop on, if there is one.
    observe
        Called with the progress about ten times a second.
    """
    given: dict[str, Any] = {"board": board, "ranges": ranges, "pot": pot, "stack": stack}
    given = {key: value for key, value in given.items() if value is not None}
    given |= {} if game is None else find_rules(game)
    words: Sequence[str] = ()
    if bot is not None:
        trained = bot if isinstance(bot, TrainedBot) else load_bot(bot)
        given, words = describe_spot(trained, history, given)
    elif history:
        raise SpotError("history is the betting of a bot; pass the bot, too")
    check_complete(given)
    oop, ip = given.pop("ranges")
    what = Spot(
        **given,
        oop=oop,
        ip=ip,
        bets=bets,
        rake=rake,
        rake_cap=rake_cap,
        removed=tuple(remove),
        locks=tuple(map(parse_lock, lock)),
    )
    what = begin_after(what, words)
    budget = make_budget(what, target, iterations, seconds)
    cost = estimate_spot(what, threads, device=device)
    check_cost(cost)
    return solve_spot(
        what,
        budget,
        folder=folder,
        resume=resume,
        threads=threads,
        packed=cost.packed,
        device=device if cost.device_bytes else "cpu",
        observe=observe,
    )


@overload
def evaluate(what: Strategy) -> Evaluation: ...
@overload
def evaluate(what: TrainedBot, *, hands: int = ..., joint: bool = ...) -> Measures: ...
@overload
def evaluate(what: SolvedSpot) -> RangeEvaluation: ...
@overload
def evaluate(
    what: str | Path, *, hands: int = ..., joint: bool = ...
) -> Evaluation | RangeEvaluation | Measures: ...


def evaluate(
    what: Strategy | SolvedSpot | TrainedBot | str | Path,
    *,
    hands: int = DEFAULT_HANDS,
    joint: bool = False,
) -> Evaluation | RangeEvaluation | Measures:
    """How good a strategy is: exact for a small game or a spot, measured for a trained bot.

    Parameters
    ----------
    what
        A strategy of a solved game, a solved spot, a trained bot, or the folder of any of them.
    hands
        Number of self-play hands for measuring a trained bot.
    joint
        Measure a trained bot with perfect recall exactly inside its abstraction, by joint tables.
    """
    run = _open(what)
    if isinstance(run, TrainedRun):
        return measure(run, hands, joint=joint)
    if isinstance(run, SolvedSpot):
        return run.evaluation
    return evaluate_exactly(run if isinstance(run, Strategy) else run.strategy)


def show(
    what: Strategy | SolvedSpot | TrainedBot | str | Path, **where: Any
) -> ProfileTable | StrategyTable | SpotNode:
    """A strategy as a table that prints well.

    A solved game has a row per information set; `where` may be `player` and `match`, a part of the
    text of the information set. A trained bot is looked up in one situation; `where` may be
    `hand`, `board`, `history` and `seen`, as for `TrainedBot.strategy`. A solved spot is looked at
    after `line`, and `exploit` may be a position.
    """
    run = _open(what)
    if isinstance(run, TrainedRun):
        return TrainedBot(run).strategy(**where)
    if isinstance(run, SolvedSpot):
        return run.at(**where)
    return show_profile(run if isinstance(run, Strategy) else run.strategy, **where)


def export(
    bot: TrainedBot | str | Path,
    to: str | None,
    archive: str | Path,
    *,
    game: str | Path | None = None,
    overwrite: bool = False,
) -> Package:
    """Write a bot that a contest machine can run with Python and NumPy alone.

    Parameters
    ----------
    bot
        A trained bot, or the folder of its run.
    to
        The contest, such as ``mit-2023`` or ``acpc``; None for the one that plays its variant.
    archive
        The zip file to write; a folder of the same name is written next to it.
    game
        The game definition of an ACPC dealer, a ``.game`` file that the bot must fit.
    overwrite
        Replace a bot that was exported earlier.
    """
    run = bot.run if isinstance(bot, TrainedBot) else load_trained(bot)
    definition = None if game is None else Path(game)
    return export_run(run, to, Path(archive), game=definition, overwrite=overwrite)


def _open(
    what: Strategy | SolvedSpot | TrainedBot | str | Path,
) -> Strategy | SolvedRun | SolvedSpot | TrainedRun:
    if isinstance(what, str | Path):
        return load_any_run(what)
    return what.run if isinstance(what, TrainedBot) else what


def respond(
    bot: TrainedBot | str | Path,
    *,
    flops: int | None = 40,
    bets: str | None = None,
    seed: int = 0,
    threads: int | None = None,
    device: Device = "auto",
) -> ExactResponse:
    """How much a best response wins from a bot in the real game; it prints in mb/g.

    Parameters
    ----------
    bot
        The bot, or the folder of its run. Hole cards of its variant must stay the same.
    flops
        Number of flops that are sampled, or None for all of them, which gives the exact figure.
    bets
        What the responder may bet where the rules leave it open, as in `spot`.
    device
        `cpu`, `gpu`, or `auto`: the GPU if there is one and bets are fixed.
    """
    run = bot.run if isinstance(bot, TrainedBot) else load_trained(bot)
    responder = ExactResponder.of_run(run, None if bets is None else parse_spot_menu(bets))
    boards = responder.boards if flops is None else responder.sample(flops, seed)
    found = measure_response(
        responder, run, boards, sampled=flops is not None, threads=threads, device=device
    )
    if found.result is None:
        raise BudgetError(f"a sample needs 4 flops or more, not {flops!r}")
    return found.result
