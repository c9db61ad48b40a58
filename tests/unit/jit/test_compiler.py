"""What a process says about kernels that it has to compile."""

from types import SimpleNamespace

import pytest

from counterfold.jit import compiler


@pytest.fixture
def clock(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(compiler, "time", SimpleNamespace(monotonic=lambda: now[0]))
    return now


def compilation(name):
    function = SimpleNamespace(__module__="counterfold.cards.x_kernels", __name__=name)
    return SimpleNamespace(data={"dispatcher": SimpleNamespace(py_func=function)})


def test_the_first_compilation_and_long_ones_are_announced(clock):
    said = []
    report = compiler._CompilationReport(said.append, "about 25 s")
    report.on_start(compilation("outer"))
    assert said == ["about 25 s"]
    report.on_start(compilation("inner"))
    clock[0] = 5.0
    report.on_end(compilation("inner"))
    clock[0] = 7.0
    report.on_end(compilation("outer"))
    report.on_start(compilation("short"))
    clock[0] = 7.5
    report.on_end(compilation("short"))
    assert said == ["about 25 s", "compiled cards.x_kernels.outer in 7 s"]
