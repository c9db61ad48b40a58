from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from counterfold.buckets import (
    History,
    StreetBuckets,
    StrengthLookup,
    parse_card_abstraction,
    parse_street_abstraction,
)
from counterfold.buckets.clustering.clustered import Histogram
from counterfold.buckets.long_board_buckets import LongBoardBuckets
from counterfold.buckets.long_hand_buckets import LongHandBuckets
from counterfold.buckets.run_histograms.run_clusters import RunClusters
from counterfold.cards import Deck, StrengthTables
from counterfold.cards.streets import STREETS
from counterfold.errors import AbstractionError
from counterfold.games import parse_game
from counterfold.games.holdem import Discard, Street, Swap, Variant
from counterfold.public import deals_kernels
from counterfold.public.card_maps import TabledCards, tabled_cards
from counterfold.public.deals import Dealer
from helpers.public_games import hands_before

DECK = Deck(7, 2)
NAMED = "deck='89TJQKA/cd'"
CARDS = "preflop: percentile(8); flop: percentile(6); turn: percentile(5); river: percentile(4)"


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    return StrengthLookup(StrengthTables(DECK, folder=tmp_path_factory.mktemp("tables")))


@pytest.fixture(scope="module")
def buckets(source):
    return parse_street_abstraction(CARDS).build(source)


@pytest.fixture(scope="module")
def full_buckets(tmp_path_factory):
    """Buckets of a full deck with made-up labels: all zero but for the last class."""
    source = StrengthLookup(StrengthTables(folder=tmp_path_factory.mktemp("none")))
    labels = {street: np.zeros(source.n_classes(street), np.uint8) for street in STREETS}
    for array in labels.values():
        array[-1] = 6
    return StreetBuckets(parse_street_abstraction("percentile(7)"), source, labels)


def every_hand_cell(dealer, deals):
    """Deal, seat, stage, hand cell, the hands up to there and the board."""
    stages = dealer.layout.stages
    for i in range(len(deals)):
        for seat in (0, 1):
            for at, stage in enumerate(stages):
                if deals.lengths[i] < stage[deals_kernels.STAGE_STREET]:
                    continue
                board = deals.cards[i, 4 : 4 + stage[deals_kernels.STAGE_BOARD]].tolist()
                for hand_path in range(stage[deals_kernels.STAGE_PATHS]):
                    hands = list(hands_before(deals.holes[i, seat], stages[: at + 1], hand_path))
                    yield (
                        i,
                        seat,
                        at,
                        int(stage[deals_kernels.STAGE_CELL]) + hand_path,
                        hands,
                        board,
                    )


SWAP = Variant(
    "swap on the flop",
    (Street(first=0), Street(cards=3, steps=(Swap(0.3),)), Street(cards=1), Street(cards=1)),
    stack=10,
    deck=DECK,
)


@pytest.mark.parametrize("name", ["nolimit", "discard", SWAP.title])
def test_tables_are_looked_up_for_every_stage_and_hand_path(name, buckets):
    dealer = Dealer(SWAP if name == SWAP.title else parse_game(f"{name}(stack=10, {NAMED})"))
    cards, deals = TabledCards(dealer, buckets), dealer.sample(1, 0, 40)
    labels = cards.label(deals)
    assert cards.name == buckets.abstraction.name
    assert not cards.recalls
    for i, seat, at, hand_cell, hands, board in every_hand_cell(dealer, deals):
        assert labels[i, seat, hand_cell] == buckets.bucket(hands[-1], board)
        assert labels[i, seat, hand_cell] < cards.n_buckets[at]
    sizes = {0: 8, 3: 6, 4: 5, 5: 4}
    assert cards.n_buckets == tuple(
        sizes[int(s[deals_kernels.STAGE_BOARD])] for s in dealer.layout.stages
    )


def test_boards_on_which_nobody_acts_need_no_tables(buckets):
    streets = Street(first=0), Street(cards=2, betting=False), Street(cards=1), Street(cards=1)
    dealer = Dealer(Variant("two deals", streets, stack=10, deck=DECK))
    cards, deals = TabledCards(dealer, buckets), dealer.sample(1, 0, 40)
    assert cards.n_buckets == (8, 1, 6, 5)
    labels = cards.label(deals)
    for i, seat, at, hand_cell, hands, board in every_hand_cell(dealer, deals):
        expected = 0 if at == 1 else buckets.bucket(hands[-1], board)
        assert labels[i, seat, hand_cell] == expected
        found = cards.label_stage(at, np.array([[hands[-1]]]), np.array([board], np.uint8), None)
        assert found.tolist() == [[expected]]


@pytest.mark.parametrize("name", ["nolimit", "discard"])
def test_with_recall_a_bucket_is_the_sequence_of_buckets(name, buckets):
    dealer = Dealer(parse_game(f"{name}(stack=10, {NAMED})"))
    remembering = StreetBuckets(
        parse_street_abstraction(CARDS + "; recall: sequence"), buckets.source, buckets.labels
    )
    cards, deals = TabledCards(dealer, remembering), dealer.sample(2, 0, 30)
    assert cards.recalls
    labels = cards.label(deals)
    sizes = [int(stage[deals_kernels.STAGE_BOARD]) for stage in dealer.layout.stages]
    counts = {0: 8, 3: 6, 4: 5, 5: 4}
    for i, seat, at, hand_cell, hands, board in every_hand_cell(dealer, deals):
        number = 0
        for hand, size in zip(hands, sizes, strict=False):
            number = number * counts[size] + buckets.bucket(hand, board[:size])
        assert labels[i, seat, hand_cell] == number
        assert cards.n_buckets[at] == np.prod([counts[size] for size in sizes[: at + 1]])


def test_history_buckets_are_sequences(source):
    fitted = History(2).build(source)
    dealer = Dealer(parse_game(f"limit({NAMED})"))
    cards, deals = TabledCards(dealer, fitted), dealer.sample(3, 0, 60)
    assert cards.n_buckets == (2, 4, 8, 16)
    assert cards.name == "history(2, metric=ehs2)"
    labels = cards.label(deals)
    for i, seat, at, hand_cell, hands, board in every_hand_cell(dealer, deals):
        sequence = fitted.sequence(hands[-1], board[:3], *board[3:])
        assert labels[i, seat, hand_cell] == int("".join(map(str, sequence)), 2)
        assert len(sequence) == at + 1


def test_long_boards_are_bucketed_one_by_one(full_buckets):
    dealer = Dealer(parse_game("river-of-blood"))
    deals = dealer.sample(4, 0, 60)
    for chosen in (None, LongBoardBuckets(11), LongBoardBuckets(9, True)):
        cards = TabledCards(dealer, full_buckets, chosen)
        expected = chosen or LongBoardBuckets(7, True)
        labels = cards.label(deals)
        assert set(cards.n_buckets[4:]) == {expected.n}
        long = 0
        for i, seat, _, hand_cell, hands, board in every_hand_cell(dealer, deals):
            if len(board) > 5:
                long += 1
                assert labels[i, seat, hand_cell] == expected.bucket(hands[-1], board)
        assert long > 50


def test_long_boards_of_a_short_deck_are_bucketed_by_its_hands(buckets):
    """Against all pairs that are left, met one by one."""
    dealer = Dealer(parse_game(f"river-of-blood({NAMED})"))
    deals, deck = dealer.sample(4, 0, 60), dealer.variant.deck.cards.tolist()
    labels, seen = TabledCards(dealer, buckets).label(deals), 0
    for i, seat, _, hand_cell, hands, board in every_hand_cell(dealer, deals):
        if len(board) > 5:
            left = [card for card in deck if card not in (*hands[-1], *board)]
            own = dealer.variant.strength([*hands[-1], *board])
            met = [dealer.variant.strength([*pair, *board]) for pair in combinations(left, 2)]
            score = sum(2 * (own > other) + (own == other) for other in met)
            n = buckets.count("river")
            assert labels[i, seat, hand_cell] == min(score * n // (2 * len(met)), n - 1)
            seen += 1
    assert seen > 20


def test_many_hands_on_a_long_board_have_the_buckets_of_single_ones(full_buckets):
    dealer = Dealer(parse_game("river-of-blood"))
    boards = np.array([[3, 17, 30, 41, 22, 9], [0, 5, 10, 15, 21, 26]], np.uint8)
    left = [[card for card in range(52) if card not in board] for board in boards.tolist()]
    holes = np.array([list(combinations(cards, 2))[::-1] for cards in left], np.uint8)[:, :, ::-1]
    for long in (LongBoardBuckets(30), LongBoardBuckets(7, True)):
        cards = TabledCards(dealer, full_buckets, long)
        together = cards.label_stage(4, holes, boards, None)
        for at in range(0, holes.shape[1], 31):
            alone = cards.label_stage(4, holes[:, at : at + 1], boards, None)
            assert np.array_equal(together[:, at : at + 1], alone)


def test_long_boards_with_hand_paths(full_buckets):
    streets = (
        Street(first=0),
        Street(cards=3, steps=(Discard(),)),
        Street(cards=1),
        Street(cards=1),
    )
    dealer = Dealer(Variant("drawing blood", streets, stack=10, run_suits="dh"))
    deals, long = dealer.sample(5, 0, 30), LongBoardBuckets(13)
    labels = TabledCards(dealer, full_buckets, long).label(deals)
    seen = 0
    for i, seat, _, hand_cell, hands, board in every_hand_cell(dealer, deals):
        if len(board) > 5:
            seen += 1
            assert labels[i, seat, hand_cell] == long.bucket(hands[-1], board)
    assert seen > 30


@pytest.mark.parametrize(
    ("variant", "message"),
    [
        ("kuhn-variant", "two hole cards or more and .* unlike kuhn-variant; use exact cards"),
        ("nolimit(board=(2, 1))", "boards of 3, 4 and 5 cards or more wherever .*, unlike nolimit"),
        ("nolimit", r"for the deck 89TJQKA/cd, not for full of nolimit; build them for that deck"),
    ],
)
def test_tables_that_do_not_fit_the_variant(variant, message, buckets):
    with pytest.raises(AbstractionError, match=message):
        TabledCards(Dealer(parse_game(variant)), buckets)


@pytest.mark.parametrize(
    "variant",
    [parse_game(f"discard({NAMED})"), SWAP, parse_game(f"nolimit(board=(3, 1), {NAMED})")],
)
def test_history_buckets_are_for_hands_that_stay(variant, source):
    with pytest.raises(
        AbstractionError, match=r"history\(2, metric=ehs2\) needs hole cards that never"
    ):
        TabledCards(Dealer(variant), History(2).build(source))


def test_runs_cannot_be_recalled(full_buckets):
    remembering = StreetBuckets(
        parse_street_abstraction("percentile(7); recall: sequence"),
        full_buckets.source,
        full_buckets.labels,
    )
    with pytest.raises(AbstractionError, match="use recall: current"):
        TabledCards(Dealer(parse_game("river-of-blood")), remembering)


def test_more_sequences_than_labels_can_name(full_buckets, monkeypatch):
    monkeypatch.setattr(tabled_cards, "_MOST_BUCKETS", 2400)
    remembering = StreetBuckets(
        parse_street_abstraction("percentile(7); recall: sequence"),
        full_buckets.source,
        full_buckets.labels,
    )
    with pytest.raises(AbstractionError, match=r"makes 2,401 buckets in limit.* than 2,400; use"):
        TabledCards(Dealer(parse_game("limit")), remembering)


@pytest.mark.parametrize("text", [CARDS, CARDS + "; recall: sequence", "history(2)"])
def test_hands_on_boards_are_labeled_as_in_deals(text, source):
    """A deal is two hands on one board, which stay the same in this variant."""
    dealer = Dealer(parse_game(f"nolimit(stack=10, {NAMED})"))
    cards = TabledCards(dealer, parse_card_abstraction(text).build(source))
    deals = dealer.sample(6, 0, 50)
    found = cards.label_hands(deals.holes[:, :, 0], deals.cards[:, 4:], deals.lengths)
    np.testing.assert_array_equal(found.swapaxes(1, 2), cards.label(deals))
    flop = cards.label_hands(deals.holes[:, :, 0], deals.cards[:, 4:7])
    np.testing.assert_array_equal(flop, found[:, :2])  # as far as the boards go


def test_hands_on_long_boards_share_the_board(full_buckets):
    dealer = Dealer(parse_game("river-of-blood"))
    cards, deals = TabledCards(dealer, full_buckets), dealer.sample(7, 0, 40)
    found = cards.label_hands(deals.holes[:, :, 0], deals.cards[:, 4:], deals.lengths)
    labels = cards.label(deals).swapaxes(1, 2)
    for i, last in enumerate(deals.lengths):
        np.testing.assert_array_equal(found[i, : last + 1], labels[i, : last + 1])


@pytest.fixture(scope="module")
def running(full_buckets):
    """Buckets with nine clusters of runs, made up but apart."""
    centers = np.zeros((5, 9, 49), np.uint16)
    centers[:] = np.linspace(16383, 0, 9).astype(np.uint16)[:, None]
    clusters = RunClusters(Histogram(9), centers)
    text = "percentile(7); run: histogram(9)"
    return StreetBuckets(
        parse_street_abstraction(text), full_buckets.source, full_buckets.labels, clusters
    )


def test_clusters_of_runs_are_buckets_from_the_fifth_card_on(running, full_buckets):
    dealer = Dealer(parse_game("river-of-blood"))
    with_runs, without = TabledCards(dealer, running), TabledCards(dealer, full_buckets)
    deals = dealer.sample(8, 0, 60)
    labels, others = with_runs.label(deals), without.label(deals)
    assert with_runs.n_buckets[:4] == (7, 7, 7, 9)
    assert set(with_runs.n_buckets[4:]) == {9}
    n_followed = 0
    for i, seat, at, hand_cell, hands, board in every_hand_cell(dealer, deals):
        found = labels[i, seat, hand_cell]
        path = [(hands[-1], board[: dealer.variant.board_cards(s.street)]) for s in dealer.stages]
        assert found == with_runs.bucket(path[: at + 1])
        if len(board) >= 5 and board[-1] % 4 in (1, 2):
            n_followed += 1
            holes, boards = np.array([[hands[-1]]], np.uint8), np.array([board], np.uint8)
            assert found == running.run.label(holes, boards, True).item()
        else:
            assert found == others[i, seat, hand_cell]
    assert n_followed > 50


def test_hands_on_boards_of_runs_are_labeled_as_in_deals(running):
    dealer = Dealer(parse_game("river-of-blood"))
    cards, deals = TabledCards(dealer, running), dealer.sample(9, 0, 40)
    found = cards.label_hands(deals.holes[:, :, 0], deals.cards[:, 4:], deals.lengths)
    labels = cards.label(deals).swapaxes(1, 2)
    for i, last in enumerate(deals.lengths):
        np.testing.assert_array_equal(found[i, : last + 1], labels[i, : last + 1])


def test_clusters_of_runs_need_runs(running):
    with pytest.raises(AbstractionError, match="nolimit does not have; leave out 'run:'"):
        TabledCards(Dealer(parse_game("nolimit")), running)


def many_cards(held, source, text=CARDS, boards=(3, 1, 1), steps=()):
    """The card map of a variant with so many hole cards."""
    flop, *later = (Street(n) for n in boards)
    streets = (Street(first=0), replace(flop, steps=steps), *later)
    variant = Variant("many cards", streets, stack=20, deck=DECK, hole_cards=held)
    return TabledCards(Dealer(variant), parse_card_abstraction(text).build(source))


def test_four_cards_have_buckets_of_their_own_where_strength_is_cut(source):
    text = "preflop: percentile(8); flop: percentile(6); turn: nested(2, 2); river: uniform(4)"
    card_map = many_cards(4, source, text)
    deals = card_map.dealer.sample(1, 0, 50)
    labels = card_map.label(deals)
    by_street = card_map.buckets.description.factors.by_street
    strength, pairs = card_map.strength(4), LongHandBuckets(card_map.buckets, 4)
    for at, size in ((1, 3), (2, 4), (3, 5)):
        for seat in (0, 1):
            hands = np.concatenate([deals.holes[:, seat, at], deals.cards[:, 8 : 8 + size]], axis=1)
            if at == 2:
                expected = pairs.label(hands)
            else:
                expected = strength.label(hands, by_street.streets[at])
            assert labels[:, seat, at].tolist() == expected.tolist()
    assert card_map.all_strengths == {strength: {3: by_street.streets[1], 5: by_street.streets[3]}}
    assert set(card_map.digests()) >= {strength.spec.folder_name}


def test_three_cards_have_the_buckets_of_pairs(source):
    assert many_cards(3, source).all_strengths == {}
    drop = Discard(redraw=False, forced=True)
    after = many_cards(5, source, boards=(3, 1), steps=(drop, drop))
    assert [strength.held for strength in after.all_strengths] == [4, 5]
    assert next(iter(after.all_strengths.values())).keys() == {3}


def test_strength_is_that_on_the_last_board(source):
    assert many_cards(4, source, boards=(3, 1)).strength(4).final == 4
