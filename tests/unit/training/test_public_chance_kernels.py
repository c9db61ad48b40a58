"""Hands of a board, and folds and showdowns in vector form, against sums over pairs of hands."""

import numpy as np
import pytest

from counterfold.games import parse_game
from counterfold.public.boards import EnumeratedBoards
from counterfold.public.card_maps import ExactCards
from counterfold.public.deals import Dealer
from counterfold.training import public_chance_kernels
from counterfold.training.public_chance import hand_work

pytestmark = pytest.mark.kernel

VARIANTS = [
    "kuhn-variant",
    "leduc-variant",
    "limit(bets=2, deck='JQKA/cd', board=(1, 1))",
    "limit(bets=2, deck='TJQKA/cd', board=(3,))",
    "river-of-blood(stack=6, deck='QKA/cd', board=(1,))",
]
N_LABELS = 3  # so few that hands share types


def coarse(labels):
    """Labels that mix hands; a hand keeps its label within a street and board."""
    return (labels * 7 + 3) % 11 % N_LABELS


@pytest.fixture(params=VARIANTS, scope="module")
def listed(request):
    dealer = Dealer(parse_game(request.param))
    deals = dealer.enumerate()
    labels = coarse(ExactCards(dealer, deals).label(deals))
    return dealer, deals, labels, EnumeratedBoards(dealer, deals, labels)


def board_of(deals, dealer, k):
    return deals.lengths[k], tuple(deals.cards[k, 2 * dealer.layout.hole_cards :])


def deals_by_board(dealer, deals):
    rows = {}
    for k in range(len(deals)):
        rows.setdefault(board_of(deals, dealer, k), []).append(k)
    return rows


def boards_in_order(dealer, deals):
    """Rows of the deals of each board, in the order of `EnumeratedBoards`."""
    rows = deals_by_board(dealer, deals)
    return [np.array(rows[board]) for board in sorted(rows)]


def hand_of(deals, k, seat):
    return frozenset(deals.holes[k, seat, 0].tolist())


def hands_by_place(dealer, boards, i, cards):
    """The hands of board `i` as sets of cards, from the weakest on."""
    left = [card for card in dealer.layout.deck.tolist() if card not in cards]
    places = zip(boards.firsts[i], boards.seconds[i], strict=True)
    hands = [frozenset(left[p] for p in pair if p < len(left)) for pair in places]
    return hands[: boards.n_hands[i]]


def test_hands_types_and_strengths_are_those_of_the_deals(listed):
    dealer, deals, labels, source = listed
    boards, layout = source.boards, dealer.layout
    groups = boards_in_order(dealer, deals)
    assert len(groups) == len(source)
    for i, rows in enumerate(groups):
        assert source.weights[i] == pytest.approx(deals.weights[rows].sum())
        size = layout.board_cards + int(boards.lengths[i]) - layout.last_street
        board = deals.cards[rows[0], 2 * layout.hole_cards :][:size]
        hands = hands_by_place(dealer, boards, i, board)
        assert set(hands) == {hand_of(deals, k, 0) for k in rows}
        place = {hand: at for at, hand in enumerate(hands)}
        group = np.searchsorted(
            boards.ends[i, : boards.n_groups[i]], np.arange(len(hands)), "right"
        )
        for k in rows:
            first, second = place[hand_of(deals, k, 0)], place[hand_of(deals, k, 1)]
            strengths = deals.strengths[k, :, 0]
            assert np.sign(group[first] - group[second]) == np.sign(strengths[0] - strengths[1])
            known = [s for s, row in enumerate(layout.stages) if row[5] <= boards.lengths[i]]
            t = boards.types[i, first]
            found = [boards.buckets[i, s, boards.rows[i, s, t]] for s in known]
            assert found == labels[k, 0, known].tolist()


def test_types_are_as_few_as_can_be_and_counted(listed):
    *_, source = listed
    boards = source.boards
    for i in range(len(source)):
        n, n_types = boards.n_hands[i], boards.n_types[i]
        types = boards.types[i, :n]
        assert np.bincount(types).tolist() == boards.sizes[i, :n_types].tolist()
        stages = np.flatnonzero(boards.n_rows[i])
        tuples = {tuple(boards.rows[i, stages, t]) for t in range(n_types)}
        assert len(tuples) == n_types
        for stage in stages:
            buckets = boards.buckets[i, stage, : boards.n_rows[i, stage]]
            assert (np.diff(buckets) > 0).all()
            same = boards.rows[i, stage, :n_types].tolist() == list(range(buckets.size))
            assert boards.aligned[i, stage] == same


def test_ends_are_sums_over_disjoint_pairs(listed, rng):
    dealer, deals, _, source = listed
    boards = source.boards
    work = hand_work(dealer)
    for i, rows in list(enumerate(boards_in_order(dealer, deals)))[:12]:
        size = dealer.layout.board_cards + int(boards.lengths[i]) - dealer.layout.last_street
        board = deals.cards[rows[0], 2 * dealer.layout.hole_cards :][:size]
        place = {h: at for at, h in enumerate(hands_by_place(dealer, boards, i, board))}
        n = boards.n_types[i]
        reach = rng.random(n).astype(np.float32)
        disjoint, beaten = np.zeros((2, n), np.float32)
        public_chance_kernels.count_disjoint(boards, i, reach, work, disjoint)
        public_chance_kernels.count_beaten(boards, i, reach, work, beaten)
        # Every pair of disjoint hands is a deal.
        apart, net = np.zeros((2, n, n))
        for k in rows:
            own, other = (boards.types[i, place[hand_of(deals, k, seat)]] for seat in (0, 1))
            apart[other, own] += 1
            net[other, own] += np.sign(deals.strengths[k, 0, 0] - deals.strengths[k, 1, 0])
        assert disjoint == pytest.approx(reach @ apart, abs=1e-4)
        assert beaten == pytest.approx(reach @ net, abs=1e-4)
        matrices = np.zeros((2, n, n), np.float32)
        public_chance_kernels.fill_matrices(boards, i, reach, work, *matrices)
        assert matrices[0] == pytest.approx(apart)
        assert matrices[1] == pytest.approx(net)
