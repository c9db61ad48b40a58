"""Results as data frames, of whichever library is installed."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any

from counterfold.errors import MissingLibraryError

LIBRARIES = ("pandas", "polars")


class NamedFigures(ABC):
    """A result whose figures have names; a data frame of it has one row."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """All figures by name."""

    def to_frame(self) -> Any:
        """A row with all figures, `exact.nash_conv` for those of a part; needs pandas or polars."""
        return make_frame([dict(name_figures(self.to_dict()))])


def name_figures(content: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """The figures of nested content, each under the names or numbers that lead to it."""
    for key, value in content.items():
        name = f"{prefix}{key}"
        if isinstance(value, Mapping):
            yield from name_figures(value, f"{name}.")
        elif isinstance(value, list | tuple):
            yield from name_figures({str(at): each for at, each in enumerate(value)}, f"{name}.")
        else:
            yield name, value


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
