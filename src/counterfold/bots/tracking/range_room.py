"""Memory for ranges that are followed: the ranges themselves, and work space for kernels."""

import numpy as np

from counterfold.bots.policy_kernels import Policy
from counterfold.bots.tracking.range_tracking_kernels import (
    N_ACTION_COLUMNS,
    N_READINGS,
    RangeScratch,
    TrackedRange,
)
from counterfold.cards.text import N_CARDS
from counterfold.public.walk_kernels import NODE_DEGREE


def empty_range(n_hands: int) -> TrackedRange:
    """A range without readings."""
    n = N_READINGS
    return TrackedRange(np.zeros(1, np.int64), np.zeros(n, np.int64), np.zeros((n, n_hands)))


def range_room(n_hands: int, policy: Policy, n_buckets: int) -> RangeScratch:
    """Work space for ranges of a bot that plays `policy`."""
    n_actions = int(policy.nodes[:, NODE_DEGREE].max())
    return RangeScratch(
        empty_range(n_hands),
        np.zeros((n_actions, N_ACTION_COLUMNS), np.int64),
        np.zeros(n_actions),
        np.zeros(1, np.int64),
        np.zeros(n_buckets, np.int64),
        np.zeros(n_buckets),
        np.zeros(n_hands),
        np.zeros((N_CARDS, N_CARDS)),
        np.zeros(N_CARDS),
    )
