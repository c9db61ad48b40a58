import errno
import io
import sys

import pytest

from counterfold.cli.streams import accept_any_encoding, is_full_output


def test_what_an_encoding_lacks_is_a_question_mark(monkeypatch):
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    monkeypatch.setattr(sys, "stderr", io.StringIO())  # which has no encoding to speak of
    accept_any_encoding()
    print("1 ± 2", flush=True)
    assert raw.getvalue().split() == [b"1", b"?", b"2"]


@pytest.mark.parametrize(
    ("error", "full"),
    [
        (OSError(errno.ENOSPC, "full"), True),
        (OSError(errno.EIO, "gone"), True),
        (OSError(errno.ENOSPC, "full", "a/file"), False),
        (OSError(errno.EPIPE, "closed"), False),
    ],
)
def test_only_a_full_disk_without_a_file_is_that_of_the_output(error, full):
    assert is_full_output(error) is full
