"""What a responder that was trained against a bot wins from it: a learned lower bound.

The responder is fixed before the first hand of the match, and the match has deals that it was not
trained on, in the real game with all cards. So its winnings are an unbiased estimate of what one
strategy wins, and the best response wins at least that. It may lose: then the bound says nothing.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from counterfold.bots.trained_bot import TrainedBot
from counterfold.errors import BudgetError, MatchError
from counterfold.frames import NamedFigures
from counterfold.intervals import Estimate, mean_and_interval
from counterfold.matches.batch import BatchRunner
from counterfold.matches.entrants import run_entrant
from counterfold.responses.response_learning import LearnedRun, learn_response
from counterfold.runs.budget import Budget
from counterfold.threads import ThreadPool, stretches
from counterfold.training.metered_loop import Observer
from counterfold.training.train_folder import TrainedRun

KIND = "learned lower bound"
DEFAULT_HANDS = 200_000

_BATCH = 8192  # deals
_FRESH_DEALS = 0x5EED << 40  # added to the seed: other deals than those of training


@dataclass(frozen=True)
class LearnedResponse(NamedFigures):
    """What a learned response won from a bot: a lower bound on what can be won."""

    variant: str  # its name
    deals: int  # that the responder learned from
    hands: int
    seed: int
    exploitability: Estimate  # the mean of both seats, in mb/hand
    seats: tuple[Estimate, Estimate]  # with the responder in seat 0 and in seat 1
    adjusted: int  # hands counted at their all-in expectation
    responder: TrainedRun = field(compare=False, repr=False)
    interrupted: bool  # before the responder had learned as long as it was to
    seconds: float = field(compare=False)  # of the match

    def to_dict(self) -> dict[str, Any]:
        """All figures by name, as JSON has them."""
        return {
            "kind": KIND,
            "unit": "mb/g",
            "deals": self.deals,
            "hands": self.hands,
            "seed": self.seed,
            "exploitability": self.exploitability.to_dict(),
            "seats": [seat.to_dict() for seat in self.seats],
            "adjusted": self.adjusted,
            "learning_seconds": self.responder.metrics.seconds,
            "seconds": self.seconds,
        }

    def __str__(self) -> str:
        return (
            f"at least {self.exploitability} mb/hand can be won (95% interval), by a response "
            f"learned from {self.deals:,} deals, in {self.hands:,} hands of {self.variant}, seed "
            f"{self.seed}"
        )


def learned_response(
    bot: TrainedBot | TrainedRun,
    *,
    seconds: float | None = None,
    deals: int | None = None,
    hands: int = DEFAULT_HANDS,
    seed: int = 0,
    threads: int | None = None,
    folder: Path | str | None = None,
    observe: Observer | None = None,
    progress: Callable[[int, int], None] | None = None,
    stop: threading.Event | None = None,
) -> LearnedResponse:
    """What a responder wins from `bot` over `hands` hands once it is trained against it.

    With one thread and a number of deals, the same seed gives the same figures.

    Parameters
    ----------
    seconds, deals
        How long the responder learns: at least one of them. Ctrl-C ends it early.
    hands
        Half of them are played in either seat, on deals that training did not have.
    folder
        Where to keep the responder, as a run that can be shown and played.
    observe
        Called with the metrics of training about twice a second.
    progress
        Called with the deals of the match that are done and all of them.
    """
    if seconds is None and deals is None:
        raise BudgetError("a responder learns for a time or from a number of deals; pass one")
    if hands < 4:
        raise MatchError(f"a learned response needs at least four hands, not {hands!r}")
    run = bot.run if isinstance(bot, TrainedBot) else bot
    learned = learn_response(
        run,
        Budget(iterations=deals, seconds=seconds),
        seed=seed,
        threads=threads,
        folder=None if folder is None else Path(folder),
        observe=observe,
        stop=stop,
    )
    return measure_learned(run, learned, hands, seed=seed, threads=threads, progress=progress)


def measure_learned(
    bot: TrainedRun,
    learned: LearnedRun,
    hands: int = DEFAULT_HANDS,
    *,
    seed: int = 0,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> LearnedResponse:
    """Play the match of a responder that has learned."""
    started = perf_counter()
    responder = learned.run
    entrants = run_entrant(responder), run_entrant(bot)
    runner = BatchRunner(bot.plan.variant, entrants, seed + _FRESH_DEALS)
    n_deals, n_adjusted = hands // 2, 0
    won = np.empty((2, n_deals))  # by the seat of the responder
    with ThreadPool(threads) as pool:
        spans = stretches(0, n_deals, _BATCH)
        batches = pool.map(lambda span: runner.play(span[0], span[1] - span[0]), spans)
        for (first, last), batch in zip(spans, batches, strict=True):
            won[:, first:last] = batch.chips
            n_adjusted += batch.n_adjusted
            if progress is not None:
                progress(last, n_deals)
    won *= 1000.0 / bot.plan.variant.big_blind
    return LearnedResponse(
        variant=bot.plan.variant.name,
        deals=responder.metrics.iterations,
        hands=2 * n_deals,
        seed=seed,
        exploitability=Estimate(*mean_and_interval(won.mean(axis=0))),
        seats=(Estimate(*mean_and_interval(won[0])), Estimate(*mean_and_interval(won[1]))),
        adjusted=n_adjusted,
        responder=responder,
        interrupted=learned.interrupted,
        seconds=perf_counter() - started,
    )
