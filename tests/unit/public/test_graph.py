import numpy as np
import pytest

from counterfold.bets import parse_menu
from counterfold.bets.menu import PublicPlace
from counterfold.errors import TooLargeError, UnsupportedGameError
from counterfold.games import parse_game
from counterfold.games.holdem import Discard, Street, Swap, Variant
from counterfold.games.holdem import betting_kernels as betting
from counterfold.public import graph, graph_kernels
from counterfold.public.graph import build_graph
from counterfold.public.infosets import classify
from counterfold.public.situation_features import parse_public_abstraction
from counterfold.public.stages import card_stages
from helpers.naive.naive_menus import by_street, situations, steps, walk
from helpers.public_games import variant_of

SMALL = [
    ("kuhn-variant", "min"),
    ("leduc-variant", "min"),
    ("limit(board=(3, 1))", "min"),
    ("nolimit(stack=20)", "50%, 100%, allin"),
    ("nolimit(stack=31, blinds=(1, 3))", "min, 75%; raises: min, allin; cap 3"),
    ("potlimit(stack=24)", "50%, allin"),
    ("discard(stack=12)", "50%, 100%, allin; rounds 1"),
    ("discard(stack=20)", "discard-winner"),
    ("swap(stack=10)", "100%, allin"),
    ("river-of-blood(stack=10, deck='9TJQKA/cd', board=(3, 1, 1))", "100%, allin; run: allin"),
    ("river-of-blood(stack=2)", "allin"),
    ("fold when free", "allin"),
    ("two draws", "100%, allin"),
    ("ante is stack", "allin"),
    ("auction(stack=20)", "100%, allin; bids: 50%, 100%, allin"),
    ("auction(stack=12, board=(3, 1), sealed=True)", "50%, allin; bids: 100%, 300%"),
    ("first price", "100%, allin; bids: 100%, allin"),
]


def graph_of(name, menu, merge):
    return build_graph(variant_of(name), parse_menu(menu), merge=merge)


def parents(graph):
    return np.repeat(np.arange(graph.n_nodes), np.diff(graph.starts))


def count(graph, *phases):
    """Nodes of these phases by street."""
    streets = graph.field(betting.STREET)[np.isin(graph.phase, phases)]
    return np.bincount(streets).tolist()


@pytest.mark.parametrize("merge", [True, False])
@pytest.mark.parametrize(("name", "menu"), SMALL)
def test_a_parent_precedes_its_children_and_every_node_has_one(name, menu, merge):
    graph = graph_of(name, menu, merge)
    assert (parents(graph) < graph.children).all()
    assert set(graph.children) == set(range(1, graph.n_nodes))
    assert graph.starts[0] == 0
    assert graph.starts[-1] == graph.n_edges


@pytest.mark.parametrize(("name", "menu"), SMALL)
def test_merging_leaves_each_situation_once_and_loses_none(name, menu):
    merged, tree = graph_of(name, menu, True), graph_of(name, menu, False)
    rows = [tuple(row) for row in merged.situations.tolist()]
    assert len(set(rows)) == len(rows)
    assert set(rows) == {tuple(row) for row in tree.situations.tolist()}
    assert merged.count_tree() == tree.count_tree() == tree.n_nodes


@pytest.mark.parametrize(("name", "menu"), SMALL)
def test_situations_are_those_of_a_walk_in_plain_python(name, menu):
    variant, menu = variant_of(name), parse_menu(menu)
    graph = build_graph(variant, menu)
    assert {tuple(row) for row in graph.situations.tolist()} == set(situations(variant, menu))


@pytest.mark.parametrize(("name", "menu"), SMALL)
def test_the_tree_is_counted_as_by_a_walk_in_plain_python(name, menu):
    variant, menu = variant_of(name), parse_menu(menu)
    counts = walk(variant, menu)
    tree = build_graph(variant, menu, merge=False)
    assert tree.n_nodes == sum(counts.values())
    for kind, phase in (
        ("bids", betting.AUCTION),
        ("draws", betting.DRAW),
        ("decisions", betting.BET),
        ("deals", betting.DEAL),
        ("folds", betting.FOLDED),
        ("showdowns", betting.SHOWDOWN),
    ):
        found = count(tree, phase)
        expected = by_street(counts, kind)
        assert found + [0] * (len(expected) - len(found)) == expected, kind


@pytest.mark.parametrize(("name", "menu"), SMALL)
def test_edges_lead_where_the_rules_say(name, menu):
    """Kinds, amounts and children of every node against single steps of the rules."""
    variant, menu = variant_of(name), parse_menu(menu)
    graph = build_graph(variant, menu)
    rows = [tuple(row) for row in graph.situations.tolist()]
    done = situations(variant, menu)
    for node, situation in enumerate(rows):
        edges = range(graph.starts[node], graph.starts[node + 1])
        kinds = [int(graph.kinds[e]) for e in edges]
        below = [rows[graph.children[e]] for e in edges]
        expected = [after for after, _ in steps(variant, menu, situation, done[situation])]
        if graph.phase[node] == betting.DRAW:
            assert kinds == [betting.KEEP] + [betting.DISCARD] * variant.hole_cards
            assert [graph.amounts[e] for e in edges[1:]] == list(range(variant.hole_cards))
            assert below == [expected[0]] + [expected[1]] * variant.hole_cards
        elif graph.phase[node] == betting.AUCTION:
            assert set(kinds) == {betting.BID}
            bids = [chips for _, chips in menu.bids(PublicPlace(variant, situation))]
            assert [int(graph.amounts[e]) for e in edges] == bids
            assert below == expected
        elif graph.phase[node] == betting.BET:
            passive, bets = (
                menu.labels(PublicPlace(variant, situation)),
                menu.bets(PublicPlace(variant, situation)),
            )
            n_passive = len(passive) - len(bets)
            assert kinds == [betting.FOLD, betting.CALL][-n_passive:] + [betting.RAISE] * len(bets)
            assert [int(graph.amounts[e]) for e in edges[n_passive:]] == [
                total for _, total in bets
            ]
            assert below[n_passive:] == [betting.after_raise(situation, t) for _, t in bets]
            assert set(below) == set(expected)
        else:
            assert set(kinds) <= {graph_kernels.DEALT}
            assert set(below) == set(expected)
            ends = [int(graph.amounts[e]) for e in edges]
            assert ends == [row[betting.FINAL] for row in below]
            assert ends in ([], [0], [1], [0, 1])


# Johanson's thesis and REFERENCE.md: nodes of the betting tree of limit hold'em by street.
def test_limit_holdem_has_6378_decisions():
    tree = graph_of("limit", "limit-4", merge=False)
    assert count(tree, betting.BET) == [8, 70, 630, 5670]
    assert count(tree, betting.FOLDED) == [7, 56, 504, 4536]
    assert sum(count(tree, betting.SHOWDOWN)) == 5103
    assert tree.decisions.size == 6378


def test_limit_holdem_with_three_bets_has_2286_decisions():
    assert graph_of("limit(bets=3)", "min", merge=False).decisions.size == 2286
    assert graph_of("limit", "limit-3", merge=False).decisions.size == 2286


@pytest.mark.parametrize(
    ("buckets", "infosets"), [(5, 3_624_290), (6, 7_486_968), (8, 23_551_424), (10, 57_337_080)]
)
def test_information_sets_of_limit_holdem_with_perfect_recall(buckets, infosets):
    tree = graph_of("limit", "min", merge=False)
    sequences = [buckets ** (stage.street + 1) for stage in card_stages(tree.variant)]
    game = classify(tree, parse_public_abstraction("history * cards"), sequences)
    assert game.n_infosets == infosets


def test_a_graph_larger_than_the_first_arrays(monkeypatch):
    small = graph_of("nolimit(stack=60)", "fchpa", merge=True)
    monkeypatch.setattr(graph, "_FIRST_CAPACITY", 8)
    grown = graph_of("nolimit(stack=60)", "fchpa", merge=True)
    np.testing.assert_array_equal(grown.situations, small.situations)
    np.testing.assert_array_equal(grown.children, small.children)


def test_river_of_blood_with_all_its_runs_is_small_when_merged():
    graph = graph_of("river-of-blood", "ep-white", merge=True)
    assert graph.field(betting.STREET).max() == 3 + graph.variant.max_runs
    assert graph.n_nodes < 300_000
    assert graph.count_tree() > 1e11


def test_swaps_beside_shown_discards_are_refused():
    street = Street(cards=1, steps=(Swap(), Discard(shown=True)))
    variant = Variant("shown", (Street(first=0), street), stack=4)
    with pytest.raises(
        UnsupportedGameError, match=r"shown has discards .*, and swaps, .*; compile"
    ):
        build_graph(variant, parse_menu("allin"))


def test_a_graph_that_does_not_fit_into_memory(monkeypatch):
    monkeypatch.setattr("counterfold.memory.free_memory_bytes", lambda: 10 << 20)
    with pytest.raises(TooLargeError, match=r"public graph need .* GB.*; merge its nodes, or"):
        build_graph(parse_game("nolimit"), parse_menu("fchpa"), merge=False)


def test_nbytes_counts_the_arrays():
    graph = graph_of("kuhn-variant", "min", merge=False)
    per_edge = 4 + 1 + 4 + 4
    assert graph.nbytes == 9 * 4 * betting.N_FIELDS + 10 * 4 + 8 * per_edge
