import pytest

from counterfold.bets import parse_menu
from counterfold.blueprints.betting_line import find_end, follow, list_steps, offers
from counterfold.cards import parse_cards
from counterfold.errors import IllegalActionError
from counterfold.games import parse_game
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.line_steps import NOBODY, write_line
from counterfold.public.graph import build_graph
from counterfold.training.plan import Plan
from counterfold.training.recipe import parse_recipe
from helpers.small_recipes import DISCARD, RIVER_OF_BLOOD, plan

NO_LIMIT = {
    "variant": "nolimit(stack=100)",
    "cards": "preflop: lossless",
    "bets": "50%, 100%, allin",
    "features": "pot * to_call * raises * cards",
}


@pytest.fixture(scope="module")
def graph():
    return Plan(parse_recipe(NO_LIMIT, "the recipe of a test")).graph


def read(graph, text, board=""):
    return " ".join(follow(graph, text, parse_cards(board)).read)


def place(graph, text):
    """Street, actor, chips of either seat after a line."""
    situation = graph.situations[follow(graph, text).node]
    fields = (
        betting.STREET,
        betting.ACTOR,
        betting.SPENT_0,
        betting.SPENT_1,
    )
    return tuple(int(situation[field]) for field in fields)


def test_offers_are_in_the_order_of_the_slots(graph):
    first = offers(graph, 0)
    # The pot after the call is 4: half of it makes 4 chips, all of it 6.
    assert [offer.text for offer in first] == [
        "fold", "call", "50% (r4)", "100% (r6)", "allin (r100)",
    ]  # fmt: skip
    assert [offer.edge for offer in first] == [*range(5)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", (0, 0, 1, 2)),
        ("c", (0, 1, 2, 2)),
        ("call", (0, 1, 2, 2)),
        ("c k", (1, 1, 2, 2)),
        ("c k /", (1, 1, 2, 2)),
        ("c k / k r4", (1, 1, 6, 2)),
        ("c k k r4", (1, 1, 6, 2)),
        ("c k / k 100%", (1, 1, 6, 2)),
        ("c allin", (0, 0, 2, 100)),
        ("r6 r18 c / k k / k k", (3, 1, 18, 18)),
    ],
)
def test_lines_lead_where_the_rules_do(graph, text, expected):
    assert place(graph, text) == expected


def test_amounts_that_are_not_offered_are_read_as_the_most_similar(graph):
    assert read(graph, "r5") == "100% (r6)"  # beyond the call 3 are to 4 as 4 are to 3, to 2 as 1.5
    assert read(graph, "r4") == "50% (r4)"
    assert read(graph, "r7") == "100% (r6)"
    assert read(graph, "r60") == "allin (r100)"
    assert read(graph, "b75%") == "100% (r6)"  # three chips more
    assert read(graph, "33%") == "50% (r4)"  # the smallest raise


@pytest.mark.parametrize("written", ["r5 c / r95", "raise to 5, call, bet 95", "75% c / r95"])
def test_after_a_similar_amount_chips_need_not_fit(graph, written):
    assert read(graph, written).endswith(
        "/ allin (r94)"
    )  # one of them is in the pot of the graph already
    with pytest.raises(IllegalActionError, match="'r95' is not a raise from r2 to r94"):
        read(graph, "r6 c / r95")


def test_after_a_similar_amount_the_smallest_bet_may_be_too_small(graph):
    assert (
        read(graph, "r5 r8") == "100% (r6) 50% (r12)"
    )  # 3 more, where 4 are the least after a raise to 6
    with pytest.raises(IllegalActionError, match="'r8' is not a raise"):
        read(graph, "r6 r8")


@pytest.mark.parametrize(
    ("text", "board", "known"),
    [
        ("r6 c | Qd7c2s | k b50%", "", "Qd7c2s"),
        ("r6c/Q♦7♣2♠/kb50%", "", "Qd7c2s"),
        ("raise to 6, call, Qd 7c 2s, check, bet 6", "", "Qd7c2s"),
        ("r6 c | 7c 2s Qd | x 50%", "Qd7c2s", "Qd7c2s"),
        ("r6 c | x b50%", "Qd7c2s", "Qd7c2s"),
        ("r6 c | x b50%", "", ""),
    ],
)
def test_lines_are_taken_as_people_write_them(graph, text, board, known):
    line = follow(graph, text, parse_cards(board))
    assert line.node == follow(graph, "r6 c / k 50%").node
    assert line.board == parse_cards(known)


def test_cards_in_a_line_must_be_those_of_the_board(graph):
    with pytest.raises(IllegalActionError, match="'Qd7c2s' is not Qd7c3s, as on the board"):
        follow(graph, "c k | Qd7c2s | k", parse_cards("Qd7c3s"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("k", r"word 1 of 'k': 'k' does not fit; offered are fold \(f\), call \(c\), 50% \(r4\), "),
        ("c c", r"'c' does not fit; offered are check \(k\), 50% \(r4\)"),
        ("r3", r"'r3' is not a raise from r4 to r100; offered are fold"),
        ("r101", r"is not a raise from r4 to r100"),
        ("allin r100", r"'r100' does not fit; offered are fold \(f\), call \(c\)$"),
        ("c k | 2c7d", "word 4 of .*: 3 cards are dealt here, not '2c7d'"),
        ("c k | 2c7dTs | k k | 7d", "card 7d is dealt twice"),
        ("c k / k k | 7d", "'7d' follows cards that are not written"),
        ("c k z", "word 3 of 'c k z': 'z' is not an action or cards"),
        ("r0.5x", r"word 1 of 'r0.5x': a size is 50% of the pot, .*, not '0.5x'"),
        ("c / k", "no street is dealt here; offered are check"),
        ("d", "'d' does not fit"),
        ("f k", "word 2 of 'f k': 'k' comes after the hand is over"),
        ("f", "nobody acts after 'f': the hand is over"),
        ("allin c", "nobody acts after 'allin c': the hand is over"),
    ],
)
def test_words_that_do_not_fit_are_refused_with_what_is_offered(graph, text, message):
    with pytest.raises(IllegalActionError, match=message) as caught:
        follow(graph, text)
    assert "\n" not in str(caught.value)


def test_discards_are_seen_but_not_which_card():
    graph = plan(variant=DISCARD).graph
    line = follow(graph, "c k / s d")
    assert line.discarded == ((True,), (False,))  # seat 1 decides first
    for text in ("c k keep discard", "c k s dAh"):
        assert follow(graph, text).node == line.node
    assert [offer.text for offer in offers(graph, follow(graph, "c k s").node)] == [
        "keep", "discard first", "discard second",
    ]  # fmt: skip
    with pytest.raises(IllegalActionError, match=r"offered are keep \(s\), discard \(d\)$"):
        follow(graph, "c k / k")


TOSS = "toss(stack=20, deck='QKA/cd', board=(1,), hole_cards=2)"


@pytest.fixture(scope="module")
def toss():
    return build_graph(parse_game(TOSS), parse_menu("100%, allin"))


@pytest.mark.parametrize(
    ("text", "board", "known"),
    [
        ("c k | Ac dKd", "", "AcKd"),
        ("c k | Ac dKd dQd", "", "AcKdQd"),
        ("c k | Ac dKd dQd k", "AcKdQd", "AcKdQd"),
        ("c k | Ac d", "AcKd", "AcKd"),
        ("c k | Ac d", "", "Ac"),
    ],
)
def test_laid_cards_are_on_the_board(toss, text, board, known):
    line = follow(toss, text, parse_cards(board))
    assert line.board == parse_cards(known)
    steps = list_steps(toss, line)
    assert find_end(toss, write_line(steps)) == line
    assert [step.line for step in steps] == [write_line(steps[:at]) for at in range(len(steps))]
    assert [step.cards for step in steps if step.seat == NOBODY] == [parse_cards("Ac")]


@pytest.mark.parametrize(
    ("text", "board", "message"),
    [
        ("c k | Ac dAc", "", "card Ac is dealt twice"),
        ("c k | Ac dKd", "AcQd", "'dKd' is not Qd, as on the board"),
        ("c k | Ac d dKd", "", "'dKd' follows cards that are not written"),
    ],
)
def test_laid_cards_must_fit_the_board(toss, text, board, message):
    with pytest.raises(IllegalActionError, match=message):
        follow(toss, text, parse_cards(board))


def test_the_board_says_whether_a_run_goes_on():
    graph = plan(variant=RIVER_OF_BLOOD).graph
    red, black = (follow(graph, "c k", parse_cards(board)).node for board in ("Ad", "Ac"))
    assert red != black
    assert follow(graph, "c k / k k", parse_cards("AdKd")).read[-1] == "/"
    with pytest.raises(IllegalActionError, match="the hand is over"):
        follow(graph, "c k / k k", parse_cards("Ac"))
    with pytest.raises(IllegalActionError, match="depends on card 1 of the board, which has 0"):
        follow(graph, "c k")


def test_a_line_may_end_with_a_deal_or_with_the_hand(graph):
    phases = {text: graph.phase[find_end(graph, text).node] for text in ("c", "c k", "r6 f")}
    assert phases == {"c": betting.BET, "c k": betting.DEAL, "r6 f": betting.FOLDED}


@pytest.mark.parametrize(
    "text", ["", "c", "r6 c", "r6 c | Qd7c2s | k b50%", "allin c", "allin c | Qd7c2s | 5h"]
)
def test_steps_are_the_line_again(graph, text):
    line = find_end(graph, text)
    steps = list_steps(graph, line)
    assert find_end(graph, write_line(steps)) == line
    assert [step.line for step in steps] == [write_line(steps[:at]) for at in range(len(steps))]
    acts = [step for step in steps if step.seat != NOBODY]
    for (node, edge), step in zip(line.decisions, acts, strict=True):
        assert step.seat == graph.field(betting.ACTOR)[node]
        assert step.taken == edge - graph.starts[node]
        assert [word for _, word in step.offered] == [o.word for o in offers(graph, node)]
        for _, word in step.offered:  # each leads somewhere
            find_end(graph, f"{step.line} {word}")
    dealt = [card for step in steps if step.seat == NOBODY for card in step.cards]
    assert tuple(dealt) == line.board


def test_a_discard_is_offered_once():
    graph = plan(variant=DISCARD).graph
    line = find_end(graph, "c k | Jd | d")
    step = list_steps(graph, line)[-1]
    assert [word for _, word in step.offered] == ["s", "d"]
    assert step.taken == 1


@pytest.mark.parametrize(
    ("text", "paid", "read"),
    [
        ("c k a2 a8", 2, ("call", "check", "/", "bid 50% (a2)", "bid 200% (a8)")),
        ("c k bid 3 a7", 2, ("call", "check", "/", "bid 50% (a2)", "bid 200% (a8)")),
        ("c k a398 a398", 796, ("call", "check", "/", "bid allin (a398)", "bid allin (a398)")),
    ],
)
def test_bids_are_read_as_the_nearest_offered(text, paid, read):
    variant = parse_game("auction")
    auction = build_graph(variant, parse_menu("100%; flop: bids: 50%, 200%, allin"))
    line = find_end(auction, text)
    assert line.read == read
    assert auction.situations[line.node, [betting.PAID_0, betting.PAID_1]].sum() == paid


def test_a_bid_of_more_than_the_stack_is_refused_with_what_is_offered():
    auction = build_graph(parse_game("auction"), parse_menu("100%; flop: bids: 50%, allin"))
    with pytest.raises(IllegalActionError, match=r"'a399' does not fit; offered are bid \(a0\)"):
        find_end(auction, "c k a399")
