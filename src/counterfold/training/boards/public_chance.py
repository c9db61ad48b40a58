"""Public chance sampling on the public graph of a variant: one board, all hands at once.

It fills the same tables as `training.deal_sampling`, for variants in which hole cards stay the
same. An iteration is a board, walked once for each player; it costs as much as several hundred to a
few thousand deals of external sampling and covers all pairs of hands that the board leaves.
"""

from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from counterfold.discounting import CFR, Discounting
from counterfold.public import walk_kernels
from counterfold.public.boards import check_hands_stay, most_hands
from counterfold.public.boards_kernels import Boards
from counterfold.public.deals import Dealer
from counterfold.public.graph import PublicGraph
from counterfold.public.infosets import PublicGame
from counterfold.public.walk_kernels import WalkGraph
from counterfold.public.walk_order import walk_graph
from counterfold.training.boards import public_chance_kernels
from counterfold.training.boards.public_chance_kernels import Answers
from counterfold.training.deal_sampling import longest_path
from counterfold.training.sampled_base import SampledSolver

MOST_NODES = 100_000  # approximately, in the boards that are made at a time
MOST_DENSE = 256  # types, which make two matrices of 256 kB
ENDS_PER_TYPE = 4  # folds and showdowns a graph must have for matrices to pay off


MOST_TREE = 100_000  # nodes: larger ones leave time for too few boards


def prefers_public_chance(graph: PublicGraph, recalls: bool) -> bool:
    """Whether public chance sampling is the better choice: see docs/decisions.

    It is if there are at most two hole cards, which never change, no bounties, and players remember
    everything: their betting (no situations are merged) and, as `recalls` says, their cards; unless
    a board would take too long to walk.
    """
    stays = graph.variant.has_small_hands and graph.variant.bounty is None
    is_tree = graph.count_tree() == graph.n_nodes
    return stays and recalls and is_tree and graph.n_nodes <= MOST_TREE


class BoardSource(Protocol):
    """Where the boards of a run come from."""

    def batch(self, seed: int, first: int, n: int) -> Boards:
        """Boards `first` to `first + n - 1` of a seed."""
        ...


class HandWork(NamedTuple):
    """Work space for the ends of hands. Shapes: ``H`` hands."""

    held: NDArray[np.float64]  # [H]
    scores: NDArray[np.float64]  # [H]
    sums: NDArray[np.float64]  # [H] by type
    taken: NDArray[np.float64]  # [2 * cards] by place of a card or its shadow


def hand_work(dealer: Dealer) -> HandWork:
    """Work space for the hands of a variant."""
    n = most_hands(dealer)
    return HandWork(np.zeros(n), np.zeros(n), np.zeros(n), np.zeros(2 * dealer.layout.deck.size))


class VectorStack(NamedTuple):
    """Scratch memory of one walk. Shapes: ``D`` levels, ``A`` actions, ``K`` types.

    Boards with no more than ``M`` types go by matrices, which cost two passes over the hands for
    each type, and then little for each end of a hand.
    """

    node: NDArray[np.int64]  # [D]
    action: NDArray[np.int64]  # [D]
    level: NDArray[np.int64]  # [D] row of the reach
    reach: NDArray[np.float32]  # [D + 1, K]
    values: NDArray[np.float32]  # [D + 1, K]
    strategy: NDArray[np.float32]  # [D, A, K] by row
    sums: NDArray[np.float32]  # [D, A, K] by row
    disjoint: NDArray[np.float32]  # [M, M] opponent's type, own type
    beaten: NDArray[np.float32]  # [M, M]
    work: HandWork


def vector_stack(graph: WalkGraph, dealer: Dealer, most_dense: int) -> VectorStack:
    """Scratch memory for walks over `graph`."""
    n_hands = most_hands(dealer)
    depth = longest_path(graph) + 2
    width = int(graph.nodes[:, walk_kernels.NODE_DEGREE].max(initial=1))
    return VectorStack(
        node=np.zeros(depth, np.int64),
        action=np.zeros(depth, np.int64),
        level=np.zeros(depth, np.int64),
        reach=np.zeros((depth + 1, n_hands), np.float32),
        values=np.zeros((depth + 1, n_hands), np.float32),
        strategy=np.zeros((depth, width, n_hands), np.float32),
        sums=np.zeros((depth, width, n_hands), np.float32),
        disjoint=np.zeros((most_dense, most_dense), np.float32),
        beaten=np.zeros((most_dense, most_dense), np.float32),
        work=hand_work(dealer),
    )


@dataclass
class PublicChanceSolver(SampledSolver):
    """Tables of one run; seed and number of boards done determine the next board.

    With `sample_opponent` a walk follows one action of the opponent at each of its nodes, drawn by
    how often its hands together take it, instead of all of them: for graphs too large to walk.
    """

    game: PublicGame
    dealer: Dealer
    source: BoardSource
    sample_opponent: bool = False
    discounting: Discounting = CFR
    epoch: int = 100  # boards between discounts
    seed: int = 0
    threads: int | None = None

    def __post_init__(self) -> None:
        check_hands_stay(self.dealer)
        self._allocate(1, max(1, MOST_NODES // self.game.graph.n_nodes))
        self._graph = walk_graph(self.game, self.dealer)
        most_dense = self._most_dense()
        self._stacks = [
            vector_stack(self._graph, self.dealer, most_dense) for _ in range(self._n_threads)
        ]
        self._answers = [self._make_answers() for _ in range(self._n_threads)]

    def _make_answers(self) -> Answers:
        """Memory of one thread for a responder."""
        return Answers(np.zeros(0, np.bool_), np.zeros((0, 0), np.uint8))

    def _most_dense(self) -> int:
        """How many types of a board may go by matrices; none if the walk ends too few hands."""
        if self.sample_opponent:
            return 0
        n_ends = int((self._graph.nodes[:, walk_kernels.NODE_DEGREE] == 0).sum())
        enough = n_ends // ENDS_PER_TYPE
        return min(MOST_DENSE, most_hands(self.dealer), enough)

    def _responders(self, epoch: int) -> NDArray[np.floating]:
        """Regrets of the responders that players meet in an epoch, counted from 0; none here."""
        return self.regrets[:0]

    def _make_batch(self, first: int, n: int) -> Boards:
        return self.source.batch(self.seed, first, n)

    def _walk_batch(self, batch: Boards, first: int, thread: int) -> int:
        return int(
            public_chance_kernels.walk_boards(
                self._graph,
                batch,
                self.sample_opponent,
                self.seed + 1,  # streams of their own, apart from those that deal
                first,
                1.0,
                self.regrets,
                self.averages,
                self._responders(first // self.epoch),
                self._answers[thread],
                self._stacks[thread],
            )
        )
