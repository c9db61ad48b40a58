"""What may follow a place of a spot's betting, and which lines are taken out."""

import pytest

from counterfold.bets.spot_menu_text import parse_spot_menu
from counterfold.errors import IllegalActionError, TooLargeError
from counterfold.games.holdem import VARIANTS
from counterfold.games.holdem import betting_kernels as betting
from counterfold.ranges.betting_growth import CheckedDown, Growth, root_place, tell_offered
from counterfold.ranges.betting_tree import spot_root

NOLIMIT, ROOT, _ = spot_root(VARIANTS["nolimit"](), 5, 20, 100)
TURN_RULES, TURN, _ = spot_root(VARIANTS["nolimit"](), 4, 20, 100)


def growth(bets="50%", variant=NOLIMIT, **options):
    return Growth(variant, parse_spot_menu(bets), 0, **options)


def labels(edges):
    return [edge.label for edge in edges]


def follow(grown, place, *words):
    """The place after actions by their labels."""
    for word in words:
        place = next(edge.child for edge in grown.edges(place) if edge.label == word)
    return place


def test_actions_come_in_the_order_of_the_public_graph():
    grown, root = growth("50%, allin"), root_place(ROOT, [])
    assert labels(grown.edges(root)) == ["check", "bet 10", "allin 100"]
    bet = follow(grown, root, "bet 10")
    assert labels(grown.edges(bet)) == ["fold", "call", "raise 30", "allin 100"]
    assert labels(grown.edges(follow(grown, root, "bet 10", "fold"))) == []


def test_a_place_is_expanded_once_however_many_lines_lead_there():
    grown, root = growth(variant=TURN_RULES), root_place(TURN, [])
    checked = follow(grown, root, "check", "check", "deal")
    assert grown.edges(checked) is grown.edges(follow(grown, root, "check", "check", "deal"))
    n = len(grown.known)
    grown.edges(root)
    assert len(grown.known) == n


def test_it_matters_who_bet_last_on_the_street_before():
    """Alike in chips, but only after the other's bet is a first bet a donk bet."""
    grown = growth("50%; donk: 100%", TURN_RULES)
    root = root_place(TURN, [])
    mine = follow(grown, root, "bet 10", "call", "deal")
    theirs = follow(grown, root, "check", "bet 10", "call", "deal")
    assert mine.situation == theirs.situation
    assert labels(grown.edges(mine)) == ["check", "bet 20"]
    assert labels(grown.edges(theirs)) == ["check", "bet 40"]


def test_called_all_in_is_the_end_of_the_hand():
    grown, root = growth("allin", TURN_RULES), root_place(TURN, [])
    end = follow(grown, root, "allin 100", "call")
    assert end.situation[betting.PHASE] == betting.SHOWDOWN
    assert labels(grown.edges(end)) == []


def test_raises_may_be_added_at_the_root_alone():
    base = ROOT[betting.BASE]
    grown = growth("50%", root=ROOT, added=(base + 17, base + 10))
    root = root_place(ROOT, [])
    assert labels(grown.edges(root)) == ["check", "bet 10", "bet 17"]
    assert labels(grown.edges(follow(grown, root, "check"))) == ["check", "bet 10"]


def test_a_removed_line_takes_its_last_action():
    grown, root = growth("50%"), root_place(ROOT, ["k b50%"])
    assert labels(grown.edges(root)) == ["check", "bet 10"]
    assert labels(grown.edges(follow(grown, root, "check"))) == ["check"]


def test_a_removed_line_goes_over_streets():
    grown, root = growth("50%", TURN_RULES), root_place(TURN, ["k k | b50%"])
    river = follow(grown, root, "check", "check", "deal")
    assert labels(grown.edges(river)) == ["check"]
    other = follow(grown, root, "bet 10", "call", "deal")
    assert labels(grown.edges(other)) == ["check", "bet 20"]


@pytest.mark.parametrize(
    ("removed", "message"),
    [
        (["k", "b50%"], "no action is left; keep one of those removed here"),
        (["b33%"], "'b33%' does not fit; offered are check, bet 10"),
        (["k k k"], "'k' does not fit; the hand is over"),
        (["k |"], "must end with an action"),
        ([""], "must end with an action"),
        (["k k | 7h | k"], "a line is removed for all cards; leave out '7h'"),
    ],
)
def test_lines_that_cannot_be_removed_are_refused(removed, message):
    with pytest.raises(IllegalActionError, match=message.replace("|", "[|]")):
        grow_all(growth("50%"), root_place(ROOT, removed))


def grow_all(grown, root):
    waiting = [root]
    while waiting:
        waiting += [edge.child for edge in grown.edges(waiting.pop())]


def test_a_tree_that_is_too_large_is_refused_with_its_size():
    grown, root = growth("50%"), root_place(ROOT, [])
    n_nodes = 0
    waiting = [root]
    while waiting:
        n_nodes += 1
        waiting += [edge.child for edge in grown.edges(waiting.pop())]
    grown.check_size(root, n_nodes)
    with pytest.raises(TooLargeError, match=f"has {n_nodes} nodes, and the limit is {n_nodes - 1}"):
        growth("50%").check_size(root, n_nodes - 1)


def test_a_tree_that_is_far_too_large_is_not_counted_to_the_end():
    rules, root, _ = spot_root(VARIANTS["nolimit"](), 3, 20, 2000)
    grown = growth("10%, 20%, 33%, 50%, 75%, 100%, 150%, allin", rules)
    with pytest.raises(TooLargeError, match=r"has more than .* nodes, and the limit is 1,000"):
        grown.check_size(root_place(root, []), 1000)
    assert len(grown.known) < 50_000


def test_limits_need_no_menu():
    rules, root, _ = spot_root(VARIANTS["limit"](), 5, 20, 100)
    grown = Growth(rules, None, 0)
    assert labels(grown.edges(root_place(root, []))) == ["check", "bet 4"]
    assert tell_offered([]) == "the hand is over"


@pytest.mark.parametrize("variant", ["nolimit", "limit"])
def test_from_a_street_on_nobody_bets(variant):
    variant, root, _ = spot_root(VARIANTS[variant](), 4, 20, 100)
    menu = None if variant.betting == "limit" else parse_spot_menu("50%")
    grown = Growth(variant, CheckedDown(menu, 3), 0)
    bet = next(edge for edge in grown.edges(root_place(root, [])) if edge.kind == betting.RAISE)
    deal = follow(grown, bet.child, "call")
    assert deal.situation[betting.PHASE] == betting.DEAL
    (dealt,) = grown.edges(deal)
    shown = dealt.child.situation
    assert (shown[betting.STREET], shown[betting.PHASE]) == (3, betting.SHOWDOWN)
    assert grown.edges(dealt.child) == ()
