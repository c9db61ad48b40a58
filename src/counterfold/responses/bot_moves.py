"""How often a bot plays its lines, as kernels follow it from one vector over hands to the next.

Each line of the bot has a vector over its hands. Where the bot may be on several nodes of its own
graph, a line has a *hidden* vector for each of them, and its own vector is their sum. Vectors are
numbered: lines as in `ranges.line_tree`, hidden vectors as ``-1 - number``.
"""

from collections import defaultdict
from typing import NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

from counterfold.games.holdem import betting_kernels as betting
from counterfold.ranges.line_tree import LineTree
from counterfold.responses.bot_answers import BotAnswers
from counterfold.responses.response_tree import ResponseTree

NONE = -1
ALWAYS = -1  # in place of an answer's row: all hands alike

_Mixture = dict[int, dict[int, float]]  # by node of the bot's graph: weights of vectors


class BotMoves(NamedTuple):
    """Moves ``target += weight * source * answer``, in their order. ``M`` moves."""

    begins: NDArray[np.int32]  # [E + 1] first move of each start, whose sources are a street above
    points: NDArray[np.int32]  # [J + 1] first move of each decision, after those of starts
    source: NDArray[np.int32]  # [M] vector
    target: NDArray[np.int32]  # [M] vector
    weight: NDArray[np.float64]  # [M]
    answer: NDArray[np.int64]  # [M] where the answer begins in the flat answers, or ALWAYS
    adds: NDArray[np.bool_]  # [M] whether an earlier move has written to the target
    hidden: NDArray[np.int32]  # [E + 1] first hidden vector of each start


def flatten_answers(answers: BotAnswers, dtype: DTypeLike) -> NDArray[np.floating]:
    """The rows of `answers`, one after the other."""
    return np.concatenate([*answers.rows, np.zeros(0, np.float32)]).astype(dtype)


def find_moves(tree: ResponseTree, lines: LineTree, answers: BotAnswers, seat: int) -> BotMoves:
    """The moves of the bot in `seat`."""
    return _Moves(tree, lines, answers, seat).find()


class _Moves:
    """Follows the tree, parents first."""

    def __init__(self, tree: ResponseTree, lines: LineTree, answers: BotAnswers, seat: int) -> None:
        self.tree, self.lines, self.answers, self.seat = tree, lines, answers, seat
        self.own = lines.seats[seat]
        self.start_of_line = {int(line): e for e, line in enumerate(self.own.starts[:-1])}
        n_starts, n_points = self.own.starts.size - 1, self.own.parent.size
        self.begins: list[list[tuple[int, int, float, int]]] = [[] for _ in range(n_starts)]
        self.points: list[list[tuple[int, int, float, int]]] = [[] for _ in range(n_points)]
        self.hidden_of: list[list[int]] = [[] for _ in range(n_starts)]
        self.n_hidden = 0
        self.mixtures: dict[int, _Mixture] = {0: {0: {0: 1.0}}}

    def find(self) -> BotMoves:
        for node in range(self.tree.n_nodes):
            mixture = self.mixtures.pop(node)
            situation = self.tree.situation(node)
            phase = situation[betting.PHASE]
            if phase == betting.DEAL:
                self._deal(node, mixture)
            elif phase == betting.BET and situation[betting.ACTOR] == self.seat:
                self._decide(node, mixture)
            elif phase == betting.BET:
                self._watch(node, mixture)
        return self._arrays()

    def _watch(self, node: int, mixture: _Mixture) -> None:
        """The other acts."""
        situation = self.tree.situation(node)
        for kind, total, child in self.tree.edges(node):
            after: _Mixture = defaultdict(lambda: defaultdict(float))
            for belief, vectors in mixture.items():
                found = self.answers.after_action(belief, kind, total, situation)
                for following, chance in found:
                    for vector, weight in vectors.items():
                        after[following][vector] += chance * weight
            self.mixtures[child] = after

    def _decide(self, node: int, mixture: _Mixture) -> None:
        """The bot acts."""
        situation = self.tree.situation(node)
        point = int(self.lines.decisions[node])
        first = int(self.own.first[point])
        edges = {(kind, total): k for k, (kind, total, _) in enumerate(self.tree.edges(node))}
        found: list[dict[int, list[tuple[int, float, int]]]] = [{} for _ in edges]
        for belief, vectors in mixture.items():
            for answer in self.answers.of(belief, situation):
                moves = found[edges[answer.kind, answer.total]].setdefault(answer.node, [])
                moves += [(vector, weight, answer.row) for vector, weight in vectors.items()]
        for k, (_, _, child) in enumerate(self.tree.edges(node)):
            start = self._start(point)
            self._move_to(first + k, start, found[k], self.points[point], child)

    def _start(self, point: int) -> int:
        """The start to which a decision belongs."""
        return int(np.searchsorted(self.own.points, point, side="right")) - 1

    def _deal(self, node: int, mixture: _Mixture) -> None:
        ((_, _, child),) = self.tree.edges(node)
        after = self.tree.situation(child)
        line = int(self.lines.lines[child, self.seat])
        start = self.start_of_line[line]
        found: dict[int, list[tuple[int, float, int]]] = {}
        for belief, vectors in mixture.items():
            ended = after[betting.PHASE] == betting.SHOWDOWN
            following = NONE if ended else self.answers.after_deal(belief, after)
            moves = found.setdefault(following, [])
            moves += [(vector, weight, ALWAYS) for vector, weight in vectors.items()]
        self._move_to(line, start, found, self.begins[start], child)

    def _move_to(
        self,
        line: int,
        start: int,
        found: dict[int, list[tuple[int, float, int]]],
        moves: list[tuple[int, int, float, int]],
        child: int,
    ) -> None:
        """Moves to the vectors of a line, for each belief that the bot may then have."""
        self.mixtures[child] = {}
        for belief, sources in found.items():
            vector = line
            if len(found) > 1:
                vector = -1 - self.n_hidden
                self.hidden_of[start].append(self.n_hidden)
                self.n_hidden += 1
            for source, weight, row in sources:
                moves.append((source, vector, weight, row))
                if vector != line:
                    moves.append((source, line, weight, row))
            self.mixtures[child][belief] = {vector: 1.0}

    def _arrays(self) -> BotMoves:
        order = [h for hidden in self.hidden_of for h in hidden]
        renumbered = {-1 - h: -1 - at for at, h in enumerate(order)}
        starts = np.concatenate(([0], np.cumsum([row.size for row in self.answers.rows]))).astype(
            np.int64
        )
        rows = [move for group in (*self.begins, *self.points) for move in group]
        seen: set[int] = set()
        adds = []
        for _, target, _, _ in rows:
            adds.append(target in seen)
            seen.add(target)
        edges = np.concatenate(([0], np.cumsum([len(g) for g in (*self.begins, *self.points)])))
        n = len(self.begins)
        return BotMoves(
            edges[: n + 1].astype(np.int32),
            edges[n:].astype(np.int32),
            np.array([renumbered.get(m[0], m[0]) for m in rows], np.int32),
            np.array([renumbered.get(m[1], m[1]) for m in rows], np.int32),
            np.array([m[2] for m in rows], np.float64),
            np.array([starts[m[3]] if m[3] != ALWAYS else ALWAYS for m in rows], np.int64),
            np.array(adds, np.bool_),
            np.concatenate(([0], np.cumsum([len(h) for h in self.hidden_of]))).astype(np.int32),
        )
