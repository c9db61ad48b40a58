"""Draw tables through the public functions: which card to discard, threads, and what is refused.

Their numbers are tested beside the kernels.
"""

import time
from itertools import count

import numpy as np
import pytest

from counterfold.cards import Deck, parse_cards
from counterfold.cards.draws import DrawTables
from counterfold.cards.strength import StrengthTables
from counterfold.errors import CardError, UnknownNameError
from helpers.naive.naive_strength import options
from helpers.processes.cluster_jobs import Traveling

DECKS = [Deck(6, 2), Deck((2, 7, 12), 4)]
TIE = 1e-9  # in sums of doubles


@pytest.fixture(scope="module", params=DECKS, ids=lambda deck: deck.name.replace("/", "-"))
def tables(request, tmp_path_factory):
    return DrawTables(request.param, tmp_path_factory.mktemp("tables"))


def random_deals(deck, n_board, n, pairs):
    """Hole cards and boards, in any order and suits; pocket pairs only, if so asked."""
    rng = np.random.default_rng(n_board)
    found = []
    while len(found) < n:
        deal = rng.permutation(deck.cards)[: 2 + n_board].tolist()
        if not pairs or deal[0] // 4 == deal[1] // 4:
            found.append((tuple(deal[:2]), tuple(deal[2:])))
    return found


@pytest.mark.parametrize(("street", "n"), [("turn", 150), ("flop", 12)])
@pytest.mark.parametrize("pairs", [False, True], ids=["all hands", "pocket pairs"])
def test_the_card_to_discard_attains_the_best_value(tables, street, n, pairs):
    """Also in a pocket pair, whose cards have only the names that the board gives them."""
    table = tables.street(street)
    cards = tuple(tables.deck.cards.tolist())
    n_discards = 0
    for hole, board in random_deals(tables.deck, {"flop": 3, "turn": 4}[street], n, pairs):
        ordered = tuple(sorted(hole)), tuple(sorted(board))
        values = dict(zip([None, *ordered[0]], options(*ordered, cards), strict=True))
        discard = table.discard(hole, board)
        assert values[discard] >= max(values.values()) - TIE
        assert discard == table.discard(hole, board[::-1])
        n_discards += discard is not None
    assert n_discards > 0


def test_of_a_pocket_pair_the_card_goes_that_the_board_can_use_less(tmp_path):
    """Three suits with flushes; the same card goes in whatever order the two are held."""
    deck = Deck(6, 3)
    table = DrawTables(deck, tmp_path).street("turn")
    cards = tuple(deck.cards.tolist())
    n_different = 0
    for hole, board in random_deals(deck, 4, 1000, pairs=True):
        suits = [card % 4 for card in board]
        discard = table.discard(hole, board)
        if max(map(suits.count, suits)) < 3 or discard is None:
            continue
        _, first, second = options(tuple(sorted(hole)), tuple(sorted(board)), cards)
        if first != second:
            n_different += 1
            assert discard == (min(hole) if first > second else max(hole))
            assert table.discard(hole[::-1], board) == discard
    assert n_different >= 5


def test_before_is_at_least_after_and_after_at_least_plain_strength(tables):
    flop, turn = tables.street("flop"), tables.street("turn")
    assert (flop.before >= flop.after).all()
    assert turn.after is None
    plain = StrengthTables(tables.deck, bins=0, folder=tables.folder)
    assert (turn.before >= plain.street("turn").mean() - 6e-8).all()
    assert (flop.after >= plain.street("flop").mean() - 6e-8).all()
    for table in (flop, turn):
        assert set(np.unique(table.choice)) == {0, 1, 2}
        assert (table.before <= 1).all()
    kept = turn.choice == 0
    assert turn.before[kept] == pytest.approx(plain.street("turn").mean()[kept], abs=6e-8)
    assert (turn.before > plain.street("turn").mean())[~kept].all()


def test_one_and_two_threads_build_the_same_bytes(tables, tmp_path):
    other = DrawTables(tables.deck, tmp_path)
    for street in ("flop", "turn"):
        tables.street(street, threads=1)
        other.street(street, threads=2)
        name = other.spec(street).folder_name
        for file in (tmp_path / name).glob("*.npy"):
            assert file.read_bytes() == (tables.folder / name / file.name).read_bytes()


@pytest.mark.parametrize("street", ["flop", "turn"])
def test_workers_elsewhere_make_the_same_numbers(street, tables, tmp_path):
    made = DrawTables(tables.deck, tmp_path).street(street, workers=Traveling(2))
    here = tables.street(street)
    for name in ("before", "after", "choice", "outs"):
        np.testing.assert_array_equal(getattr(made, name), getattr(here, name))


def test_an_estimate_leaves_nothing(tmp_path, monkeypatch):
    ticks = count()  # a busy machine cannot change them
    monkeypatch.setattr(time, "perf_counter", lambda: next(ticks))
    tables = DrawTables(DECKS[1], tmp_path)
    assert tables.estimate_seconds("flop") > tables.estimate_seconds("flop", 1000) > 0
    assert not list(tmp_path.iterdir())


def test_tables_that_make_no_sense_are_refused(tables):
    with pytest.raises(CardError, match=r"need 11 cards, but the deck TJQKA/cd has only 10"):
        DrawTables(Deck(5, 2))
    with pytest.raises(UnknownNameError, match="street with a discard 'river'"):
        tables.street("river")
    table = tables.street("flop")
    low = tables.deck.cards.tolist()
    with pytest.raises(CardError, match="twice"):
        table.discard([low[0], low[1]], [low[1], low[2], low[3]])
    with pytest.raises(CardError, match="not in the deck"):
        table.discard(parse_cards("3c3d"), low[:3])
