"""Joint tables against plain enumeration of both hands of every deal of a deck of ten cards."""

from functools import cache
from itertools import combinations, pairwise, permutations

import numpy as np
import pytest

from counterfold.buckets import joint_tables as module
from counterfold.buckets import parse_card_abstraction
from counterfold.buckets.histories.history import History
from counterfold.buckets.histories.joint_walks import sample_pairs
from counterfold.buckets.joint_tables import JointTable, JointTables, build_joint, find_joint
from counterfold.buckets.perfect_recall import ClassBuckets
from counterfold.buckets.strength_lookup import StrengthLookup
from counterfold.cards import Deck, Isomorphism, StrengthTables, rank
from counterfold.cards.streets import STREETS
from counterfold.errors import AbstractionError, TooLargeError
from helpers.processes.cluster_jobs import Traveling

DECK = Deck(5, 2)
CARDS = [int(card) for card in DECK.cards]
ROUNDS = {"preflop": (2,), "flop": (2, 3), "turn": (2, 4), "river": (2, 5)}
N_LABELS = (3, 1, 2, 2)  # of the random buckets below


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("tables")


@pytest.fixture(scope="module")
def history(folder):
    return History(2).build(StrengthLookup(StrengthTables(DECK, bins=0, folder=folder)))


def make_random_buckets(deck):
    rng = np.random.default_rng(5)
    labels = {}
    for n, (street, rounds) in zip(N_LABELS, ROUNDS.items(), strict=True):
        labels[street] = rng.integers(0, n, Isomorphism(rounds, deck).size)
    return ClassBuckets(deck, labels)


@pytest.fixture(scope="module")
def random_buckets():
    return make_random_buckets(DECK)


@cache
def list_showdowns():
    """Both hands of every deal, and the result of the first: 1, 0 or -1."""
    deals, results = [], []
    for board in combinations(CARDS, 5):
        hands = list(combinations([card for card in CARDS if card not in board], 2))
        ranks = {hand: rank([*hand, *board]) for hand in hands}
        pairs = [(a, b) for a, b in permutations(hands, 2) if not {*a} & {*b}]
        for turn, river in permutations(board, 2):
            flop = [card for card in board if card not in (turn, river)]
            for a, b in pairs:
                deals.append(([*a, *flop, turn, river], [*b, *flop, turn, river]))
                results.append((ranks[a] > ranks[b]) - (ranks[a] < ranks[b]))
    return np.array(deals, np.uint8), np.array(results)


def sequences_of(buckets, deals):
    """The sequence on each street of deals, numbered."""
    numbers = np.zeros((4, len(deals)), int)
    if isinstance(buckets, ClassBuckets):
        parts = [
            buckets.labels[street][Isomorphism(rounds, DECK).index_many(deals[:, : sum(rounds)])]
            for street, rounds in ROUNDS.items()
        ]
    else:
        parts = buckets.sequences(deals).T
    before = 0
    for k, part in enumerate(parts):
        before = numbers[k] = before * buckets.streets[k].n_buckets + part
    return dict(zip(STREETS, numbers, strict=True))


def enumerate_plainly(buckets):
    """Probabilities by street, and wins less losses."""
    deals, results = list_showdowns()
    first, second = (sequences_of(buckets, deals[:, player]) for player in (0, 1))
    tables = {}
    for street in STREETS:
        n = module.n_sequences(buckets, street)
        tables[street] = np.zeros((n, n))
        np.add.at(tables[street], (first[street], second[street]), 1 / len(results))
    net = np.zeros_like(tables["river"])
    np.add.at(net, (first["river"], second["river"]), results / len(results))
    return tables, net


@pytest.fixture(scope="module", params=["history", "random_buckets"])
def buckets(request):
    return request.getfixturevalue(request.param)


def test_tables_are_those_of_plain_enumeration(buckets, folder):
    joint = build_joint(buckets, folder)
    expected, net = enumerate_plainly(buckets)
    for street in STREETS:
        table = joint.probabilities[STREETS.index(street)]
        np.testing.assert_allclose(table.values, expected[street], rtol=1e-12, atol=1e-12)
        assert table.errors is None
        assert table.overall_error == 0.0
    np.testing.assert_allclose(joint.net.values, net, rtol=1e-12, atol=1e-12)
    assert (joint.n_samples, joint.seed) == (None, None)


def test_tables_are_distributions_and_symmetric(buckets, folder):
    joint = build_joint(buckets, folder)
    for street in STREETS:
        values = joint.probabilities[STREETS.index(street)].values
        assert values.sum() == pytest.approx(1.0, abs=1e-12)
        assert (values >= 0.0).all()
        np.testing.assert_array_equal(values, values.T)
    np.testing.assert_array_equal(joint.net.values, -joint.net.values.T)
    assert (np.abs(joint.net.values) <= joint.probabilities[-1].values).all()


def test_a_players_share_is_that_among_its_own_deals(buckets, folder):
    joint = build_joint(buckets, folder)
    own = np.unique(list_showdowns()[0][:, 0], axis=0)  # each deal of one player once
    for street, numbers in sequences_of(buckets, own).items():
        n = module.n_sequences(buckets, street)
        expected = np.bincount(numbers, minlength=n) / len(own)
        np.testing.assert_allclose(joint.shares(STREETS.index(street)), expected, atol=1e-12)


def test_a_street_times_its_transition_is_the_next_street(buckets, folder):
    joint = build_joint(buckets, folder)
    for street, later in pairwise(STREETS):
        transition = joint.transition(STREETS.index(street))
        np.testing.assert_allclose(transition.sum(axis=(2, 3)), 1.0, rtol=1e-12)
        n, _, n_next, _ = transition.shape
        assert n_next == buckets.streets[STREETS.index(later)].n_buckets
        product = joint.probabilities[STREETS.index(street)].values[:, :, None, None] * transition
        product = product.transpose(0, 2, 1, 3).reshape(n * n_next, n * n_next)
        np.testing.assert_allclose(
            product, joint.probabilities[STREETS.index(later)].values, atol=1e-14
        )


def test_results_of_both_players_sum_to_one(buckets, folder):
    results = build_joint(buckets, folder).results()
    np.testing.assert_allclose(results + results.T, 1.0, rtol=1e-12)
    assert (results >= 0.0).all()
    assert (results <= 1.0).all()


def test_stronger_buckets_win_more(history, folder):
    joint = build_joint(history, folder)
    against_all = joint.net.values.sum(axis=1) / joint.shares(-1)
    weak, strong = against_all.reshape(-1, 2).T  # by bucket on the river, after equal sequences
    assert (strong > weak + 0.3).all()


# One entry in 16 million deviates by more than 5.5 standard errors if they are normal.
MOST_DEVIATIONS = 5.5


def assert_agree(joint, exact):
    for found, expected in (
        (joint.probabilities[-1], exact.probabilities[-1]),
        (joint.net, exact.net),
    ):
        off = found.values - expected.values
        assert (np.abs(off) <= MOST_DEVIATIONS * found.errors + 1e-15).all()
        # One number out of hundreds of entries, most of them independent.
        assert np.abs(off).sum() == pytest.approx(found.overall_error, rel=0.35)
        np.testing.assert_array_equal(found.errors, found.errors.T)


def test_a_sample_agrees_within_its_standard_errors(buckets, folder):
    exact = build_joint(buckets, folder)
    joint = build_joint(buckets, folder, samples=3000, seed=1)
    assert (joint.n_samples, joint.seed) == (3000, 1)
    assert_agree(joint, exact)
    river = joint.probabilities[-1].values
    assert river.sum() == pytest.approx(1.0, abs=1e-12)
    np.testing.assert_array_equal(river, river.T)
    for street in STREETS[:-1]:
        values = joint.probabilities[STREETS.index(street)].values
        np.testing.assert_array_equal(values, exact.probabilities[STREETS.index(street)].values)


def test_boards_that_count_for_several_agree_with_single_ones(folder):
    """With four suits a board stands for up to 24; samples are of boards as they are."""
    buckets = make_random_buckets(Deck(3, 4))
    exact = build_joint(buckets, folder)
    assert_agree(build_joint(buckets, folder, samples=4000), exact)
    for street, later in pairwise(STREETS):  # all of them exact: one follows from the other
        n, values = (
            module.n_sequences(buckets, street),
            exact.probabilities[STREETS.index(later)].values,
        )
        parts = values.reshape(n, len(values) // n, n, len(values) // n)
        np.testing.assert_allclose(
            parts.sum(axis=(1, 3)), exact.probabilities[STREETS.index(street)].values
        )


def test_errors_fall_with_the_square_root_of_the_sample(history, folder):
    few, many = (build_joint(history, folder, samples=n).net for n in (500, 8000))
    assert few.overall_error / many.overall_error == pytest.approx(4.0, rel=0.1)


def test_standard_errors_are_those_of_a_mean(history, folder, tmp_path):
    """Boards one by one: the error follows from how much they differ."""
    n = 40
    sample = build_joint(history, folder, samples=n, seed=3)
    sums, squares = sample_pairs(history, n, 3, 1, None)
    upto = [sample_pairs(history, last, 3, 1, None)[0] for last in range(1, n + 1)]
    boards = np.diff(upto, axis=0, prepend=0)
    np.testing.assert_array_equal(boards.sum(axis=0), sums)
    np.testing.assert_array_equal((boards**2).sum(axis=0), squares)
    errors = boards.std(axis=0, ddof=1) / np.sqrt(n) / (10 * 3)  # ten hands against three
    upper = np.triu_indices(len(errors))
    found = sample.probabilities[-1].errors
    np.testing.assert_allclose(found[upper], errors[upper], rtol=1e-5, atol=1e-9)
    lower = np.tril_indices(len(errors), -1)
    np.testing.assert_allclose(sample.net.errors[lower], errors[lower], rtol=1e-5, atol=1e-9)


@pytest.mark.parametrize("samples", [None, 300])
def test_threads_change_nothing(samples, history, tmp_path):
    reports = []
    one = build_joint(history, tmp_path / "one", samples=samples, threads=1)
    two = build_joint(
        history,
        tmp_path / "two",
        samples=samples,
        threads=2,
        progress=lambda *report: reports.append(report),
    )
    for street in STREETS:
        ours, theirs = (
            one.probabilities[STREETS.index(street)],
            two.probabilities[STREETS.index(street)],
        )
        np.testing.assert_array_equal(ours.values, theirs.values)
    np.testing.assert_array_equal(one.net.values, two.net.values)
    if samples is not None:
        np.testing.assert_array_equal(one.net.errors, two.net.errors)
        assert ("joint-river", samples, samples) in reports
    assert {report[0] for report in reports} == {"joint-flop", "joint-turn", "joint-river"}


@pytest.mark.parametrize("samples", [None, 300])
def test_workers_elsewhere_change_nothing(samples, buckets, tmp_path):
    reports = []
    here = build_joint(buckets, tmp_path / "here", samples=samples, threads=1)
    there = build_joint(
        buckets,
        tmp_path / "there",
        samples=samples,
        progress=lambda *report: reports.append(report),
        workers=Traveling(2, frozen=True),
    )
    for ours, theirs in zip(here.probabilities, there.probabilities, strict=True):
        np.testing.assert_array_equal(ours.values, theirs.values)
    np.testing.assert_array_equal(here.net.values, there.net.values)
    if samples is not None:
        np.testing.assert_array_equal(here.net.errors, there.net.errors)
        assert reports[-1] == ("joint-river", samples, samples)


def test_threads_that_memory_has_no_room_for_are_left_out(monkeypatch):
    for n_threads in (3, 1):
        room = module.memory_bytes(625, False, n_threads)
        monkeypatch.setattr(module, "free_memory_bytes", lambda room=room: room)
        assert module._most_threads(625, False, 16) == n_threads
    monkeypatch.setattr(module, "free_memory_bytes", lambda: 0)
    assert module._most_threads(625, False, 16) == 1


def test_tables_are_kept(history, folder, monkeypatch):
    before = build_joint(history, folder, samples=100, seed=2)
    other = build_joint(history, folder, samples=100, seed=3)
    assert (before.net.values != other.net.values).any()
    monkeypatch.setattr(module, "count_pairs", None)  # not needed again
    monkeypatch.setattr(module, "sample_pairs", None)
    after = build_joint(history, folder, samples=100, seed=2)
    np.testing.assert_array_equal(before.net.values, after.net.values)
    np.testing.assert_array_equal(before.net.errors, after.net.errors)


@pytest.mark.parametrize("samples", [None, 50])
def test_tables_are_found_by_the_fingerprint_of_the_buckets(
    history, random_buckets, tmp_path, samples
):
    options = {"samples": samples, "seed": 4}
    assert find_joint(history, tmp_path, **options) is None
    built = build_joint(history, tmp_path, **options)
    found = find_joint(history, tmp_path, **options)
    np.testing.assert_array_equal(found.net.values, built.net.values)
    assert found.folders == built.folders
    assert all((tmp_path / name).is_dir() for name in found.folders)
    assert find_joint(random_buckets, tmp_path, **options) is None
    assert find_joint(history, tmp_path, samples=51, seed=4) is None


def test_labels_of_an_abstraction_are_known_by_their_tables(folder):
    source = StrengthLookup(StrengthTables(DECK, bins=0, folder=folder))
    texts = ("percentile(2)", "uniform(2)", "percentile(2); river: uniform(2)")
    built = [parse_card_abstraction(f"{text}; recall: sequence").build(source) for text in texts]
    fingerprints = [buckets.with_perfect_recall().fingerprint for buckets in built]
    assert len(set(fingerprints)) == 3
    assert fingerprints[0] == built[0].with_perfect_recall().fingerprint


def test_many_rows_are_unpacked_part_by_part(monkeypatch):
    packed = np.random.default_rng(0).integers(0, 99, (10, 10))
    monkeypatch.setattr(module, "_ROWS_AT_ONCE", 4)
    _, joint, net = zip(*module._unpack(packed), strict=True)
    upper, lower = np.triu(packed), np.tril(packed, -1)
    np.testing.assert_array_equal(np.concatenate(joint), upper + np.triu(packed, 1).T)
    np.testing.assert_array_equal(np.concatenate(net), lower - lower.T)


def test_sequences_that_never_met_go_on_by_themselves():
    river = np.zeros((4, 4))
    river[0, 0], river[1, 1], river[2, 3], river[3, 2] = 0.2, 0.2, 0.3, 0.3  # 0 never meets 1
    tables = (JointTable(np.diag([0.4, 0.6])), JointTable(river))
    joint = JointTables((2, 2), tables, JointTable(0 * river))
    transition = joint.transition(0)
    assert transition[0, 0] == pytest.approx(np.diag([0.5, 0.5]))
    assert transition[1, 1] == pytest.approx(np.array([[0.0, 0.5], [0.5, 0.0]]))
    assert transition[0, 1] == pytest.approx(np.full((2, 2), 0.25))
    assert joint.results() == pytest.approx(np.full((4, 4), 0.5))


def test_fingerprints_tell_buckets_apart(history, random_buckets):
    labels = {street: labels.copy() for street, labels in random_buckets.labels.items()}
    assert ClassBuckets(DECK, labels).fingerprint == random_buckets.fingerprint
    labels["river"][0] ^= 1
    assert ClassBuckets(DECK, labels).fingerprint != random_buckets.fingerprint
    assert history.fingerprint != random_buckets.fingerprint


@pytest.mark.parametrize("samples", [0, 1, 5_000_000])
def test_samples_that_make_no_sense_are_refused(samples, history, folder):
    message = f"a sample must have 2 to 4,000,000 boards, not {samples}; None counts all"
    with pytest.raises(AbstractionError, match=message):
        build_joint(history, folder, samples=samples)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("history(2) * percentile(2)", "not the product 'history.2, metric=ehs2. . perc"),
        ("percentile(2)", "players forget in 'preflop: percentile.*; add 'recall: sequence'"),
    ],
)
def test_what_players_forget_and_products_have_no_joint_tables(text, message, folder):
    source = StrengthLookup(StrengthTables(DECK, bins=0, folder=folder))
    with pytest.raises(AbstractionError, match=message) as caught:
        parse_card_abstraction(text).build(source).with_perfect_recall()
    assert "\n" not in str(caught.value)


def test_buckets_by_street_that_are_remembered_have_joint_tables(history, folder):
    source = StrengthLookup(StrengthTables(DECK, bins=0, folder=folder))
    built = parse_card_abstraction("percentile(2); recall: sequence").build(source)
    recalled = built.with_perfect_recall()
    assert [street.n_buckets for street in recalled.streets] == [2, 2, 2, 2]
    expected, _ = enumerate_plainly(recalled)
    values = build_joint(recalled, folder).probabilities[-1].values
    np.testing.assert_allclose(values, expected["river"], atol=1e-12)
    assert history.with_perfect_recall() is history


def test_too_many_sequences_are_refused(tmp_path):
    classes = {street: Isomorphism(rounds, DECK).size for street, rounds in ROUNDS.items()}
    labels = {street: np.arange(size) % 25 for street, size in classes.items()}
    with pytest.raises(TooLargeError, match=r"pairs of 390,625 bucket sequences .* need .* GB"):
        build_joint(ClassBuckets(DECK, labels), tmp_path)
    assert not list(tmp_path.iterdir())


def test_labels_of_another_deck_are_refused(random_buckets):
    with pytest.raises(
        AbstractionError, match=r"the preflop of the deck 9TJQKA/cd needs 36 labels"
    ):
        ClassBuckets(Deck(6, 2), random_buckets.labels)
    with pytest.raises(AbstractionError, match="one per class, not none"):
        ClassBuckets(DECK, {})
    with pytest.raises(
        AbstractionError, match="labels must be from 0 to 65535, unlike those of the f"
    ):
        ClassBuckets(DECK, random_buckets.labels | {"flop": random_buckets.labels["flop"] - 1})


def test_nothing_follows_the_river(history, folder):
    with pytest.raises(AbstractionError, match="no street follows street 3 of 4"):
        build_joint(history, folder).transition(3)
