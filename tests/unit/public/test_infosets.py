import numpy as np
import pytest

from counterfold.bets import parse_menu
from counterfold.bets.menu import PublicPlace
from counterfold.errors import AbstractionError
from counterfold.games.holdem import betting_kernels as betting
from counterfold.public.graph import build_graph
from counterfold.public.infosets import NO_CLASS, classify
from counterfold.public.situation_features import parse_public_abstraction
from counterfold.public.stages import card_stages
from helpers.public_games import variant_of

GRAPHS = [
    ("leduc-variant", "min"),
    ("nolimit(stack=20)", "50%, 100%, allin"),
    ("discard(stack=12)", "50%, 100%, allin; rounds 1"),
    ("river-of-blood(stack=10, deck='9TJQKA/cd', board=(3, 1, 1))", "100%, allin"),
    ("fold when free", "100%, allin"),
]
PRODUCTS = [
    "nothing",
    "cards",
    "street * linear_pot(20) * cards",
    "pot * to_call * raises * opponent_discarded * self_discarded * cards",
    "run * street * player * linear_pot(3) * cards * actions",
    "pot_odds(4) * cards",
]


def game_of(name, menu, features, merge=True):
    graph = build_graph(variant_of(name), parse_menu(menu), merge=merge)
    n_buckets = [3 + at for at in range(len(card_stages(graph.variant)))]
    return classify(graph, parse_public_abstraction(features), n_buckets)


def actions_of(graph, node):
    """What a node offers, in words."""
    if graph.phase[node] == betting.DRAW:
        return "draw"
    spot = PublicPlace(graph.variant, tuple(graph.situations[node].tolist()))
    return graph.menu.labels(spot)


@pytest.mark.parametrize("features", PRODUCTS)
@pytest.mark.parametrize(("name", "menu"), GRAPHS)
def test_nodes_of_a_class_have_player_stage_and_actions_in_common(name, menu, features):
    game = game_of(name, menu, features)
    graph = game.graph
    seen = {}
    for node in graph.decisions:
        common = graph.field(betting.ACTOR)[node], game.stage[node], actions_of(graph, node)
        assert seen.setdefault(game.classes[node], common) == common
        assert game.n_actions[game.classes[node]] == graph.starts[node + 1] - graph.starts[node]
    if features in ("nothing", "cards"):
        assert len(set(seen.values())) == len(seen) == game.n_classes


@pytest.mark.parametrize("features", PRODUCTS)
@pytest.mark.parametrize(("name", "menu"), GRAPHS)
def test_slots_are_contiguous_and_all_in_use(name, menu, features):
    game = game_of(name, menu, features)
    assert sorted(set(game.classes) - {NO_CLASS}) == list(range(game.n_classes))
    taken = np.zeros(game.n_slots, int)
    for c in range(game.n_classes):
        node = np.flatnonzero(game.classes == c)[0]
        width = game.n_actions[c]
        n_buckets = 3 + game.stage[node] if "cards" in features else 1
        assert game.n_buckets[c] == n_buckets
        for bucket in range(n_buckets):
            start = game.node_offsets[node] + bucket * width
            taken[start : start + width] += 1
    assert (taken == 1).all()
    assert game.n_infosets == game.n_buckets.sum()


@pytest.mark.parametrize(("name", "menu"), GRAPHS)
def test_without_histories_classes_do_not_depend_on_merging(name, menu):
    """A strategy of the merged graph is read by the tree slot for slot."""
    features = "pot * to_call * raises * run * opponent_discarded * self_discarded * cards"
    merged, tree = (game_of(name, menu, features, merge) for merge in (True, False))
    np.testing.assert_array_equal(merged.offsets, tree.offsets)
    places = {tuple(row): c for row, c in zip(merged.graph.situations, merged.classes, strict=True)}
    for row, c in zip(tree.graph.situations, tree.classes, strict=True):
        assert places[tuple(row)] == c


def test_histories_tell_all_nodes_apart():
    game = game_of("nolimit(stack=20)", "50%, allin", "history", merge=False)
    assert game.n_classes == game.graph.decisions.size


def test_a_check_is_not_a_call_where_folding_is_free():
    game = game_of("fold when free", "none", "nothing")
    kinds = [game.graph.kinds[game.graph.starts[node]] for node in game.graph.decisions]
    assert set(kinds) == {betting.FOLD}
    # Per street and player: a check, or a call before the flop.
    assert game.n_classes == 4


def test_a_variant_without_decisions():
    game = game_of("ante is stack", "allin", "cards")
    assert (game.n_classes, game.n_infosets, game.n_slots) == (0, 0, 0)
    assert game.node_offsets.tolist() == [0] * game.graph.n_nodes


def test_stages_go_around_each_draw():
    stages = card_stages(variant_of("discard"))
    assert [(s.street, s.before_draw, len(s.steps)) for s in stages] == [
        (0, False, 0),
        (1, True, 0),
        (1, False, 1),
        (2, True, 1),
        (2, False, 2),
        (3, False, 2),
    ]
    blood = card_stages(variant_of("river-of-blood"))
    assert [s.street for s in blood] == list(range(4 + variant_of("river-of-blood").max_runs))


def test_histories_need_a_graph_that_is_not_merged():
    with pytest.raises(AbstractionError, match=r"'cards \* history'.*leduc.*merge=False"):
        game_of("leduc-variant", "min", "history * cards")


@pytest.mark.parametrize(
    ("n_buckets", "message"),
    [
        ([3], r"1 numbers of buckets for the 2 card stages of leduc-variant; give one"),
        ([3, 0], r"at least one bucket, unlike \[3, 0\]"),
    ],
)
def test_wrong_numbers_of_buckets(n_buckets, message):
    graph = build_graph(variant_of("leduc-variant"), parse_menu("min"))
    with pytest.raises(AbstractionError, match=message):
        classify(graph, parse_public_abstraction("cards"), n_buckets)


def test_a_stage_may_have_one_bucket():
    graph = build_graph(variant_of("leduc-variant"), parse_menu("min"))
    game = classify(graph, parse_public_abstraction("street * cards"), [3, 1])
    assert set(game.n_buckets) == {1, 3}


@pytest.mark.parametrize("n_buckets", [0, -1])
def test_a_stage_has_a_bucket_or_more(n_buckets):
    graph = build_graph(variant_of("leduc-variant"), parse_menu("min"))
    abstraction = parse_public_abstraction("street * cards")
    stages = len(card_stages(graph.variant))
    assert set(classify(graph, abstraction, [1] * stages).n_buckets.tolist()) == {1}
    with pytest.raises(AbstractionError, match="at least one bucket"):
        classify(graph, abstraction, [n_buckets] + [1] * (stages - 1))


BIDS = "100%, allin; flop: bids: 50%, 200%"


@pytest.mark.parametrize("features", ["cards", "pot * cards", "history * cards"])
def test_one_who_has_not_seen_a_bid_answers_all_of_them_alike(features):
    """Second bidders are told apart by what was bid exactly where they are told."""
    for sealed in (True, False):
        name = f"auction(stack=20, sealed={sealed})"
        game = game_of(name, BIDS, features, merge="history" not in features)
        graph = game.graph
        first = (graph.phase == betting.AUCTION) & (graph.field(betting.FIRST_BID) == 0)
        for node in np.flatnonzero(first):
            edges = slice(graph.starts[node], graph.starts[node + 1])
            answers = game.classes[graph.children[edges]]
            assert len(set(answers.tolist())) == (1 if sealed else answers.size)
            assert game.classes[node] not in answers


def test_who_has_a_third_card_is_always_known():
    game = game_of("auction(stack=20)", BIDS, "nothing")
    drew = game.graph.field(betting.DREW)
    for c in range(game.n_classes):
        assert len(set(drew[game.classes == c].tolist())) == 1
