"""`counterfold abstract`: build a card abstraction and report its quality."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.table import Table

from counterfold.buckets.abstraction_text import parse_card_abstraction
from counterfold.buckets.bucket_cost import estimate, estimate_measure
from counterfold.buckets.bucket_quality import StreetQuality
from counterfold.buckets.card_abstraction import CardAbstraction, CardBuckets
from counterfold.buckets.joint_cost import estimate_joint
from counterfold.buckets.joint_tables import JointTables, build_joint
from counterfold.buckets.strength_lookup import StrengthLookup
from counterfold.cards import EIGHT_RANGES, StrengthTables, parse_deck
from counterfold.cards.pairs import PAIR_CARDS
from counterfold.cards.streets import STREETS
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
from counterfold.errors import AbstractionError, ArtifactError
from counterfold.threads import thread_count

_MOST_DRAWN = 2000  # buckets of a street that are plotted or shown by example


def abstract_command(
    spec: Annotated[
        str,
        typer.Argument(
            help="Bucketings by street, 'preflop: lossless; flop: histogram(200)', or a history "
            "bucketing, 'history(5)' or cprg-5."
        ),
    ],
    report: Annotated[Path | None, typer.Option(help="Folder for figures and report.json.")] = None,
    joint: Annotated[
        bool,
        typer.Option(
            "--joint",
            help="Count how often bucket sequences meet and which wins, and save the tables.",
        ),
    ] = False,
    samples: Annotated[
        int | None,
        typer.Option(help="Number of river boards to sample with --joint; all boards by default."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Random seed for the sampled boards.")] = 0,
    estimate_only: Annotated[
        bool, typer.Option("--estimate", help="Only estimate time, memory and disk space.")
    ] = False,
    deck: Annotated[
        str, typer.Option(help="Deck of cards: full, or a smaller one such as 9TJQKA/cd.")
    ] = "full",
    bins: Bins = 50,
    threads: BuildThreads = None,
    cluster: ClusterAddress = None,
    workers: WorkerCount = None,
    json: Json = False,
) -> None:
    """Put hands into buckets, street by street, and report how good the buckets are.

    A street that is not named is bucketed like the street before it.

    Example: counterfold abstract "percentile(5, metric=ehs2)" --report report
    """
    abstraction = parse_card_abstraction(spec)
    strength = StrengthTables(parse_deck(deck), bins=bins, clusters=EIGHT_RANGES)
    planned = StrengthLookup(strength, threads)
    needs = estimate(abstraction, planned) + estimate_measure(abstraction, planned)
    if joint:
        needs += estimate_joint(abstraction, planned, samples, seed)
    elif samples is not None:
        raise AbstractionError(f"--samples {samples} is for joint tables only; add --joint")
    announce(
        f"about {needs.seconds:,.0f} s with {thread_words(thread_count(threads))}, "
        f"{needs.memory_bytes / 1e6:,.0f} MB of memory and {needs.disk_bytes / 1e6:,.0f} MB on disk"
    )
    if estimate_only:
        if json:
            print_json({"abstraction": abstraction.name, **asdict(needs)})
        return
    if report is not None:
        _make_folder(report)
    try:
        with open_workers(cluster, workers) as others, table_progress() as show:
            source = StrengthLookup(strength, threads, show, workers=others)
            buckets = abstraction.build(source)
            qualities = buckets.measure()
            tables = _count_pairs(buckets, source, samples, seed) if joint else None
            source = replace(source, workers=None)  # they are gone when figures are drawn
    except KeyboardInterrupt:
        say("interrupted; finished tables and streets are kept; run the same command to resume")
        raise typer.Exit(INTERRUPTED) from None
    content = _as_json(abstraction, qualities)
    if tables is not None:
        content["joint"] = _joint_as_json(tables)
    if report is not None:
        _write_report(report, buckets, source, qualities, content)
    if json:
        print_json(content)
    else:
        _print(qualities)
        if tables is not None:
            _print_joint(tables, strength.folder)
        if report is not None:
            results.print(f"report: {report}", markup=False, soft_wrap=True)


def _count_pairs(
    buckets: CardBuckets,
    source: StrengthLookup,
    samples: int | None,
    seed: int,
) -> JointTables:
    return build_joint(
        buckets.with_perfect_recall(),
        source.strength.folder,
        samples=samples,
        seed=seed,
        threads=source.threads,
        progress=source.progress,
        workers=source.workers,
    )


def _joint_as_json(tables: JointTables) -> dict[str, Any]:
    return {
        "n_buckets": tables.n_buckets,
        "n_sequences": tables.n_sequences,
        "samples": tables.n_samples,
        "seed": tables.seed,
        "probability_error": tables.probabilities[-1].overall_error,
        "result_error": tables.net.overall_error,
        "folders": dict(zip(STREETS, tables.folders, strict=True)),
    }


def _print_joint(tables: JointTables, folder: Path) -> None:
    n = tables.n_sequences[-1]
    error = tables.probabilities[-1].overall_error
    boards = "all boards" if tables.n_samples is None else f"{tables.n_samples:,} boards"
    off = f", total error of the probabilities {error:.2g}" if tables.n_samples else ""
    results.print(f"pairs of {n:,} sequences from {boards}{off}", markup=False)
    for name in tables.folders:
        results.print(f"joint: {folder / name}", markup=False, soft_wrap=True)


def _make_folder(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ArtifactError(f"cannot write a report to {str(path)!r}: {error}") from error


def _as_json(abstraction: CardAbstraction, qualities: Sequence[StreetQuality]) -> dict[str, Any]:
    rows = []
    for quality in qualities:
        row = asdict(quality)
        row["shares"] = quality.shares.tolist()
        row["means"] = quality.means.tolist()
        rows.append(row)
    recall = abstraction.factors.recall
    return {"abstraction": abstraction.name, "recall": recall, "streets": rows}


def _write_report(
    folder: Path,
    buckets: CardBuckets,
    source: StrengthLookup,
    qualities: Sequence[StreetQuality],
    content: dict[str, Any],
) -> None:
    import json

    from counterfold.buckets.bucket_figures import plot_metrics, plot_preflop_grid, plot_sizes

    (folder / "report.json").write_text(json.dumps(content, indent=2), encoding="utf-8")
    plot_sizes([q for q in qualities if q.n_buckets <= _MOST_DRAWN], folder / "sizes.png")
    if source.strength.deck.n_cards == 52:
        hands = source.strength.isomorphism("preflop").index_many(PAIR_CARDS)
        plot_preflop_grid(buckets.preflop[hands], folder / "preflop.png")
    plot_metrics(source, folder / "metrics.png")


def _print(qualities: Sequence[StreetQuality]) -> None:
    # These columns fit in 80 characters even with the largest numbers of classes.
    table = Table(box=None, pad_edge=False, collapse_padding=True, header_style="bold")
    for column in (
        "street",
        "classes",
        "buckets",
        "smallest",
        "largest",
        "bits",
        "spread",
        "explained",
        "EMD",
    ):
        table.add_column(column, justify="left" if column == "street" else "right", no_wrap=True)
    for quality in qualities:
        table.add_row(
            quality.street,
            f"{quality.n_classes:,}",
            f"{quality.n_buckets:,}",
            f"{100 * np.min(quality.shares):.2f}%",
            f"{100 * np.max(quality.shares):.2f}%",
            f"{quality.entropy_bits:.2f}",
            f"{quality.spread:.4f}",
            f"{100 * quality.explained:.1f}%",
            "" if quality.emd is None else f"{quality.emd:.4f}",
        )
    print_table(table)
    for quality in qualities:
        if quality.examples and quality.n_buckets <= _MOST_DRAWN:
            line = f"{quality.street}: {',  '.join(quality.examples)}"
            results.print(line, markup=False, soft_wrap=True)
