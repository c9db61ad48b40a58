"""Local best response: a lower bound on what can be won from a bot, in any variant.

Lisý and Bowling (2017). A responder who knows the bot's strategy, but looks no further than its own
next action, plays sampled hands; see `responses.local_response_kernels`, and `responses.stepwise`
where bots have more to hide than two cards. What it wins on average, the best response wins, too.
It may lose: then the bound says nothing.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counterfold.bets.menu import BetMenu
from counterfold.bots.played_run import policy_of
from counterfold.bots.policy_kernels import Policy
from counterfold.bots.trained_bot import TrainedBot
from counterfold.errors import MatchError
from counterfold.frames import NamedFigures
from counterfold.games.holdem import Variant
from counterfold.intervals import Estimate, mean_and_interval
from counterfold.public.card_maps import CardMap
from counterfold.public.deals import Dealer
from counterfold.public.public_variants import has_pairs
from counterfold.responses.responder import Responder
from counterfold.responses.stepwise.step_responder import StepResponder
from counterfold.threads import ThreadPool
from counterfold.training.train_folder import TrainedRun

KIND = "local lower bound"

_BATCH = 32  # deals


@dataclass(frozen=True)
class StreetShare:
    """Hands whose betting ended on a street."""

    street: str
    hands: float  # share of all
    mb: float  # what they add to the rate of all hands


@dataclass(frozen=True)
class LocalResponse(NamedFigures):
    """What a local best response won from a bot: a lower bound on what can be won."""

    variant: str  # its name
    menu: str  # of the responder
    hands: int
    seed: int
    exploitability: Estimate  # the mean of both seats, in mb/hand
    seats: tuple[Estimate, Estimate]  # with the responder in seat 0 and in seat 1
    streets: tuple[StreetShare, ...]
    seconds: float = field(compare=False)

    @property
    def hands_per_second(self) -> float:
        """In wall-clock time, including compilation."""
        return self.hands / max(self.seconds, 1e-9)

    def to_dict(self) -> dict[str, Any]:
        """All figures by name, as JSON has them."""
        return {
            "kind": KIND,
            "unit": "mb/g",
            "hands": self.hands,
            "seed": self.seed,
            "menu": self.menu,
            "exploitability": self.exploitability.to_dict(),
            "seats": [seat.to_dict() for seat in self.seats],
            "by_street": [asdict(street) for street in self.streets],
            "seconds": self.seconds,
        }

    def __str__(self) -> str:
        return (
            f"at least {self.exploitability} mb/hand can be won (95% interval), by a local best "
            f"response in {self.hands:,} hands of {self.variant}, seed {self.seed}"
        )


def local_response(
    bot: TrainedBot | TrainedRun,
    *,
    hands: int = 10_000,
    seed: int = 0,
    threads: int | None = None,
    menu: BetMenu | str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> LocalResponse:
    """What a local best response wins from `bot` over `hands` hands, half of them in either seat.

    The same seed gives the same figures with any number of threads.

    Parameters
    ----------
    menu
        The bets that the responder considers, by default more than most bots know. The bot reads
        those that it does not know as it would in play.
    progress
        Called with the deals that are done and all of them; each is played in both seats.
    """
    run = bot.run if isinstance(bot, TrainedBot) else bot
    responder = find_responder(run.plan.dealer, policy_of(run), run.cards, menu)
    return respond_locally(responder, hands, seed=seed, threads=threads, progress=progress)


def find_responder(
    dealer: Dealer, policy: Policy, cards: CardMap, menu: BetMenu | str | None = None
) -> Responder | StepResponder:
    """The responder to a policy: in kernels where bots hide up to two cards, else step by step."""
    variant = dealer.variant
    usual = has_pairs(variant) and variant.bounty is None
    return (Responder if usual else StepResponder)(dealer, policy, cards, menu)


def respond_locally(
    responder: Responder | StepResponder,
    hands: int,
    *,
    seed: int = 0,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> LocalResponse:
    """As `local_response`, against any policy."""
    if hands < 4:
        raise MatchError(f"a local best response needs at least four hands, not {hands!r}")
    started = perf_counter()
    n_deals = hands // 2
    batches = [(first, min(_BATCH, n_deals - first)) for first in range(0, n_deals, _BATCH)]
    values: list[NDArray[np.float64]] = []
    ends: list[NDArray[np.int64]] = []
    n_done = 0
    with ThreadPool(threads) as pool:
        for value, end in pool.map(lambda batch: responder.play(seed, *batch), batches):
            values.append(value)
            ends.append(end)
            if progress is not None:
                n_done += value.shape[1]
                progress(n_done, n_deals)
    won = np.concatenate(values, axis=1) * (1000.0 / responder.variant.big_blind)
    ended = np.concatenate(ends, axis=1)
    return LocalResponse(
        variant=responder.variant.name,
        menu=responder.menu.name,
        hands=2 * n_deals,
        seed=seed,
        exploitability=Estimate(*mean_and_interval(won.mean(axis=0))),
        seats=(Estimate(*mean_and_interval(won[0])), Estimate(*mean_and_interval(won[1]))),
        streets=_by_street(responder.variant, won, ended),
        seconds=perf_counter() - started,
    )


def _by_street(
    variant: Variant, won: NDArray[np.float64], ended: NDArray[np.int64]
) -> tuple[StreetShare, ...]:
    """Where hands ended; runs count as one."""
    names = ["preflop", "flop", "turn", "river"][: len(variant.streets)]
    names += [f"street {k}" for k in range(len(names), len(variant.streets))]
    names += ["run"] * bool(variant.max_runs)
    streets = np.minimum(ended, len(names) - 1)
    found = []
    for at, name in enumerate(names):
        here = streets == at
        found.append(StreetShare(name, float(here.mean()), float((won * here).mean())))
    return tuple(found)
