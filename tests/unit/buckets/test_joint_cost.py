"""What counting joint tables will take, and by which key they are found again."""

import numpy as np
import pytest

from counterfold.buckets import (
    StrengthLookup,
    build_joint,
    estimate_joint,
    joint_cost,
    parse_card_abstraction,
)
from counterfold.buckets.bucket_cost import BuildEstimate
from counterfold.cards import EIGHT_RANGES, Deck, StrengthTables
from counterfold.errors import AbstractionError
from counterfold.training.solver_factory import joint_tables
from helpers.small_recipes import plan

DECK = Deck(5, 2)
NOTHING = BuildEstimate(0.0, 0, 0)


@pytest.fixture
def lookup(tmp_path, monkeypatch):
    monkeypatch.setenv("COUNTERFOLD_HOME", str(tmp_path))
    return StrengthLookup(StrengthTables(DECK, bins=50, clusters=EIGHT_RANGES), 1)


@pytest.mark.parametrize("cards", ["psopti(3); recall: sequence", "history(2)"])
def test_all_who_need_joint_tables_find_them_by_one_key(cards, lookup):
    """`abstract --joint` counts, and neither an estimate nor a run counts again."""
    abstraction = parse_card_abstraction(cards)
    assert estimate_joint(abstraction, lookup).disk_bytes > 0
    counted = build_joint(abstraction.build(lookup).with_perfect_recall(), lookup.strength.folder)
    assert estimate_joint(abstraction, lookup) == NOTHING
    made = plan(
        variant=f"limit(deck='{DECK.name}')",
        cards=cards,
        algorithm="joint-tables",
        epoch=None,
    )
    assert made.spec.estimate_joint(made) == NOTHING
    before = set(lookup.strength.folder.iterdir())
    assert joint_tables(made, made.cards()).folders == counted.folders
    assert set(lookup.strength.folder.iterdir()) == before


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        ("percentile(2)", "players forget in .* add 'recall: sequence'"),
        ("history(2) * percentile(2)", "not the product"),
    ],
)
def test_cards_without_joint_tables_are_refused(cards, message, lookup):
    with pytest.raises(AbstractionError, match=message):
        estimate_joint(parse_card_abstraction(cards), lookup)
    with pytest.raises(AbstractionError, match=message):
        parse_card_abstraction(cards).build(lookup).with_perfect_recall()


def test_a_sample_costs_what_its_boards_cost(lookup):
    history = parse_card_abstraction("history(2)")
    few, many = (estimate_joint(history, lookup, samples=n) for n in (100, 10_000))
    assert few.seconds < many.seconds
    assert few.disk_bytes == many.disk_bytes


def test_sampled_boards_take_time_in_proportion(lookup):
    abstraction = parse_card_abstraction("history(2)")
    every, *sampled = (
        estimate_joint(abstraction, lookup, samples=n).seconds for n in (None, 1000, 2000, 3000)
    )
    assert sampled[1] - sampled[0] == pytest.approx(sampled[2] - sampled[1], rel=1e-6)
    assert sampled[1] - sampled[0] > 0
    assert every > 0


@pytest.mark.parametrize(
    ("cards", "samples", "seconds", "megabytes"),
    [
        ("history(2)", None, 75.4, 0.0082),
        ("history(2)", 1000, 3.304, 0.0143),
        ("cprg-5", None, 198.9, 12.5),
        ("cprg-5", 1000, 3.830, 21.9),
        ("cprg-10", None, 467.0, 2400.0),
        ("cprg-10", 1000, 4.568, 4800.0),
    ],
)
def test_costs_on_two_cores_of_a_full_deck(cards, samples, seconds, megabytes, tmp_path):
    """As the constants had it that were fitted to measurements; change them together."""
    full = StrengthLookup(StrengthTables(folder=tmp_path), threads=2)
    found = estimate_joint(parse_card_abstraction(cards), full, samples=samples)
    assert found.seconds == pytest.approx(seconds, rel=1e-3)
    assert found.memory_bytes == pytest.approx(1e6 * megabytes, rel=1e-2)


def test_a_gpu_counts_all_boards_of_the_river_with_one_set_of_sums(monkeypatch, tmp_path):
    full = StrengthLookup(StrengthTables(folder=tmp_path), threads=2)
    history = parse_card_abstraction("cprg-10")
    monkeypatch.setattr(joint_cost, "counting_library", lambda asked: np)
    there = estimate_joint(history, full)
    assert there.seconds == pytest.approx(1_286_792 * 4e-6 + 4.16, rel=1e-2)  # the turn on threads
    assert there.memory_bytes == pytest.approx(1.6e9, rel=1e-2)
    sampled = estimate_joint(history, full, samples=1000)
    monkeypatch.setattr(joint_cost, "fits_device", lambda xp, n: False)
    without_room = estimate_joint(history, full)
    monkeypatch.setattr(joint_cost, "counting_library", lambda asked: None)
    assert estimate_joint(history, full, samples=1000) == sampled
    assert estimate_joint(history, full) == without_room
    assert without_room.seconds > there.seconds
