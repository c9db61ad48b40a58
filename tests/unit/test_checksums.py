"""Hashes of files are computed once for each version of a file, and never for another one."""

import hashlib
import os

import numpy as np
import pytest

from counterfold import checksums
from counterfold.checksums import hash_file, hash_parts, known_hash


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"content")
    return path


@pytest.fixture
def reads(monkeypatch):
    """The files that are read."""
    seen = []
    original = checksums.hash_file
    monkeypatch.setattr(checksums, "hash_file", lambda path: (seen.append(path), original(path))[1])
    monkeypatch.setattr(checksums, "_known", {})
    return seen


def change(path, content):
    """As a later write would: with another time, whatever the clock's resolution."""
    written = path.stat().st_mtime_ns
    path.write_bytes(content)
    os.utime(path, ns=(written, written + 1))


def test_parts_are_hashed_in_one_piece():
    numbers = np.arange(6, dtype=np.int32).reshape(2, 3)
    whole = b"name" + numbers.tobytes() + b"end"
    assert hash_parts("name", numbers, b"end") == hashlib.sha256(whole).hexdigest()[:16]
    # Of a view, the numbers in its own order, wherever they lie.
    assert hash_parts(numbers.T) == hash_parts(np.ascontiguousarray(numbers.T))
    assert hash_parts(numbers.T) != hash_parts(numbers)


def test_a_file_is_read_once(file, reads):
    assert known_hash(file) == known_hash(file) == hash_file(file)
    assert reads == [file]


def test_a_changed_file_is_read_again(file, reads):
    before = known_hash(file)
    change(file, b"CONTENT")
    assert known_hash(file) == hash_file(file) != before
    assert len(reads) == 2


def test_the_hash_of_a_large_file_outlives_the_process(file, reads, monkeypatch):
    monkeypatch.setattr(checksums, "_LARGE_BYTES", 1)
    digest = known_hash(file)
    checksums._known.clear()
    assert known_hash(file) == digest
    assert len(reads) == 1
    change(file, b"CONTENT")
    checksums._known.clear()
    assert known_hash(file) == hash_file(file) != digest


@pytest.mark.parametrize("text", ["", "[", "[1, 2]", "null", '[[1, 2, 3], "ab"]'])
def test_a_stamp_cut_short_is_ignored(file, reads, monkeypatch, text):
    monkeypatch.setattr(checksums, "_LARGE_BYTES", 1)
    (file.parent / "file.verified").write_text(text)
    assert known_hash(file) == hash_file(file)
