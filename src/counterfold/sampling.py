"""Which part of a game one walk of Monte Carlo CFR explores: the sampling methods as data.

Walks over trees of histories (`tree.sampled`) and over public graphs (`training.deal_sampling`)
read the same settings; each says which of them it has no use for.
"""

from typing import NamedTuple

from counterfold.errors import AlgorithmError


class Sampling(NamedTuple):
    """What one walk explores, and how iterations are weighted; the kernels read it as it is.

    With `prune_below`, actions of lower regret are skipped, except on every twentieth deal, which
    lets them come back; for that, regrets stop just below the limit.

    The first `warm_up` deals are walked in full, both players taking all actions alike: an
    iteration of CFR before anything is known, after which every information set that these deals
    reach has been visited.
    """

    expand: bool = False  # explore everybody's actions; sample only nature
    single: bool = False  # play one history; the traverser explores with probability epsilon
    linear: bool = False  # weigh iteration t by t; on trees only
    epsilon: float = 1.0  # least probability of exploring an action of the traverser
    tau: float = 0.0  # average-strategy sampling: how much a frequent action is preferred
    beta: float = 0.0  # and how long rare ones stay likely
    prune_below: float = 0.0  # chips of regret, 0 to leave no action out; on public graphs only
    warm_up: int = 0  # deals; on public graphs only

    @property
    def tries(self) -> bool:
        """Whether it is average-strategy sampling, which tries some actions of the traverser."""
        return self.epsilon < 1.0 and not (self.expand or self.single)


CHANCE_SAMPLING = Sampling(expand=True)
EXTERNAL_SAMPLING = Sampling()
LINEAR_EXTERNAL_SAMPLING = Sampling(linear=True)
OUTCOME_SAMPLING = Sampling(single=True, epsilon=0.6)  # Lanctot et al. 2009
AVERAGE_STRATEGY_SAMPLING = Sampling(epsilon=0.05, tau=1000.0, beta=1e6)  # Gibson et al. 2012


def check_sampling(sampling: Sampling) -> Sampling:
    """The same settings with numbers of one type each, for which kernels are compiled.

    Raises `AlgorithmError` if they do not fit each other.
    """
    if sampling.expand and sampling.single:
        raise AlgorithmError("expand and single exclude each other; set one of them")
    if not 0.0 < sampling.epsilon <= 1.0:
        raise AlgorithmError(f"epsilon must be above 0 and at most 1, not {sampling.epsilon!r}")
    if sampling.tau < 0.0 or sampling.beta < 0.0 or (sampling.tries and sampling.beta == 0.0):
        raise AlgorithmError(
            "average-strategy sampling needs a beta above 0 and a tau of at least 0, not "
            f"{sampling.beta!r} and {sampling.tau!r}"
        )
    if sampling.prune_below > 0.0:
        raise AlgorithmError(
            f"prune_below must be a negative regret, or 0 for none, not {sampling.prune_below!r}"
        )
    if sampling.warm_up and (sampling.warm_up < 0 or sampling.expand or sampling.single):
        raise AlgorithmError(
            "warm_up must be a number of deals, for external or average-strategy sampling, not "
            f"{sampling.warm_up!r}"
        )
    if sampling.prune_below and (sampling.expand or sampling.single or sampling.tries):
        raise AlgorithmError("prune_below is only for external sampling; leave it at 0 otherwise")
    return Sampling(
        bool(sampling.expand),
        bool(sampling.single),
        bool(sampling.linear),
        float(sampling.epsilon),
        float(sampling.tau),
        float(sampling.beta),
        float(sampling.prune_below),
        int(sampling.warm_up),
    )
