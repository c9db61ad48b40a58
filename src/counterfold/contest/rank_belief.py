"""What showdowns reveal of the secret order of ranks in MIT Pokerbots 2020.

As the contest drew an order, its probability depends only on how many pairs of ranks it turns
around: 0.75 to that power. A belief is a set of orders drawn from that prior. A showdown that some
of them contradict thins them out; the others are copied and moved by steps of the Metropolis
algorithm, which swap two ranks, so they stay a sample of what is still possible.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.cards.text import RANKS
from counterfold.contest.exported.exported_strength import HandStrength
from counterfold.contest.rank_orders import TURNED, draw_rank_order

N_ORDERS = 64
N_MOVES = 12  # of each order, after a showdown that contradicts some
MOST_SHOWDOWNS = 80  # the last that contradicted some order; a bound on the time of a move
# A showdown that an order contradicts makes it so much less likely, not impossible: the sample
# then never dies out.
_PENALTY = 6.0

Places = NDArray[np.int64]  # [orders, ranks] the place of each rank, 0 for the lowest


class Showdown(NamedTuple):
    """Two hands with the board, and who won."""

    first: tuple[int, ...]
    second: tuple[int, ...]
    sign: int  # 1 if the first did, -1 if it lost, 0 if they tied


class RankBelief:
    """A sample of the orders that showdowns leave possible; `seed` is for its drawing."""

    def __init__(self, seed: int = 0, n_orders: int = N_ORDERS) -> None:
        self._rng = np.random.default_rng(seed)
        self._hands = HandStrength(range(4 * len(RANKS)))
        seeds = self._rng.integers(0, 2**32, n_orders)
        orders = [draw_rank_order(int(each)) for each in seeds]
        self.places: Places = np.array([[order.index(r) for r in RANKS] for order in orders])
        self.showdowns: list[Showdown] = []  # that contradicted some order

    @property
    def order(self) -> str:
        """The ranks from the weakest up, by their mean place."""
        means = self.places.mean(axis=0)
        return "".join(RANKS[rank] for rank in np.argsort(means, kind="stable"))

    def observe(self, first: Sequence[int], second: Sequence[int], sign: int) -> None:
        """Learn from a showdown of two hands, each with the board; see `Showdown`."""
        seen = Showdown(tuple(first), tuple(second), sign)
        wrong = self._contradict(self.places, seen)
        if not wrong.any():
            return
        self.showdowns = [*self.showdowns, seen][-MOST_SHOWDOWNS:]
        weights = np.exp(-_PENALTY * wrong)
        kept = self._rng.choice(len(wrong), len(wrong), p=weights / weights.sum())
        self.places = self.places[kept]
        self._move()

    def _contradict(self, places: Places, seen: Showdown) -> NDArray[np.bool_]:
        """[orders] whether another would have won."""
        first, second = (self._rank(places, cards) for cards in (seen.first, seen.second))
        found: NDArray[np.bool_] = np.sign(first - second) != seen.sign
        return found

    def _rank(self, places: Places, cards: tuple[int, ...]) -> NDArray[np.int64]:
        masks = np.zeros(len(places), np.int64)
        for card in cards:
            masks |= np.int64(1) << (16 * (card & 3) + places[:, card >> 2])
        return self._hands.rank(masks)

    def _cost(self, places: Places) -> NDArray[np.float64]:
        """[orders] minus the logarithm of how likely each is."""
        n_ranks = places.shape[1]
        turned = np.zeros(len(places))
        for low in range(n_ranks):
            turned += (places[:, low + 1 :] < places[:, low, None]).sum(axis=1)
        wrong = sum(self._contradict(places, seen).astype(float) for seen in self.showdowns)
        return np.asarray(-np.log(TURNED) * turned + _PENALTY * wrong)

    def _move(self) -> None:
        """Swap two ranks of each order, and keep what is likely enough."""
        n, n_ranks = self.places.shape
        rows, cost = np.arange(n), self._cost(self.places)
        for _ in range(N_MOVES):
            place = self._rng.integers(0, n_ranks, n)
            other = (place + self._rng.integers(1, 4, n)) % n_ranks
            ranks = np.argsort(self.places, axis=1)
            tried = self.places.copy()
            tried[rows, ranks[rows, place]], tried[rows, ranks[rows, other]] = other, place
            found = self._cost(tried)
            taken = np.log(self._rng.random(n)) < cost - found
            self.places = np.where(taken[:, None], tried, self.places)
            cost = np.where(taken, found, cost)
