"""Many spots: those of a folder of files, or one file on each of a list of boards.

A spot that cannot be read keeps its error; the others are solved all the same.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from counterfold.cards.text import format_cards, parse_cards
from counterfold.checksums import hash_parts
from counterfold.errors import CounterfoldError, SpotError
from counterfold.spots.spot_folder import identify
from counterfold.spots.spot_options import SpotOptions, load_spot_file, read_spot_options


@dataclass(frozen=True)
class ListedSpot:
    """One of many spots: a name among them, and what to solve or why that is unknown."""

    name: str  # the stem of its file, or its board
    options: SpotOptions | None
    error: str = ""

    @property
    def digest(self) -> str:
        """What its result depends on."""
        assert self.options is not None
        spot, budget = identify(self.options.spot), asdict(self.options.budget)
        return hash_parts(json.dumps([spot, budget], sort_keys=True))


def list_spots(
    file: Path | None, boards: Path | None, changes: Mapping[str, Any]
) -> list[ListedSpot]:
    """The spots of a folder, or that of one file, if there is one, on each of some boards."""
    if boards is None:
        assert file is not None
        return list_files(file, changes)
    if "board" in changes:
        raise SpotError(f"{str(boards)!r} has the boards; leave out --board")
    if file is not None and file.is_dir():
        raise SpotError(
            f"--boards takes one spot, but {str(file)!r} is a folder; name a file in it"
        )
    return list_boards(boards, {} if file is None else load_spot_file(file), changes)


def list_files(folder: Path, changes: Mapping[str, Any]) -> list[ListedSpot]:
    """The spots of the TOML files in `folder`, by name; `changes` override keys of each."""
    paths = sorted(folder.glob("*.toml"))
    if not paths:
        raise SpotError(f"{str(folder)!r} has no files of spots; add some that end with .toml")

    return [_list(path.stem, partial(_read_file, path, changes)) for path in paths]


def list_boards(
    file: Path, content: Mapping[str, Any], changes: Mapping[str, Any]
) -> list[ListedSpot]:
    """A spot on each board of a text file with one on a line; `#` begins a comment.

    Boards keep their order; one that is there twice is refused.
    """
    found: dict[str, ListedSpot] = {}
    for number, board in _read_boards(file):
        listed = _list(
            _name(board), partial(read_spot_options, {**content, **changes, "board": board})
        )
        if listed.name in found:
            raise SpotError(f"line {number} of {str(file)!r} has {board!r} again; leave it out")
        found[listed.name] = listed
    if not found:
        raise SpotError(f"{str(file)!r} has no boards; write one on each line, such as Td9d6h")
    return list(found.values())


def _read_boards(file: Path) -> Iterator[tuple[int, str]]:
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or error
        raise SpotError(f"cannot read the boards {str(file)!r}: {why}") from error
    for number, line in enumerate(text.splitlines(), 1):
        if board := line.partition("#")[0].strip():
            yield number, board


def _name(board: str) -> str:
    """The board as cards are written everywhere, or as it stands there if they are none."""
    try:
        return format_cards(parse_cards(board))
    except CounterfoldError:
        return board


def _read_file(path: Path, changes: Mapping[str, Any]) -> SpotOptions:
    return read_spot_options({**load_spot_file(path), **changes})


def _list(name: str, read: Callable[[], SpotOptions]) -> ListedSpot:
    try:
        return ListedSpot(name, read())
    except CounterfoldError as error:
        return ListedSpot(name, None, str(error))
