"""How many threads to use: what the caller asks for, else ``$COUNTERFOLD_THREADS``, else one."""

import os

from counterfold.errors import ThreadCountError


def thread_count(requested: int | None = None) -> int:
    """The number of threads; raises `ThreadCountError` unless it is at least one."""
    text = os.environ.get("COUNTERFOLD_THREADS", "1") if requested is None else str(requested)
    if not text.isdecimal() or int(text) < 1:
        source = "COUNTERFOLD_THREADS" if requested is None else "the number of threads"
        raise ThreadCountError(f"{source} must be a whole number from 1, not {text!r}")
    return int(text)
