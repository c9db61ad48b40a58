"""`counterfold tables`: the strength tables in the cache, and how to build them in advance."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from counterfold.buckets.strength_lookup import StrengthLookup
from counterfold.cards.clusters import EIGHT_RANGES
from counterfold.cards.draw_histograms import DrawHistograms
from counterfold.cards.draws import DrawTables
from counterfold.cards.strength import StrengthTables
from counterfold.cards.table_files import (
    TableSpec,
    find_table,
    list_tables,
    read_manifest,
    verify_table,
)
from counterfold.cli import INTERRUPTED
from counterfold.cli.cluster_options import (
    Bins,
    BuildThreads,
    ClusterAddress,
    WorkerCount,
    open_workers,
)
from counterfold.cli.output import (
    Json,
    announce,
    print_json,
    print_table,
    results,
    say,
    table_progress,
    thread_words,
)
from counterfold.errors import ArtifactError, UnknownNameError
from counterfold.threads import thread_count

_DEFAULT = ("preflop", "flop", "turn", "river")


@dataclass(frozen=True)
class _Entry:
    """One table: where it comes from and what it holds."""

    name: str
    holds: str
    spec: TableSpec
    build: Callable[..., object]  # takes threads, progress and workers


def tables_command(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            help="Tables of strength to build, estimate or verify.  "
            "\\[default: preflop flop turn river; all that are built with --verify]"
        ),
    ] = None,
    build: Annotated[
        bool, typer.Option("--build", help="Build the tables that are missing.")
    ] = False,
    estimate: Annotated[
        bool, typer.Option("--estimate", help="Only estimate how long building would take.")
    ] = False,
    verify: Annotated[
        bool,
        typer.Option(
            "--verify", help="Verify the tables byte by byte, including those of buckets."
        ),
    ] = False,
    bins: Bins = 50,
    ochs: Annotated[
        bool, typer.Option(help="Include equity against eight opponent ranges.")
    ] = True,
    threads: BuildThreads = None,
    cluster: ClusterAddress = None,
    workers: WorkerCount = None,
    json: Json = False,
) -> None:
    """List the tables of exact hand strength; build, estimate or verify them.

    Tables are built when first needed; this command builds them in advance. Tables of buckets
    belong to the recipes that made them and can be listed and verified.

    Example: counterfold tables --build --threads 2
    """
    if estimate and (build or verify):
        other = "--build" if build else "--verify"
        raise ArtifactError(f"--estimate only estimates; leave out --estimate or {other}")
    if cluster is not None and not build:
        raise ArtifactError("--cluster builds tables; add --build")
    strength = StrengthTables(bins=bins, clusters=EIGHT_RANGES if ochs else None)
    entries = {entry.name: entry for entry in _entries(strength)}
    for name in names or ():
        if name not in entries:
            raise UnknownNameError("table", name, entries)
    chosen = [entries[name] for name in names or _DEFAULT]
    n_threads = thread_count(threads)
    seconds: dict[str, float] = {}
    if build or estimate:
        source = StrengthLookup(strength, n_threads)
        counted = {entry.name for entry in chosen}
        for entry in chosen:
            seconds[entry.name] = _estimate(entry.name, source, counted)
        total = sum(seconds.values())
        size = sum(source.spec(name).nbytes for name in counted if not _is_built(name, source))
        crew = thread_words(n_threads)
        announce(f"about {total:,.0f} s with {crew}, {size / 1e6:,.0f} MB on disk")
    if build:
        try:
            with open_workers(cluster, workers) as others, table_progress() as show:
                for entry in chosen:
                    entry.build(threads=n_threads, progress=show, workers=others)
        except KeyboardInterrupt:
            say("interrupted; run the same command to resume")
            raise typer.Exit(INTERRUPTED) from None
    if verify:
        for name in names or ():
            if not (strength.folder / entries[name].spec.folder_name).is_dir():
                raise ArtifactError(f"there is no table {name}; build it with --build")
        named = [strength.folder / entries[name].spec.folder_name for name in names or ()]
        _verify(named or list_tables(strength.folder))
    rows: list[dict[str, Any]] = [
        {
            "table": entry.name,
            "holds": entry.holds,
            "classes": next(iter(entry.spec.columns.values())).shape[0],
            "bytes": entry.spec.nbytes,
            "state": _state(entry.spec, strength.folder),
            "seconds_to_build": seconds.get(entry.name),
        }
        for entry in entries.values()
    ]
    ours = {entry.spec.folder_name for entry in entries.values()}
    rows += [_other_row(path) for path in list_tables(strength.folder) if path.name not in ours]
    if json:
        print_json({"folder": str(strength.folder), "tables": rows})
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("table", "holds", "classes", "MB", "state"):
        table.add_column(column, justify="right" if column in ("classes", "MB") else "left")
    for row in rows:
        size_mb = f"{row['bytes'] / 1e6:,.1f}"
        classes = "" if row["classes"] is None else f"{row['classes']:,}"
        table.add_row(row["table"], row["holds"], classes, size_mb, row["state"])
    print_table(table)
    results.print(f"\nin {strength.folder}", markup=False, soft_wrap=True)


def _estimate(name: str, source: StrengthLookup, counted: set[str]) -> float:
    """Seconds for a table and the tables it needs, except those in `counted`, which grows."""
    if _is_built(name, source):
        return 0.0
    seconds = source.estimate_seconds(name)
    for other in sorted(source.needs(name) - counted):
        counted.add(other)
        seconds += _estimate(other, source, counted)
    return seconds


def _is_built(name: str, source: StrengthLookup) -> bool:
    return find_table(source.spec(name), source.strength.folder) is not None


def _verify(paths: list[Path]) -> None:
    """Read all of these tables, and say which are damaged."""
    faults = []
    for path in paths:
        try:
            verify_table(path)
        except ArtifactError as error:
            faults.append(str(error))
    if faults:
        more = f" ({len(faults) - 1} more are damaged, too)" if len(faults) > 1 else ""
        raise ArtifactError(faults[0] + more)
    announce(f"{len(paths)} table{'s' * (len(paths) != 1)} verified, no damage found")


def _other_row(path: Path) -> dict[str, Any]:
    """A table that is not of strength: buckets, histories, joint tables."""
    row = {
        "table": path.name.rpartition("-")[0],
        "holds": "",
        "classes": None,
        "bytes": sum(file.stat().st_size for file in path.glob("*.npy")),
        "state": "built",
        "seconds_to_build": None,
    }
    try:
        manifest = read_manifest(path)
        row["holds"] = ", ".join(f"{value}" for key, value in manifest["depends_on"].items()
                                 if key in ("bucketing", "history", "deck", "metric"))  # fmt: skip
    except (ArtifactError, KeyError, AttributeError):
        row["state"] = "damaged"
    return row


def _state(spec: TableSpec, folder: Path) -> str:
    """Whether a table is built; a damaged one must not hide the others."""
    try:
        return "not built" if find_table(spec, folder) is None else "built"
    except ArtifactError:
        return "damaged"


def _entries(strength: StrengthTables) -> Iterator[_Entry]:
    extra = ", histograms" * bool(strength.bins) + ", OCHS" * (strength.clusters is not None)
    for street in ("preflop", "flop", "turn"):
        yield _strength_entry(strength, street, f"E[HS], E[HS²]{extra}")
    yield _strength_entry(strength, "river", "HS")
    if strength.clusters is not None:
        yield _strength_entry(strength, "river-ochs", "OCHS")
    draws, final = DrawTables(), DrawHistograms(strength)
    for street in ("flop", "turn"):
        holds, spec = "E[HS] with discards, best discard, outs", draws.spec(street)
        yield _Entry(f"draws-{street}", holds, spec, partial(draws.street, street))
    for street in ("flop", "turn"):
        holds = "E[HS²]" + ", histograms" * bool(strength.bins) + " with discards"
        spec = final.spec(street)
        yield _Entry(f"final-{street}", holds, spec, partial(final.street, street))


def _strength_entry(strength: StrengthTables, name: str, holds: str) -> _Entry:
    street = name.removesuffix("-ochs")
    build = partial(strength.street, street, river_ochs=name != street)
    return _Entry(name, holds, strength.spec(name), build)
