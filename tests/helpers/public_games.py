"""Small public games, and the same games as trees of histories, tied together by what is known.

A slot of the public game and an action of an information set of the tree belong to each other if
player, cards, draws, board and betting agree; those texts are put together here from the arrays of
deals and graph, independently of the states that give the facts of the tree.
"""

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, product

import numpy as np

from counterfold.bets import parse_menu
from counterfold.bets.menu import BetMenu
from counterfold.blueprints.enumerated import EnumeratedGame, Knowledge
from counterfold.cards import format_card, format_cards, parse_deck
from counterfold.cards.text import RANKS
from counterfold.games import Game, Infoset, parse_game
from counterfold.games.holdem import Auction, Deal, Discard, HoldemState, Street, Swap, Variant
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.card_sets_kernels import set_size
from counterfold.games.holdem.situation import seen_history
from counterfold.public import deals_kernels, graph_kernels
from counterfold.public.card_maps import ExactCards, with_secrets
from counterfold.public.deals import Dealer
from counterfold.public.graph import build_graph
from counterfold.public.infosets import classify
from counterfold.public.situation_features import parse_public_abstraction
from counterfold.public.walk_order import EnumeratedDeals
from counterfold.tree import compile_game
from helpers.naive.given_games import TreeStrategies


def reduced(title, *streets, deck="QKA/cd", **rules):
    return Variant(title, streets, stack=4, deck=parse_deck(deck), **rules)


FIRST = Street(first=0)
LAY = Discard(forced=True, redraw=False, to_board=True)
MAY_LAY, SHOW = Discard(redraw=False, to_board=True), Discard(forced=True, shown=True, redraw=False)
TRADE = Discard(shown=True)
SPECIAL = {
    variant.title: variant
    for variant in (
        reduced("one draw", FIRST, Street(cards=1, steps=(Discard(),)), hole_cards=1),
        reduced(
            "two draws",
            Street(first=0, steps=(Discard(first=0),)),
            Street(cards=1, steps=(Discard(),)),
            deck="89TJQKA/c",
            hole_cards=1,
        ),
        reduced("draw of two", Street(first=0, steps=(Discard(),))),
        reduced(
            "draw of two on a board", FIRST, Street(cards=1, steps=(Discard(),)), deck="JQKA/cd"
        ),
        reduced(
            "draw and run",
            Street(first=0, steps=(Discard(),)),
            Street(cards=1),
            hole_cards=1,
            run_suits="d",
        ),
        reduced("fold when free", FIRST, Street(cards=1), hole_cards=1, fold_when_free=True),
        reduced("one swap", FIRST, Street(cards=1, steps=(Swap(0.3),)), hole_cards=1),
        reduced(
            "two swaps",
            FIRST,
            Street(cards=1, steps=(Swap(0.5),)),
            Street(cards=1, steps=(Swap(0.25),)),
            deck="JQKA/cd",
            hole_cards=1,
        ),
        reduced(
            "swapped twice",
            Street(first=0, betting=False),
            Street(cards=1, first=0, steps=(Swap(0.5), Swap(0.25))),
            blinds=(0, 0),
            ante=1,
            deck="89TJQKA/c",
            hole_cards=1,
        ),
        *(
            reduced(
                title,
                FIRST,
                Street(cards=4, steps=(auction,)),
                deck="JQKA/cd",
                hole_cards=1,
            )
            for title, auction in (
                ("first price", Auction(price="first")),
                ("sealed bids", Auction(first=0)),
                ("told bids", Auction(sealed=False)),
            )
        ),
        reduced("both lay a card", FIRST, Street(cards=1, steps=(LAY,))),
        reduced(
            "no betting on a street",
            FIRST,
            Street(cards=1, betting=False),
            Street(cards=1),
            hole_cards=1,
        ),
        reduced(
            "no betting at first",
            Street(first=0, betting=False),
            Street(cards=1, betting=False),
            Street(cards=1, first=0),
            blinds=(0, 0),
            ante=1,
            hole_cards=1,
        ),
        reduced("three cards", FIRST, Street(cards=2), deck="9TJQKA/cd", hole_cards=3),
        reduced("six cards", FIRST, Street(cards=1), deck="89TJQKA/cd", hole_cards=6),
        reduced(
            "dealt by the way",
            FIRST,
            Street(cards=1, steps=(Discard(), Deal(board=1), Discard(0))),
            deck="JQKA/cd",
            hole_cards=1,
        ),
        reduced(
            "dealt at first",
            Street(first=0, steps=(Deal(holes=(1, 1)),)),
            Street(cards=1, steps=(Deal(board=1),)),
            hole_cards=1,
        ),
        reduced(
            "dealt later",
            Street(first=0, betting=False),
            Street(cards=1, first=0, steps=(Deal(holes=(1, 1)),)),
            blinds=(0, 0),
            ante=1,
            hole_cards=1,
        ),
        reduced(
            "unequal hands",
            FIRST,
            Street(cards=4, steps=(Deal(holes=(0, 1)),)),
            hole_cards=1,
            deck="JQKA/cd",
        ),
        *(
            reduced(
                title,
                FIRST,
                Street(cards=1, steps=(Auction(prize="look", **rules),)),
                hole_cards=n,
            )
            for title, n, rules in (
                ("look at one", 1, {"first": 0}),
                ("look at two", 2, {"sealed": False}),
            )
        ),
        reduced(
            "two looks",
            FIRST,
            Street(cards=1, steps=(Auction(prize="look", price="first"),)),
            Street(cards=1, steps=(Deal(holes=(1, 1)), Auction(0, prize="look"))),
            hole_cards=1,
            deck="JQKA/cd",
        ),
        reduced(
            "draw and bid",
            FIRST,
            Street(cards=4, steps=(Discard(), Auction())),
            deck="TJQKA/cd",
            hole_cards=1,
        ),
        reduced("both may lay a card", FIRST, Street(4, steps=(MAY_LAY,)), deck="JQKA/cd"),
        reduced("both show a card", FIRST, Street(1, steps=(SHOW,))),
        reduced("one shown for another", FIRST, Street(1, steps=(TRADE,)), hole_cards=1),
        reduced("ante is stack", FIRST, blinds=(0, 0), ante=4, hole_cards=1),
    )
}


def _full(title, *streets, first=FIRST, stack=20, deck="full", **rules):
    return Variant(title, (first, *streets), stack=stack, deck=parse_deck(deck), **rules)


# Every step that deals, shows or adds cards, in games large enough to be dealt at random.
CARD_VARIANTS = {
    variant.title: variant
    for variant in (
        _full("no betting on the turn", Street(3), Street(1, betting=False), Street(1)),
        _full(
            "no betting but once",
            Street(1, betting=False),
            Street(2, betting=False, steps=(Deal(holes=(1, 0)),)),
            Street(2, steps=(Deal(board=1, holes=(0, 1)),)),
            first=Street(first=0, betting=False),
            blinds=(1, 1),
        ),
        _full("four cards", Street(3), Street(1), Street(1), hole_cards=4),
        _full(
            "six cards",
            Street(3),
            Street(1),
            Street(1),
            hole_cards=6,
            ranking="short-deck",
            deck="6789TJQKA/cdhs",
        ),
        _full("five and a run", Street(3), Street(1), hole_cards=5, run_suits="d"),
        _full(
            "dealt between choices",
            Street(3, steps=(Deal(board=1), Discard(), Deal(holes=(0, 0), board=1), Discard(0))),
            Street(1, steps=(Discard(), Deal(holes=(1, 2)), Swap(0.3), Deal(holes=(1, 0)))),
        ),
        _full(
            "swapped after a draw",
            Street(3, steps=(Swap(0.2), Discard(), Swap(0.4), Deal(board=1))),
            Street(1, steps=(Discard(), Swap(0.5))),
            first=Street(first=0, steps=(Deal(holes=(1, 1)),)),
            hole_cards=1,
        ),
        _full(
            "laid and dealt",
            Street(2, steps=(Deal(holes=(1, 1)), LAY, Deal(board=1, holes=(1, 1)))),
            Street(1, steps=(Auction(0, prize="look"), Auction())),
            hole_cards=2,
        ),
        _full(
            "looks",
            Street(3, steps=(Auction(prize="look"),)),
            Street(1, steps=(Deal(holes=(1, 1)), Auction(0, "first", sealed=False, prize="look"))),
            Street(1, steps=(Discard(),)),
            hole_cards=1,
        ),
        _full(
            "bids after draws",
            Street(3, steps=(Discard(), Auction(), Swap(0.4))),
            Street(1, steps=(Auction(0, sealed=False),), betting=False),
            Street(1, steps=(Swap(0.2), Swap(0.6))),
        ),
        _full(
            "a look before the flop",
            Street(3, steps=(Swap(0.3),)),
            Street(2),
            first=Street(first=0, steps=(Auction(prize="look"),)),
            rank_order="A23456789TJQK",
        ),
    )
}

DISCARD = "discard(stack=4, deck='JQKA/cd', board=(1, 1))"
BLOOD = "river-of-blood(stack=6, deck='QKA/cd', board=(1,))"
LONG_BLOOD = "river-of-blood(stack=6, deck='JQKA/cd', board=(1,))"
BOUNTY = "bounty(stack=4, deck='QKA/cd', board=(1,), factor=3, extra=1)"  # pays whole chips
PERMUTED = "permuted(stack=6, deck='QKA/cd', board=(1,), order='KAQ')"
LIMIT = "limit(bets=2, deck='QKA/cd', board=(1,), hole_cards=1)"


def variant_of(name):
    return SPECIAL.get(name) or parse_game(name)


@dataclass(frozen=True)
class MenuState:
    """A state at which only what a menu offers may be done."""

    state: HoldemState
    menu: BetMenu

    @property
    def chance(self):
        return self.state.chance

    @property
    def utilities(self):
        return self.state.utilities

    @property
    def infoset(self):
        known = self.state.infoset
        return Infoset(known.player, self.menu.offered(self.state), known.facts)

    def child(self, action):
        return MenuState(self.state.child(action), self.menu)


@dataclass(frozen=True)
class MenuGame(Game):
    """A variant with the bets of a menu, as a game of the protocol."""

    variant: Variant
    menu: BetMenu
    unit = "chips"

    @property
    def name(self):
        return f"{self.variant.name} with {self.menu.name}"

    def root(self):
        return MenuState(self.variant.root(), self.menu)


class Small:
    """A variant under a menu with exact cards, as public game and as tree."""

    def __init__(self, name, menu, features="history * cards"):
        self.variant, self.menu = variant_of(name), parse_menu(menu)
        self.dealer = Dealer(self.variant)
        self.deals = self.dealer.enumerate()
        self.cards = with_secrets(ExactCards(self.dealer, self.deals), exactly=True)
        self.buckets = self.cards.label(self.deals)
        abstraction = parse_public_abstraction(features)
        merge = not abstraction.needs_histories
        self.graph = build_graph(self.variant, self.menu, merge=merge)
        self.game = classify(self.graph, abstraction, self.cards.n_buckets)
        self.listed = EnumeratedGame(self.dealer, self.deals)
        self.knowledge = Knowledge(self.game, self.buckets)

    @property
    def source(self):
        return EnumeratedDeals(self.deals, self.buckets)

    def exploitability(self, strategy):
        return self.listed.nash_conv(self.knowledge, strategy.astype(float)) / 2

    def random_strategy(self, rng, pure=0.0):
        """Random probabilities; with `pure` as the share of information sets with one action."""
        strategy = np.empty(self.game.n_slots)
        for c, width in enumerate(self.game.n_actions):
            shape = (self.game.n_buckets[c], width)
            rows = rng.exponential(size=shape) + 1e-3
            certain = np.eye(width)[rng.integers(width, size=shape[0])]
            rows = np.where(rng.random((shape[0], 1)) < pure, certain, rows)
            rows /= rows.sum(axis=1, keepdims=True)
            strategy[self.game.offsets[c] : self.game.offsets[c + 1]] = rows.ravel()
        return strategy

    @cached_property
    def compiled(self):
        return compile_game(MenuGame(self.variant, self.menu))

    @cached_property
    def nodes(self):
        """The decisions of an unmerged graph by their betting, as states write it."""
        return node_histories(self.graph)

    @cached_property
    def slots(self):
        """[slots of the tree] the slot of the public game that each belongs to."""
        if self.variant.gives_cards:
            return TreeStrategies(self).slots()
        graph, game, labels = self.graph, self.game, {}
        for at, seat in product(range(len(self.dealer.stages)), (0, 1)):
            known = card_facts(self, at, [seat])
            labels[at, seat] = {facts: (bucket, first) for facts, bucket, first in known}
        slots = []
        for infoset in self.compiled.tree.infosets:
            node = self.nodes[infoset["history"]]
            assert graph.field(betting.ACTOR)[node] == infoset.player
            rounds = int(graph.field(betting.DREW)[node]) >> infoset.player & 0x55555555
            draws = re.sub("(?:~..~..)+", _sort_swaps, infoset["draws"])
            facts = (infoset["cards"], draws, rounds, infoset["board"])
            facts += (dict(infoset.facts).get("bounty", ""),)
            bucket, first = labels[game.stage[node], infoset.player][facts]
            start = game.node_offsets[node] + bucket * game.n_actions[game.classes[node]]
            slots += [start + k for k in self._order(node, infoset, first)]
        return np.array(slots, np.int64)  # of a game without decisions none

    def _order(self, node, infoset, first):
        """The place of each action of `infoset` among the edges of the node."""
        if self.graph.phase[node] != betting.DRAW:
            return range(len(infoset.actions))
        return [0, *(1 if action == "d" + first else 2 for action in infoset.actions[1:])]


def first_discards(hole, board):
    """The cards whose discard has place 0, of a hand; both where suits do not tell them apart."""

    def key(card):
        of_suit = sorted((other for other in board if other & 3 == card & 3), reverse=True)
        return card >> 2, [other >> 2 for other in of_suit]

    least = min(map(key, hole))
    return {card for card in hole if key(card) == least}


def node_histories(graph):
    """The decisions of an unmerged graph by their betting, as states write it."""
    texts, found = {0: ""}, {}
    runs_from = len(graph.variant.streets) - 1 if graph.variant.run_suits else np.inf
    for node in range(graph.n_nodes):
        situation = graph.situations[node]
        if graph.phase[node] <= betting.BET:
            known = seen_history(graph.variant, tuple(situation.tolist()), texts[node])
            assert known not in found or known != texts[node]
            found[known] = node
        for edge in range(graph.starts[node], graph.starts[node + 1]):
            kind, amount = graph.kinds[edge], graph.amounts[edge]
            free = situation[betting.SPENT_0] == situation[betting.SPENT_1]
            runs = situation[betting.STREET] + 1 >= runs_from
            text = {
                betting.FOLD: "f",
                betting.CALL: "k" if free else "c",
                betting.RAISE: f"r{amount - situation[betting.BASE]}",
                betting.KEEP: "s",
                betting.DISCARD: "d",
                betting.BID: f"a{amount}",
                graph_kernels.DEALT: "!" if runs and amount == 1 else "/",
            }[kind]
            if kind in (betting.KEEP, betting.DISCARD):
                asked = graph.variant.rules, tuple(situation.tolist())
                gone = 0
                if kind == betting.DISCARD:
                    gone = int(set_size(betting.choice_rule(*asked, betting.N_HELD), amount))
                text = "d" * gone + "s" * int(gone < betting.choice_rule(*asked, betting.N_TURNS))
            text += by_the_way(graph, node, int(graph.children[edge]))
            texts[int(graph.children[edge])] = texts[node] + text
    return found


def by_the_way(graph, node, child):
    """A slash for each deal to the board that comes by the way between a node and its child."""
    streets = graph.variant.streets
    street, place = int(graph.field(betting.STREET)[node]), 0
    if graph.phase[node] == betting.DEAL:
        street += 1
    elif graph.phase[node] < betting.BET:
        place = int(graph.field(betting.N_ACTIONS)[node]) // betting.TURNS + 1
        waits = graph.phase[child] < betting.BET and graph.field(betting.STREET)[child] == street
        if waits and int(graph.field(betting.N_ACTIONS)[child]) // betting.TURNS < place:
            return ""
    else:
        return ""
    steps = streets[min(street, len(streets) - 1)].steps
    choices = [k for k, step in enumerate(steps) if isinstance(step, Discard | Auction)]
    ends = [-1, *choices, len(steps)]
    between = steps[ends[place] + 1 : ends[place + 1]]
    return "/" * sum(isinstance(step, Deal) and step.board > 0 for step in between)


def card_facts(small, at, seats=(0, 1)):
    """What a seat knows of the cards at a stage, as states write it; bucket; what to discard first.

    In which rounds it drew are bits 0, 2 and so on, as in `games.holdem.betting_kernels.DREW`.
    Where one seat gets its card before the other, both may know the same in buckets of their own.
    """
    stages, deals, h = small.dealer.layout.stages, small.deals, small.variant.hole_cards
    groups = dealt_groups(small.variant, small.dealer.stages[at])
    for i in np.flatnonzero(deals.lengths >= stages[at, deals_kernels.STAGE_STREET]):
        real = small.dealer.real
        board = real[deals.cards[i, 2 * h :]].tolist()
        streets = []
        for street in groups:
            streets.append("")
            for size in street:
                streets[-1] += _text(board[:size])
                board = board[size:]
        for seat in seats:
            for hand_path in range(stages[at, deals_kernels.STAGE_PATHS]):
                hands = list(hands_before(real[deals.holes[i, seat]], stages[: at + 1], hand_path))
                seen = real[deals.seen[i, seat, stages[at, deals_kernels.STAGE_CELL] + hand_path]]
                paths = paths_before(stages[: at + 1], hand_path)
                draws, rounds, bit = "", 0, 1
                for k, (old, new) in enumerate(pairwise(hands), 1):
                    draws += swap_marks(small, k, old, new)
                    if isinstance(small.dealer.stages[k].chance, Swap):
                        continue
                    draws += "".join("-" + format_card(a) for a in set(old) - set(new))
                    draws += "".join("+" + format_card(b) for b in set(new) - set(old))
                    digit = paths[k] % stages[k, deals_kernels.STAGE_CHOICES]
                    look = stages[k, deals_kernels.STAGE_LOOK]
                    if look != deals_kernels.NO_COLUMN and digit:
                        draws += "?" + format_card(int(seen[look]))
                    if small.dealer.stages[k - 1].turns:
                        rounds |= bit * bool(digit)
                        bit <<= 2
                bounty = RANKS[deals.bounties[i, seat]] if small.variant.bounty else ""
                facts = _text(hands[-1]), draws, rounds, "/".join(streets), bounty
                hand_cell = stages[at, deals_kernels.STAGE_CELL] + hand_path
                first = format_card(hands[-1][deals.discard_first[i, seat, hand_cell]])
                yield facts, int(small.buckets[i, seat, hand_cell]), first


def swap_marks(small, at, old, new):
    """What states write of a stage: a slash for a swap, and the cards that it changed."""
    if not isinstance(small.dealer.stages[at].chance, Swap):
        return ""
    # The new card has the place of the old one.
    changed = [pair for pair in zip(old, new, strict=True) if pair[0] != pair[1]]
    return "/" + "".join(sorted(f"~{format_card(a)}~{format_card(b)}" for a, b in changed))


def _sort_swaps(match):
    """The cards of one swap, which states write by places of cards."""
    return "".join(sorted(re.findall("~..~..", match[0])))


def dealt_groups(variant, stage):
    """How many cards chance has dealt to the board at once, by street, up to a stage."""
    left, found = stage.n_dealt, []
    for street in range(1, stage.street + 1):
        rules = variant.streets[min(street, len(variant.streets) - 1)]
        found.append([])
        for size in (rules.cards, *(s.board for s in rules.steps if isinstance(s, Deal))):
            if left > 0 and size > 0:
                found[-1].append(size)
                left -= size
    return found


def hands_before(holes, stages, hand_path):
    """The hands of a hand path at all stages up to the last."""
    hand_paths = paths_before(stages, hand_path)
    for stage, each in zip(stages, hand_paths, strict=True):
        hand = holes[stage[deals_kernels.STAGE_CELL] + each]
        yield hand[hand != deals_kernels.NO_CARD].tolist()


def paths_before(stages, hand_path):
    """The hand path at each stage that leads to one at the last."""
    hand_paths = [hand_path]
    for stage in stages[:0:-1]:
        hand_paths.insert(0, hand_paths[0] // stage[deals_kernels.STAGE_CHOICES])
    return hand_paths


def _text(cards):
    return format_cards(sorted(cards, reverse=True))
