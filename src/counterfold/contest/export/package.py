"""Writes an exported bot: a folder and a zip of it, measured against the limits of its contest."""

import contextlib
import json
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from filelock import Timeout

from counterfold.artifacts import file_lock, probe_folder, replacing, replacing_folder
from counterfold.bots.played_run import bot_of
from counterfold.bots.strategy_bot import StrategyBot
from counterfold.cards.text import RANKS
from counterfold.checksums import hash_file
from counterfold.contest.export.bot_figures import measure_bot
from counterfold.contest.export.bot_package import Package
from counterfold.contest.export.card_export import pack_cards, pack_lays, pack_order
from counterfold.contest.export.search_export import pack_search
from counterfold.contest.export.sources import PACKAGE, collect_sources
from counterfold.contest.export.targets import CHECKSUMS, MB, TARGETS, Target
from counterfold.contest.exported.exported_data import DATA, MANIFEST, save_data
from counterfold.contest.wire import PROTOCOLS
from counterfold.contest.wire.acpc import ACPC
from counterfold.contest.wire.acpc_games import check_game_definition, load_game_definition
from counterfold.contest.wire.protocols import usual_protocol
from counterfold.errors import ExportError, GameError, UnknownNameError
from counterfold.games.holdem import Variant
from counterfold.public.card_maps import CardMap
from counterfold.search.search_options import SearchOptions
from counterfold.training.train_folder import TrainedRun

_EXECUTABLE = 0o755

Say = Callable[[str], None]


def export_bot(
    name: str,
    bot: StrategyBot,
    card_map: CardMap,
    target: Target,
    archive: Path,
    *,
    hands: int = 200,
    search: Mapping[str, Any] | None = None,
    overwrite: bool = False,
    say: Say = lambda text: None,
) -> Package:
    """Write `archive` and the folder beside it, unless the bot breaks a limit of `target`.

    `card_map` is the bot's, and `search` what `search_export` says of it. An existing bot is
    replaced only with `overwrite`, and only once the new bot is complete.
    """
    _check_contest(bot.variant, target)
    if archive.suffix != ".zip":
        raise ExportError(f"a bot must be exported to a file such as bot.zip, not {str(archive)!r}")
    with _exporting(archive):
        _check_place(archive, overwrite)
        return _export(name, bot, card_map, target, archive, hands, search, say)


def _usual_contest(variant: Variant) -> str:
    """The contest that plays a variant; raises `ExportError` if there is none."""
    name = usual_protocol(variant).name
    try:
        _check_game(variant, TARGETS[name])
    except GameError as error:
        raise ExportError(f"cannot export: no contest plays this game; {error}") from error
    return name


def _check_contest(variant: Variant, target: Target) -> None:
    """Raise `ExportError` with the right contests if `target` does not play such a variant."""
    try:
        _check_game(variant, target)
    except GameError as error:
        usual = usual_protocol(variant).name
        right = [name for name, other in TARGETS.items() if other.protocol == usual]
        plays = [name for name in right if _plays(variant, TARGETS[name])]
        hint = f"pass --to {' or '.join(plays)}" if plays else "no contest plays it"
        raise ExportError(f"cannot export to {target.name}: {error}; {hint}") from error


def _check_game(variant: Variant, target: Target) -> None:
    protocol = PROTOCOLS[target.protocol]
    protocol.check_variant(variant)
    protocol.check_contest(variant)
    if not protocol.tells_ranks and len(variant.deck.ranks) != len(RANKS):
        raise GameError(
            f"{variant.name}: bots of {target.name} learn the order of all {len(RANKS)} ranks"
        )


def _plays(variant: Variant, target: Target) -> bool:
    try:
        _check_game(variant, target)
    except GameError:
        return False
    return True


@contextlib.contextmanager
def _exporting(archive: Path) -> Iterator[None]:
    """Keep other processes from exporting to `archive`; what the disk refuses is one sentence."""
    try:
        probe_folder(archive.parent)
        archive.parent.mkdir(parents=True, exist_ok=True)
        lock = file_lock(archive.with_name(f".{archive.name}.lock"))
        with lock.acquire(timeout=0):
            try:
                _remove_leftovers(archive)
                yield
            finally:
                Path(lock.lock_file).unlink(missing_ok=True)  # while locked: nobody can lock it now
    except Timeout:
        raise ExportError(
            f"another process is exporting to {str(archive)!r}; wait for it or choose another name"
        ) from None
    except OSError as error:
        raise ExportError(
            f"cannot write {str(archive)!r}: {error.strerror or error}; nothing there was changed, "
            "choose another place or free space there"
        ) from error


def _remove_leftovers(archive: Path) -> None:
    """Delete what `replacing` had of `archive` in processes that were killed."""
    for path in archive.parent.glob(f".{archive.name}.*"):
        if path.suffix[1:].isdigit():
            path.unlink()


def _check_place(archive: Path, overwrite: bool) -> None:
    folder = archive.with_suffix("")
    if archive.is_dir():
        raise ExportError(f"{str(archive)!r} is a folder; choose another name for the zip")
    if folder.exists() and not (folder / DATA / MANIFEST).is_file():
        raise ExportError(
            f"the bot's folder would be {str(folder)!r}, which holds something else; "
            "choose another name for the zip"
        )
    for path in (archive, folder):
        if path.exists() and not overwrite:
            raise ExportError(f"{str(path)!r} already exists; pass --overwrite to replace it")


def _export(
    name: str,
    bot: StrategyBot,
    card_map: CardMap,
    target: Target,
    archive: Path,
    hands: int,
    search: Mapping[str, Any] | None,
    say: Say,
) -> Package:
    folder = archive.with_suffix("")
    with replacing(archive) as zipped, replacing_folder(folder) as partial:
        write_bot(name, bot, card_map, target, partial, search)
        unpacked = sum(path.stat().st_size for path in partial.rglob("*") if path.is_file())
        _check("unpacked", unpacked / MB, target.unpacked_bytes / MB, "MB", target)
        say(f"compressing {unpacked / MB:,.1f} MB")
        _zip(partial, zipped)
        size = zipped.tell()
        _check("zipped", size / MB, target.zip_bytes / MB, "MB", target)
        say(f"playing {hands} hands with it")
        clock = None if search is None else target.game_seconds
        figures = measure_bot(partial, bot.variant, target, hands=hands, clock_seconds=clock)
        _check("until it is connected", figures.load_seconds, target.connect_seconds, "s", target)
        _check("of memory", figures.peak_bytes / MB, target.memory_bytes / MB, "MB", target)
        if search is None:
            _check("a decision", figures.mean_ms, 1000.0 * target.mean_seconds, "ms", target)
    return Package(target.name, folder, archive, size, unpacked, figures)


def export_run(
    run: TrainedRun,
    target: str | None,
    archive: Path,
    *,
    game: Path | None = None,
    search: SearchOptions | None = None,
    overwrite: bool = False,
    say: Say = lambda text: None,
) -> Package:
    """Export a trained run for the contest `target`; see `export_bot`.

    Without `target` it is the contest that plays the run's variant, or the ACPC's if there is a
    `game`: the `.game` file of a dealer, which the run must fit. With `search` the bot searches
    the last street.
    """
    variant = run.plan.variant
    if target is None:
        target = ACPC.name if game is not None else _usual_contest(variant)
    if target not in TARGETS:
        raise UnknownNameError("target", target, TARGETS)
    contest = TARGETS[target]
    if game is not None:
        if contest.protocol != ACPC.name:
            raise ExportError(
                f"{target} has no game definitions; --game goes with --to {ACPC.name}"
            )
        check_game_definition(load_game_definition(game), variant)
    packed = None if search is None else pack_search(run, search, contest)
    return export_bot(
        run.name,
        bot_of(run),
        run.cards,
        contest,
        archive,
        search=packed,
        overwrite=overwrite,
        say=say,
    )


def write_bot(
    name: str,
    bot: StrategyBot,
    card_map: CardMap,
    target: Target,
    folder: Path,
    search: Mapping[str, Any] | None = None,
) -> None:
    """Write the source, data and start script of a bot into an empty folder."""
    for path, text in {**collect_sources(), **target.files}.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="\n")
        if path.endswith(".sh"):
            file.chmod(_EXECUTABLE)
    facts = {
        "name": name,
        "protocol": target.protocol,
        "contest": target.name,
        "search": None if search is None else dict(search),
    }
    cards, order, lays = pack_cards(card_map), pack_order(bot.order), pack_lays(bot.lay_order)
    save_data(folder / DATA, bot.variant, bot.policy, cards, order, lays, facts)
    files = [path for part in (PACKAGE, DATA) for path in sorted((folder / part).rglob("*"))]
    sums = {
        path.relative_to(folder).as_posix(): hash_file(path) for path in files if path.is_file()
    }
    (folder / CHECKSUMS).write_text(json.dumps(sums, indent=1) + "\n", encoding="utf-8")


def _zip(folder: Path, archive: BinaryIO) -> None:
    """The files of `folder` at the top of the archive, as contests want them."""
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as out:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                out.write(path, path.relative_to(folder).as_posix())


def _check(what: str, figure: float, limit: float, unit: str, target: Target) -> None:
    if figure > limit:
        raise ExportError(
            f"the bot would take {figure:,.3g} {unit} {what}, but {target.name} allows "
            f"{limit:,.3g} {unit}; train with fewer buckets, bets or features"
        )
