import errno
import hashlib
import io
import json
import os
import pickle
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from counterfold import artifacts
from counterfold.artifacts import locked
from counterfold.errors import ArtifactError

OLD = {"sums": np.arange(5.0), "counts": np.array([[1, 2], [3, 4]], np.int32)}
NEW = {"sums": np.arange(5.0) + 1, "counts": np.array([[5, 6], [7, 8]], np.int32)}


@pytest.fixture
def folder(tmp_path):
    """A folder that holds the old state."""
    folder = tmp_path / "run"
    artifacts.save(folder, {"kind": "test", "number": 1}, OLD)
    return folder


def assert_holds(folder, number, arrays):
    manifest, found = artifacts.load(folder)
    assert (manifest["kind"], manifest["number"]) == ("test", number)
    assert found.keys() == arrays.keys()
    for name, array in arrays.items():
        np.testing.assert_array_equal(found[name], array)
        assert found[name].dtype == array.dtype


def test_mapped_arrays_change_no_file(folder):
    _, found = artifacts.load(folder, mapped=True)
    assert type(found["sums"]) is np.ndarray
    found["sums"][:] = -1.0
    assert_holds(folder, 1, OLD)


def listed(folder):
    manifest = json.loads((folder / artifacts.MANIFEST).read_text())
    return {artifacts.MANIFEST, *(entry["file"] for entry in manifest["arrays"].values())}


def names(folder):
    return {path.name for path in folder.iterdir()}


def change_manifest(folder, **changes):
    path = folder / artifacts.MANIFEST
    manifest = json.loads(path.read_text())
    del manifest["checksum"]
    artifacts.write_manifest(folder, manifest | changes)


def entry_for(content):
    return hashlib.sha256(content).hexdigest()


def test_what_is_saved_is_loaded(folder):
    assert_holds(folder, 1, OLD)
    assert artifacts.load_manifest(folder)["format"] == artifacts.FORMAT


def test_a_new_state_replaces_the_old_and_leaves_nothing_of_it(folder):
    artifacts.save(folder, {"kind": "test", "number": 2}, NEW)
    assert_holds(folder, 2, NEW)
    assert names(folder) == listed(folder)
    assert len(names(folder)) == 3


def test_an_unchanged_array_stays(folder):
    before = listed(folder)
    artifacts.save(folder, {"kind": "test", "number": 2}, OLD)
    assert_holds(folder, 2, OLD)
    assert listed(folder) == before


def test_folders_are_made_with_their_parents(tmp_path):
    folder = tmp_path / "a" / "b" / "c"
    artifacts.save(folder, {"kind": "test", "number": 1}, OLD)
    assert_holds(folder, 1, OLD)


def test_files_of_others_are_left_alone(folder):
    for name in ("notes.txt", "mine.npy", "array-of-mine.npy"):
        (folder / name).write_bytes(b"mine")
    artifacts.save(folder, {"kind": "test", "number": 2}, NEW)
    assert_holds(folder, 2, NEW)
    assert {"notes.txt", "mine.npy", "array-of-mine.npy"} <= names(folder)


class Killed(BaseException):
    """Stands for the death of the process: nobody catches it."""


def failing(function, nth, error, *, after):
    """`function`, whose `nth` call raises `error` before, or after, it does its work."""
    calls = 0

    def wrapper(*args, **kwargs):
        nonlocal calls
        calls += 1
        if calls == nth and not after:
            raise error
        result = function(*args, **kwargs)
        if calls == nth:
            raise error
        return result

    return wrapper


LAST_SYNC = 7
# Two arrays, each written, synced, renamed to `.new` and to its hash, then the manifest; the folder
# is synced after each of the three, and before the manifest is written.
STEPS = [
    *(("save", n) for n in (1, 2)),
    *(("fsync", n) for n in range(1, LAST_SYNC)),  # the last comes when the new state is there
    *(("replace", n) for n in (1, 2, 3, 4, 5)),
]


def break_step(monkeypatch, step, nth, error, *, after=False):
    module = np if step == "save" else os
    monkeypatch.setattr(module, step, failing(getattr(module, step), nth, error, after=after))


def test_the_steps_are_all_there_are(folder, monkeypatch):
    """The numbers in STEPS are how often `save` calls each; one more would never fail."""
    calls = dict.fromkeys(("save", "fsync", "replace"), 0)
    for name in calls:
        module = np if name == "save" else os
        original = getattr(module, name)

        def count(*args, name=name, original=original, **kwargs):
            calls[name] += 1
            return original(*args, **kwargs)

        monkeypatch.setattr(module, name, count)
    artifacts.save(folder, {"kind": "test", "number": 2}, NEW)
    assert calls == {"save": 2, "fsync": LAST_SYNC, "replace": 5}


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize(("step", "nth"), STEPS)
def test_a_process_that_dies_while_saving_leaves_a_whole_state(
    folder, monkeypatch, step, nth, after
):
    with monkeypatch.context() as patch:
        break_step(patch, step, nth, Killed(), after=after)
        patch.setattr(artifacts.Path, "unlink", lambda *args, **kwargs: None)  # nobody tidies up
        with pytest.raises(Killed):
            artifacts.save(folder, {"kind": "test", "number": 2}, NEW)
    replaced = (step, nth, after) == ("replace", 5, True)  # the manifest is in place
    assert_holds(folder, *((2, NEW) if replaced else (1, OLD)))
    # The next save is not disturbed by what the dead one left, and tidies up.
    artifacts.save(folder, {"kind": "test", "number": 3}, NEW)
    assert_holds(folder, 3, NEW)
    assert names(folder) == listed(folder)


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize(("step", "nth"), STEPS)
def test_a_process_that_dies_in_its_first_save_leaves_a_vacant_folder(
    tmp_path, monkeypatch, step, nth, after
):
    folder = tmp_path / "run"
    with monkeypatch.context() as patch:
        break_step(patch, step, nth, Killed(), after=after)
        patch.setattr(artifacts.Path, "unlink", lambda *args, **kwargs: None)
        with pytest.raises(Killed):
            artifacts.save(folder, {"kind": "test", "number": 1}, OLD)
    complete = (step, nth, after) == ("replace", 5, True)
    assert artifacts.is_vacant(folder) is not complete
    artifacts.save(folder, {"kind": "test", "number": 2}, OLD)
    assert_holds(folder, 2, OLD)
    assert names(folder) == listed(folder)


@pytest.mark.parametrize(
    "name", ["notes.txt", "manifest.json", "mine.npy", ".hidden", "sums-1.npy"]
)
def test_a_folder_with_files_of_others_is_not_vacant(tmp_path, name):
    assert artifacts.is_vacant(tmp_path)
    assert artifacts.is_vacant(tmp_path / "none")
    (tmp_path / name).write_text("mine")
    assert not artifacts.is_vacant(tmp_path)
    assert not artifacts.is_vacant(tmp_path / name)


@pytest.mark.parametrize(("step", "nth"), STEPS)
def test_a_full_disk_is_reported_and_the_old_state_is_kept(folder, monkeypatch, step, nth):
    full = OSError(28, "No space left on device")
    with monkeypatch.context() as patch:
        break_step(patch, step, nth, full)
        with pytest.raises(ArtifactError, match=r"cannot write to .*: No space left on device"):
            artifacts.save(folder, {"kind": "test", "number": 2}, NEW)
    assert_holds(folder, 1, OLD)
    assert not [name for name in names(folder) if name.startswith(".")]


@pytest.mark.parametrize(("step", "nth"), STEPS)
def test_a_disk_that_is_full_at_the_first_save_is_left_as_it_was(tmp_path, monkeypatch, step, nth):
    """Arrays that no manifest lists may be what fills it."""
    folder = tmp_path / "run"
    with monkeypatch.context() as patch:
        break_step(patch, step, nth, OSError(28, "No space left on device"))
        with pytest.raises(ArtifactError, match=r"cannot write to .* device; nothing was saved"):
            artifacts.save(folder, {"kind": "test", "number": 1}, OLD)
    assert names(folder) == set()


def test_a_folder_that_cannot_be_made_is_reported(tmp_path):
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(ArtifactError, match="cannot write to"):
        artifacts.save(tmp_path / "file" / "run", {}, OLD)


@pytest.mark.parametrize("number", [2, 1.0, "1"])
def test_a_number_in_a_manifest_that_was_changed_is_noticed(folder, number):
    path = folder / artifacts.MANIFEST
    path.write_text(json.dumps(json.loads(path.read_text()) | {"number": number}))
    with pytest.raises(ArtifactError, match=r"is damaged: manifest\.json has changed since it was"):
        artifacts.load(folder)


def test_a_reader_beside_a_writer_gets_the_old_state_or_the_new(folder, monkeypatch):
    """The writer saves after the manifest was read and deletes the arrays that it lists."""
    before = artifacts._load_array

    def save_first(*arguments):
        monkeypatch.setattr(artifacts, "_load_array", before)
        artifacts.save(folder, {"kind": "test", "number": 2}, NEW)
        return before(*arguments)

    monkeypatch.setattr(artifacts, "_load_array", save_first)
    assert_holds(folder, 2, NEW)


def write_whole(folder, text):
    with artifacts.replacing_folder(folder) as partial:
        (partial / "a").write_text(text)
        (partial / "b").write_text(text)


def read_whole(folder):
    return {path.name: path.read_text() for path in folder.iterdir()}


@pytest.mark.parametrize("nth", [1, 2])
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_a_kill_while_a_folder_is_replaced_leaves_no_half_of_one(tmp_path, monkeypatch, nth, after):
    folder = tmp_path / "bot"
    write_whole(folder, "old")
    with monkeypatch.context() as patch:
        break_step(patch, "replace", nth, Killed(), after=after)
        patch.setattr(artifacts.shutil, "rmtree", lambda *args, **kwargs: None)
        with pytest.raises(Killed):
            write_whole(folder, "new")
    text = "new" if (nth, after) == (2, True) else "old"
    aside = tmp_path / ".bot.old"
    assert read_whole(folder if folder.exists() else aside) == {"a": text, "b": text}
    with pytest.raises(RuntimeError), artifacts.replacing_folder(folder):
        raise RuntimeError
    assert read_whole(folder) == {"a": text, "b": text}
    assert [path.name for path in tmp_path.iterdir()] == ["bot"]


def array_file(folder, name):
    (path,) = folder.glob(f"{name}-*.npy")
    return path


def flip_a_bit(path):
    content = bytearray(path.read_bytes())
    content[-3] ^= 1
    path.write_bytes(content)


@pytest.mark.parametrize(
    "damage",
    [
        flip_a_bit,
        lambda path: path.write_bytes(path.read_bytes()[:-1]),
        lambda path: path.write_bytes(path.read_bytes() + b"\0"),
        lambda path: path.write_bytes(b""),
        lambda path: path.unlink(),
    ],
    ids=["bit", "short", "long", "empty", "missing"],
)
def test_a_damaged_array_is_noticed(folder, damage):
    damage(array_file(folder, "sums"))
    with pytest.raises(ArtifactError, match=r"is damaged: sums-\w+\.npy .*; it was left as it is"):
        artifacts.load(folder)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'"text"',
        b"{}",
        b'{"format": 1}',
        b'{"format": 1, "arrays": []}',
        b'{"format": 1, "arrays": null}',
        b"\xff\xfe\x00",
        b"\x80\x04K\x01.",  # a pickle
    ],
)
def test_a_damaged_manifest_is_noticed(folder, content):
    (folder / artifacts.MANIFEST).write_bytes(content)
    with pytest.raises(ArtifactError, match=r"is damaged: manifest\.json "):
        artifacts.load(folder)


@pytest.mark.parametrize("form", [0, 1, 3, "2", None, [2]])
def test_another_format_is_refused(folder, form):
    change_manifest(folder, format=form)
    with pytest.raises(ArtifactError, match=r"has format .*, but this version reads 2; make it "):
        artifacts.load(folder)


def test_a_missing_folder_and_a_missing_manifest_are_told_apart(tmp_path):
    with pytest.raises(ArtifactError, match="there is no folder"):
        artifacts.load(tmp_path / "none")
    with pytest.raises(
        ArtifactError, match=r"was not written by counterfold: it has no manifest.json"
    ):
        artifacts.load(tmp_path)


@pytest.mark.parametrize(
    "name",
    ["../secret.npy", "/etc/passwd", "a/b.npy", "..", ".", "", "a\0b", "./x.npy", 5, None, ["x"]],
)
def test_names_in_the_manifest_cannot_leave_the_folder(folder, tmp_path, name):
    np.save(tmp_path / "secret.npy", np.arange(3))
    digest = entry_for((tmp_path / "secret.npy").read_bytes())
    change_manifest(folder, arrays={"sums": {"file": name, "sha256": digest}})
    with pytest.raises(ArtifactError, match="is damaged"):
        artifacts.load(folder)


@pytest.mark.parametrize("entry", [None, 5, "sums.npy", [], {}, {"file": "sums.npy"}])
def test_entries_that_say_too_little_are_refused(folder, entry):
    np.save(folder / "sums.npy", np.arange(3))
    change_manifest(folder, arrays={"sums": entry})
    with pytest.raises(ArtifactError, match="is damaged"):
        artifacts.load(folder)


def as_bytes(write, *args, **kwargs):
    buffer = io.BytesIO()
    write(buffer, *args, **kwargs)
    return buffer.getvalue()


class Bomb:
    """Unpickling this would fail the test."""

    def __reduce__(self):
        return pytest.fail, ("a pickle was opened",)


@pytest.mark.parametrize(
    "content",
    [
        pickle.dumps(Bomb()),
        as_bytes(np.save, np.array([Bomb()], object), allow_pickle=True),
        as_bytes(np.savez, sums=np.arange(3)),
        b"",
        b"no array at all",
    ],
    ids=["pickle", "objects", "archive", "empty", "text"],
)
def test_only_plain_arrays_are_read_even_if_the_hash_fits(folder, content):
    (folder / "bad.npy").write_bytes(content)
    entry = {"file": "bad.npy", "sha256": entry_for(content)}
    change_manifest(folder, arrays={"sums": entry})
    with pytest.raises(ArtifactError, match=r"is damaged: bad.npy cannot be read"):
        artifacts.load(folder)


def test_objects_are_not_written(folder):
    with pytest.raises(ValueError, match="Object arrays cannot be saved"):
        artifacts.save(folder, {}, {"sums": np.array([{}], object)})
    assert_holds(folder, 1, OLD)


def test_one_at_a_time(tmp_path):
    folder = tmp_path / "a" / "run"
    with locked(folder):
        assert folder.is_dir()
        with pytest.raises(ArtifactError, match="in use by another process"), locked(folder):
            pass
        with locked(tmp_path / "other"):
            pass
    with locked(folder):
        pass


def leave_something(folder):
    (folder / "something").touch()
    raise ZeroDivisionError


def test_a_folder_made_for_nothing_goes_again(tmp_path):
    with pytest.raises(ZeroDivisionError), locked(tmp_path / "run"):
        raise ZeroDivisionError
    assert not (tmp_path / "run").exists()
    with pytest.raises(ZeroDivisionError), locked(tmp_path / "run"):
        leave_something(tmp_path / "run")
    assert (tmp_path / "run" / "something").exists()
    with pytest.raises(ZeroDivisionError), locked(tmp_path):
        raise ZeroDivisionError
    assert names(tmp_path) == {"run"}  # nothing is left in somebody else's folder
    with locked(tmp_path):
        pass
    with pytest.raises(ZeroDivisionError), locked(tmp_path):
        raise ZeroDivisionError
    assert artifacts.LOCK in names(tmp_path)


def test_folders_that_cannot_be_made_are_refused(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(ArtifactError, match="is a file, not a folder"), locked(tmp_path / "file"):
        pass
    with (
        pytest.raises(ArtifactError, match=r"cannot write to .*choose another folder"),
        locked(tmp_path / "file" / "run"),
    ):
        pass


def test_a_free_folder_is_told_from_others_and_left_as_it_is(tmp_path):
    (tmp_path / "file").touch()
    for folder in (tmp_path / "new" / "run", tmp_path):
        artifacts.check_free(folder)
    with pytest.raises(ArtifactError, match=r"cannot write to .*Not a directory; choose another"):
        artifacts.check_free(tmp_path / "file" / "run")
    assert names(tmp_path) == {"file"}
    with (
        locked(tmp_path / "run"),
        pytest.raises(ArtifactError, match="in use by another process"),
    ):
        artifacts.check_free(tmp_path / "run")
    artifacts.check_free(tmp_path / "run")


def test_where_no_lock_can_be_made_nobody_is_waited_for(tmp_path):
    """A folder that is missing is what ``/proc`` looks like to whoever creates a file there."""
    with pytest.raises(FileNotFoundError), artifacts.in_turn(tmp_path / "gone" / "lock", "working"):
        pass


def test_a_process_that_dies_unlocks(tmp_path):
    code = f"""
from pathlib import Path
from counterfold.artifacts import locked
import os, signal
with locked(Path({str(tmp_path)!r})):
    print("locked", flush=True)
    os.kill(os.getpid(), signal.SIGSTOP)
"""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"locked\n"
        with pytest.raises(ArtifactError, match="in use by another process"), locked(tmp_path):
            pass
        process.kill()
    with locked(tmp_path):
        pass


def test_a_folder_with_only_a_lock_is_vacant(tmp_path):
    with locked(tmp_path):
        assert artifacts.is_vacant(tmp_path)
        artifacts.save(tmp_path, {"kind": "test", "number": 1}, OLD)
        artifacts.save(tmp_path, {"kind": "test", "number": 2}, NEW)
        assert artifacts.LOCK in names(tmp_path)  # what is deleted here can be locked twice
    assert not artifacts.is_vacant(tmp_path)


def test_who_has_to_wait_says_so_once_and_then_has_its_turn(tmp_path, caplog):
    order = []

    def wait():
        with artifacts.in_turn(tmp_path / "lock", "building a table"):
            order.append("second")

    second = threading.Thread(target=wait)
    with artifacts.in_turn(tmp_path / "lock", "building a table"):
        assert caplog.messages == []
        second.start()
        while not caplog.messages:
            time.sleep(0.001)
        order.append("first")
    second.join()
    assert order == ["first", "second"]
    me = os.getpid()
    assert caplog.messages == [f"another process ({me}) is building a table; waiting for it"]


def test_a_folder_is_replaced_as_a_whole_or_not_at_all(tmp_path):
    folder = tmp_path / "bot"
    for n in (1, 2):
        with artifacts.replacing_folder(folder) as partial:
            (partial / str(n)).touch()
        assert names(folder) == {str(n)}
    with pytest.raises(ZeroDivisionError), artifacts.replacing_folder(folder) as partial:
        leave_something(partial)
    assert names(folder) == {"2"}
    assert names(tmp_path) == {"bot"}


class Broken:
    """A figure whose drawing ends when the disk is full."""

    def savefig(self, file, **options):
        file.write(b"<svg")
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_figure_that_breaks_off_leaves_no_file(tmp_path):
    with pytest.raises(ArtifactError, match=r"cannot draw to .*: No space left on device"):
        artifacts.save_figure(Broken(), tmp_path / "a.svg")
    assert not list(tmp_path.iterdir())


def test_a_folder_of_several_runs_names_them(tmp_path):
    for name in ("cfr", "dcfr"):
        artifacts.save(tmp_path / "runs" / name, {"kind": "test"}, OLD)
    with pytest.raises(
        ArtifactError, match=r"no manifest.json; pass a folder in it: .*cfr, .*dcfr$"
    ):
        artifacts.load(tmp_path / "runs")
