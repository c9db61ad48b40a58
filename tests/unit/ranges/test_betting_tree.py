"""Betting trees of spots against the public graph, hand-drawn trees, and a walk in plain Python."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterfold.bets import parse_menu
from counterfold.bets.spot_menu_text import parse_spot_menu
from counterfold.errors import (
    AbstractionError,
    GameError,
    IllegalActionError,
    TooLargeError,
    UnsupportedGameError,
)
from counterfold.games import parse_game
from counterfold.games.holdem import Street, Variant
from counterfold.games.holdem import betting_kernels as betting
from counterfold.public.graph import build_graph
from counterfold.public.graph_kernels import DEALT
from counterfold.ranges.betting_tree import build_betting_tree, spot_root
from helpers.naive.naive_menus import SpotOptions, spot_lines

NO_LIMIT = parse_game("nolimit")
REFERENCE = (
    "bets: 60%, e, allin; raises: 2.5x; river: donk: 50%; "
    "add allin 150%; force allin 15%; merge 10%"
)
SAME_REFERENCE = SpotOptions(
    bets=(("pot", Fraction(6, 10)), ("e", 0), ("allin", 0)),
    raises=(("times", Fraction(5, 2)),),
    donk={1: (("pot", Fraction(1, 2)),)},
    add=Fraction(3, 2),
    force=Fraction(15, 100),
    merge=Fraction(1, 10),
)


def tree_of(menu, cards=5, pot=200, stack=900, variant=NO_LIMIT, **options):
    variant, root, dead = spot_root(variant, cards, pot, stack)
    return build_betting_tree(variant, root, parse_spot_menu(menu), dead=dead, **options)


def lines_of(tree):
    """Labels that lead to every node that is not a deal, with the labels that follow."""
    line, found = {0: ()}, {}
    for node in range(tree.n_nodes):
        edges = range(tree.starts[node], tree.starts[node + 1])
        for e in edges:
            label = () if tree.kinds[e] == DEALT else (tree.labels[e],)
            line[int(tree.children[e])] = line[node] + label
        if tree.phase[node] != betting.DEAL:
            found[line[node]] = tuple(tree.labels[e] for e in edges)
    return found


def as_ends(graph):
    """Situations of a public graph up to the call with which all chips are in, which end there."""
    found, waiting = Counter(), [0]
    while waiting:
        node = waiting.pop()
        situation = graph.situations[node].tolist()
        all_in = (
            situation[betting.SPENT_0] == situation[betting.SPENT_1] == graph.variant.stack
            and graph.phase[node] != betting.FOLDED
        )
        if all_in:
            situation[betting.PHASE] = betting.SHOWDOWN
        else:
            waiting += graph.children[graph.starts[node] : graph.starts[node + 1]].tolist()
        found[tuple(situation)] += 1
    return found


# The columns of REFERENCE.md's two spots, and the whole trees by a walk in plain Python.
@pytest.mark.parametrize(
    ("cards", "labels"),
    [
        (5, ("check", "bet 120", "allin 900")),
        (4, ("check", "bet 120", "bet 216", "allin 900")),
        (3, ("check", "bet 120", "allin 900")),
    ],
)
def test_spots_with_a_reference_have_its_actions(cards, labels):
    tree = tree_of(REFERENCE, cards)
    assert tree.labels[: tree.starts[1]] == labels
    assert lines_of(tree) == spot_lines(200, 900, 6 - cards, SAME_REFERENCE)


SIZES = {
    "33%": ("pot", Fraction(33, 100)),
    "75%": ("pot", Fraction(3, 4)),
    "120%": ("pot", Fraction(6, 5)),
    "40": ("chips", 40),
    "e": ("e", 0),
    "2e": ("e", 2),
    "min": ("min", 0),
    "allin": ("allin", 0),
}
TIMES = {"2.5x": ("times", Fraction(5, 2)), "3x": ("times", Fraction(3))}
PERCENT = st.sampled_from([0, 10, 35, 100, 150])


@settings(deadline=None, max_examples=60)
@given(
    st.sets(st.sampled_from(list(SIZES)), max_size=3),
    st.sets(st.sampled_from([*SIZES, *TIMES]), max_size=2),
    st.none() | st.sets(st.sampled_from(list(SIZES)), max_size=2),
    st.tuples(PERCENT, PERCENT, PERCENT),
    st.integers(0, 3),
    st.integers(4, 5),
    st.integers(1, 130),
    st.integers(40, 300),
)
def test_random_menus_give_the_tree_of_a_walk_in_plain_python(
    bets, raises, donk, shares, cap, cards, pot, stack
):
    known = SIZES | TIMES
    parts = [f"{word}: {', '.join(sizes) or 'none'}" for word, sizes in
             (("bets", bets), ("raises", raises))]  # fmt: skip
    if donk is not None:
        parts.append(f"donk: {', '.join(donk) or 'none'}")
    words = ("add allin", "force allin", "merge")
    parts += [f"{word} {share}%" for word, share in zip(words, shares, strict=True) if share]
    parts += [f"cap {cap}"] if cap else []
    options = SpotOptions(
        bets=tuple(map(known.get, bets)),
        raises=tuple(map(known.get, raises)),
        donk=None if donk is None else dict.fromkeys((1, 2, 3), tuple(map(known.get, donk))),
        add=Fraction(shares[0], 100),
        force=Fraction(shares[1], 100),
        merge=Fraction(shares[2], 100),
        cap=cap,
    )
    tree = tree_of("; ".join(parts), cards, pot, stack)
    assert lines_of(tree) == spot_lines(pot, stack, 6 - cards, options)


@pytest.mark.parametrize(
    ("name", "menu"),
    [
        ("kuhn-variant", "min"),
        ("leduc-variant", "min"),
        ("limit(board=(3, 1))", "min"),
        ("limit", "min"),
        ("nolimit(stack=20)", "50%, 100%, allin"),
        ("nolimit(stack=31, blinds=(1, 3))", "min, 75%; raises: min, allin; cap 3"),
        ("potlimit(stack=24)", "50%, allin"),
    ],
)
def test_from_the_first_situation_it_is_the_public_graph(name, menu):
    """Unmerged, up to calls with which all chips are in; both grammars mean the same by a menu."""
    variant = parse_game(name)
    graph = build_graph(variant, parse_menu(menu), merge=False)
    root = betting.first_situation(variant.rules)
    tree = build_betting_tree(variant, root, parse_spot_menu(menu))
    assert Counter(map(tuple, tree.situations.tolist())) == as_ends(graph)
    parents = np.repeat(np.arange(tree.n_nodes), np.diff(tree.starts))
    assert (parents < tree.children).all()
    assert sorted(tree.children) == list(range(1, tree.n_nodes))
    assert (np.diff(tree.field(betting.STREET)) >= 0).all()
    assert tree.starts[-1] == tree.n_edges == len(tree.labels) == tree.kinds.size


def test_limit_holdem_has_6378_decisions_without_a_menu():
    variant = parse_game("limit")
    tree = build_betting_tree(variant, betting.first_situation(variant.rules), None)
    assert tree.decisions.size == 6378  # Johanson 2013


def test_folding_is_offered_with_nothing_to_call_where_the_rules_say_so():
    variant = Variant("", (Street(first=0), Street(cards=1)), stack=4, fold_when_free=True)
    tree = tree_of("allin", 1, pot=4, stack=2, variant=variant)
    assert tree.labels[:3] == ("fold", "check", "allin 2")


def test_a_small_river_drawn_by_hand():
    tree = tree_of("bets: 100%; raises: allin", pot=10, stack=40)
    assert lines_of(tree) == {
        (): ("check", "bet 10"),
        ("check",): ("check", "bet 10"),
        ("check", "check"): (),
        ("check", "bet 10"): ("fold", "call", "allin 40"),
        ("check", "bet 10", "fold"): (),
        ("check", "bet 10", "call"): (),
        ("check", "bet 10", "allin 40"): ("fold", "call"),
        ("check", "bet 10", "allin 40", "fold"): (),
        ("check", "bet 10", "allin 40", "call"): (),
        ("bet 10",): ("fold", "call", "allin 40"),
        ("bet 10", "fold"): (),
        ("bet 10", "call"): (),
        ("bet 10", "allin 40"): ("fold", "call"),
        ("bet 10", "allin 40", "fold"): (),
        ("bet 10", "allin 40", "call"): (),
    }
    raised = tree.labels.index("allin 40")
    assert tree.amounts[raised] == 45  # over the hand: half the pot, and 40


def test_all_in_before_the_last_street_ends_the_hand_there():
    tree = tree_of("allin; river: 50%", 4, pot=10, stack=20)
    called = lines_of(tree)
    assert called["allin 20", "call"] == ()
    ends = tree.situations[tree.phase == betting.SHOWDOWN]
    early = ends[ends[:, betting.SPENT_0] == tree.variant.stack]
    assert set(early[:, betting.STREET]) == {2, 3}
    assert not tree.phase[(tree.field(betting.SPENT_0) == 25) & (tree.phase == betting.DEAL)].size


def test_a_deal_has_one_child_that_begins_the_next_street():
    tree = tree_of("50%", 3)
    for node in np.flatnonzero(tree.phase == betting.DEAL):
        (edge,) = range(tree.starts[node], tree.starts[node + 1])
        child = tree.situations[tree.children[edge]]
        assert tree.kinds[edge] == DEALT
        assert tree.amounts[edge] == child[betting.FINAL]
        assert child[betting.STREET] == tree.situations[node, betting.STREET] + 1
        assert child[betting.ACTOR] == 1


def test_seats_have_their_own_sizes():
    tree = tree_of("oop: 50%; ip: bets: 100%; raises: 3x", pot=100, stack=1000)
    lines = lines_of(tree)
    assert lines[()] == ("check", "bet 50")
    assert lines["check",] == ("check", "bet 100")
    assert lines["bet 50",] == ("fold", "call", "raise 150")
    assert lines["bet 50", "raise 150"] == ("fold", "call", "raise 350")  # half of 400 more


def test_a_donk_bet_is_made_into_the_one_who_bet_last_on_the_street_before():
    lines = lines_of(tree_of("bets: 50%; donk: 25%", 4, pot=100, stack=1000))
    assert lines[()] == ("check", "bet 50")  # nobody knows who bet before the spot
    assert lines["check", "bet 50", "call"] == ("check", "bet 50")
    assert lines["bet 50", "call"] == ("check", "bet 100")  # its own bet was called
    assert lines["check", "check"] == ("check", "bet 50")


def test_the_odd_chip_of_a_pot_counts_in_sizes():
    tree = tree_of("100%", pot=201)
    assert tree.dead == 1
    assert tree.labels[1] == "bet 201"
    assert (tree.situations[0, betting.SPENT_0 : betting.BASE + 1] == 100).all()


def test_a_spot_may_begin_in_the_middle_of_a_street():
    variant, root, dead = spot_root(NO_LIMIT, 5, 100, 200)
    bet = betting.after_raise(root, 50 + 50)
    tree = build_betting_tree(variant, bet, parse_spot_menu("allin"), dead=dead)
    assert tree.labels[:3] == ("fold", "call", "allin 200")
    dealt = betting.after_call(variant.rules, bet)
    assert dealt[betting.PHASE] == betting.SHOWDOWN
    with pytest.raises(GameError, match="someone can still bet, not at a showdown"):
        build_betting_tree(variant, dealt, parse_spot_menu("allin"))


def test_before_the_flop_the_pot_is_that_of_the_blinds():
    variant, root, dead = spot_root(NO_LIMIT, 0, 3, 98)
    assert (variant.stack, dead) == (100, 0)
    assert root == betting.first_situation(variant.rules)
    tree = build_betting_tree(variant, root, parse_spot_menu("raises: 2.5x, 50%; flop: none"))
    assert tree.labels[:4] == ("fold", "call", "raise 4", "raise 5")
    with pytest.raises(GameError, match="pot must be 3 before the flop"):
        spot_root(NO_LIMIT, 0, 200, 900)


@pytest.mark.parametrize(
    ("removed", "left"),
    [
        (["b120"], {(): ("check", "allin 900")}),
        (["b60%", "allin"], {(): ("check",)}),
        (["k b120"], {(): ("check", "bet 120", "allin 900"), ("check",): ("check", "allin 900")}),
        (["x, b120 f", "k b120 c"], {("check", "bet 120"): ("raise 300",)}),
    ],
)
def test_lines_are_removed(removed, left):
    tree = tree_of(REFERENCE, removed=removed)
    lines = lines_of(tree)
    assert {line: lines[line] for line in left} == left
    full = lines_of(tree_of(REFERENCE))
    assert all(set(after) <= set(full[line]) for line, after in lines.items())


def test_lines_are_removed_across_streets():
    lines = lines_of(tree_of("50%", 4, removed=["k k | k b50% r50%"]))
    assert lines["check", "check", "check", "bet 100"] == ("fold", "call")
    assert len(lines["check", "check", "bet 100"]) == 3


@pytest.mark.parametrize(
    ("removed", "message"),
    [
        ("b50%", "word 1 of 'b50%': 'b50%' does not fit; offered are check, bet 120, allin 900"),
        ("k k k", "word 3 of 'k k k': 'k' does not fit; the hand is over"),
        ("b120 k", "'k' does not fit; offered are fold, call, raise 300"),
        ("", "the removed line '' must end with an action"),
        ("k k |", "must end with an action"),
        ("k | k b120", r"word 2 of 'k \| k b120': '\|' does not fit; offered are check, bet 120"),
        ("k k | 7h | b120", "word 4 of .* a line is removed for all cards; leave out '7h'"),
        ("k zz", "word 2 of 'k zz': 'zz' is not an action or cards"),
    ],
)
def test_removed_lines_must_exist(removed, message):
    with pytest.raises(IllegalActionError, match=message):
        tree_of(REFERENCE, removed=[removed])


def test_an_action_must_be_left():
    with pytest.raises(IllegalActionError, match="no action is left"):
        tree_of("50%", removed=["k", "b50%"])


@pytest.mark.parametrize(
    ("cards", "pot", "stack", "message"),
    [
        (2, 200, 900, "a board of 2 cards does not begin a street of nolimit; boards have 0, 3"),
        (5, 0, 900, "pot must be 1 chip or more, not 0"),
        (5, 200, 0, "stack must be 1 chip or more, not 0"),
        (5, 200, 10**6, "stack"),
    ],
)
def test_spots_that_cannot_be(cards, pot, stack, message):
    with pytest.raises(GameError, match=message):
        spot_root(NO_LIMIT, cards, pot, stack)


def test_sizes_that_no_stack_can_pay_are_refused():
    with pytest.raises(AbstractionError, match="offers 1200 chips, but a seat has only 900"):
        tree_of("50%, 1200")
    tree_of("50%, 900")
    tree_of("flop: 1200; river: 50%")  # a street that is over


def test_menus_name_streets_that_are_there():
    variant = parse_game("nolimit(board=(3, 1))")
    with pytest.raises(AbstractionError, match=r"the river, but .* has only preflop, flop, t"):
        tree_of("50%; river: allin", 3, variant=variant)
    tree_of("50%; turn: allin", 3, variant=variant)


def test_a_root_may_come_from_an_array():
    tree = tree_of("50%", 4)
    node = int(np.flatnonzero(tree.phase == betting.DEAL)[0])
    below = build_betting_tree(tree.variant, tree.situations[node], parse_spot_menu("50%"))
    assert below.phase[0] == betting.DEAL
    assert below.n_nodes == 1 + tree_of("50%", 5).n_nodes


@pytest.mark.parametrize(
    ("limit", "options"),
    [("20,000", {"max_nodes": 20_000}), pytest.param("250,000", {}, marks=pytest.mark.slow)],
)
def test_a_menu_that_explodes_is_counted_and_refused_before_it_is_built(limit, options):
    menu = ", ".join(f"{percent}%" for percent in range(10, 200, 10))
    with pytest.raises(
        TooLargeError, match=rf"has more than [\d,]+ nodes, and the limit is {limit};"
    ):
        tree_of(menu, 3, **options)


def test_a_tree_may_have_as_many_nodes_as_the_limit():
    with pytest.raises(TooLargeError, match="has 27 nodes, and the limit is 26; offer fewer"):
        tree_of(REFERENCE, max_nodes=26)
    assert tree_of(REFERENCE, max_nodes=27).n_nodes == 27


def test_what_spots_are_not_for():
    for name in ("discard", "swap", "river-of-blood"):
        variant, root, _ = spot_root(parse_game(name), 3, 10, 20)
        with pytest.raises(UnsupportedGameError, match="draws, swaps, auctions, runs or more"):
            build_betting_tree(variant, root, parse_spot_menu("50%"))
    for name in ("bounty", "permuted(order='32456789TJQKA')"):
        variant, root, _ = spot_root(parse_game(name), 3, 10, 20)
        with pytest.raises(UnsupportedGameError, match="bounties or another order of ranks"):
            build_betting_tree(variant, root, parse_spot_menu("50%"))
    variant, root, _ = spot_root(NO_LIMIT, 5, 10, 20)
    with pytest.raises(AbstractionError, match="needs a menu of bets, such as '50%"):
        build_betting_tree(variant, root, None)
    with pytest.raises(GameError, match="dead must be 0 chips or more, not -1"):
        build_betting_tree(variant, root, parse_spot_menu("50%"), dead=-1)


def test_raises_are_added_at_the_root_alone():
    variant, root, _ = spot_root(NO_LIMIT, 5, 200, 900)
    menu = parse_spot_menu("50%, allin")
    plain = build_betting_tree(variant, root, menu)
    tree = build_betting_tree(variant, root, menu, added=(137, 200, 1000))
    assert plain.labels[: plain.starts[1]] == ("check", "bet 100", "allin 900")
    assert tree.labels[: tree.starts[1]] == ("check", "bet 37", "bet 100", "allin 900")
    check = int(tree.children[0])
    assert tree.labels[tree.starts[check] : tree.starts[check + 1]] == plain.labels[:3]
    assert build_betting_tree(variant, root, menu, added=(200,)).labels == plain.labels
