"""Search without Numba: buckets of all hands, ranges and whole matches of an exported bot."""

import json
import sys

import numpy as np
import pytest

from counterfold.bots import BASELINES, Hand, MatchInfo, shuffle
from counterfold.bots.played_run import bot_of
from counterfold.bots.tracking.range_tracking import LabeledHands
from counterfold.buckets import StrengthLookup, parse_card_abstraction
from counterfold.cards import EIGHT_RANGES, Deck, StrengthTables
from counterfold.contest import Limits, Program, host_match
from counterfold.contest.export.card_export import pack_cards
from counterfold.contest.export.package import write_bot
from counterfold.contest.export.search_export import pack_search
from counterfold.contest.export.targets import TARGETS
from counterfold.contest.exported.exported_cards import PackedCards
from counterfold.contest.exported.exported_data import load_bot
from counterfold.contest.exported.exported_search import PackedLabels
from counterfold.contest.exported.exported_strength import HandStrength
from counterfold.contest.wire import PROTOCOLS
from counterfold.errors import ExportError
from counterfold.games import parse_game
from counterfold.public.card_maps import TabledCards
from counterfold.public.deals import Dealer
from counterfold.search.search_bot import SEARCHED
from counterfold.search.search_options import MODES, SearchOptions
from counterfold.search.searching_bot import SearchingBot
from helpers.exported_bots import bare_python

SPECS = [
    "preflop: lossless; flop: percentile(7, metric=ehs2); turn: percentile(7); "
    "river: percentile(9)",
    "preflop: lossless; flop: ochs(5); turn: ochs(5); river: ochs(7)",
    "preflop: percentile(3); flop: percentile(4); turn: percentile(3); recall: sequence",
    "history(2) * ochs(3)",
    "history(3, m=2)",
    "history(2) * history(2, m=2) * (percentile(2); flop: percentile(3); recall: sequence)",
]


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    return StrengthLookup(StrengthTables(Deck(6, 2), bins=10, clusters=EIGHT_RANGES, folder=folder))


@pytest.mark.parametrize("spec", SPECS)
def test_buckets_of_all_hands_are_those_of_the_card_map(spec, source, rng):
    variant = parse_game("nolimit(stack=40, deck='9TJQKA/cd')")
    card_map = TabledCards(Dealer(variant), parse_card_abstraction(spec).build(source))
    content, arrays = pack_cards(card_map)
    packed = PackedLabels(variant, PackedCards(json.loads(json.dumps(content)), arrays))
    labeled = LabeledHands(card_map.dealer, card_map)
    boards = np.stack([rng.permutation(variant.deck.cards)[:5] for _ in range(3)]).astype(np.uint8)
    for street in range(4):
        lengths = np.full(3, street, np.uint8)
        dealt = boards[:, : variant.board_cards(street)]
        found, expected = (each.label(dealt, lengths) for each in (packed, labeled))
        # Of hands that a board rules out nobody asks.
        possible = ~np.isin(labeled.hands.cards, boards).any(axis=1)
        assert (found[:, : street + 1, possible] == expected[:, : street + 1, possible]).all()


def test_scores_of_all_hands_are_those_of_each(rng):
    hands = HandStrength(range(52))
    cards = rng.permutation(52)
    board, left = cards[:5].tolist(), cards[5:]
    holes = left[:20].reshape(10, 2).astype(np.int64)
    expected = [hands.score(hole, board)[0] for hole in holes.tolist()]
    assert hands.scores(holes, board).tolist() == expected


def written(run, folder, mode="unsafe", **options):
    """The folder of an exported bot that searches."""
    search = pack_search(run, SearchOptions(mode, 20, **options), TARGETS["mit-plain"])
    folder.mkdir()
    write_bot(run.name, bot_of(run), run.cards, TARGETS["mit-plain"], folder, search)
    return folder


def repeat_solutions(first, second):
    """Let the second solver solve what it is given, and then return what the first one found.

    Where actions are worth the same, rounding decides what is played, so solutions may differ, and
    ranges of spots that begin within a street with them.
    """
    found, solve, solve_again = [], first.solve, second.solve

    def remember(*spot):
        found.append(solve(*spot))
        return found[-1]

    def repeat(*spot):
        solve_again(*spot)
        return found.pop(0)

    first.solve, second.solve = remember, repeat


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", ["nolimit", "limit"])
def test_it_searches_with_the_ranges_of_the_run(small_runs, tmp_path, name, mode):
    run = small_runs[name]
    folder = written(run, tmp_path / "bot", mode)
    exported = load_bot(folder / "data", 3)
    ours = SearchingBot(run, SearchOptions(mode, 20)).player(3)
    variant, opponent = run.plan.variant, BASELINES["random"](5)
    for bot in (exported, ours):
        bot.begin_match(MatchInfo(variant))
    repeat_solutions(ours.solver, exported.solver)
    for number in range(25):
        hand = Hand(variant, shuffle(variant, 4, number))
        for bot in (exported, ours):
            bot.begin_hand(hand.view(0))
        while (seat := hand.waits_for) is not None:
            view = hand.view(seat)
            if seat == 1:
                hand.act(opponent.act(view))
                continue
            n_searched = ours.searched[SEARCHED]
            actions = [bot.act(view) for bot in (ours, exported)]
            assert all(view.is_legal(action) for action in actions)
            if ours.searched[SEARCHED] > n_searched:
                traces = [bot.last_trace for bot in (exported, ours)]
                for weights in zip(*(trace.solution.weights for trace in traces), strict=True):
                    assert weights[0] == pytest.approx(weights[1], abs=1e-9)
            hand.act(actions[0])
            exported._solution = None  # its own draw may differ from what is played
            ours._solution = None
    assert exported.searched == ours.searched
    assert set(ours.searched) == {SEARCHED}


def test_it_plays_over_a_socket_without_numba(small_runs, tmp_path):
    run = small_runs["nolimit"]
    folder = written(run, tmp_path / "bot", "combined")
    bare = tmp_path / "bare"
    bare.mkdir()
    program = Program((*bare_python(bare), "player.py"), folder)
    result = host_match(
        (program, BASELINES["always-call"](1)),
        PROTOCOLS["mit-plain"],
        variant=run.plan.variant,
        n_hands=30,
        limits=Limits(connect_seconds=60.0, game_seconds=600.0),
    )
    assert result.n_faults == (0, 0), result.log
    figures = json.loads(result.output[0].splitlines()[-1])
    assert figures["searched"] > 0
    assert figures["faults"] == 0


DYING = """
import os
from counterfold.search import river_solver

n_begun, run = 0, river_solver.RiverSolver.run


def die(solver, iterations):
    global n_begun
    n_begun += 1
    run(solver, iterations)
    if n_begun > 30:
        os._exit(9)


river_solver.RiverSolver.run = die
"""


def test_a_bot_that_is_killed_while_it_solves_forfeits_and_the_match_ends(small_runs, tmp_path):
    run = small_runs["nolimit"]
    folder = written(run, tmp_path / "bot")
    player = folder / "player.py"
    player.write_text(DYING + player.read_text())
    result = host_match(
        (Program((sys.executable, "player.py"), folder), BASELINES["always-call"](1)),
        PROTOCOLS["mit-plain"],
        variant=run.plan.variant,
        n_hands=60,
        limits=Limits(connect_seconds=60.0, game_seconds=600.0),
    )
    assert len(result.winnings) == 60
    assert sum(result.chips) == 0
    assert "disconnected in hand" in result.forfeits[0]
    assert not result.forfeits[1]


def test_what_it_cannot_do_is_refused(small_runs):
    for options, told in (
        (SearchOptions(streets=2), "exported bots search the last street"),
        (SearchOptions(), "search in play needs two hole cards"),
    ):
        run = small_runs["nolimit" if options.streets == 2 else "discard"]
        with pytest.raises((ExportError, ValueError), match=told):
            pack_search(run, options, TARGETS["mit-plain"])
