import json
import sys
from dataclasses import replace
from functools import cache
from types import SimpleNamespace

import numpy as np
import pytest

from counterfold.blueprints import blueprint_kernels
from counterfold.blueprints.betting_line import follow
from counterfold.blueprints.strategy_table import FEW_VISITS
from counterfold.bots.trained_bot import TrainedBot
from counterfold.cards import parse_cards
from counterfold.cards.pairs import index_pair
from counterfold.errors import (
    CardError,
    IllegalActionError,
    MissingLibraryError,
    UnsupportedGameError,
)
from counterfold.public.infosets import SlotLayout
from helpers.trained_runs import randomized, train_small


@pytest.fixture(scope="module")
def bots(small_runs):
    return cache(lambda name: TrainedBot(small_runs[name]))


def test_one_hand_is_looked_up_by_its_bucket(bots):
    bot = bots("nolimit")
    table = bot.strategy("AcKd", history="c")
    (row,) = table.rows
    (bucket,) = row.buckets
    np.testing.assert_array_equal(row.probabilities, bot.run.blueprint.at(table.line.node, bucket))
    assert table.seat == 1
    assert table.actions(row).keys() == {"check", "50%", "100%", "allin"}
    assert sum(table.actions(row).values()) == pytest.approx(1.0)


def test_what_a_look_has_shown_is_told_or_averaged_over(bots):
    bot = TrainedBot(randomized(bots("looks").run, 1))
    asked = "Kc", "Qc", "c k a4 a0"
    tables = [bot.strategy(*asked, seen=card) for card in ("Qd", "Kd", "Ac", "Ad")]
    assert {table.seat for table in tables} == {1}
    assert len({row.buckets for table in tables for row in table.rows}) == 4
    told = [table.rows[0].probabilities for table in tables]
    assert len({tuple(each) for each in told}) == 4
    np.testing.assert_allclose(bot.strategy(*asked).rows[0].probabilities, np.mean(told, axis=0))
    assert bot.strategy("Kc", "Qc", "c k a0 a4 k").rows[0].buckets != tables[0].rows[0].buckets


def test_cards_of_the_board_may_stand_in_the_betting(bots):
    bot = bots("nolimit")
    asked, written = bot.strategy(board="Ac", history="c k"), bot.strategy(history="c k | A♣")
    assert written.board == parse_cards("Ac")
    assert written.to_dict() == asked.to_dict()
    np.testing.assert_array_equal(bot.range("Ac", "c k"), bot.range(history="c k | Ac"))


def test_all_hands_that_fit_the_board_have_a_row(bots):
    table = bots("nolimit").strategy(board="Ac", history="c k")
    assert len(table.rows) == 7 * 6 // 2
    assert len({row.hand for row in table.rows}) == len(table.rows)


@pytest.mark.parametrize(("name", "history", "board"), [
    ("nolimit", "", ""),
    ("nolimit", "c 50%", ""),
    ("nolimit", "c k / 100%", "Ac"),
    ("limit", "r4 c / k", "Ac"),
])  # fmt: skip
def test_a_range_is_shared_out_among_the_actions(bots, name, history, board):
    bot = bots(name)
    table = bot.strategy(history=history, board=board)
    before = bot.range(board, history)
    assert before.shape == (1326,)
    after = np.zeros(1326)
    for row in table.rows:
        place = index_pair(*row.hand)
        shares = row.probabilities
        if shares is None:
            shares = np.full(len(table.offered), 1.0 / len(table.offered))
        after[place] = before[place] * shares.sum()
    np.testing.assert_allclose(after, before, atol=1e-12)
    opponent = bot.range(board, history, seat=1 - table.seat)
    for at, offer in enumerate(table.offered):
        if offer.word in ("f", "c"):  # where the betting may be over
            continue
        longer = f"{history} {offer.word}"
        moved = bot.range(board, longer, seat=table.seat)
        for row in table.rows:
            if row.probabilities is not None:
                place = index_pair(*row.hand)
                assert moved[place] == pytest.approx(before[place] * row.probabilities[at])
        np.testing.assert_array_equal(bot.range(board, longer, seat=1 - table.seat), opponent)


@pytest.mark.parametrize(("name", "history", "board"), [
    ("nolimit", "c 50%", ""),
    ("discard", "c k / s d", "Jd"),
    ("discard-history", "c k / d s k", "Kd"),
    ("nolimit-listed", "c k / 100%", "Ac"),
])  # fmt: skip
def test_hands_do_what_their_buckets_do_on_average(bots, name, history, board):
    """One hand may have several buckets, some of them untrained; here one after another."""
    bot = bots(name)
    table = bot.strategy(history=history, board=board)
    blueprint, node = bot.run.blueprint, table.line.node
    seat = table.seat
    stage, discarded = int(blueprint.game.stage[node]), table.line.discarded[seat]
    hands = [row.hand for row in table.rows]
    found = bot._hand_buckets.find(stage, seat, discarded, hands, table.board)
    for held, row in zip(found, table.rows, strict=True):
        known = {b: w for b, w in held.buckets.items() if blueprint.at(node, b) is not None}
        assert (row.probabilities is None) == (not known)
        visits = blueprint.visits_at(node, np.array([*held.buckets]))
        assert row.visits == pytest.approx(visits.sum())
        if known:
            mean = sum(w * blueprint.at(node, b) for b, w in known.items()) / sum(known.values())
            np.testing.assert_allclose(row.probabilities, mean)


def test_a_range_needs_the_board_of_its_line(bots):
    with pytest.raises(CardError, match="has 1 card here, not 0"):
        bots("nolimit").range(history="c k / k k", seat=1)


def test_hands_that_the_board_rules_out_have_no_weight(bots):
    weights = bots("nolimit").range("Ac", "c k")
    ace = parse_cards("Ac")[0]
    deck = [int(card) for card in bots("nolimit").variant.deck.cards if card != ace]
    assert all(weights[index_pair(ace, card)] == 0.0 for card in deck)
    assert np.count_nonzero(weights) <= 7 * 6 // 2


def test_ranges_are_for_hands_that_stay(bots):
    with pytest.raises(UnsupportedGameError, match="never change, unlike those of discard"):
        bots("discard").range()


def test_bad_questions_are_refused(bots):
    with pytest.raises(CardError, match="has 1 card here, not"):
        bots("nolimit").strategy("AcKd", history="c k")
    with pytest.raises(IllegalActionError, match="offered are"):
        bots("nolimit").strategy("AcKd", history="k")


def test_discards_are_named(bots):
    table = bots("discard").strategy("AcKd", board="Jd", history="c k")
    (row,) = table.rows
    assert {*row.discards} == {*parse_cards("AcKd")}
    assert table.offered[0].label == "keep"


def test_visits_count_deals_where_nothing_has_faded(tmp_path):
    solver = {"algorithm": "external", "epoch": 10_000}
    run = train_small("nolimit", tmp_path / "run", iterations=2000, solver=solver)
    visits = [row.visits for row in TrainedBot(run).strategy().rows]
    # Every deal comes once to the first decision while the other seat is walked for.
    assert sum(visits) == pytest.approx(2000, rel=0.05)


def test_rows_that_training_hardly_reached_say_so(bots):
    table = bots("nolimit").strategy(history="c")
    few, enough = FEW_VISITS - 1.0, float(FEW_VISITS)
    rows = [replace(table.rows[0], visits=n) for n in (few, enough, None)]
    rows.append(replace(table.rows[0], visits=0.0, probabilities=None))  # untrained says enough
    assert [row.is_hardly_reached for row in rows] == [True, False, False, False]
    lines = str(replace(table, rows=tuple(rows))).splitlines()
    assert [line.split()[-1] for line in lines[2:6]] == [f"*{few:.0f}", f"{enough:.0f}", "-", "0"]
    assert lines[6:] == [f"* fewer than {FEW_VISITS} visits: closer to noise than to a strategy"]
    assert "noise" not in str(replace(table, rows=tuple(rows[1:])))


def test_codes_of_visits_are_right_to_five_percent(rng):
    sums = np.concatenate([[0.0], 2.0 ** rng.uniform(-3, 31, 500)])
    averages = np.repeat(sums / 2, 2).astype(np.float32)
    layout = SlotLayout(np.array([0]), np.array([2]), np.array([1]))
    codes = np.empty(sums.size, np.uint8)
    code = getattr(blueprint_kernels.code_visits, "py_func", blueprint_kernels.code_visits)
    code(averages, layout, np.array([0, averages.size]), np.array([2]), codes)
    found = 2.0 ** (codes / blueprint_kernels.VISIT_STEPS) - 1.0
    np.testing.assert_allclose(found + 1, sums + 1, rtol=0.05)
    assert codes[0] == 0


def test_a_table_prints_and_goes_to_json(bots):
    table = bots("nolimit").strategy("AcKd")
    lines = str(table).splitlines()
    assert lines[0].startswith("seat 0 acts, pot 3, to call 1, board none")
    assert lines[1].split()[0] == "hand"
    assert lines[2].split()[0] == "AcKd"
    content = json.loads(json.dumps(table.to_dict()))
    assert content["hands"][0]["hand"] == "AcKd"
    assert content["to_call"] == 1


def test_frames_come_from_what_is_installed(bots, monkeypatch):
    table = bots("nolimit").strategy("AcKd")
    monkeypatch.setitem(sys.modules, "pandas", None)  # an import of it fails
    monkeypatch.setitem(sys.modules, "polars", SimpleNamespace(DataFrame=list))
    (row,) = table.to_frame()
    assert row["hand"] == "AcKd"
    assert row["fold"] + row["call"] <= 1.0
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(MissingLibraryError, match="pandas or polars"):
        table.to_frame()


def test_a_hand_of_three_cards_is_shown_where_the_auction_was_won(bots):
    bot = bots("auction")
    (row,) = bot.strategy("AcKdQc", "9c8dJd", "c k a2 a8 k").rows  # seat 0 has won
    expected = bot.run.cards.bucket([(parse_cards("AcKdQc"), parse_cards("9c8dJd"))])
    assert row.buckets == (expected,)
    with pytest.raises(CardError, match="has 3 cards, not AcKd"):
        bot.strategy("AcKd", "9c8dJd", "c k a2 a8 k")
    with pytest.raises(CardError, match="has 2 cards, not AcKdQc"):
        bot.strategy("AcKdQc", "9c8dJd", "c k a2 a8")  # seat 1 has not
    with pytest.raises(UnsupportedGameError, match="3 cards here, which make too many hands"):
        bot.strategy(board="9c8dJd", history="c k a2 a8 k")


def test_laid_cards_may_be_written_in_the_line(bots):
    bot = bots("toss-tabled")
    written = bot.strategy("Qc9d", history="c k | AcTd dKd dJd")
    passed = bot.strategy("Qc9d", "AcTdKdJd", "c k d d")
    assert written.board == passed.board == parse_cards("AcTdKdJd")
    np.testing.assert_array_equal(written.rows[0].probabilities, passed.rows[0].probabilities)


def test_lists_of_deals_have_hands_once_cards_are_laid(bots):
    bot = bots("toss")
    assert bot.strategy(history="c k | Ac").rows
    table = bot.strategy(history="c k | Ac dKd dQd")
    assert table.board == parse_cards("AcKdQd")
    assert [row.hand for row in table.rows] == [(card,) for card in parse_cards("AdKcQc")]
    (row,) = bot.strategy("KcQc", history="c k | Ac dKd").rows
    assert row.probabilities is not None
    assert len(row.buckets) == 1
    with pytest.raises(CardError, match="has 2 cards, not Kc"):
        bot.strategy("Kc", history="c k | Ac dKd")


def test_turns_of_several_discards_are_written_card_by_card(bots):
    bot = bots("draw-two-tabled")
    table = bot.strategy("KcQc", "AcTd9d", "c k")
    assert [offer.word for offer in table.offered] == ["s", "ds", "ds", "dd"]
    assert [offer.label for offer in table.offered][1:] == [
        "discard first",
        "discard second",
        "discard first and second",
    ]
    after = follow(bot.run.blueprint.game.graph, "c k dd ds", parse_cards("AcTd9d"))
    assert after.discarded == ((1,), (2,))
    assert after.read[-2:] == ("discard 2", "discard")
    with pytest.raises(IllegalActionError, match=r"word 3 .*more cards may be discarded after 'd'"):
        bot.strategy("KcQc", "AcTd9d", "c k d")


@pytest.mark.parametrize(
    ("line", "board", "n_held"), [("s s", "", 2), ("dJd s", "Jd", 1), ("s dJd", "Jd", 2)]
)
def test_cards_that_may_be_laid_are_on_the_board_if_they_are(bots, line, board, n_held):
    table = bots("lay-or-not").strategy(history=f"c k | JcQcKcAc | {line}")
    assert table.board == parse_cards("JcQcKcAc" + board)
    assert table.seat == 1
    assert {len(row.hand) for row in table.rows} == {n_held}
    assert all(row.buckets for row in table.rows)
