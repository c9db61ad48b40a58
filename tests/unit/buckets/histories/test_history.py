"""History bucketing against plain enumeration of every deal of a deck of ten cards."""

from collections import Counter, defaultdict
from itertools import combinations, permutations

import numpy as np
import pytest

from counterfold.buckets.histories import history as module
from counterfold.buckets.histories.flop_walks import fill_buffers, list_flops, send_walk
from counterfold.buckets.histories.history import HISTORY_PRESETS, History
from counterfold.buckets.histories.history_fit import ScoreWalk
from counterfold.buckets.histories.history_streets import N_LEVELS, turn_levels
from counterfold.buckets.strength_lookup import StrengthLookup
from counterfold.cards import Deck, StrengthTables, rank
from counterfold.cards.table_files import read_only
from counterfold.errors import AbstractionError, TooLargeError
from helpers.processes.cluster_jobs import Traveling

DECK = Deck(5, 2)  # 45 hands, 56 flops, 5 turns, 4 rivers, 3 opponent hands
CARDS = [int(card) for card in DECK.cards]
PLAIN = [History(2), History(3), History(3, metric="ehs")]
NESTED = [History(2, m=2), History(1, m=3)]


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    return StrengthLookup(StrengthTables(DECK, bins=0, folder=tmp_path_factory.mktemp("tables")))


def list_deals():
    """Every hand, flop, turn and river."""
    for hole in combinations(CARDS, 2):
        rest = [card for card in CARDS if card not in hole]
        for flop in combinations(rest, 3):
            for turn, river in permutations([card for card in rest if card not in flop], 2):
                yield (*hole, *flop, turn, river)


DEALS = np.array(list(list_deals()), np.uint8)


def score_hands():
    """Twice the wins plus the ties of every hand on every complete board."""
    scores = {}
    for board in combinations(CARDS, 5):
        hands = list(combinations([card for card in CARDS if card not in board], 2))
        ranks = {hand: rank([*hand, *board]) for hand in hands}
        for hand in hands:
            others = [ranks[other] for other in hands if not {*hand} & {*other}]
            own = ranks[hand]
            score = sum(2 if own > other else own == other for other in others)
            scores[hand, frozenset(board)] = score
    return scores


def sum_final(scores, power):
    """The final score, or its square, summed over the run-outs of every hand and shorter board."""
    sums = defaultdict(int)
    for (hand, board), score in scores.items():
        for size in (0, 3, 4, 5):
            for part in combinations(sorted(board), size):
                sums[hand, frozenset(part)] += score**power
    return sums


@pytest.fixture(scope="module")
def values():
    """By metric, for the river under both names the score itself."""
    scores = score_hands()
    of_metric = {"ehs": sum_final(scores, 1), "ehs2": sum_final(scores, 2)}
    for sums in of_metric.values():
        sums.update({(hand, board): score for (hand, board), score in scores.items()})
    return of_metric


def cut_plainly(levels, n):
    """The part of each deal: a level goes where its middle falls."""
    counts = Counter(levels.tolist())
    part, below = {}, 0
    for level in sorted(counts):
        part[level] = n * (2 * below + counts[level]) // (2 * levels.size)
        below += counts[level]
    return np.array([part[level] for level in levels.tolist()])


def levels_of(values, source, metric, street):
    """What orders the deals on a street: the value, then on all but the river the class."""
    size = module.BOARD_SIZES[street]
    of = [values[metric][tuple(deal[:2]), frozenset(deal[2 : 2 + size])] for deal in DEALS.tolist()]
    if street == "river":
        return np.array(of)
    classes = source.strength.isomorphism(street).index_many(DEALS[:, : 2 + size])
    assert len({*zip(classes.tolist(), of, strict=True)}) == np.unique(classes).size
    if street == "turn":
        return turn_levels(source, metric)[classes].astype(int)
    return np.array(of) * 1000 + classes


@pytest.fixture(scope="module")
def levels(values, source):
    """Of every deal, by metric and street."""
    return {
        (metric, street): levels_of(values, source, metric, street)
        for metric in module.METRICS
        for street in module.STREETS
    }


def fit_plainly(history, levels):
    """The bucket on each street of every deal."""
    buckets = np.zeros((len(DEALS), 4), int)
    before = np.zeros(len(DEALS), int)
    for k, street in enumerate(module.STREETS):
        first, second = levels[history.metric, street], levels["ehs", street]
        for sequence in np.unique(before):
            held = np.flatnonzero(before == sequence)
            sets = cut_plainly(first[held], history.n)
            for a in np.unique(sets):
                within = held[sets == a]
                buckets[within, k] = a * history.m + cut_plainly(second[within], history.m)
        before = before * history.n_buckets + buckets[:, k]
    return buckets


@pytest.mark.parametrize("history", [*PLAIN, *NESTED], ids=lambda history: history.name)
def test_buckets_are_those_of_plain_enumeration(history, levels, source):
    expected = fit_plainly(history, levels)
    np.testing.assert_array_equal(history.build(source).sequences(DEALS), expected)


@pytest.mark.parametrize("metric", ["ehs", "ehs2"])
def test_levels_of_the_turn_rise_with_the_metric(metric, values, source):
    of = [values[metric][tuple(deal[:2]), frozenset(deal[2:6])] for deal in DEALS.tolist()]
    classes = source.strength.isomorphism("turn").index_many(DEALS[:, :6])
    levels = turn_levels(source, metric)[classes].astype(int)
    order = np.lexsort((levels, of))
    assert (np.diff(levels[order]) >= 0).all()
    # Half of the deals lie below the middle, but for the weight of a class.
    assert np.mean(levels < N_LEVELS // 2) == pytest.approx(0.5, abs=0.01)


def share_out_of_ties(history, source):
    """For each sequence up to the turn: the parts on the river, and its most frequent score."""
    fitted = history.build(source)
    buckets = fitted.sequences(DEALS)
    classes = source.strength.isomorphism("river").index_many(DEALS)
    scores = np.asarray(source.strength.street("river").sums)[classes]
    for sequence in np.unique(buckets[:, :3], axis=0):
        held = (buckets[:, :3] == sequence).all(axis=1)
        parts = np.bincount(buckets[held, 3], minlength=history.n_buckets)
        yield parts, np.bincount(scores[held]).max()


@pytest.mark.parametrize("history", PLAIN, ids=lambda history: history.name)
def test_every_sequence_splits_into_equal_parts_up_to_ties(history, source):
    sequences = list(share_out_of_ties(history, source))
    assert len(sequences) == history.n_sequences("turn")
    for parts, tied in sequences:
        upto = np.cumsum(parts)
        aims = upto[-1] * np.arange(1, history.n + 1) / history.n
        assert (np.abs(upto - aims) <= tied / 2).all()


def test_parts_are_nearly_equal_where_ties_are_few(source):
    buckets = History(2).build(source).sequences(DEALS)
    _, counts = np.unique(buckets[:, :3], axis=0, return_counts=True)
    assert counts / len(DEALS) == pytest.approx(1 / 8, abs=0.01)


def test_cuts_differ_between_sequences(source):
    fitted = History(3).build(source)
    for street, n_sequences in (("turn", 9), ("river", 27)):
        cuts = fitted.arrays[f"{street}_cuts"]
        assert cuts.shape == (n_sequences, 2)
        assert (np.diff(cuts, axis=1) >= 0).all()
        assert len(np.unique(cuts, axis=0)) > n_sequences // 3


def test_it_matters_which_card_came_when(source):
    fitted = History(3).build(source)
    swapped = DEALS[:, [0, 1, 2, 3, 5, 4, 6]]  # the same class of hand and board on the turn
    assert (fitted.sequences(DEALS)[:, 2] != fitted.sequences(swapped)[:, 2]).any()


def test_names_of_suits_and_order_within_a_street_do_not_matter(source):
    fitted = History(3).build(source)
    same = (DEALS ^ 1)[:, [1, 0, 4, 2, 3, 5, 6]]
    np.testing.assert_array_equal(fitted.sequences(DEALS), fitted.sequences(same))


def test_a_sequence_grows_street_by_street(source):
    fitted = History(2, m=2).build(source)
    for deal in DEALS[::5000].tolist():
        hole, flop, (turn, river) = deal[:2], deal[2:5], deal[5:]
        whole = fitted.sequence(hole, flop, turn, river)
        assert whole == tuple(fitted.sequences([deal])[0])
        assert fitted.sequence(hole, flop, turn) == whole[:3]
        assert fitted.sequence(hole, flop) == whole[:2]
        assert fitted.sequence(hole) == whole[:1]


@pytest.mark.parametrize("history", [History(3), History(2, m=2)], ids=lambda h: h.name)
def test_threads_change_nothing(history, source, tmp_path):
    ours = history.build(source)
    reports = []
    two = StrengthLookup(
        StrengthTables(DECK, bins=0, folder=tmp_path),
        threads=2,
        progress=lambda *report: reports.append(report),
    )
    theirs = history.build(two)
    assert ours.fingerprint == theirs.fingerprint
    for name, array in ours.arrays.items():
        np.testing.assert_array_equal(array, theirs.arrays[name])
    n_flops = len(list_flops(DECK).boards)
    assert ("history-river", n_flops, n_flops) in reports


@pytest.mark.parametrize("history", [History(3), History(2, m=2)], ids=lambda h: h.name)
def test_workers_elsewhere_change_nothing(history, source, tmp_path):
    reports = []
    elsewhere = StrengthLookup(
        StrengthTables(DECK, bins=0, folder=tmp_path),
        progress=lambda *report: reports.append(report),
        workers=Traveling(3, frozen=True),
    )
    ours, theirs = history.build(source), history.build(elsewhere)
    for name, array in ours.arrays.items():
        np.testing.assert_array_equal(array, theirs.arrays[name])
    n_flops = len(list_flops(DECK).boards)
    assert ("history-river", n_flops, n_flops) in reports


def test_what_arrives_frozen_is_what_kernels_are_compiled_for(source):
    """They are compiled for arrays that can be written to, or not, but not for both."""
    flops = list_flops(DECK)
    job = send_walk(ScoreWalk(flops, np.zeros(3, np.int32), read_only(flops.likes), (), (2, 3)))
    arrived = Traveling(frozen=True).send(job)
    assert job.writable == (True, True, True, True, True, False)
    assert send_walk(arrived.walk).writable == (False,) * 6
    restored = arrived.restore()
    assert send_walk(restored).writable == job.writable
    np.testing.assert_array_equal(restored.flops.boards, flops.boards)
    assert restored.shape == (2, 3)


def test_a_fit_is_kept(source, monkeypatch):
    before = History(2).build(source)
    monkeypatch.setattr(module, "fit", None)  # not needed again
    after = History(2).build(source)
    np.testing.assert_array_equal(before.sequences(DEALS), after.sequences(DEALS))
    assert History(2).spec(DECK).fingerprint != History(2, metric="ehs").spec(DECK).fingerprint
    assert History(2).spec(DECK).fingerprint != History(2).spec(Deck(6, 2)).fingerprint


def test_a_new_version_is_another_fingerprint(monkeypatch):
    before = History(2).spec(DECK).fingerprint
    monkeypatch.setattr(module, "VERSION", 2)
    assert History(2).spec(DECK).fingerprint != before


def test_one_bucket_is_no_information(source):
    assert not History(1).build(source).sequences(DEALS).any()


def test_what_goes_wrong_while_counting_stops_it():
    def work(first, last, buffer):
        raise ValueError(f"unit {first}")

    with pytest.raises(ValueError, match="unit 0"):
        fill_buffers("test", work, 100, 10, [0, 1], None)


def test_presets_are_those_of_the_cprg():
    buckets = {name: history.n_buckets for name, history in HISTORY_PRESETS.items()}
    assert buckets == {
        "cprg-5": 5,
        "cprg-6": 6,
        "cprg-8": 8,
        "cprg-10": 10,
        "cprg-10-nested": 10,
        "cprg-12-nested": 12,
    }
    assert [History(5).n_sequences(street) for street in module.STREETS] == [5, 25, 125, 625]


def test_names():
    assert History(5).name == "history(5, metric=ehs2)"
    assert History(6, metric="ehs").name == "history(6, metric=ehs)"
    assert History(5, m=2).name == "history(5, m=2)"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n": 0}, "history needs whole numbers of buckets of at least 1, not 0"),
        ({"n": 2.5}, "history needs whole numbers of buckets of at least 1, not 2.5"),
        ({"n": 2, "m": 0}, "history needs whole numbers of buckets of at least 1, not 0"),
        ({"n": 2, "metric": "ehs3"}, "unknown metric 'ehs3'; did you mean ehs or ehs2\\?"),
        ({"n": 2, "metric": "ehs", "m": 2}, "nested history makes its sets by ehs2"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments, message):
    with pytest.raises(AbstractionError, match=message):
        History(**arguments)


def test_more_buckets_than_classes_are_refused(source):
    with pytest.raises(AbstractionError, match=r"40 buckets from the 25 classes .* TJQKA/cd; ask"):
        History(20, m=2).build(source)


def test_too_many_sequences_are_refused(tmp_path):
    with pytest.raises(TooLargeError, match=r"on 64 threads need .* GB.*use fewer buckets"):
        History(160).build(StrengthLookup(StrengthTables(folder=tmp_path), threads=64))


@pytest.mark.parametrize(
    ("deals", "message"),
    [
        ([[0, 1]], "deal 0 does not fit history.*card 2c.*not in the deck TJQKA/cd"),
        ([[32, 33], [32, 32]], "deal 1 .*card Tc twice"),
        ([[32, 99]], "deal 0 "),
        ([[32, 33, 36]], r"deals must be integers of shape .*, not int64 of shape \(1, 3\)"),
        ([[32.0, 33.0]], "not float64"),
    ],
)
def test_deals_of_another_deck_or_shape_are_refused(deals, message, source):
    with pytest.raises(AbstractionError, match=message):
        History(2).build(source).sequences(deals)


def test_a_river_without_a_turn_is_refused(source):
    with pytest.raises(AbstractionError, match="a river comes after 6 cards of hand and board"):
        History(2).build(source).sequence([32, 33], [36, 37, 40], river=41)
