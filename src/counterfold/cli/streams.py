"""Standard output and errors as they are: of any encoding, and perhaps full."""

import errno
import io
import os
import sys

_FULL = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT, errno.EIO)


def accept_any_encoding() -> None:
    """Print a question mark for what the encoding of the terminal lacks, such as ± in ASCII."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def is_full_output(error: OSError) -> bool:
    """Whether `error` can only have come from writing to standard output."""
    return error.filename is None and error.errno in _FULL


def drop_output() -> None:
    """Discard what is still to be written, so that nothing fails again at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
