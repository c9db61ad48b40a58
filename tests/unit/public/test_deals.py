from collections import Counter

import numpy as np
import pytest

from counterfold.bets import parse_menu
from counterfold.cards import format_card, format_cards, parse_cards
from counterfold.errors import TooLargeError
from counterfold.games.holdem import betting_kernels as betting
from counterfold.public import deals as module
from counterfold.public import deals_kernels
from counterfold.public.deals import Dealer
from counterfold.public.graph import build_graph
from helpers.naive.given_games import check_end
from helpers.public_games import BLOOD, CARD_VARIANTS, LONG_BLOOD, first_discards, variant_of

FULL = ["limit", "discard", "river-of-blood", "swap"]
SMALL = ["kuhn-variant", "leduc-variant", BLOOD, "one draw", "draw of two", "draw and run"]


def sorted_rows(dealer, cards):
    """Rows of cards with the sets among them in order."""
    h, rows = dealer.variant.hole_cards, cards.copy()
    groups = [h, h, *(street.cards for street in dealer.variant.streets)]
    for start, size in zip(np.cumsum([0, *groups]), groups, strict=False):
        rows[:, start : start + size].sort(axis=1)
    return map(tuple, rows.tolist())


@pytest.mark.parametrize("name", [*FULL, *SMALL, "two swaps", "two draws"])
def test_a_deal_depends_on_seed_and_number_alone(name):
    dealer = Dealer(variant_of(name))
    deals, part, other = dealer.sample(7, 0, 60), dealer.sample(7, 41, 9), dealer.sample(8, 41, 9)
    for field in ("cards", "lengths", "holes", "strengths"):
        np.testing.assert_array_equal(getattr(part, field), getattr(deals, field)[41:50])
    assert (part.cards != other.cards).any()


@pytest.mark.parametrize("name", [*FULL, "two swaps"])
def test_no_card_is_dealt_twice(name):
    dealer = Dealer(variant_of(name))
    layout, deals = dealer.layout, dealer.sample(1, 0, 2000)
    first_extra = layout.n_columns - layout.swaps.size
    for row, length in zip(deals.cards, deals.lengths, strict=True):
        board_end = 2 * layout.hole_cards + layout.board_cards + length - layout.last_street
        extra = row[first_extra:]
        cards = [*row[:board_end], *extra[extra != deals_kernels.NO_CARD]]
        assert len(set(cards)) == len(cards)
        assert set(cards) <= set(layout.deck)


@pytest.mark.parametrize("name", SMALL)
def test_samples_have_the_probabilities_of_the_list(name):
    dealer = Dealer(variant_of(name))
    listed, n = dealer.enumerate(), 40_000
    expected = dict(zip(sorted_rows(dealer, listed.cards), listed.weights, strict=True))
    assert len(expected) == len(listed)
    assert sum(expected.values()) == pytest.approx(1.0)
    found = Counter(sorted_rows(dealer, dealer.sample(2, 0, n).cards))
    assert set(found) <= set(expected)
    chi2 = sum((found[row] - n * p) ** 2 / (n * p) for row, p in expected.items())
    # Four standard deviations: a false alarm in 30,000 seeds.
    freedom = len(expected) - 1
    assert abs(chi2 - freedom) < 4 * np.sqrt(2 * freedom)


@pytest.mark.parametrize(
    ("name", "alike"),
    [
        ("limit", True),
        ("discard", True),
        ("swap", True),
        ("river-of-blood", True),
        ("bounty", True),
        ("toss", False),
        ("auction", False),
        ("two draws", True),
        (CARD_VARIANTS["dealt between choices"], False),
        (CARD_VARIANTS["swapped after a draw"], True),
    ],
)
def test_seats_are_alike_unless_one_bids_shows_or_gets_more(name, alike):
    variant = variant_of(name) if isinstance(name, str) else name
    assert Dealer(variant).seats_are_alike == alike


@pytest.mark.parametrize("name", SMALL)
def test_where_seats_are_alike_deals_are_as_likely_with_them_exchanged(name):
    dealer = Dealer(variant_of(name))
    if not dealer.seats_are_alike:
        pytest.skip("seats differ")
    deals = dealer.enumerate()
    h = dealer.layout.hole_cards
    board = deals.cards[:, 2 * h : 2 * h + dealer.layout.board_cards + dealer.layout.max_runs]

    def known(first, second):
        """What every deal is to the seats in this order."""
        seats = [first, second]
        parts = (deals.lengths, board, deals.holes[:, seats], deals.strengths[:, seats])
        return zip(*([row.tobytes() for row in part] for part in parts), strict=True)

    as_dealt, exchanged = Counter(), Counter()
    for found, order in ((as_dealt, (0, 1)), (exchanged, (1, 0))):
        for key, weight in zip(known(*order), deals.weights, strict=True):
            found[key] += weight
    assert exchanged == pytest.approx(as_dealt)


@pytest.mark.parametrize("name", ["nolimit", "short-deck", "permuted(order='2354768JT9KAQ')"])
def test_what_decides_a_showdown_is_the_strength_of_the_rules(name):
    variant = variant_of(name)
    dealer = Dealer(variant)
    deals = dealer.sample(5, 0, 500)
    for row, strengths in zip(dealer.real[deals.cards].tolist(), deals.strengths, strict=True):
        hands = [row[k : k + 2] + row[4:9] for k in (0, 2)]
        assert strengths[:, 0].tolist() == [variant.strength(hand) for hand in hands]


def test_a_deal_that_goes_nowhere_has_no_card_in_any_order():
    dealer = Dealer(variant_of("permuted(order='2354768JT9KAQ')"))
    assert dealer.real[deals_kernels.NO_CARD] == deals_kernels.NO_CARD
    assert sorted(dealer.real[:52]) == list(range(52))
    assert [format_card(dealer.real[card]) for card in parse_cards("4d5dAh")] == ["5d", "4d", "Qh"]


def test_swaps_come_as_in_the_exact_game():
    variant = variant_of("two swaps")
    expected = Counter()

    def go(state, probability):
        if state.chance is not None:
            for outcome, p in state.chance.outcomes():
                go(state.child(outcome), probability * p)
        elif state.utilities is not None:
            expected[state.holes, state.board] += probability
        else:
            go(state.child("c" if state.to_call else "k"), probability)

    state = variant.root().child("Ac").child("Kd")  # by symmetry one pair of hole cards will do
    go(state, 1.0)
    dealer = Dealer(variant)
    deals = dealer.sample(3, 0, 400_000)
    first = parse_cards("AcKd")
    rows = np.flatnonzero((deals.cards[:, 0] == first[0]) & (deals.cards[:, 1] == first[1]))
    found = Counter()
    for i in rows:
        holes = tuple((int(deals.holes[i, seat, -1, 0]),) for seat in (0, 1))
        found[holes, tuple((int(card),) for card in deals.cards[i, 2:4])] += 1
    assert set(found) <= set(expected)
    # Rows of Pearson's test that expect few are put together.
    n, often = rows.size, [key for key, p in expected.items() if p * rows.size >= 5]
    rest = n - sum(found[key] for key in often), n * (1 - sum(expected[key] for key in often))
    parts = [(found[key], n * expected[key]) for key in often] + [rest]
    chi2 = sum((seen - mean) ** 2 / mean for seen, mean in parts)
    assert abs(chi2 - len(often)) < 4 * np.sqrt(2 * len(often))


def test_lengths_of_boards_of_river_of_blood():
    lengths = Dealer(variant_of("river-of-blood")).sample(4, 0, 200_000).lengths
    shares = np.bincount(lengths)[3:8] / lengths.size
    # 0.502, 0.254, 0.127, 0.062, 0.029 of 1000 recorded rounds; exact: half of the cards are red,
    # fewer after each. Four standard deviations are below 0.005.
    expected, goes_on = [], 1.0
    for run in range(5):
        left = 26 / 52 if run == 0 else (26 - run) / (52 - run)
        expected.append(goes_on * (1 - left))
        goes_on *= left
    assert shares == pytest.approx(expected, abs=0.005)
    assert shares == pytest.approx([0.502, 0.254, 0.127, 0.062, 0.029], abs=0.01)


@pytest.mark.parametrize(
    ("name", "menu"),
    [
        ("limit", "min"),
        ("nolimit(stack=20)", "100%, allin"),
        ("discard(stack=20)", "50%, allin"),
        ("river-of-blood(stack=20)", "100%, allin"),
        ("swap(stack=20)", "allin"),
        ("leduc-variant", "min"),
        (LONG_BLOOD, "allin"),
        ("two draws", "allin"),
        ("two swaps", "allin"),
        ("draw of two", "allin"),
    ],
)
def test_hands_played_by_the_exact_rules(name, menu, rng):
    """Deals and graph against states: what is held at each decision, and what is won."""
    variant = variant_of(name)
    graph, dealer = build_graph(variant, parse_menu(menu)), Dealer(variant)
    deals = dealer.sample(5, 0, 150)
    for i in range(len(deals)):
        play_hand(graph, dealer, deals, i, rng)


def play_hand(graph, dealer, deals, i, rng):
    variant, layout, h = graph.variant, dealer.layout, dealer.layout.hole_cards
    cards = deals.cards[i].tolist()
    state = variant.root()
    for seat in (0, 1):
        state = state.child(format_cards(cards[seat * h : (seat + 1) * h]))
    node, hand_paths, stage = 0, [0, 0], 0
    while graph.starts[node] < graph.starts[node + 1]:
        edges = range(graph.starts[node], graph.starts[node + 1])
        phase, street = graph.phase[node], graph.field(betting.STREET)[node]
        if phase == betting.DEAL:
            ends = deals.lengths[i] == street + 1
            edge = edges[-1] if len(edges) == 2 and ends else edges[0]
            first, last = (2 * h + variant.board_cards(street + k) for k in (0, 1))
            state = state.child(format_cards(cards[first:last]))
            stage += 1
            swap = layout.stages[stage, deals_kernels.STAGE_SWAP]
            if swap != deals_kernels.NO_COLUMN:
                before = layout.stages[stage - 1, deals_kernels.STAGE_CELL]
                for seat, hole in enumerate(state.holes):
                    held = deals.holes[i, seat, before + hand_paths[seat]].tolist()
                    for old in hole:
                        card = cards[swap + seat * h + held.index(old)]
                        swapped = card != deals_kernels.NO_CARD
                        state = state.child("~" + format_card(card) if swapped else "=")
        else:
            seat = state.actor
            assert tuple(graph.situations[node]) == state.situation
            hand_cell = layout.stages[stage, deals_kernels.STAGE_CELL] + hand_paths[seat]
            assert set(deals.holes[i, seat, hand_cell].tolist()) == set(state.holes[seat])
            k = int(rng.integers(len(edges)))
            if phase == betting.BET and graph.kinds[edges[k]] == betting.FOLD:
                k = int(rng.integers(len(edges)))  # fewer folds
            edge = edges[k]
            if phase == betting.DRAW:
                discard_choice = 0 if k == 0 else 1 + int(graph.amounts[edge])
                hand_paths[seat] = hand_paths[seat] * (h + 1) + discard_choice
                if discard_choice == 0:
                    state = state.child("s")
                else:
                    held, first = (
                        deals.holes[i, seat, hand_cell],
                        deals.discard_first[i, seat, hand_cell],
                    )
                    gone = format_card(held[first if discard_choice == 1 else 1 - first])
                    board = [card for street in state.board for card in street]
                    assert held[first] in first_discards(held.tolist(), board)
                    column = layout.stages[stage + 1, deals_kernels.STAGE_DRAW] + seat
                    state = state.child("d" + gone).child("+" + format_card(cards[column]))
                if graph.phase[graph.children[edge]] != betting.DRAW:
                    stage += 1
            else:
                state = state.child(graph.menu.offered(state)[k])
        node = graph.children[edge]
    check_end(graph, node, deals.strengths[i], hand_paths, state)


def test_long_lists_are_refused(monkeypatch):
    with pytest.raises(TooLargeError, match=r"limit has up to .* deals, more than the 5,000,000"):
        Dealer(variant_of("limit")).enumerate()
    monkeypatch.setattr(module, "MOST_DEALS", 119)
    with pytest.raises(TooLargeError, match="leduc-variant has up to 120 deals, more than the 119"):
        Dealer(variant_of("leduc-variant")).enumerate()


def test_swaps_are_listed_with_their_probabilities():
    """Hands and boards as the exact rules deal them, each as often."""
    variant = variant_of("one swap")
    expected = Counter()

    def go(state, probability):
        if state.chance is not None:
            for outcome, p in state.chance.outcomes():
                go(state.child(outcome), probability * p)
        elif state.utilities is None:
            go(state.child("c" if state.to_call else "k"), probability)
        else:
            expected[state.holes, state.board] += probability

    go(variant.root(), 1.0)
    deals = Dealer(variant).enumerate()
    assert len(deals) == 6 * 5 * 4 * (1 + 2 * 3 + 3 * 2) <= Dealer(variant).count_deals()
    found = Counter()
    for i, weight in enumerate(deals.weights):
        holes = tuple((int(deals.holes[i, seat, -1, 0]),) for seat in (0, 1))
        found[holes, ((int(deals.cards[i, 2]),),)] += weight
    assert found == pytest.approx(expected)
    assert deals.weights.sum() == pytest.approx(1.0)
