"""Hands and strategies of public graphs in which sets of cards are given away, in exact states."""

import re

import numpy as np

from counterfold.bots.past_cards import past_cards
from counterfold.bots.view import view_of
from counterfold.cards import format_card, format_cards, parse_card
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.card_sets_kernels import SET_BITS
from counterfold.games.holdem.situation import choice_of, turn_of
from counterfold.public import deals_kernels
from counterfold.public.bounties import classify_bounty, count_bounty_classes
from counterfold.public.infosets import find_stages
from counterfold.public.looks import classify_looks, count_look_classes
from counterfold.public.walk_kernels import extend_hand_paths
from counterfold.public.walk_order import find_path_steps
from counterfold.tree import Strategy


def play_hand(graph, dealer, deals, i, rng):
    """Play a random hand by deal, graph and hand paths, and compare each point with its state."""
    variant, h = graph.variant, dealer.layout.hole_cards
    cards, stages = deals.cards[i].tolist(), find_stages(graph, dealer.stages)
    steps, state = find_path_steps(graph), variant.root()
    for seat in (0, 1):
        state = state.child(format_cards(cards[seat * h : (seat + 1) * h]))
    node, paths, n_dealt = 0, (0, 0), 2 * h
    while graph.starts[node] < graph.starts[node + 1]:
        edges = range(graph.starts[node], graph.starts[node + 1])
        edge = edges[0]
        if graph.phase[node] == betting.DEAL:
            n = variant.streets[graph.field(betting.STREET)[node] + 1].cards
            state = state.child(format_cards(cards[n_dealt : n_dealt + n]))
            n_dealt += n
        else:
            seat, at = state.actor, stages[node]
            assert tuple(graph.situations[node]) == state.situation
            held = _compare(dealer, deals, i, state, at, paths)
            k = int(rng.integers(len(edges)))
            if graph.kinds[edges[k]] == betting.FOLD:
                k = int(rng.integers(len(edges)))  # fewer folds
            edge = edges[k]
            if graph.phase[node] == betting.DRAW:
                before, paths = at, tuple(extend_hand_paths(steps, edge, *paths))
                words = set_words(graph, node, edge, held)
                for word in words:
                    assert word in state.actions()
                    state = state.child(word)
                state = _draw(dealer, cards, state, before, seat, len(words))
            else:
                state = state.child(graph.menu.offered(state)[k])
        node = graph.children[edge]
    check_end(graph, node, deals.strengths[i], paths, state)


def _draw(dealer, cards, state, at, seat, most):
    """The state once a seat has got its new cards."""
    row = dealer.layout.stages[at + 1]
    first = int(row[deals_kernels.STAGE_DRAW])
    if row[deals_kernels.STAGE_GIVER] == deals_kernels.BOTH_SEATS:
        first += seat * int(row[deals_kernels.STAGE_COUNT])
    for k in range(most):
        if state.owed and state.owed[0][1] == seat:
            state = state.child("+" + format_card(cards[first + k]))
    assert not state.owed
    return state


def _compare(dealer, deals, i, state, at, paths):
    """The hand of the seat that acts, as the deal has it; board and shown cards agree as well."""
    seat = state.actor
    cell = dealer.layout.stages[at, deals_kernels.STAGE_CELL] + paths[seat]
    held = [card for card in deals.holes[i, seat, cell].tolist() if card != deals_kernels.NO_CARD]
    assert sorted(held) == sorted(state.holes[seat])
    one = slice(i, i + 1)
    view = view_of(state, seat)
    lying = [card for street in state.board for card in street]
    named = [parse_card(card) for card in re.findall("d([2-9TJQKA][cdhs])", state.history)]
    dead = [card for card in named if card not in lying]
    for shown in (False, True):
        seen = dealer.boards(
            at, deals.cards[one], deals.laid[one], deals.shown[one] if shown else None
        )
        board = seen[0][paths[seat] if seen.shape[1] > 1 else 0].tolist()
        known = past_cards(state.variant, dealer.stages[: at + 1], view, shown=shown)
        assert sorted(known[-1][1]) == sorted(board)
        assert sorted(known[-1][0]) == sorted(held)
        cards = [card for card in board if card != deals_kernels.NO_CARD]
        assert sorted(cards) == sorted(lying + dead * shown)
    return held


def set_words(graph, node, edge, hand):
    """The words of exact states for an edge of discards; `hand` is in the order of its places."""
    asked = graph.variant.rules, tuple(graph.situations[node].tolist())
    bits = 0
    if graph.kinds[edge] == betting.DISCARD:
        bits = int(SET_BITS[betting.choice_rule(*asked, betting.N_HELD), graph.amounts[edge]])
    gone = sorted((card for at, card in enumerate(hand) if bits >> at & 1), reverse=True)
    return ["d" + format_card(card) for card in gone] + ["s"] * int(
        len(gone) < betting.choice_rule(*asked, betting.N_TURNS)
    )


class TreeStrategies:
    """Strategies of a small public game with histories as strategies of its compiled tree."""

    def __init__(self, small):
        self.small = small
        self.known = {}  # by facts: node, bucket, words so far in this turn, the hand in its order
        self.nodes = small.nodes
        self._walk(small.variant.root(), None)

    def _walk(self, state, turn):
        if state.utilities is not None:
            return
        if state.chance is not None:
            for outcome, _ in state.chance.outcomes():
                self._walk(state.child(outcome), turn)
            return
        infoset = state.infoset
        step = (
            choice_of(state.variant, state.situation)
            if state.situation[betting.PHASE] == betting.DRAW
            else None
        )
        if step is None or turn_of(state.situation) % step.count == 0:
            turn = (state, ())
        if infoset.facts not in self.known:
            self.known[infoset.facts] = self._look_up(turn)
        for action in self.small.menu.offered(state):
            after = (turn[0], (*turn[1], action))
            self._walk(state.child(action), after)

    def _look_up(self, turn):
        state, words = turn
        small = self.small
        node = self.nodes[re.sub("d[2-9TJQKA][cdhs]", "d", state.seen_history)]
        at = small.game.stage[node]
        view = view_of(state, state.actor)
        sights = past_cards(small.variant, small.dealer.stages[: at + 1], view, shown=True)
        bucket = self._add_looks(small.cards.bucket(sights), state, view, at)
        knows = small.cards.knows_bounty
        bucket *= count_bounty_classes(small.variant, knows)
        bucket += classify_bounty(
            small.variant, knows, view.bounty, [*view.hole, *view.board_cards]
        )
        return node, bucket, words, sorted(state.holes[state.actor])

    def _add_looks(self, bucket, state, view, at):
        """The bucket of cards with what auctions have shown."""
        variant, knows = self.small.variant, self.small.cards.knows_look
        told = iter(re.findall("[?](..)", view.draws))
        for step in self.small.dealer.stages[at].looks:
            won = state.situation[betting.DREW] >> 2 * step.round + state.actor & 1
            seen = parse_card(next(told)) if won else deals_kernels.NO_CARD
            bucket *= count_look_classes(variant, knows, 1)
            bucket += classify_looks(variant, knows, [seen], [])
        return bucket

    def slots(self):
        """[slots of the tree] the slot of the public game that each is, if cards go singly."""
        slots = []
        for infoset in self.small.compiled.tree.infosets:
            node, bucket, _, hand = self.known[infoset.facts]
            game, graph = self.small.game, self.small.graph
            width = int(game.n_actions[game.classes[node]])
            start = game.node_offsets[node] + bucket * width
            order = range(width)
            if graph.phase[node] == betting.DRAW:
                words = [set_words(graph, node, graph.starts[node] + k, hand) for k in order]
                order = [words.index([action]) for action in infoset.actions]
            slots += [start + k for k in order]
        return np.array(slots)

    def strategy(self, probabilities):
        """The same strategy on the tree."""
        tree = self.small.compiled
        return Strategy(
            tree, np.concatenate([self._row(i, probabilities) for i in tree.tree.infosets])
        )

    def _row(self, infoset, probabilities):
        node, bucket, words, hand = self.known[infoset.facts]
        game, graph = self.small.game, self.small.graph
        width = int(game.n_actions[game.classes[node]])
        start = game.node_offsets[node] + bucket * width
        row = probabilities[start : start + width]
        if graph.phase[node] != betting.DRAW:
            return row
        sets = [tuple(set_words(graph, node, graph.starts[node] + k, hand)) for k in range(width)]
        chances = np.zeros(len(infoset.actions))
        for places, chance in zip(sets, row, strict=True):
            if places[: len(words)] == words:
                chances[infoset.actions.index(places[len(words)])] += chance
        total = chances.sum()
        return chances / total if total > 0 else np.full(chances.size, 1 / chances.size)


def check_end(graph, node, strengths, paths, state):
    """A hand ends at `node` with what an exact state says; `strengths` are by seat and path."""
    spent = graph.situations[node, [betting.SPENT_0, betting.SPENT_1]]
    if graph.phase[node] == betting.FOLDED:
        folder = graph.field(betting.ACTOR)[node]
        won = -spent[0] if folder == 0 else spent[1]
    else:
        own, theirs = (int(strengths[seat, paths[seat]]) for seat in (0, 1))
        won = spent[0] * ((own > theirs) - (own < theirs))
    assert state.utilities == (won, -won)
