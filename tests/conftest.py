"""Options, fixtures and profiles that all tests share."""

import gc
import json
import os
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings

settings.register_profile("dev", deadline=None, max_examples=30)
settings.register_profile("ci", deadline=None, max_examples=30, derandomize=True)
settings.register_profile("thorough", deadline=None, max_examples=500)
settings.load_profile("ci" if os.environ.get("CI") else "dev")

# Tests ask for several threads where they mean them; the workers have taken all cores already.
os.environ.setdefault("COUNTERFOLD_THREADS", "1")


# Cases that take long, of tests that have quicker ones, too; `slow_cases.py` writes the list.
_SLOW_CASES = Path(__file__).with_name("slow_cases.txt")


def pytest_addoption(parser):
    parser.addoption("--regenerate", action="store_true", help="write the golden files anew")
    parser.addoption("--times", metavar="FOLDER", help="write what each test takes into a folder")


# Two workers begin at the start and in the middle of the tests. What plays and trains comes first
# and what counts cards comes last, so that hardly any kernel is compiled by both.
_FIRST = (
    "conformance",
    "end_to_end",
    *(
        f"unit/{room}"
        for room in (
            "training",
            "bots",
            "contest",
            "matches",
            "blueprints",
            "public",
            "ranges",
        )
    ),
)
_LAST = ("unit/cards", "unit/buckets", "property", "reference", "end_to_end/test_cli_abstract")


def pytest_collection():
    gc.disable()  # thousands of tests are made, all to stay


def pytest_collection_finish():
    gc.freeze()
    gc.enable()


@pytest.hookimpl(tryfirst=True)  # before tests are deselected by their marks
def pytest_collection_modifyitems(items):
    slow = frozenset(_SLOW_CASES.read_text(encoding="utf-8").splitlines())
    for item in items:
        if item.nodeid in slow:
            item.add_marker("slow")
    items.sort(key=lambda item: _turn(item.path))


@cache
def _turn(path):
    place = path.relative_to(Path(__file__).parent).as_posix()
    return 2 if place.startswith(_LAST) else 0 if place.startswith(_FIRST) else 1


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item, nextitem):
    """Seconds of the processor, which a busy machine does not change much."""
    folder = item.config.getoption("--times")
    before = _processor_seconds()
    result = yield
    if folder:
        times = Path(folder) / f"{os.getpid()}.jsonl"
        with times.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps([item.nodeid, _processor_seconds() - before]) + "\n")
    return result


def _processor_seconds():
    """Of this process and of those it has waited for."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


@pytest.fixture
def regenerate(request):
    return request.config.getoption("--regenerate")


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory):
    """A folder of this run of the tests, the same one for all its workers."""
    folder = tmp_path_factory.getbasetemp()
    return folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder


@pytest.fixture(scope="session")
def small_runs(shared_folder):
    from helpers.trained_runs import SmallRuns  # compiles nothing, but imports all of training

    return SmallRuns(shared_folder / "small-runs")


@pytest.fixture
def rng():
    return np.random.default_rng(20050601)
