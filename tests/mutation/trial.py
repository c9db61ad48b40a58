"""Tests of a changed tree, run in a process of their own with limits on time and memory.

Kernels run *cached*, where nothing that was compiled has changed; *plain*, as Python, where tests
that fail or take long are left out; or *compiled*, where only what did not change is loaded.
"""

import json
import os
import resource
import signal
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import NamedTuple

import numba
import pytest

_TEST_SECONDS = 3.0  # of the processor, for one test in plain Python
_WALL = 20  # seconds on the clock for one on the processor, which others use, too
_BROKEN = 70  # exit status of a run that did not come to its tests
_MEMORY = 6 << 30  # bytes, for mutants that never stop to collect


class Trial(NamedTuple):
    """Tests at some places of a tree, and how kernels run meanwhile."""

    tree: Path
    places: tuple[str, ...]
    mode: str

    @property
    def _list(self) -> Path:
        """Where the names of tests are kept that are left out."""
        return self.tree.parent / ("left-out-" + "-".join(self.places).replace("/", "."))

    def run(self, seconds: float, *, choose: bool = False) -> tuple[int | None, float]:
        """Exit status, None if time ran out, and the processor's seconds.

        With `choose` it lists the tests to leave out from now on.
        """
        child = os.fork()
        if child == 0:
            status = _BROKEN
            try:
                status = self._test(seconds, choose)
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(status)
        return _await(child, _WALL * seconds)

    def _test(self, seconds: float, choose: bool) -> int:
        os.setsid()
        os.chdir(self.tree)
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + 5))
        resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY, _MEMORY))
        self._set_environment()
        folder = self.tree.parent
        with open(folder / "output", "w") as output:
            os.dup2(output.fileno(), 1)
            os.dup2(output.fileno(), 2)
        options = ["-q", "--assert=plain", "-p", "no:cacheprovider"]
        options += [f"--basetemp={folder / 'pytest'}", "-W", "ignore::RuntimeWarning"]
        if not choose:
            names = json.loads(self._list.read_text()) if self.mode == "plain" else []
            options += ["-x", *(f"--deselect={name}" for name in names)]
            return int(pytest.main([*options, *self.places]))
        chooser = _Chooser()
        pytest.main([*options, *self.places], plugins=[chooser])
        self._list.write_text(json.dumps(sorted(chooser.left_out)))
        return 0 if chooser.n_passed else _BROKEN

    def _set_environment(self) -> None:
        os.environ |= {
            "PYTHONPATH": str(self.tree / "src"),
            "NUMBA_CACHE_DIR": str(self.tree.parent / "numba"),
            "NUMBA_DISABLE_JIT": "1" if self.mode == "plain" else "0",
        }
        numba.config.reload_config()
        sys.path[0] = str(self.tree / "src")


class _Slow(BaseException):
    """A test takes too long; not an `Exception`, which a property would try to shrink."""


class _Chooser:
    """Tells tests that pass soon from others."""

    def __init__(self) -> None:
        self.left_out: set[str] = set()
        self.n_passed = 0
        signal.signal(signal.SIGVTALRM, self._stop)

    @staticmethod
    def _stop(number: int, frame: FrameType | None) -> None:
        raise _Slow

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self) -> Iterator[None]:
        yield from self._limited()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self) -> Iterator[None]:
        yield from self._limited()

    def _limited(self) -> Iterator[None]:
        signal.setitimer(signal.ITIMER_VIRTUAL, _TEST_SECONDS, _TEST_SECONDS)
        try:
            return (yield)
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.left_out.add(report.nodeid)
        self.n_passed += report.when == "call" and report.passed


def _await(child: int, seconds: float) -> tuple[int | None, float]:
    """Exit status of a process, None if it ran out of time, and its seconds on the processor.

    Nothing that it started is left.
    """
    deadline = time.monotonic() + seconds
    ended, status, used = os.wait4(child, os.WNOHANG)
    while not ended and time.monotonic() < deadline:
        time.sleep(0.05)
        ended, status, used = os.wait4(child, os.WNOHANG)
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    if not ended:
        os.waitpid(child, 0)
        return None, seconds
    code = os.waitstatus_to_exitcode(status)
    return None if code == -signal.SIGXCPU else code, used.ru_utime + used.ru_stime
