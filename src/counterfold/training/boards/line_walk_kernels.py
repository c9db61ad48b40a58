"""One board of public chance sampling or CFR-BR, walked along the lines of the betting.

It does what `public_chance_kernels.walk` does on boards that have a type for each hand,
street by street instead of node by node. Down the lines of the other seat goes how often it comes
along them, up the lines of the traverser what they are worth. In between, folds and showdowns of
sixteen lines are valued at once, for all hands (`ranges.ends_kernels`). Starts of the last street
go in groups that fill these lanes and whose vectors stay in the cache.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.jit.compiler import inlined_kernel, kernel
from counterfold.jit.random import noise_at, stream_key
from counterfold.ranges.ends_kernels import EndScratch, add_ends
from counterfold.ranges.line_kernels import NONE
from counterfold.ranges.line_tree import SeatLines
from counterfold.training.boards.all_buckets_kernels import (
    add_all_averages,
    add_all_regrets,
    match_all,
)
from counterfold.training.boards.public_chance_kernels import (
    add_averages,
    add_regrets,
    match_rows,
    take_best,
    who_walks,
)

STRETCHES = 8  # of hands that are added up side by side
MOST_MISSING = 4  # times the buckets of a board: of no more than that, all are taken


class GameLines(NamedTuple):
    """The lines of a public game, and where its tables have their decisions.

    Shapes as in `ranges.line_tree`: ``K`` streets, ``J`` decisions of a seat.
    """

    seats: tuple[SeatLines, SeatLines]
    slots: tuple[NDArray[np.int64], NDArray[np.int64]]  # [J] first slot of the first bucket
    met: tuple[NDArray[np.int64], NDArray[np.int64]]  # [J] line of the other that leads there
    streets: NDArray[np.int32]  # [K + 1] first start
    first_lines: NDArray[np.int32]  # [K + 1, 2]
    stages: NDArray[np.int64]  # [K] of the cards
    n_buckets: NDArray[np.int64]  # [K]
    at_once: int  # starts of the last street


class LineAnswers(NamedTuple):
    """What a responder answers on the last street of one board, by decision of a seat."""

    known: NDArray[np.bool_]  # [J] whether the other comes there
    best: NDArray[np.uint8]  # [J on the last street, hands] an action


class LineScratch(NamedTuple):
    """Memory of one thread. Vectors have a number for each hand of a board.

    Those of the traverser's lines are followed by one that belongs to no line.
    """

    reach: NDArray[np.float32]  # lines of the other before the last street
    values: NDArray[np.float32]  # lines of the traverser there
    late_reach: NDArray[np.float32]  # lines of a group of starts of the last street
    late_values: NDArray[np.float32]
    live: NDArray[np.bool_]  # [lines of the other] whether any hand comes along them
    node: NDArray[np.float32]  # [H]
    labels: NDArray[np.uint32]  # [H] rows: of no sign, so that LLVM need not look at it
    strategy: NDArray[np.float32]  # [actions, R] by row
    sums: NDArray[np.float32]  # [actions, R] by row
    totals: NDArray[np.float32]  # [R] by row
    ends: EndScratch


class _View(NamedTuple):
    """A board on one street: the row of each hand, and the bucket of each row.

    With `all_buckets` a row is a bucket, whether any hand has it or not.
    """

    rows: NDArray[np.uint32]
    buckets: NDArray[np.int32]
    n_rows: np.int64
    all_buckets: bool


@inlined_kernel
def _vector(vectors, line, first, n):
    """The vector of a line among those that begin with line `first`."""
    at = (line - first) * n
    return vectors[at : at + n]


@inlined_kernel
def _add_by_row(rows, vector, sums):
    """Add the numbers of hands to their rows.

    On the last street neighbors in strength share a row, and each addition would wait for the one
    before: eight stretches of hands do not.
    """
    part = rows.size // STRETCHES
    for t in range(part):
        for s in range(STRETCHES):
            sums[rows[s * part + t]] += vector[s * part + t]
    for h in range(STRETCHES * part, rows.size):
        sums[rows[h]] += vector[h]


@inlined_kernel
def _spread(rows, strategy, reach, after):
    """Overwrite `after` by the other's reach after an action; says whether there is any."""
    for h in range(rows.size):
        after[h] = reach[h] * strategy[rows[h]]
    found = False
    for h in range(rows.size):
        found |= after[h] > 0.0
    return found


@inlined_kernel
def _mix(rows, strategy, below, node):
    """Add what an action is worth to hands, by how often they take it."""
    for h in range(rows.size):
        node[h] += strategy[rows[h]] * below[h]


@inlined_kernel
def _sum_rows(view, reach, totals):
    """Overwrite `totals` by how often the hands of each row come."""
    totals[: view.n_rows] = 0.0
    _add_by_row(view.rows, reach, totals)


@inlined_kernel
def _go_down(
    lines, slots, e, n, view, table, averages, adds, share, key, answers, first_answer, answering,
    begun, above, reach, first, scratch,
):  # fmt: skip
    """Overwrite `reach` along the lines of start `e`, and add to averages if it `adds` to them."""
    live, strategy = scratch.live, scratch.strategy
    here, source = _vector(reach, lines.starts[e], first, n), lines.source[e]
    if source == NONE:
        here[:] = begun
        live[lines.starts[e]] = True
    else:
        here[:] = _vector(above, source, 0, n)
        live[lines.starts[e]] = live[source]
    for j in range(lines.points[e], lines.points[e + 1]):
        n_actions, parent, child = lines.n_actions[j], lines.parent[j], lines.first[j]
        before = _vector(reach, parent, first, n)
        if not live[parent]:
            for a in range(n_actions):
                live[child + a] = False
                _vector(reach, child + a, first, n)[:] = 0.0
            continue
        if answering and answers.known[j]:
            best = answers.best[j - first_answer]
            for a in range(n_actions):
                after = _vector(reach, child + a, first, n)
                found = False
                for h in range(n):
                    after[h] = before[h] if best[h] == a else np.float32(0.0)
                    found |= after[h] > 0.0
                live[child + a] = found
            continue
        _match(table, slots[j], n_actions, view, strategy)
        if adds:
            _sum_rows(view, before, scratch.totals)
            _add_averages(
                averages, slots[j], n_actions, view, strategy, scratch.totals, share,
                noise_at(key, j),
            )  # fmt: skip
        for a in range(n_actions):
            after = _vector(reach, child + a, first, n)
            live[child + a] = _spread(view.rows, strategy[a], before, after)


@inlined_kernel
def _go_up(
    lines, slots, met, e, n, view, table, answers, first_answer, answering, values, first, scratch
):
    """Add up `values` of the lines of start `e`, and learn from them or find the answers."""
    node, strategy, sums = scratch.node[:n], scratch.strategy, scratch.sums
    for j in range(lines.points[e + 1] - 1, lines.points[e] - 1, -1):
        n_actions, child = lines.n_actions[j], lines.first[j]
        comes = scratch.live[met[j]]
        if answering:
            answers.known[j] = comes
        if not comes:
            continue  # values and regrets are zero
        node[:] = 0.0
        if answering:
            best = answers.best[j - first_answer]
            for a in range(n_actions):
                take_best(a, _vector(values, child + a, first, n), node, best)
        else:
            _match(table, slots[j], n_actions, view, strategy)
            for a in range(n_actions):
                sums[a, : view.n_rows] = 0.0
                below = _vector(values, child + a, first, n)
                _mix(view.rows, strategy[a], below, node)
                _add_by_row(view.rows, below, sums[a])
            _add_regrets(table, slots[j], n_actions, view, strategy, sums)
        _add(node, _vector(values, lines.parent[j], first, n))


@inlined_kernel
def _add(vector, target):
    for h in range(vector.size):
        target[h] += vector[h]


@inlined_kernel
def _view(boards, i, stage, n_buckets, n, labels):
    """A board on a street. `labels` is memory for the rows of hands."""
    rows, buckets = boards.rows[i, stage], boards.buckets[i, stage]
    n_rows = np.int64(boards.n_rows[i, stage])
    all_buckets = n_buckets <= MOST_MISSING * n_rows
    for h in range(n):
        labels[h] = buckets[rows[h]] if all_buckets else rows[h]
    return _View(labels[:n], buckets, n_buckets if all_buckets else n_rows, all_buckets)


@inlined_kernel
def _match(table, slot, n_actions, view, strategy):
    if view.all_buckets:
        match_all(table, slot, n_actions, view.n_rows, strategy)
    else:
        match_rows(table, slot, n_actions, view.buckets, view.n_rows, strategy)


@inlined_kernel
def _add_averages(averages, slot, n_actions, view, strategy, totals, share, noise):
    if view.all_buckets:
        add_all_averages(averages, slot, n_actions, view.n_rows, strategy, totals, share, noise)
    else:
        totals = totals[: view.n_rows]
        add_averages(averages, slot, n_actions, view.buckets, strategy, totals, share, noise)


@inlined_kernel
def _add_regrets(regrets, slot, n_actions, view, strategy, sums):
    if view.all_buckets:
        add_all_regrets(regrets, slot, n_actions, view.n_rows, strategy, sums)
    else:
        add_regrets(regrets, slot, n_actions, view.buckets, view.n_rows, strategy, sums, 1.0)


@inlined_kernel
def _count_others(boards, i):
    """Hands that share no card with a hand of the board, the same number for each."""
    firsts, seconds, n = boards.firsts[i], boards.seconds[i], 0
    for h in range(boards.n_hands[i]):
        one, two = firsts[h], seconds[h]
        n += (one != firsts[0]) & (one != seconds[0]) & (two != firsts[0]) & (two != seconds[0])
    return n


@inlined_kernel
def _walk(game, boards, ends, i, own, responder, regrets, others, averages, answers, key, scratch):
    """One walk over board `i` for seat `own`.

    `regrets` are those of the traverser, `others` those of the other seat; `responder` is a seat or
    nobody. `ends` are the same boards for `ranges.ends_kernels`.
    """
    other, last, n = 1 - own, game.streets.size - 2, boards.n_hands[i]
    mine, theirs = game.seats[own], game.seats[other]
    n_others = _count_others(boards, i)
    begun = np.float32(1.0 / (n * float(n_others)))
    # Of a responder's decisions those of the last street have answers.
    first_mine = mine.points[game.streets[last]]
    first_theirs = theirs.points[game.streets[last]]
    scratch.values[: game.first_lines[last, own] * n] = 0.0
    n_late = game.streets[last + 1] - game.streets[last]
    n_groups = (n_late + game.at_once - 1) // game.at_once
    # Down the streets before the last, down and up the last one group by group, and up the others.
    for step in range(n_groups + 2 * last):
        group = step - last
        late = 0 <= group < n_groups
        k = last if late else min(step, last - 1 - (group - n_groups))
        begin, end = game.streets[k], game.streets[k + 1]
        reach, values, firsts = scratch.reach, scratch.values, (np.int32(0), np.int32(0))
        if late:
            begin += group * game.at_once
            end = min(begin + game.at_once, end)
            reach, values = scratch.late_reach, scratch.late_values
            firsts = mine.starts[begin], theirs.starts[begin]
            values[: (mine.starts[end] - firsts[0]) * n] = 0.0
        view = _view(boards, i, game.stages[k], game.n_buckets[k], n, scratch.labels)
        if group < n_groups:
            # Where the player never comes, a responder plays like the seat whose place it takes.
            answering = late and other == responder
            for e in range(begin, end):
                _go_down(
                    theirs, game.slots[other], e, n, view, regrets if answering else others,
                    averages, other != responder, n_others, key, answers, first_theirs, answering,
                    begun, scratch.reach, reach, firsts[1], scratch,
                )  # fmt: skip
        if group >= 0:
            add_ends(
                ends, i, own, True, mine, theirs, begin, end, firsts, reach, scratch.ends, values
            )
            for e in range(begin, end):
                _go_up(
                    mine, game.slots[own], game.met[own], e, n, view, regrets, answers,
                    first_mine, late and own == responder, values, firsts[0], scratch,
                )  # fmt: skip
                if mine.source[e] != NONE:
                    worth = _vector(values, mine.starts[e], firsts[0], n)
                    _add(worth, _vector(scratch.values, mine.source[e], 0, n))


@kernel
def walk_boards(game, boards, ends, seed, first, regrets, averages, responding, answers, scratch):
    """One walk per player over each board, the first of which is number `first` of the seed.

    With `responding`, the regrets of responders in both seats, each player meets a responder: a
    walk for the responder comes before that for the player.
    """
    n_walks = 4 if responding.size > 0 else 2
    for i in range(boards.lengths.size):
        for w in range(n_walks):
            key = stream_key(seed, (first + i) * n_walks + w)
            traverser, responder, own, others = who_walks(w, n_walks, regrets, responding)
            _walk(
                game, boards, ends, i, traverser, responder, own, others, averages, answers, key,
                scratch,
            )  # fmt: skip
