"""`counterfold evaluate` of a trained strategy: coverage, self-play, exact figures."""

import shlex
from pathlib import Path
from typing import Any

from counterfold.cli.output import print_json, print_rows, table_progress
from counterfold.responses.known_responses import describe_known, known_responses
from counterfold.responses.response_run import strategy_digest
from counterfold.training.evaluate_run import Measures, measure
from counterfold.training.train_folder import TrainedRun
from counterfold.tree.exact_evaluation import Evaluation


def evaluate_trained(folder: Path, run: TrainedRun, hands: int, joint: bool, json: bool) -> None:
    """Print coverage, exploitability where it can be computed, and what responses have won."""
    known = known_responses(folder, strategy_digest(run))
    with table_progress() as progress:
        found = measure(run, hands, joint=joint, progress=progress)
    if json:
        print_json({**_as_json(run, found), "responses": known})
    else:
        print_rows([*_rows(run, found), *_known_rows(folder, known)])


def _known_rows(folder: Path, known: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """What counterfold respond has found, each figure with what it is worth and its settings."""
    if not known:
        command = f"counterfold respond {shlex.quote(str(folder))}"
        return [("responses", f"none measured in the real game; see {command}")]
    return [("responses", describe_known(entry)) for entry in known]


def _as_json(run: TrainedRun, found: Measures) -> dict[str, object]:
    recipe = run.plan.recipe
    return {
        "recipe": run.name,
        "variant": recipe.variant,
        "cards": recipe.cards,
        "bets": recipe.bets,
        "features": recipe.features,
        "iterations": run.metrics.iterations,
        "unit": run.plan.variant.unit,
        "infosets": run.blueprint.game.n_infosets,
        "trained": run.blueprint.n_trained,
        "visited": run.metrics.visited_infosets,
        "big_blind": run.plan.variant.big_blind,
        **found.to_dict(),
    }


def _rows(run: TrainedRun, found: Measures) -> list[tuple[str, str]]:
    recipe, game = run.plan.recipe, run.blueprint.game
    unit = run.plan.variant.unit
    coverage = found.coverage
    rows = [
        ("recipe", f"{run.name}: {recipe.variant}, cards {recipe.cards}, bets {recipe.bets}"),
        ("trained", f"{run.metrics.iterations:,} {run.plan.unit}"),
        ("information sets", f"{run.blueprint.n_trained:,} of {game.n_infosets:,} trained "
         f"({100 * coverage.trained:.2f}%), "
         f"{100 * run.metrics.visited_infosets:.2f}% visited"),
        ("self-play", f"{coverage.hands:,} hands, {coverage.decisions:,} decisions, "
         f"{100 * coverage.untrained_decisions:.4f}% of them untrained"),
        ("value to seat 0", f"{coverage.value:+.4f} ± {coverage.value_interval:.4f} {unit} per "
         "hand (95% interval of self-play)"),
    ]  # fmt: skip
    if found.joint is not None:
        joint = found.joint
        responses = " and ".join(f"{value:+.6f}" for value in joint.responses)
        return [
            *rows,
            ("abstract game", f"value {joint.value:+.6f} {unit} per hand to seat 0, "
             f"best responses {responses}"),
            ("exploitability", f"{joint.exploitability:.3e} {unit} per hand, "
             f"{joint.exploitability_mb:,.3f} mb/g, inside the abstraction"),
        ]  # fmt: skip
    if found.inside is None or found.exact is None:
        return [*rows, ("exploitability", f"not computed: {found.why_not}")]
    blind = run.plan.variant.big_blind
    rows.append(("exact value", f"{found.inside.values[0]:+.6f} {unit} per hand"))
    rows += _exploitability("inside the abstraction", found.inside, unit, blind)
    rows += _exploitability("in the exact game", found.exact, unit, blind)
    return rows


def _exploitability(
    where: str, evaluation: Evaluation, unit: str, blind: int
) -> list[tuple[str, str]]:
    """Best responses and NashConv / 2; in thousandths of the big blind too."""
    assert evaluation.exploitability is not None
    at_most = "at most " if evaluation.bound else ""
    rows = [(where, "")]
    for seat, value in enumerate(evaluation.responses):
        rows.append((f"  best response of {seat}", f"{at_most}{value:+.6f} {unit} per hand"))
    thousandths = 1000 * evaluation.exploitability / blind
    text = f"{at_most}{evaluation.exploitability:.3e} {unit} per hand, {thousandths:,.2f} mb/g"
    return [*rows, ("  exploitability", text)]
