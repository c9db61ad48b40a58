"""Which kernels are compiled, what a process says about it, and which of them count references."""

import errno
import sys
from importlib import import_module
from types import ModuleType, SimpleNamespace
from typing import NamedTuple

import numba
import numpy as np
import pytest
from numba.core.caching import NullCache

from counterfold.bots.policy_kernels import decide
from counterfold.cli.compile_times import COMPILE_SECONDS
from counterfold.jit import compiler
from counterfold.ranges.board_walk_kernels import walk_boards
from counterfold.responses.local_response_kernels import respond_to_deals
from counterfold.training.deal_sampling_kernels import follow_deals, walk_deals
from counterfold.tree.sampled_kernels import sample_iterations


@pytest.fixture
def clock(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(compiler, "time", SimpleNamespace(monotonic=lambda: now[0]))
    return now


def compilation(name):
    function = SimpleNamespace(__module__="counterfold.cards.x_kernels", __name__=name)
    return SimpleNamespace(data={"dispatcher": SimpleNamespace(py_func=function)})


def test_large_kernels_are_announced_beforehand_and_other_long_ones_afterwards(clock):
    said = []
    known = {"cards.x_kernels.large": 9, "cards.x_kernels.inner": 5}
    report = compiler._CompilationReport(said.append, known, "; do it beforehand")
    first = "compiling cards.x_kernels.large, once on this machine, about 9 s; do it beforehand"
    report.on_start(compilation("large"))
    assert said == [first]
    report.on_start(compilation("inner"))  # as a part of the other
    clock[0] = 5.0
    report.on_end(compilation("inner"))
    clock[0] = 9.0
    report.on_end(compilation("large"))
    assert said == [first]
    report.on_start(compilation("unknown"))
    clock[0] = 12.0
    report.on_end(compilation("unknown"))
    report.on_start(compilation("inner"))
    report.on_end(compilation("inner"))
    assert said[1:] == [
        "compiled cards.x_kernels.unknown, once on this machine, in 3 s",
        "compiling cards.x_kernels.inner, once on this machine, about 5 s",
    ]


def test_a_small_kernel_is_compiled_without_a_word(clock):
    """A later match that lacks one small kernel does not speak of all that a match needs."""
    said = []
    report = compiler._CompilationReport(said.append, {"cards.x_kernels.large": 9}, "")
    report.on_start(compilation("small"))
    clock[0] = 1.0
    report.on_end(compilation("small"))
    assert said == []


@pytest.mark.parametrize("name", COMPILE_SECONDS)
def test_kernels_whose_time_is_known_exist(name):
    module, function = name.rsplit(".", 1)
    assert hasattr(getattr(import_module(f"counterfold.{module}"), function), "py_func")


def test_a_kernel_that_cannot_be_saved_runs_all_the_same(monkeypatch, caplog):
    def fail(self, sig, data):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(compiler.FunctionCache, "save_overload", fail)
    monkeypatch.setattr(compiler._KernelCache, "told", False)
    for n in (1, 2):
        add = compiler.kernel(lambda a: a + 1)
        assert add(n) == n + 1
    (record,) = caplog.records
    assert "cannot keep compiled kernels in" in record.getMessage()
    assert record.getMessage().endswith("No space left on device")


@pytest.mark.skipif(not compiler._CACHE, reason="kernels are not kept")
def test_kernels_are_kept_as_numba_keeps_them():
    assert isinstance(compiler.kernel(lambda a: a)._cache, compiler.FunctionCache)
    assert numba.njit(cache=True)(lambda a: a)._cache.__class__ is compiler.FunctionCache


class Tables(NamedTuple):
    first: np.ndarray
    second: np.ndarray


def add_up(tables, n):
    rows = tables.first
    total = 0.0
    for i in range(n):
        row = rows[i]
        total += row[0] if total < 3.0 else tables.second[i, 1]
    return total


@pytest.mark.parametrize(
    ("decorator", "counts"), [(compiler.kernel, True), (compiler.borrowing_kernel, False)]
)
def test_kernels_that_borrow_count_no_references(decorator, counts):
    compiled = decorator(add_up)
    compiled._cache = NullCache()  # what comes from the cache cannot be read
    tables = Tables(np.ones((5, 2)), np.full((5, 2), 2.0))
    assert compiled(tables, 5) == 7.0
    (code,) = compiled.inspect_llvm().values()
    assert ("call void @NRT_incref" in code) is counts


WALKS = [walk_deals, follow_deals, sample_iterations, walk_boards, respond_to_deals, decide]


@pytest.mark.parametrize("walk", WALKS)
def test_walks_borrow_their_arrays(walk):
    assert walk.targetoptions["_nrt"] is False


def test_a_settled_kernel_does_not_look_at_types(monkeypatch):
    compiled = compiler.borrowing_kernel(add_up)
    tables = Tables(np.ones((5, 2)), np.full((5, 2), 2.0))
    settled = compiler.settle(compiled, (tables, 5))
    monkeypatch.setattr(type(compiled), "typeof_pyval", None)
    assert compiler.settle(compiled, (tables, 7)) is settled
    assert settled(tables, 5) == 7.0
    assert settled(Tables(np.zeros((5, 2)), np.ones((5, 2))), 3) == 0.0


def test_kernels_are_settled_for_each_type():
    compiled = compiler.borrowing_kernel(add_up)
    double = Tables(np.ones((5, 2)), np.full((5, 2), 2.0))
    single = Tables(*(array.astype(np.float32) for array in double))
    other = Tables(*(np.asfortranarray(array) for array in double))
    settled = [compiler.settle(compiled, (tables, 5)) for tables in (double, single, other)]
    assert len({id(kernel) for kernel in settled}) == 3
    assert [
        kernel(*pair)
        for kernel, pair in zip(settled, ((double, 5), (single, 5), (other, 5)), strict=True)
    ] == [7.0] * 3


def test_what_is_not_compiled_is_settled_as_it_is():
    assert compiler.settle(add_up, ()) is add_up


def test_helpers_are_compiled_once_for_all_constants_and_widths(monkeypatch):
    monkeypatch.setattr(compiler, "_CACHE", False)

    @compiler.kernel
    def pick(numbers, at, pair, doubled):
        return (numbers[at] + pair[1]) * (2 if doubled else 1)

    @compiler.kernel
    def use(numbers, narrow):
        first = pick(numbers, 0, (1, 2), False)
        second = pick(numbers, narrow, (narrow, 7), True)
        return first, second, pick(numbers, doubled=numbers[1] > 0, pair=(numbers[2], narrow), at=3)

    numbers = np.array([10, 20, 30, 40, 50])
    assert use(numbers, np.int32(4)) == (12, 114, 88)
    assert len(pick.signatures) == 1


def test_a_kernel_that_was_kept_with_types_of_an_earlier_version_is_compiled_again(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    module = ModuleType("versions")
    monkeypatch.setitem(sys.modules, "versions", module)
    for name in ("Earlier", "Later"):
        exec(f"import typing\nclass {name}(typing.NamedTuple):\n    x: int", vars(module))
    assert compiler.kernel(_first)(module.Earlier(7)) == 7
    del module.Earlier
    assert compiler.kernel(_first)(module.Later(8)) == 8
    kept = compiler.kernel(_first)
    assert kept(module.Later(9)) == 9
    assert sum(kept.stats.cache_hits.values()) == 1


def _first(pair):
    return pair[0]
