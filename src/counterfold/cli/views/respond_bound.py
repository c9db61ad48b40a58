"""What the views of lower bounds share: what was found is kept beside the bot, then printed."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from counterfold.cli.output import print_json, print_rows
from counterfold.intervals import Estimate
from counterfold.responses.known_responses import add_known
from counterfold.responses.response_run import strategy_digest
from counterfold.training.train_folder import TrainedRun


class MeasuredBound(Protocol):
    """A lower bound that was measured."""

    @property
    def hands(self) -> int:
        """How many were played."""

    @property
    def seed(self) -> int:
        """The random seed for cards and decisions."""

    def to_dict(self) -> dict[str, Any]:
        """What is kept and printed as JSON."""


def keep_bound(
    folder: Path,
    run: TrainedRun,
    name: str,
    found: MeasuredBound,
    settings: Mapping[str, Any],
    rows: Sequence[tuple[str, str]],
    json: bool,
) -> None:
    """Keep a lower bound beside the bot in `folder`, and print it as JSON or `rows`."""
    strategy = strategy_digest(run)
    settings = {**settings, "hands": found.hands, "seed": found.seed}
    add_known(folder, {"strategy": strategy, "settings": settings, **found.to_dict()})
    if json:
        print_json({"bot": name, "strategy": strategy, **found.to_dict()})
    else:
        print_rows(rows)


def rate_rows(
    seats: Sequence[Estimate], exploitability: Estimate, meaning: str
) -> list[tuple[str, str]]:
    """The rows of what a responder won; `meaning` is why that is a lower bound."""
    said = f"a lower bound: {meaning}"
    if exploitability.mean < 0:
        said = "a lower bound that says nothing: the responder lost"
    return [
        *((f"seat {seat}", f"{rate} mb/g") for seat, rate in enumerate(seats)),
        ("exploitability", f"at least {exploitability} mb/g (95% interval), {said}"),
    ]
