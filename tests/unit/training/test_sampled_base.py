"""What sampled solvers share: which samples are walked when, and where epochs end."""

from typing import NamedTuple

import numpy as np
import pytest

from counterfold.discounting import CFR, LINEAR
from counterfold.errors import AlgorithmError, TooLargeError
from counterfold.training import sampled_base
from counterfold.training.sampled_base import Block, SampledSolver
from helpers.small_recipes import plan


class Numbers(NamedTuple):
    numbers: np.ndarray


class Counting(SampledSolver):
    """Adds one to a slot for each sample, and keeps all that it walked and made."""

    def __init__(self, *, epoch=10, threads=1, parts=(1, 4), discounting=CFR, **options):
        made = plan()
        self.game = made.game(made.cards().n_buckets)
        self.discounting, self.epoch, self.seed, self.threads = discounting, epoch, 1, threads
        for name, value in options.items():
            setattr(self, name, value)
        self._allocate(*parts)
        self.walked, self.made = [], []

    def _make_batch(self, first, n):
        self.made.append((first, n))
        return Numbers(np.arange(first, first + n))

    def _walk_batch(self, batch, first, thread):
        assert batch.numbers[0] == first
        self.walked += batch.numbers.tolist()
        self.regrets[0] += len(batch.numbers)
        return 3 * len(batch.numbers)


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("calls", [[25], [1, 2, 3, 19], [10, 10, 5]])
def test_every_sample_is_made_and_walked_once(threads, calls):
    solver = Counting(threads=threads)
    for n in calls:
        solver.run(n)
    assert sorted(solver.walked) == list(range(25))
    assert sorted(i for first, n in solver.made for i in range(first, first + n)) == [*range(25)]
    assert (solver.iterations, solver.visited, solver.regrets[0]) == (25, 75, 25)


def test_parts_never_cross_the_end_of_an_epoch():
    solver = Counting(epoch=7, parts=(3, 4))
    solver.run(20)
    assert all(first // 7 == (first + n - 1) // 7 for first, n in solver.made)
    assert max(n for _, n in solver.made) <= 4


@pytest.mark.parametrize("calls", [[20], [7, 13], [1] * 20])
def test_tables_fade_where_an_epoch_ends_however_it_is_reached(calls):
    """Linear CFR: after epoch t all regrets are weighted by t / (t + 1)."""
    solver = Counting(epoch=10, discounting=LINEAR)
    for n in calls:
        solver.run(n)
    assert solver.regrets[0] == pytest.approx((10 * 1 / 2 + 10) * 2 / 3)


def test_walking_for_others_neither_counts_nor_fades():
    solver = Counting(discounting=LINEAR)
    solver.walk(30, 40)
    assert sorted(solver.walked) == [*range(30, 40)]
    assert (solver.iterations, solver.regrets[0]) == (0, 10)
    solver.fade(1)
    assert solver.regrets[0] == pytest.approx(5.0)


def test_a_run_continues_from_tables():
    first, second = Counting(), Counting()
    first.run(5)
    second.take_tables({name: table.copy() for name, table in first.tables.items()})
    assert second.peek("regrets", slice(0, 1)).tolist() == [5.0]
    assert second.read_tables == ("regrets",)


def test_a_block_gives_parts_and_pieces_of_them():
    block = Block(10, 20, 4)
    assert block.parts == [(10, 14), (14, 18), (18, 20)]
    for first, last in block.parts:
        block.batches[first] = Numbers(np.arange(first, last))
    found = [(first, batch.numbers.tolist()) for first, batch in block.pieces(12, 19)]
    assert found == [(12, [12, 13]), (14, [14, 15, 16, 17]), (18, [18])]


def test_what_cannot_be_is_refused(monkeypatch):
    with pytest.raises(AlgorithmError, match="an epoch must have at least one deal, not 0"):
        Counting(epoch=0)
    with pytest.raises(AlgorithmError, match="regrets must be float32 or float64"):
        Counting(dtype=np.float16)

    def refuse(what, n_bytes):
        raise TooLargeError(f"{what}: {n_bytes}")

    monkeypatch.setattr(sampled_base, "check_memory", refuse)
    slots = plan().game(plan().cards().n_buckets).n_slots
    with pytest.raises(TooLargeError, match=f"regrets and averages: {8 * slots}"):
        Counting()
