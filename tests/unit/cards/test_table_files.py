"""Tables on disk: what interruptions, full disks, damage and other processes can do to them."""

import errno
import json
import os
import shutil
import subprocess
import sys
import textwrap
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from counterfold import checksums
from counterfold.cards import Deck
from counterfold.cards import table_files as module
from counterfold.cards.strength import StrengthTables
from counterfold.cards.table_files import (
    Column,
    TableSpec,
    build_table,
    cache_folder,
    estimate_seconds,
    find_table,
    list_tables,
    table_digest,
    verify_table,
)
from counterfold.cluster.process_workers import ProcessWorkers
from counterfold.cluster.row_pieces import RowJob, RowWork
from counterfold.errors import ArtifactError, CardError
from helpers.processes.cluster_jobs import DeadlyWorkers, Traveling

N_UNITS = 20
SPEC = TableSpec(
    "squares",
    {"what": "test"},
    {"roots": Column("<i8", (N_UNITS,)), "rows": Column("u1", (N_UNITS, 3))},
)


class Work:
    """Fills the table and remembers for which units; calls `at` before it starts a unit."""

    def __init__(self, at=lambda unit: None):
        self.at = at
        self.units = []

    def __call__(self, first, last, arrays):
        for unit in range(first, last):
            self.at(unit)
            arrays["roots"][unit] = unit**2
            arrays["rows"][unit] = unit
            self.units.append(unit)


def fail(error, unit):
    """Raise `error` when `unit` is reached."""

    def at(reached):
        if reached == unit:
            raise error

    return at


def build(folder, work=None, spec=SPEC, **options):
    return build_table(spec, folder, N_UNITS, work or Work(), **options)


def content(folder, spec=SPEC):
    """The bytes of all files of a finished table, by name."""
    return {file.name: file.read_bytes() for file in (folder / spec.folder_name).iterdir()}


def final(folder):
    return folder / SPEC.folder_name


def partial(folder):
    return folder / f"{SPEC.folder_name}.partial"


@pytest.fixture
def whole(tmp_path):
    """The content of a table that was built in one go."""
    build(tmp_path / "whole")
    return content(tmp_path / "whole")


def test_a_finished_table_is_found_and_not_built_again(tmp_path):
    assert find_table(SPEC, tmp_path) is None
    arrays = build(tmp_path, work := Work())
    assert work.units == list(range(N_UNITS))
    assert arrays["roots"].tolist() == [unit**2 for unit in range(N_UNITS)]
    assert arrays["rows"].tolist() == [[unit] * 3 for unit in range(N_UNITS)]
    assert not arrays["roots"].flags.writeable
    build(tmp_path, work := Work())
    assert work.units == []
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        [SPEC.folder_name, f"{SPEC.folder_name}.lock"]
    )
    assert sorted(content(tmp_path)) == ["manifest.json", "roots.npy", "rows.npy"]


def test_the_name_depends_on_everything_that_the_numbers_depend_on():
    others = [
        TableSpec("cubes", SPEC.depends_on, SPEC.columns),
        TableSpec(SPEC.name, {"what": "else"}, SPEC.columns),
        TableSpec(SPEC.name, SPEC.depends_on, {"roots": Column("<i8", (N_UNITS,))}),
        TableSpec(SPEC.name, SPEC.depends_on, {**SPEC.columns, "rows": Column("i1", (N_UNITS, 3))}),
        TableSpec(SPEC.name, SPEC.depends_on, {**SPEC.columns, "rows": Column("u1", (N_UNITS, 4))}),
    ]
    assert len({spec.folder_name for spec in [SPEC, *others]}) == 6
    assert SPEC.nbytes == N_UNITS * (8 + 3)


def test_the_name_stays_the_same_from_version_to_version():
    """Tables of a cache would be lost otherwise: a change must be deliberate."""
    assert SPEC.folder_name == "squares-be3902d4398f0899"


def test_progress_counts_up_to_all_units(tmp_path):
    seen = []
    build(tmp_path, progress=lambda *report: seen.append(report))
    assert seen == [("squares", done, N_UNITS) for done in range(N_UNITS + 1)]


@pytest.mark.parametrize("error", [KeyboardInterrupt(), RuntimeError("no luck")], ids=repr)
@pytest.mark.parametrize("unit", [0, 7, N_UNITS - 1])
def test_an_interrupted_build_goes_on_where_it_stopped(tmp_path, whole, error, unit):
    with pytest.raises(type(error)):
        build(tmp_path, Work(fail(error, unit)))
    assert not final(tmp_path).exists()
    assert find_table(SPEC, tmp_path) is None
    seen = []
    build(tmp_path, work := Work(), progress=lambda *report: seen.append(report[1]))
    assert work.units == list(range(unit, N_UNITS))
    assert seen == list(range(unit, N_UNITS + 1))
    assert content(tmp_path) == whole


def test_many_interruptions_in_many_threads_cost_no_unit_that_was_reported(tmp_path, whole):
    reported = 0
    for unit in range(0, N_UNITS, 3):
        with pytest.raises(RuntimeError):
            build(tmp_path, work := Work(fail(RuntimeError("again"), unit)), threads=2)
        assert min(work.units, default=reported) >= reported
        reported = len(json.loads((partial(tmp_path) / "progress.json").read_text())["done"])
        assert reported <= unit
    build(tmp_path, threads=2)
    assert content(tmp_path) == whole


def test_more_units_than_parts(tmp_path):
    n_units = 1000  # in 256 parts
    spec = TableSpec("many", {}, {"n": Column("<i4", (n_units,))})

    def work(first, last, arrays):
        assert 3 <= last - first <= 4
        arrays["n"][first:last] += np.arange(first, last)

    arrays = build_table(spec, tmp_path, n_units, work, threads=2)
    assert np.array_equal(arrays["n"], np.arange(n_units))


def test_one_and_two_threads_give_the_same_bytes(tmp_path, whole):
    pause = Work(lambda unit: time.sleep(0.002 * (unit % 3)))  # so that threads overtake each other
    build(tmp_path, pause, threads=2)
    assert content(tmp_path) == whole


def test_two_threads_do_work_at_the_same_time(tmp_path):
    both = threading.Barrier(2, timeout=120)
    # With one thread at a time the barrier breaks, which is an error.
    build(tmp_path, Work(lambda unit: both.wait() if unit < 2 else None), threads=2)
    assert not both.broken


@dataclass(frozen=True)
class Roots:
    """Makes the table elsewhere; a unit is a row."""

    wrong: int = -1

    def row_work(self, name):
        work = Work(fail(CardError(f"no {name} of {self.wrong}"), self.wrong))
        return RowWork(SPEC.columns, work, np.arange)


def build_elsewhere(folder, workers, wrong=-1):
    """Nothing may be worked on here."""
    here = Work(fail(AssertionError("worked on here"), 0))
    return build(folder, here, workers=workers, job=RowJob(Roots(wrong), "roots"))


def test_workers_elsewhere_give_the_same_bytes(tmp_path, whole):
    build_elsewhere(tmp_path, Traveling(2))
    assert content(tmp_path) == whole


def test_an_error_elsewhere_keeps_what_was_done_before(tmp_path, whole):
    with pytest.raises(CardError, match=r"^no roots of 5$"):
        build_elsewhere(tmp_path, Traveling(2), wrong=5)
    work = Work()
    build(tmp_path, work)
    assert work.units == list(range(5, N_UNITS))
    assert content(tmp_path) == whole


def test_processes_that_die_cost_no_row(tmp_path, whole):
    with ProcessWorkers(2) as workers:
        deadly = DeadlyWorkers(workers, tmp_path, ("(2, ",))
        built = build_elsewhere(tmp_path / "new", deadly)
        assert workers.n_replaced == 1
    assert content(tmp_path / "new") == whole
    assert built["roots"].tolist() == [unit**2 for unit in range(N_UNITS)]


def run_python(code, *arguments):
    code = textwrap.dedent(code)
    return subprocess.Popen([sys.executable, "-c", code, *map(str, arguments)])


def wait_until(condition, process, seconds=600):
    stop = time.monotonic() + seconds
    while not condition():
        assert process.poll() is None, "the process ended too early"
        assert time.monotonic() < stop, "nothing happened"
        time.sleep(0.01)


SLOW_TURN = """
    import sys, time
    from pathlib import Path
    from counterfold.cards import Deck, table_files
    from counterfold.cards.strength import StrengthTables

    table_files._SAVE_SECONDS = 0.0
    fast = StrengthTables._board_work

    def slow(self, street):
        work = fast(self, street)
        def work_and_rest(*arguments):
            work(*arguments)
            time.sleep(0.05)
        return work_and_rest

    StrengthTables._board_work = slow
    StrengthTables(Deck((2, 7, 12), 4), bins=5, folder=Path(sys.argv[1])).street("turn")
"""


def test_a_killed_process_loses_nothing_that_it_saved(tmp_path):
    """A real table, kill -9 in the middle, and the same bytes in the end."""
    deck = Deck((2, 7, 12), 4)
    StrengthTables(deck, bins=5, folder=tmp_path / "whole").street("turn")
    tables = StrengthTables(deck, bins=5, folder=tmp_path / "killed")
    spec = tables.spec("turn")
    state = tables.folder / f"{spec.folder_name}.partial" / "progress.json"

    def n_done():
        return len(json.loads(state.read_text())["done"]) if state.exists() else 0

    process = run_python(SLOW_TURN, tables.folder)
    try:
        wait_until(lambda: n_done() >= 3, process)
    finally:
        process.kill()
        process.wait()
    saved = n_done()
    n_boards = len(tables.boards("turn"))
    assert 3 <= saved < n_boards
    assert not tables.is_built("turn")
    seen = []
    tables.street("turn", progress=lambda *report: seen.append(report[1]))
    assert seen[0] == saved  # one board to a part
    assert seen[-1] == n_boards
    assert content(tables.folder, spec) == content(tmp_path / "whole", spec)


LOCKED = """
    import sys, time
    from pathlib import Path
    from counterfold.cards.table_files import Column, TableSpec, build_table

    folder, name = Path(sys.argv[1]), sys.argv[2]

    def work(first, last, arrays):
        with open(folder / name, "a") as file:
            file.write(f"{first} ")
        arrays["n"][first:last] = first
        time.sleep(0.05)

    (folder / f"{name}-ready").touch()
    while not (folder / "go").exists():
        time.sleep(0.001)
    spec = TableSpec("shared", {}, {"n": Column("<i4", (10,))})
    arrays = build_table(spec, folder / "tables", 10, work)
    assert arrays["n"].tolist() == list(range(10))
"""


def test_of_two_processes_one_builds_and_both_get_the_table(tmp_path):
    processes = [run_python(LOCKED, tmp_path, name) for name in "ab"]
    try:
        for name, process in zip("ab", processes, strict=True):
            wait_until((tmp_path / f"{name}-ready").exists, process)
        (tmp_path / "go").touch()
        assert [process.wait(timeout=600) for process in processes] == [0, 0]
    finally:
        for process in processes:
            process.kill()
    builders = [name for name in "ab" if (tmp_path / name).exists()]
    assert len(builders) == 1
    assert (tmp_path / builders[0]).read_text().split() == [str(unit) for unit in range(10)]


def interrupt(folder, unit=5):
    with pytest.raises(RuntimeError):
        build(folder, Work(fail(RuntimeError("stop"), unit)))


def overwrite(path, text):
    path.write_text(text, encoding="utf-8")


def edit(path, **changes):
    overwrite(path, json.dumps(json.loads(path.read_text()) | changes))


def truncate(path, size):
    with open(path, "r+b") as file:
        file.truncate(size)


@pytest.mark.parametrize(
    "harm",
    [
        lambda folder: (folder / "progress.json").unlink(),
        lambda folder: overwrite(folder / "progress.json", '{"fingerprint": '),
        lambda folder: overwrite(folder / "progress.json", "[1, 2, 3]"),
        lambda folder: edit(folder / "progress.json", fingerprint="0123456789abcdef"),
        lambda folder: edit(folder / "progress.json", parts=N_UNITS - 1),
        lambda folder: edit(folder / "progress.json", done=None),
        lambda folder: (folder / "rows.npy").unlink(),
        lambda folder: truncate(folder / "rows.npy", 0),
        lambda folder: truncate(folder / "rows.npy", 140),
        lambda folder: np.save(folder / "rows.npy", np.zeros((N_UNITS, 4), np.uint8)),
        lambda folder: np.save(folder / "rows.npy", np.zeros((N_UNITS, 3), np.int8)),
    ],
    ids=[
        "no progress",
        "half a progress",
        "foreign progress",
        "other table",
        "other parts",
        "no list of parts",
        "array missing",
        "array empty",
        "array cut",
        "other shape",
        "other type",
    ],
)
def test_a_begun_table_that_does_not_fit_is_begun_again(tmp_path, whole, harm):
    interrupt(tmp_path)
    harm(partial(tmp_path))
    build(tmp_path, work := Work())
    assert work.units == list(range(N_UNITS))
    assert content(tmp_path) == whole


def test_parts_that_there_are_not_are_not_taken_for_done(tmp_path, whole):
    interrupt(tmp_path)
    edit(partial(tmp_path) / "progress.json", done=[0, 1, 999, -1])
    build(tmp_path, work := Work())
    assert work.units == list(range(2, N_UNITS))
    assert content(tmp_path) == whole


@pytest.mark.parametrize(
    ("harm", "what"),
    [
        (lambda folder: (folder / "manifest.json").unlink(), "manifest.json"),
        (lambda folder: overwrite(folder / "manifest.json", "{"), "Expecting property name"),
        (lambda folder: overwrite(folder / "manifest.json", "[]"), "for another table"),
        (lambda folder: edit(folder / "manifest.json", fingerprint="0" * 16), "for another table"),
        (lambda folder: (folder / "rows.npy").unlink(), "rows.npy"),
        (lambda folder: truncate(folder / "rows.npy", 0), "rows.npy: "),
        (lambda folder: truncate(folder / "rows.npy", 140), "rows.npy: "),
        (lambda folder: overwrite(folder / "rows.npy", "PK" * 100), "rows.npy: "),
        (
            lambda folder: np.save(folder / "rows.npy", np.zeros((N_UNITS, 4), np.uint8)),
            "rows.npy has another shape or type",
        ),
        (
            lambda folder: np.save(folder / "rows.npy", np.zeros((N_UNITS, 3), np.int8)),
            "rows.npy has another shape or type",
        ),
    ],
)
def test_a_damaged_table_is_refused_with_its_path_and_the_next_step(tmp_path, harm, what):
    build(tmp_path)
    harm(final(tmp_path))
    for ask in (lambda: find_table(SPEC, tmp_path), lambda: build(tmp_path)):
        with pytest.raises(ArtifactError, match="is damaged") as caught:
            ask()
        message = str(caught.value)
        assert str(final(tmp_path)) in message
        assert what in message
        assert message.endswith("delete it and build it again")
    shutil.rmtree(final(tmp_path))
    build(tmp_path, work := Work())
    assert work.units == list(range(N_UNITS))


def flip_a_bit(path):
    """As a later write would: with another time, whatever the clock's resolution."""
    written = path.stat().st_mtime_ns
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    os.utime(path, ns=(written, written + 1))


def test_every_byte_is_compared(tmp_path):
    build(tmp_path)
    verify_table(final(tmp_path))
    flip_a_bit(final(tmp_path) / "rows.npy")
    for ask in (
        lambda: verify_table(final(tmp_path)),
        lambda: find_table(SPEC, tmp_path),
        lambda: build(tmp_path),
    ):
        with pytest.raises(ArtifactError, match=r"rows\.npy has changed since it was written"):
            ask()


def test_all_tables_of_a_cache_are_listed(tmp_path):
    other = TableSpec("cubes", SPEC.depends_on, SPEC.columns)
    interrupt(tmp_path)
    assert list_tables(tmp_path) == []
    build(tmp_path, spec=other)
    build(tmp_path)
    assert [path.name for path in list_tables(tmp_path)] == [other.folder_name, SPEC.folder_name]


def test_the_digest_of_a_table_is_that_of_its_content(tmp_path):
    build(tmp_path / "a")
    build(tmp_path / "b")
    digest = table_digest(SPEC, tmp_path / "a")
    assert table_digest(SPEC, tmp_path / "b") == digest
    flip_a_bit(final(tmp_path / "b") / "rows.npy")
    assert table_digest(SPEC, tmp_path / "b") != digest


FILE_LIMIT = """
    import resource, sys
    from pathlib import Path
    from counterfold.cards.table_files import Column, TableSpec, build_table
    from counterfold.errors import ArtifactError

    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
    spec = TableSpec("large", {}, {"n": Column("<i8", (1 << 20,))})

    def work(first, last, arrays):
        arrays["n"][first:last] = first

    try:
        build_table(spec, Path(sys.argv[1]), 10, work)
    except ArtifactError as error:
        assert "cannot write tables to" in str(error), error
        sys.exit(0 if not list(Path(sys.argv[1]).glob("*.partial")) else 4)
    sys.exit(3)
"""


def test_a_file_that_may_not_grow_is_one_sentence(tmp_path):
    assert run_python(FILE_LIMIT, tmp_path).wait(timeout=600) == 0


@pytest.mark.skipif(not hasattr(os, "posix_fallocate"), reason="no holes to fill")
def test_a_disk_that_is_full_is_found_out_before_anything_is_mapped(tmp_path, monkeypatch):
    def refuse(*arguments):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "posix_fallocate", refuse)
    with pytest.raises(ArtifactError, match=r"cannot write tables to .*: No space left on device"):
        build(tmp_path, work := Work())
    assert work.units == []
    assert not partial(tmp_path).exists()  # it may be what fills the disk


@pytest.mark.skipif(not hasattr(os, "posix_fallocate"), reason="no holes to fill")
def test_arrays_have_their_space_before_work_begins(tmp_path):
    spec = TableSpec("large", {}, {"n": Column("<i8", (1 << 18,))})

    def work(first, last, arrays):
        (file,) = tmp_path.glob("*.partial/n.npy")
        assert 512 * file.stat().st_blocks >= spec.nbytes

    build_table(spec, tmp_path, 1, work)


def test_a_table_that_the_disk_cannot_hold_is_refused_before_the_first_byte(tmp_path, monkeypatch):
    usage = shutil.disk_usage(tmp_path)._replace(free=SPEC.nbytes - 1)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage)
    with pytest.raises(
        ArtifactError, match=r"table squares needs 0\.1 MB, 0\.1 MB more than .* has free"
    ):
        build(tmp_path, work := Work())
    assert work.units == []
    assert not partial(tmp_path).exists()


def test_what_is_on_disk_already_needs_no_more_space(tmp_path, whole, monkeypatch):
    interrupt(tmp_path)
    usage = shutil.disk_usage(tmp_path)._replace(free=0)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage)
    build(tmp_path)
    assert content(tmp_path) == whole


NO_SPACE = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("call", [0, 2, 5])
def test_a_disk_that_fills_up_leaves_no_broken_table(tmp_path, whole, monkeypatch, call):
    """`flush` fails, at first or later: a clear error, nothing under the final name."""
    calls = []
    flush = np.memmap.flush

    def fill_up(self):
        calls.append(self)
        if len(calls) > call:
            raise NO_SPACE
        flush(self)

    with monkeypatch.context() as patch:
        patch.setattr(module, "_SAVE_SECONDS", 0.0)
        patch.setattr(np.memmap, "flush", fill_up)
        with pytest.raises(ArtifactError, match="No space left") as caught:
            build(tmp_path)
    assert str(tmp_path) in str(caught.value)
    assert "COUNTERFOLD_HOME" in str(caught.value)
    assert not final(tmp_path).exists()
    build(tmp_path)
    assert content(tmp_path) == whole


def test_a_failed_renaming_loses_no_work(tmp_path, whole, monkeypatch):
    replace = os.replace

    def refuse(source, target):
        if Path(target) == final(tmp_path):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        replace(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", refuse)
        with pytest.raises(ArtifactError, match="Permission denied"):
            build(tmp_path)
    assert not final(tmp_path).exists()
    build(tmp_path, work := Work())
    assert work.units == []
    assert content(tmp_path) == whole


def deny(*arguments, **options):
    raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def test_a_folder_that_cannot_be_written_to_is_an_error_with_the_way_out(tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(Path, "mkdir", deny)
        with pytest.raises(ArtifactError, match=r"Permission denied.*COUNTERFOLD_HOME"):
            build(tmp_path / "locked")
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(ArtifactError, match=r"cannot write tables to .*file"):
        build(file)
    assert list(tmp_path.iterdir()) == [file]


def test_a_finished_table_can_be_read_where_nothing_can_be_written(tmp_path, monkeypatch):
    build(tmp_path)
    monkeypatch.setattr(Path, "mkdir", deny)
    monkeypatch.setattr(module, "in_turn", deny)
    assert build(tmp_path)["roots"][3] == 9


def test_the_cache_folder_is_the_one_of_the_environment(tmp_path, monkeypatch):
    monkeypatch.setenv("COUNTERFOLD_HOME", str(tmp_path / "home"))
    assert cache_folder() == tmp_path / "home"
    tables = StrengthTables(Deck((2, 7, 12), 4), bins=0)
    assert tables.folder == tmp_path / "home"
    tables.street("river")
    assert find_table(tables.spec("river"), tmp_path / "home") is not None


@pytest.mark.skipif(sys.platform != "linux", reason="the folder that tables have always had there")
def test_without_the_environment_it_is_the_cache_of_the_user(tmp_path, monkeypatch):
    monkeypatch.delenv("COUNTERFOLD_HOME", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_folder() == tmp_path / "xdg" / "counterfold"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_folder() == tmp_path / ".cache" / "counterfold"


def test_a_file_of_a_new_table_is_hashed_once(tmp_path, monkeypatch):
    hashed, plain = [], checksums.hash_file
    monkeypatch.setattr(checksums, "_LARGE_BYTES", 0)
    monkeypatch.setattr(
        checksums, "hash_file", lambda path: hashed.append(path.name) or plain(path)
    )
    build(tmp_path)
    assert sorted(hashed) == ["roots.npy", "rows.npy"]
    verify_table(final(tmp_path))


def test_an_estimate_is_the_time_of_a_sample_for_each_unit_and_thread(monkeypatch):
    clock = [0.0]

    def pass_time(unit):
        clock[0] += 0.05

    monkeypatch.setattr(time, "perf_counter", lambda: clock[0])
    work = Work(pass_time)
    assert estimate_seconds(SPEC, N_UNITS, work) == pytest.approx(0.05 * N_UNITS)
    assert len(work.units) <= 6  # a moment: one unit, then two, each done twice
    assert estimate_seconds(SPEC, N_UNITS, work, threads=2) == pytest.approx(0.05 * N_UNITS / 2)


def test_an_estimate_goes_from_one_unit_to_as_many_as_it_needs(monkeypatch):
    clock, asked = [0.0], []

    def work(first, last, arrays):
        asked.append(last - first)
        clock[0] += 0.001 * (last - first)

    monkeypatch.setattr(time, "perf_counter", lambda: clock[0])
    assert estimate_seconds(SPEC, 1000, work, threads=1) == pytest.approx(1.0)
    assert asked == [1, 1, 60, 60]


def test_an_estimate_of_little_work_ends_after_all_of_it():
    assert estimate_seconds(SPEC, 1, Work()) > 0
    estimate_seconds(SPEC, N_UNITS, work := Work())
    assert set(work.units) == set(range(N_UNITS // 2, N_UNITS))
