"""The value function of a match, fitted before its first hand to other hands of the same players.

The worth of a node is in mean stakes, linear in the features of `worth_kernels`. Where hands were
few, a node is like others of its class, and a class like a hand that is checked down: the less its
results vary and the more of them there are, the more they count.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from counterfold.checksums import hash_parts
from counterfold.games.holdem import Variant
from counterfold.games.holdem.betting_kernels import AUCTION, BET, DEAL, DRAW
from counterfold.intervals import mean_and_interval
from counterfold.matches.aivat import corrector, luck_kernels
from counterfold.matches.aivat.worth_kernels import (
    N_CLASSES,
    N_FEATURES,
    N_TERMS,
    RESULT,
    ValueFunction,
    classify,
)
from counterfold.matches.batch import BatchRunner
from counterfold.matches.entrants import Entrant
from counterfold.matches.match_result import AivatRates
from counterfold.matches.policy_match_kernels import N_COUNTS
from counterfold.public.walk_kernels import NODE_ACTOR, NODE_PHASE, NODE_STREET
from counterfold.threads import ThreadPool

N_DEALS = 8192  # each is played in both seats

_BATCH = 1024
_SEED = 1 << 61  # beyond that of the match: no seed of a match is as large
_SPREAD_OF_CLASSES = 0.25  # variance of a term between classes, in mean stakes
_SPREAD_OF_NODES = 0.05  # and between the nodes of a class
_VARIANCE_COUNT = 20.0  # results that the variance of a class counts for at a node

Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class FittedValues:
    """A value function that is fixed before a match, and what it was fitted to."""

    values: ValueFunction
    hands: int
    fingerprint: str  # of all that AIVAT depends on beside the hands of the match


def fit_values(
    variant: Variant,
    entrants: tuple[Entrant, Entrant],
    seed: int,
    n_deals: int = N_DEALS,
    threads: int | None = None,
) -> FittedValues:
    """Play `n_deals` deals that the match with `seed` does not have, and fit values to them."""
    corrector.check_luck(variant)
    runner = BatchRunner(variant, entrants, seed + _SEED, adjust=False, keeps_steps=True)
    prior = checked_down(runner.corrector.n_nodes)
    batches = [(first, min(_BATCH, n_deals - first)) for first in range(0, n_deals, _BATCH)]
    with ThreadPool(threads) as pool:
        found = [*pool.map(lambda batch: _visit(runner, prior, *batch), batches)]
    visits, won = (np.concatenate([each[k] for each in found]) for k in (0, 1))
    values = solve_values(prior, visits, won, _node_classes(runner))
    return FittedValues(values, 2 * n_deals, fingerprint(values, runner.corrector))


def checked_down(n_nodes: int) -> ValueFunction:
    """The value function of those who never bet again."""
    nodes, classes = np.zeros((2, n_nodes, N_TERMS)), np.zeros((2, N_CLASSES, N_TERMS))
    nodes[..., 1 + RESULT] = classes[..., 1 + RESULT] = 1.0
    return ValueFunction(nodes, classes)


def solve_values(
    prior: ValueFunction, visits: Numbers, won: Numbers, node_classes: NDArray[np.int64]
) -> ValueFunction:
    """The terms that suit `visits` and what was `won` from there on, by ridge regression."""
    scale = visits[:, luck_kernels.VISIT_SCALE]
    features = visits[:, luck_kernels.VISIT_FEATURE : luck_kernels.VISIT_FEATURE + N_FEATURES]
    # Errors count in chips, as they do in a match: a row is as large as its stakes.
    rows = scale[:, np.newaxis] * np.column_stack([np.ones(len(visits)), features])
    places = visits[:, [luck_kernels.VISIT_SEAT, luck_kernels.VISIT_CLASS]].astype(np.int64)
    of_class = places[:, 0] * N_CLASSES + places[:, 1]
    classes = prior.classes.reshape(-1, N_TERMS).copy()
    noise = _ridge(of_class, rows, won, _SPREAD_OF_CLASSES, classes, np.ones(len(classes)))
    nodes = classes.reshape(2, N_CLASSES, N_TERMS)[:, node_classes].reshape(-1, N_TERMS)
    node = visits[:, luck_kernels.VISIT_NODE].astype(np.int64)
    there = node >= 0
    of_node = places[there, 0] * node_classes.size + node[there]
    noises = noise.reshape(2, N_CLASSES)[:, node_classes].ravel()
    _ridge(of_node, rows[there], won[there], _SPREAD_OF_NODES, nodes, noises)
    return ValueFunction(
        nodes.reshape(2, node_classes.size, N_TERMS), classes.reshape(2, N_CLASSES, N_TERMS)
    )


def _ridge(
    groups: NDArray[np.int64],
    rows: Numbers,
    values: Numbers,
    spread: float,
    terms: Numbers,
    noise: Numbers,
) -> Numbers:
    """Overwrite the `terms` of each group, which are its prior; the variance that is left of each.

    `spread` is the variance of terms around their prior, `noise` that of the values, as far as it
    was known before.
    """
    found, places, counts = np.unique(groups, return_inverse=True, return_counts=True)
    squares = np.zeros((found.size, N_TERMS, N_TERMS))
    sums = np.zeros((found.size, N_TERMS))
    np.add.at(squares, places, rows[:, :, np.newaxis] * rows[:, np.newaxis])
    residuals = values - (rows * terms[groups]).sum(axis=1)
    np.add.at(sums, places, rows * residuals[:, np.newaxis])
    # A few values say little about their variance.
    variances = np.bincount(places, residuals**2) + _VARIANCE_COUNT * noise[found]
    variances /= counts + _VARIANCE_COUNT
    weights = variances / spread
    squares += weights[:, np.newaxis, np.newaxis] * np.eye(N_TERMS)
    terms[found] += np.linalg.solve(squares, sums[:, :, np.newaxis])[..., 0]
    left = noise.copy()
    left[found] = variances
    return left


def _visit(
    runner: BatchRunner, prior: ValueFunction, first: int, n: int
) -> tuple[Numbers, Numbers]:
    """Visits of all nodes, and what was won from there on."""
    deals = runner.dealer.sample(runner.seed, first, n)
    swaps = runner.swaps(first, n)
    plays, _ = runner.play_deals(deals, first, swaps, np.zeros((2, N_COUNTS), np.int64))
    imagined = runner.corrector.imagine(deals, first)
    found = [
        runner.corrector.visit(prior, imagined, first, row, play)
        for row, play in zip(swaps, plays, strict=True)
    ]
    return np.concatenate([each[0] for each in found]), np.concatenate([each[1] for each in found])


def _node_classes(runner: BatchRunner) -> NDArray[np.int64]:
    """[nodes] the class of each node of the guide at which a hand is not over, else 0."""
    policy, stack = runner.policies[runner.corrector.guide].policy, runner.variant.stack
    return np.array(
        [
            classify(stack, row[NODE_STREET], row[NODE_PHASE], row[NODE_ACTOR], *spent)
            if row[NODE_PHASE] in (AUCTION, BET, DRAW, DEAL)
            else 0
            for row, spent in zip(policy.nodes.tolist(), policy.spent.tolist(), strict=True)
        ],
        np.int64,
    )


def fingerprint(values: ValueFunction, corrects: corrector.Corrector) -> str:
    """A hash of the values, of the strategies that they look ahead with, and of all settings."""
    settings = (
        corrects.n_hands,
        corrects.n_weighted,
        corrector.N_SAMPLES,
        corrector.MOST_NODES,
        *corrects.known,
    )
    strategies = (each.policy.quantized for each in corrects.policies)
    return hash_parts(repr(settings), *values, *strategies)


def aivat_rates(
    units: Numbers,
    corrects: corrector.Corrector,
    fitted: FittedValues,
    entrants: tuple[Entrant, Entrant],
) -> AivatRates:
    """The rates of independent `units`: hands or duplicate deals, in chips of player 0 per hand."""
    mean, interval = mean_and_interval(units)
    players = corrects.guide, 1 - corrects.guide
    known = {player for player, known in zip(players, corrects.known, strict=True) if known}
    return AivatRates(
        chips=mean,
        chips_interval=interval,
        known=tuple(entrants[player].name for player in sorted(known)),
        imagined=corrects.n_weighted,
        value_function=fitted.fingerprint,
        fitted_hands=fitted.hands,
        big_blind=corrects.dealer.variant.big_blind,
    )
