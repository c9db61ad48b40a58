"""What a process says about kernels that it has to compile."""

from importlib import import_module
from types import SimpleNamespace

import pytest

from counterfold.cli.compile_times import COMPILE_SECONDS
from counterfold.jit import compiler


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
