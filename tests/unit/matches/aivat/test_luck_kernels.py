"""AIVAT on decks small enough to list everything: exactly unbiased, constant where it should be."""

from itertools import permutations

import numpy as np
import pytest

from counterfold.bets import parse_menu
from counterfold.bots.policy import make_policy
from counterfold.bots.policy_kernels import find_chances
from counterfold.games import parse_game
from counterfold.games.holdem import betting_kernels as betting
from counterfold.matches.aivat import worth_kernels
from counterfold.matches.aivat.corrector import Corrector, ImaginedDeals
from counterfold.matches.batch import BatchRunner
from counterfold.matches.policy_match_kernels import N_STEP_COLUMNS
from counterfold.public.card_maps import ExactCards, NoCards
from counterfold.public.deals import Dealer
from counterfold.public.graph import build_graph
from counterfold.public.infosets import classify
from counterfold.public.situation_features import parse_public_abstraction
from counterfold.public.walk_kernels import NODE_ACTOR, NODE_CELL, NODE_DEGREE, NODE_START
from helpers.entrants import policy_entrant
from helpers.parameters import crossed

LEDUC = "leduc-variant"
KUHN = "kuhn-variant"


def random_player(variant, menu, cards, seed):
    """An entrant that plays random numbers, and its graph."""
    graph = build_graph(variant, parse_menu(menu), merge=False)
    game = classify(graph, parse_public_abstraction("history * cards"), cards.n_buckets)
    quantized = np.random.default_rng(seed).integers(1, 50, game.n_slots).astype(np.uint8)
    policy = make_policy(game, cards.dealer, quantized, cards.n_buckets, threshold=0.2)
    return policy_entrant(f"random {seed}", policy, cards, cards.dealer), graph


def listed_corrector(variant, players, n_hands):
    """A corrector of `players`, and its runner."""
    runner = BatchRunner(variant, players, 3)
    corrector = Corrector(runner.dealer, runner.stage_table, runner.policies, 3, n_hands)
    return corrector, runner


def all_rows(dealer, n_hands):
    """All deals of a variant of one hole card, each with all that can be imagined beside it."""
    n_board = dealer.layout.board_cards
    deck = dealer.variant.deck.cards.tolist()
    rows = []
    for cards in permutations(deck, 2 * n_hands + n_board):
        board = cards[2 * n_hands :]
        rows += [[cards[2 * m], cards[2 * m + 1], *board] for m in range(n_hands)]
    cards = np.array(rows, np.uint8)
    last = np.full(len(rows), dealer.layout.last_street, np.uint8)
    return dealer.complete(cards, last, np.ones(len(rows)))


def all_lines(graph):
    """All ends of a hand with the steps to them."""
    stack = [(0, ())]
    while stack:
        node, steps = stack.pop()
        phase, street = graph.phase[node], int(graph.field(betting.STREET)[node])
        edges = range(graph.starts[node], graph.starts[node + 1])
        if not edges:
            yield node, steps
        for edge in edges:
            more = steps
            if phase != betting.DEAL:
                actor = int(graph.field(betting.ACTOR)[node])
                base = int(graph.field(betting.BASE)[node])
                amount = int(graph.amounts[edge]) - base
                more = (*steps, (street, actor, int(graph.kinds[edge]), amount, edge))
            stack.append((int(graph.children[edge]), more))


def line_chances(policies, rows, steps, swapped):
    """How likely the players are to take a line with each of some deals."""
    chances = np.ones(len(rows))
    shares = np.empty(8)
    node = 0
    for _, actor, _, _, edge in steps:
        player = policies[1 - actor if swapped else actor]
        policy, cards = player
        node = int(np.searchsorted(policy.nodes[:, NODE_START], edge, side="right")) - 1
        while not policy.nodes[node, NODE_DEGREE]:
            node -= 1
        assert policy.nodes[node, NODE_ACTOR] == actor
        for k, row in enumerate(rows):
            bucket = cards.buckets[row, actor, policy.nodes[node, NODE_CELL]]
            find_chances(policy, node, bucket, shares)
            chances[k] *= shares[edge - policy.nodes[node, NODE_START]]
    return chances


def plain_results(graph, node, deals, rows):
    """Chips of seat 0 at the end of a line."""
    spent = graph.situations[node, [betting.SPENT_0, betting.SPENT_1]]
    if graph.phase[node] == betting.FOLDED:
        loser = graph.field(betting.ACTOR)[node]
        return np.full(len(rows), float(-spent[0] if loser == 0 else spent[1]))
    strengths = deals.strengths[rows, :, 0]
    return float(spent[0]) * np.sign(strengths[:, 0] - strengths[:, 1])


def enumerate_match(variant, players, graph, values, n_hands, known, swapped):
    """Chances, plain results and AIVAT of player 0 over all that can happen."""
    corrector, runner = listed_corrector(variant, players, n_hands)
    corrector.known = known
    corrector.alike = corrector.alike and all(known)
    imagined = all_rows(runner.dealer, n_hands)
    cards = corrector.look(imagined).cards
    views = [(each.policy, seen) for each, seen in zip(runner.policies, cards, strict=True)]
    n = len(imagined) // n_hands
    rows = np.arange(n) * n_hands
    swaps = np.full(n, swapped, np.uint8)
    chances, plain, less = [], [], []
    for node, steps in all_lines(graph):
        chances.append(line_chances(views, rows, steps, swapped) / n)
        plain.append(plain_results(graph, node, imagined, rows) * (-1 if swapped else 1))
        table = np.zeros((n, max(len(steps), 1), N_STEP_COLUMNS), np.int32)
        table[:, : len(steps)] = np.array(steps, np.int32).reshape(-1, N_STEP_COLUMNS)
        played = chances[-1] > 0
        results = np.zeros(n)
        if played.any():
            results[played] = correct(corrector, values, imagined, cards, swaps, table, played)
        less.append(results)
    return np.concatenate(chances), np.concatenate(plain), np.concatenate(less)


def correct(corrector, values, imagined, cards, swaps, table, played):
    """AIVAT of some of the deals: only lines that are played at all have a meaning."""
    rows = np.repeat(played, corrector.n_hands)
    some = type(imagined)(*(getattr(imagined, name)[rows] for name in vars(imagined)))
    seen = tuple(type(each)(*(array[rows] for array in each)) for each in cards)
    return corrector.correct(values, ImaginedDeals(some, seen), 0, swaps[played], table[played])


def random_values(graph, seed):
    rng = np.random.default_rng(seed)
    nodes = rng.normal(size=(2, graph.n_nodes, worth_kernels.N_TERMS))
    classes = rng.normal(size=(2, worth_kernels.N_CLASSES, worth_kernels.N_TERMS))
    return worth_kernels.ValueFunction(nodes, classes)


@pytest.mark.parametrize(
    ("game", "known", "swapped"),
    crossed([(KUHN, 1), (LEDUC, 1), (LEDUC, 2)], [(True, True), (True, False)], [0, 1]),
)
def test_any_value_function_leaves_the_mean_as_it_is(game, known, swapped):
    name, n_hands = game
    variant = parse_game(name)
    dealer = Dealer(variant)
    cards = ExactCards(dealer, dealer.enumerate())
    one, graph = random_player(variant, "min", cards, 1)
    two, _ = random_player(variant, "min", cards, 2)
    values = random_values(graph, 5)
    chances, plain, less = enumerate_match(
        variant, (one, two), graph, values, n_hands, known, swapped
    )
    assert chances.sum() == pytest.approx(1.0, abs=1e-12)
    assert chances @ less == pytest.approx(chances @ plain, abs=1e-12)
    assert np.abs(less - plain).max() > 0.1
    if name == KUHN and all(known):
        # Betting to the end of the last street is looked ahead: given the cards, nothing is left.
        by_deal = np.where(chances > 0, less, np.nan).reshape(-1, 6)
        spread = np.nanmax(by_deal, axis=0) - np.nanmin(by_deal, axis=0)
        assert spread.max() < 1e-12


def exact_values(graph, policy):
    """What nodes are worth between two who do not look at their cards: linear in the showdown."""
    terms = np.zeros((graph.n_nodes, worth_kernels.N_TERMS))
    shares = np.empty(8)
    for node in range(graph.n_nodes - 1, -1, -1):
        spent = graph.situations[node, [betting.SPENT_0, betting.SPENT_1]]
        start, stop = graph.starts[node], graph.starts[node + 1]
        phase = graph.phase[node]
        if phase == betting.FOLDED:
            terms[node, 0] = -spent[0] if graph.field(betting.ACTOR)[node] == 0 else spent[1]
        elif phase == betting.SHOWDOWN:
            terms[node, 1] = spent[0]
        else:
            shares[: stop - start] = 1.0 / (stop - start)
            if phase != betting.DEAL:
                find_chances(policy, node, 0, shares)
            for k, edge in enumerate(range(start, stop)):
                terms[node] += shares[k] * terms[graph.children[edge]]
    pots = graph.situations[:, [betting.SPENT_0, betting.SPENT_1]].mean(axis=1)
    nodes = np.broadcast_to(terms / pots[:, None], (2, *terms.shape))
    classes = np.zeros((2, worth_kernels.N_CLASSES, worth_kernels.N_TERMS))
    return worth_kernels.ValueFunction(np.ascontiguousarray(nodes), classes), terms[0, 0]


@pytest.mark.parametrize(("name", "n_hands"), [(KUHN, 1), (LEDUC, 1), (LEDUC, 2)])
def test_with_exact_values_every_hand_has_the_same_result(name, n_hands):
    variant = parse_game(name)
    player, graph = random_player(variant, "min", NoCards(Dealer(variant)), 1)
    values, value = exact_values(graph, player.policy.policy)
    chances, plain, less = enumerate_match(
        variant, (player, player), graph, values, n_hands, (True, True), 0
    )
    assert chances @ plain == pytest.approx(value, abs=1e-12)
    np.testing.assert_allclose(less[chances > 0], value, atol=1e-12)
