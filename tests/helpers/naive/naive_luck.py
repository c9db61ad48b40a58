"""All that could as well have happened to the cards of a deal and of the hands imagined beside it.

AIVAT must leave the mean as it is for each set of cards alone: over which of the imagined hands was
dealt, who would have won which card, which seat has which hands, and what comes to the board.
"""

from dataclasses import dataclass
from itertools import permutations, product

import numpy as np
from numpy.typing import NDArray

from counterfold.bets import parse_menu
from counterfold.bots.policy import make_policy
from counterfold.bots.policy_kernels import find_chances
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.payoff import NOBODY, settle, settle_bounty
from counterfold.matches.aivat import worth_kernels
from counterfold.matches.aivat.corrector import Corrector, ImaginedDeals
from counterfold.matches.batch import BatchRunner
from counterfold.matches.policy_match_kernels import N_STEP_COLUMNS
from counterfold.public import deals_kernels
from counterfold.public.card_maps import ExactCards, NoCards
from counterfold.public.deals import Dealer
from counterfold.public.graph import build_graph
from counterfold.public.infosets import classify
from counterfold.public.situation_features import parse_public_abstraction
from helpers.entrants import policy_entrant


class CardlessGame:
    """A variant under a menu between two who play random numbers and ignore their cards."""

    def __init__(self, variant, menu):
        self.variant = variant
        cards = self._card_map(Dealer(variant))
        graph = build_graph(variant, parse_menu(menu), merge=False)
        game = classify(graph, parse_public_abstraction("history * cards"), cards.n_buckets)
        self.graph = graph
        self.players = [self._player(game, cards, seed) for seed in (1, 2)]

    def _card_map(self, dealer):
        return NoCards(dealer)

    def _player(self, game, cards, seed):
        quantized = np.random.default_rng(seed).integers(1, 50, game.n_slots).astype(np.uint8)
        policy = make_policy(game, cards.dealer, quantized, cards.n_buckets, threshold=0.2)
        return policy_entrant(f"random {seed}", policy, cards, cards.dealer)

    def play(self, n_hands, *, known=(True, True), swapped=False, seed=0, values_seed=5):
        """All that can happen with one set of cards, which `seed` draws, and random values."""
        rng = np.random.default_rng(values_seed)
        nodes = rng.normal(size=(2, self.graph.n_nodes, worth_kernels.N_TERMS))
        classes = rng.normal(size=(2, worth_kernels.N_CLASSES, worth_kernels.N_TERMS))
        values = worth_kernels.ValueFunction(nodes, classes)
        return _enumerate(self, values, known, int(swapped), n_hands, seed)


class ExactGame(CardlessGame):
    """The same between two who look at their cards."""

    def _card_map(self, dealer):
        return ExactCards(dealer, dealer.enumerate())


@dataclass(frozen=True)
class Enumerated:
    """Chances, plain results and AIVAT of player 0: lines, and within them the deals."""

    n_deals: int
    chances: NDArray
    plain: NDArray
    less: NDArray

    def check_unbiased(self):
        """AIVAT has the mean of the results, and is something else."""
        assert abs(self.chances.sum() - 1.0) < 1e-12
        bias = self.chances @ (self.less - self.plain)
        assert abs(bias) < 1e-12
        assert np.abs(self.less - self.plain)[self.chances > 0].max() > 0.01


def orbit(dealer, n_hands, seed):
    """All deals of one set of cards, each with the same imagined hands."""
    layout, variant = dealer.layout, dealer.variant
    h, n_board, n_more = layout.hole_cards, layout.board_cards, layout.swaps.size
    rng = np.random.default_rng(seed)
    deck = rng.permutation(layout.deck)
    holes = deck[: 2 * n_hands * h].reshape(2, n_hands, h)
    more = deck[holes.size : holes.size + n_hands * n_more].reshape(n_hands, n_more)
    left = deck[holes.size + more.size :].tolist()
    first = 2 * h + n_board + layout.max_runs
    prizes, pairs = [], []  # columns that belong to seat 0 and seat 1
    for row in layout.stages.tolist():
        if (column := row[deals_kernels.STAGE_PRIZE]) >= 0:
            prizes += [column - first, column + 1 - first]
            pairs.append(prizes[-2:])
        if (column := row[deals_kernels.STAGE_DEAL]) >= 0:
            dealt = row[deals_kernels.STAGE_DEALT_0]
            pairs += [
                [each - first, each + dealt - first] for each in range(column, column + dealt)
            ]
    bounties = rng.choice(variant.deck.ranks, 2) if variant.bounty else np.zeros(0)
    rows, owners = [], []
    shifts = product(range(2), *[range(n_hands)] * (3 if prizes else 2))
    for (swap, a, b, *shift), board in product(shifts, permutations(left, n_board)):
        hands = np.roll(holes[0], a, axis=0), np.roll(holes[1], b, axis=0)
        extras = more.copy()
        extras[:, prizes] = np.roll(more[:, prizes], shift, axis=0) if shift else more[:, prizes]
        if swap:
            hands = hands[::-1]
            for one, two in pairs:
                extras[:, [one, two]] = extras[:, [two, one]]
        for m in range(n_hands):
            rows.append([*hands[0][m], *hands[1][m], *board, *extras[m]])
            owners.append(bounties[::-1] if swap else bounties)
    last = np.full(len(rows), layout.last_street, np.uint8)
    cards, owned = np.array(rows, np.uint8), np.array(owners, np.uint8)
    return dealer.complete(cards, last, np.ones(len(rows)), owned)


def all_lines(graph):
    """All ends of a hand with the nodes and edges to them."""
    stack = [(0, ())]
    while stack:
        node, taken = stack.pop()
        edges = range(graph.starts[node], graph.starts[node + 1])
        if not edges:
            yield node, taken
        stack += [(int(graph.children[edge]), (*taken, (node, edge))) for edge in edges]


class Line:
    """One line of play: its steps, its hand paths, and how often it is taken."""

    def __init__(self, graph, stage_table, bounty, end, taken):
        self.graph, self.stage_table, self.bounty, self.end = graph, stage_table, bounty, end
        self.pays = False  # whether the last action was to call a bet
        self.steps, self.cells = [], []
        self.paths = [0, 0]
        for node, edge in taken:
            phase = graph.phase[node]
            if phase == betting.DEAL:
                continue
            situation = graph.situations[node]
            street, actor = int(situation[betting.STREET]), int(situation[betting.ACTOR])
            turn = 1 + situation[betting.N_ACTIONS] if phase < betting.BET else 0
            stage = stage_table.stages[street, turn]
            self.cells.append(
                (
                    node,
                    self._read_as(node, edge),
                    actor,
                    stage_table.hand_cells[stage] + self.paths[actor],
                )
            )
            kind, amount = int(graph.kinds[edge]), int(graph.amounts[edge])
            bet = situation[betting.SPENT_0] != situation[betting.SPENT_1]
            self.pays = bool(kind == betting.CALL and bet)
            if kind == betting.RAISE:
                amount -= int(situation[betting.BASE])
            self.steps.append((street, actor, kind, amount, edge))
            drew = graph.situations[graph.children[edge]][betting.DREW]
            self._extend(stage_table.gives[stage], actor, kind, amount)
            if kind == betting.BID and situation[betting.FIRST_BID] > 0:
                won = drew ^ situation[betting.DREW]
                while won > 3:
                    won >>= 2
                self.paths = [2 * self.paths[seat] + (won >> seat & 1) for seat in range(2)]

    def _read_as(self, node, taken):
        """The edges of a node that come to the same: who may fold for nothing checks."""
        edges = range(self.graph.starts[node], self.graph.starts[node + 1])
        spent = self.graph.situations[node][[betting.SPENT_0, betting.SPENT_1]]
        same = {taken}
        if spent[0] == spent[1]:
            folds = {edge for edge in edges if self.graph.kinds[edge] == betting.FOLD}
            same = same | folds if self.graph.kinds[taken] == betting.CALL else same - folds
        return [edge - edges.start for edge in sorted(same)]

    def _extend(self, give, actor, kind, amount):
        if kind not in (betting.KEEP, betting.DISCARD):
            return
        choices, keeps, first, shared = give.tolist()
        digit = 0 if kind == betting.KEEP else amount - first + keeps
        for seat in range(2):
            if shared or seat == actor:
                self.paths[seat] = self.paths[seat] * choices + digit

    def chances(self, policies, rows, swapped):
        """How likely the players are to take the line with each of some deals."""
        found = np.ones(len(rows))
        shares = np.empty(32)
        for node, edges, actor, cell in self.cells:
            policy, cards = policies[1 - actor if swapped else actor]
            for k, row in enumerate(rows):
                find_chances(policy, node, cards.buckets[row, actor, cell], shares)
                found[k] *= shares[edges].sum()
        return found

    def results(self, deals, rows):
        """Chips of seat 0 at the end, by the rules."""
        end = self.graph.situations[self.end]
        chips = (
            int(end[betting.SPENT_0] + end[betting.PAID_0]),
            int(end[betting.SPENT_1] + end[betting.PAID_1]),
        )
        folded = self.graph.phase[self.end] == betting.FOLDED
        found = []
        for row in rows:
            loser = int(end[betting.ACTOR])
            if not folded:
                own, other = (deals.strengths[row, seat, self.paths[seat]] for seat in range(2))
                loser = NOBODY if own == other else int(own > other)
            found.append(self._pay(deals, row, chips, loser))
        return np.array(found, float)

    def _pay(self, deals, row, chips, loser):
        if self.bounty is None:
            return settle(chips, loser)
        folded = self.graph.phase[self.end] == betting.FOLDED
        street = int(self.graph.situations[self.end][betting.STREET]) if folded else -1
        first = self.stage_table.hand_cells[self.stage_table.stages[street, 0]]
        hit = tuple(bool(deals.hits[row, seat, first + self.paths[seat]]) for seat in range(2))
        return settle_bounty(self.bounty, chips, loser, hit, rounds_up=self._rounds_up())

    def _rounds_up(self):
        """By the number of the last action, as the contest's engine counts."""
        bets = [step for step in self.steps if step[2] <= betting.RAISE]
        if not bets:
            return False
        last = bets[-1]
        folded = self.graph.phase[self.end] == betting.FOLDED
        if not folded and last[0] < self.graph.situations[self.end][betting.STREET]:
            return False
        number = sum(step[0] == last[0] for step in bets) - (last[0] == 0)
        return (number + self.pays) % 2 == 1


def _enumerate(game, values, known, swapped, n_hands, seed):
    """All deals of an orbit and all lines."""
    runner = BatchRunner(game.variant, tuple(game.players), 3)
    corrector = Corrector(runner.dealer, runner.stage_table, runner.policies, 3, n_hands)
    corrector.known = known
    corrector.alike = corrector.alike and all(known)
    deals = orbit(runner.dealer, n_hands, seed)
    cards = corrector.look(deals).cards
    views = [(each.policy, seen) for each, seen in zip(runner.policies, cards, strict=True)]
    n = len(deals) // n_hands
    rows = np.arange(n) * n_hands
    swaps = np.full(n, swapped, np.uint8)
    chances, plain, less = [], [], []
    for end, taken in all_lines(game.graph):
        line = Line(game.graph, runner.stage_table, game.variant.bounty, end, taken)
        chances.append(line.chances(views, rows, swapped) / n)
        plain.append(line.results(deals, rows) * (-1 if swapped else 1))
        table = np.zeros((n, max(len(line.steps), 1), N_STEP_COLUMNS), np.int32)
        table[:, : len(line.steps)] = np.array(line.steps, np.int32).reshape(-1, N_STEP_COLUMNS)
        played = chances[-1] > 0
        results = np.zeros(n)
        if played.any():
            some = np.repeat(played, n_hands)
            imagined = ImaginedDeals(
                type(deals)(*(getattr(deals, name)[some] for name in vars(deals))),
                tuple(type(each)(*(array[some] for array in each)) for each in cards),
            )
            results[played] = corrector.correct(values, imagined, 0, swaps[played], table[played])
        less.append(results)
    return Enumerated(n, *(np.concatenate(each) for each in (chances, plain, less)))
