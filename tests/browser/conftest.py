"""A real browser, where one is found; `REQUIRE_BROWSER=1` makes its absence a failure."""

import os
import shutil

import pytest

from counterfold.games import parse_game
from counterfold.runs import Budget
from counterfold.spots.spot_run import solve_spot
from counterfold.tree.compiled_game import compile_game
from counterfold.tree.solve_run import solve
from helpers.toy_games import turn
from helpers.web_pages import running_server

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
RUNS = ("nolimit", "limit", "discard", "river-of-blood", "swap", "bounty", "auction", "toss")


@pytest.fixture(scope="module")
def browser():
    """Closed after each module: while it is open, no other event loop can run in the thread."""
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        if os.environ.get("REQUIRE_BROWSER") == "1":
            pytest.fail("no browser was found; install chromium")
        pytest.skip("no browser was found")
    api = pytest.importorskip("playwright.sync_api")
    with api.sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])


@pytest.fixture(scope="module")
def runs(small_runs, tmp_path_factory):
    """The folders that are served."""
    folder = tmp_path_factory.mktemp("served") / "solved"
    solve(compile_game(parse_game("leduc")), "dcfr", 50, folder=folder / "leduc")
    solve_spot(turn(), Budget(iterations=30), folder=folder / "turn")
    return [folder, *(small_runs.path_of(name) for name in RUNS)]


@pytest.fixture(scope="module")
def address(runs, small_runs, tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COUNTERFOLD_HOME", str(small_runs.folder / "tables"))
        with running_server(*runs, sessions=tmp_path_factory.mktemp("sessions")) as found:
            yield found


@pytest.fixture
def page(browser, address):
    """A page at the address; whatever its console complains about is an error."""
    context = browser.new_context(base_url=address)
    context.set_default_timeout(40_000)  # the first question compiles kernels
    opened = context.new_page()
    complaints = []
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.on("console", lambda line: complaints.append(line.text) if line.type == "error" else 0)
    yield opened
    context.close()
    assert not complaints
