import numpy as np
import pytest

from counterfold.errors import TooLargeError
from counterfold.games import Goofspiel, Kuhn, Leduc, LiarsDice, parse_game
from counterfold.tree import build_tree, estimate_size
from counterfold.tree import histories as trees
from counterfold.tree import tree_size as sizes
from helpers.compiled_games import compiled
from helpers.toy_games import Spinner, Toy


@pytest.fixture
def not_counted(monkeypatch):
    """Small trees are estimated, too."""
    monkeypatch.setattr(sizes, "_COUNTED", 0)


@pytest.mark.parametrize("game", ["kuhn", "rps", "toy", "goofspiel(3)", "leduc"])
def test_a_small_tree_is_counted(game):
    size = estimate_size(compiled(game).game)
    assert size.nodes == compiled(game).tree.n_nodes
    assert size.standard_error == 0.0


def test_a_tree_where_few_long_histories_hold_most_nodes():
    """States with equally many bids left have equal subtrees; the tree has 294,883 nodes."""
    size = estimate_size(LiarsDice())
    assert size.nodes == pytest.approx(294_883)
    assert size.standard_error < 1.0


@pytest.mark.parametrize("game", ["leduc", "kuhn"])
@pytest.mark.usefixtures("not_counted")
def test_the_estimate_is_within_four_standard_errors(game):
    """A fair estimate of normal spread fails with probability 6e-5; the seed is fixed."""
    size = estimate_size(compiled(game).game)
    exact = compiled(game).tree.n_nodes
    assert 0 < abs(size.nodes - exact) <= 4 * size.standard_error


@pytest.mark.parametrize("game", ["goofspiel(4)", "goofspiel(3, order=random)", "rps", "toy"])
@pytest.mark.usefixtures("not_counted")
def test_the_estimate_is_exact_where_all_nodes_of_a_level_have_equally_many_children(game):
    size = estimate_size(compiled(game).game)
    assert size.nodes == compiled(game).tree.n_nodes
    assert size.standard_error == 0.0


def test_a_walk_through_kuhn():
    # After the deals (1 + 3 + 6 nodes) and the first action (12), all 12 nodes have two children.
    # The walk goes on below a pass, whose children `pp` and `pb` are 24 nodes, 12 of them inner
    # with 24 children in all, or below a bet, whose 24 are final: 70 or 46, on average 58.
    rng = np.random.default_rng(0)
    walks = [sizes._walk(Kuhn().root(), rng)[0] for _ in range(200)]
    assert {*walks} == {46, 70}
    assert np.mean(walks) == pytest.approx(58, abs=4 * 12 / 200**0.5)


@pytest.mark.usefixtures("not_counted")
def test_seeds_fix_the_estimate():
    assert estimate_size(Leduc()).nodes == estimate_size(Leduc()).nodes
    first, second = (estimate_size(Leduc(), seed=seed).nodes for seed in (1, 2))
    assert first != second


def test_a_too_large_game_is_refused_with_the_figures():
    with pytest.raises(TooLargeError) as caught:
        build_tree(Goofspiel(13))
    message = str(caught.value)
    # With m cards in hand each history has m children and m² grandchildren; the last card plays
    # itself. Every level branches evenly, so the estimate is exact but for rounding.
    nodes = width = 1
    for m in range(13, 1, -1):
        nodes += width * m + width * m**2
        width *= m**2
    assert f"has about {nodes:.2g} ± " in message
    assert f"would need {nodes * sizes.BYTES_PER_NODE / 2**30:.1e} GiB" in message
    assert "GiB of memory are free; use smaller parameters" in message
    assert "cards=13" in message


def test_what_fits_depends_on_free_memory(monkeypatch):
    needed = 58 * sizes.BYTES_PER_NODE
    monkeypatch.setattr(trees, "_REPORT_EVERY", 10)
    monkeypatch.setattr(sizes, "free_memory_bytes", lambda: needed // 2)
    with pytest.raises(TooLargeError, match="the tree of kuhn has about 58 ±"):
        build_tree(Kuhn())
    monkeypatch.setattr(sizes, "free_memory_bytes", lambda: 2 * needed)
    assert build_tree(Kuhn()).n_nodes == 58


def test_a_small_tree_is_built_without_walking_it_before(monkeypatch):
    monkeypatch.setattr(trees, "check_fits", pytest.fail)
    assert build_tree(Leduc()).n_nodes == 9457


def test_a_tree_that_outgrows_its_estimate_is_stopped(monkeypatch):
    low = sizes.SizeEstimate("leduc", 100.0, 1.0, 5000 * sizes.BYTES_PER_NODE)  # it has 9457
    monkeypatch.setattr(trees, "check_fits", lambda game: low)
    monkeypatch.setattr(trees, "_REPORT_EVERY", 1000)
    seen = []
    with pytest.raises(TooLargeError):
        build_tree(Leduc(), lambda nodes, expected: seen.append(nodes))
    assert seen == [1000, 2000, 3000, 4000, 5000]  # 5000 fit, 6000 do not


def test_chance_that_can_only_be_sampled_counts_as_one_outcome():
    assert estimate_size(Toy(Spinner())).nodes == 2


def test_free_memory_is_positive_and_below_a_petabyte():
    assert 0 < sizes.free_memory_bytes() < 2**50


def test_bytes_needed_are_in_proportion_to_nodes():
    size = estimate_size(parse_game("goofspiel(4)"))
    assert size.bytes_needed == 1077 * sizes.BYTES_PER_NODE  # OpenSpiel's tree of goofspiel(4)


def test_the_standard_error_is_that_of_a_sample(monkeypatch):
    walks = iter([(10.0, sizes._WALKED), (14.0, 0), (18.0, 0), (30.0, 0)])
    monkeypatch.setattr(sizes, "_LEAST_WALKS", 4)
    monkeypatch.setattr(sizes, "_walk", lambda root, rng: next(walks))
    size = sizes.sample_size(Kuhn())
    assert size.nodes == 18.0
    # Squares of -8, -4, 0 and 12 are 224; a sample of four has three degrees of freedom.
    assert size.standard_error == pytest.approx((224 / 3 / 4) ** 0.5)
