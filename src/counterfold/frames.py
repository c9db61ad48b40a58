"""Rows of results as a data frame, from whichever library is installed."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from counterfold.errors import MissingLibraryError

LIBRARIES = ("pandas", "polars")


def make_frame(rows: Sequence[Mapping[str, Any]]) -> Any:
    """A pandas data frame, or a polars one if only polars is installed."""
    for name in LIBRARIES:
        try:
            library = import_module(name)
        except ImportError:
            continue
        return library.DataFrame([dict(row) for row in rows])
    raise MissingLibraryError(
        "a data frame needs pandas or polars, and neither is installed; install one of them, or "
        "use to_dict()"
    )
