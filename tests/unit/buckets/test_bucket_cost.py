"""What a build is said to take, against what it leaves on disk and what it would hold."""

import numpy as np
import pytest

from counterfold.buckets import (
    StrengthLookup,
    bucket_cost,
    estimate,
    estimate_joint,
    estimate_measure,
    parse_card_abstraction,
)
from counterfold.buckets.bucket_quality import emd_memory_bytes
from counterfold.cards import EIGHT_RANGES, Deck, StrengthTables

DECK = Deck(6, 2)
HEADER = 128  # of an .npy file


def make_source(folder, bins=10):
    return StrengthLookup(StrengthTables(DECK, bins=bins, clusters=EIGHT_RANGES, folder=folder))


def bytes_on_disk(folder):
    files = list(folder.rglob("*.npy"))
    return sum(file.stat().st_size for file in files) - HEADER * len(files)


@pytest.mark.parametrize(
    "text",
    [
        "percentile(5)",
        "lossless",
        "preflop: nested(2, 2); flop: ochs(3) * psopti(4); river: ochs(5)",
        "coarsen(histogram(5), 2)",
        "uniform(4, metric=draw)",
        "nested(2, 2, metric=draw)",
        "percentile(3, metric=draw2); river: lossless",
    ],
)
def test_the_estimate_of_disk_is_what_a_build_writes(tmp_path, text):
    source, abstraction = make_source(tmp_path), parse_card_abstraction(text)
    needs = estimate(abstraction, source)
    assert not list(tmp_path.iterdir())
    abstraction.build(source)
    assert needs.disk_bytes == bytes_on_disk(tmp_path)
    assert needs.seconds > 0
    left = estimate(abstraction, source)
    assert (left.seconds, left.memory_bytes, left.disk_bytes) == (0.0, 0, 0)


def test_potential_buckets_count_the_next_streets_table(tmp_path):
    """Positions above the strongest bucket are not written, so the estimate is a bound."""
    source, abstraction = (
        make_source(tmp_path),
        parse_card_abstraction("potential(5, histogram(6))"),
    )
    needs = estimate(abstraction, source)
    abstraction.build(source)
    written = bytes_on_disk(tmp_path)
    tables = sum(source.n_classes(street) for street in ("flop", "turn")) * 128
    assert written <= needs.disk_bytes <= written + tables // 3
    plain = estimate(parse_card_abstraction("histogram(5)"), make_source(tmp_path / "other"))
    assert needs.disk_bytes - plain.disk_bytes == tables
    assert needs.memory_bytes > plain.memory_bytes


def test_a_product_counts_shared_tables_once(tmp_path):
    source = make_source(tmp_path)
    history, cards, product = (
        estimate(parse_card_abstraction(text), source)
        for text in ("history(2)", "percentile(3)", "history(2) * percentile(3)")
    )
    tables = sum(source.strength.spec(s).nbytes for s in ("preflop", "flop", "turn", "river"))
    assert product.disk_bytes == history.disk_bytes + cards.disk_bytes - tables
    assert product.memory_bytes == max(history.memory_bytes, cards.memory_bytes)


def test_a_fit_counts_scores_after_every_sequence_in_each_thread(tmp_path, monkeypatch):
    # What tables take is measured now, on a machine that may be busy.
    monkeypatch.setattr(StrengthLookup, "estimate_seconds", lambda source, name: 1.0)
    history, memory, seconds = parse_card_abstraction("history(2)"), [], []
    for threads in (1, 2):
        strength = StrengthTables(DECK, bins=10, folder=tmp_path)
        source = StrengthLookup(strength, threads=threads)
        needs = estimate(history, source)
        memory.append(needs.memory_bytes)
        seconds.append(needs.seconds)
    # Of 12 cards 7 are known: 10 opponents give scores from 0 to 20, after 2**3 sequences.
    counts = 8 * 21 * 2**3
    assert memory[1] - memory[0] == counts
    assert memory[0] - counts == bucket_cost._BYTES_PER_SORTED * source.n_classes("turn")
    assert seconds[1] < seconds[0]


def test_a_report_takes_time_and_leaves_nothing(tmp_path):
    source = make_source(tmp_path)
    for text in ("percentile(3)", "history(2)", "history(2) * percentile(3)"):
        needs = estimate_measure(parse_card_abstraction(text), source)
        assert needs.seconds > 0.0
        assert (needs.memory_bytes, needs.disk_bytes) == (0, 0)


def test_the_memory_of_a_report_is_counted(tmp_path):
    few, many = (
        estimate(
            parse_card_abstraction(f"lossless; turn: percentile({n}); river: uniform(2)"), source
        )
        for n, source in ((4, make_source(tmp_path)), (6000, make_source(tmp_path, bins=250)))
    )
    assert emd_memory_bytes(6000, 6960, 250) == 8 * 250 * (6000 + 3 * 6960)
    assert many.memory_bytes >= 8 * 250 * (6000 + 3 * 6960) > few.memory_bytes
    # Classes by themselves are at no distance, and nothing is held for them.
    assert emd_memory_bytes(6960, 6960, 250) == 0


def test_lossless_buckets_are_measured_without_a_histogram_for_each(tmp_path, monkeypatch):
    source = make_source(tmp_path)
    built = parse_card_abstraction("lossless").build(source)
    monkeypatch.setattr(np, "cumsum", None)  # nothing is cumulated
    assert [quality.emd for quality in built.measure()] == [0.0, 0.0, 0.0, None]


def test_joint_tables_cost_more_with_more_sequences_and_boards(tmp_path):
    source = make_source(tmp_path)
    few, many = (estimate_joint(parse_card_abstraction(f"history({n})"), source) for n in (2, 5))
    assert few.seconds < many.seconds
    assert few.memory_bytes < many.memory_bytes
    assert few.disk_bytes == 8 * (2**2 + 4**2 + 8**2 + 2 * 16**2)
    history = parse_card_abstraction("history(2)")
    a, b = (estimate_joint(history, source, samples=n).seconds for n in (1000, 100_000))
    assert 0 < a < b
    full = StrengthLookup(StrengthTables(folder=tmp_path), threads=2)
    # All boards of a full deck took 150 s on two idle cores.
    assert 75 < estimate_joint(parse_card_abstraction("cprg-5"), full).seconds < 300


def test_rivers_are_counted_and_not_sorted(tmp_path):
    source = StrengthLookup(StrengthTables(folder=tmp_path))  # of all cards: most are on rivers
    needs = estimate(parse_card_abstraction("percentile(5)"), source)
    assert needs.memory_bytes < bucket_cost._BYTES_PER_SORTED * source.n_classes("river")
