"""Small variants drawn from the whole vocabulary, and what of the package solves them.

What is drawn is a declaration, which may contradict itself: as a user's may. Most do not. Decks are
hardly larger than a hand needs, so that all deals of most can be listed.
"""

from contextlib import suppress
from dataclasses import replace
from functools import cached_property

import numpy as np
from hypothesis import strategies as st

from counterfold.bets.menu_text import parse_menu
from counterfold.blueprints.enumerated import EnumeratedGame, Knowledge
from counterfold.cards import FULL, parse_deck
from counterfold.cards.text import RANKS, SUITS
from counterfold.errors import CounterfoldError, GameError
from counterfold.games.files import format_variant
from counterfold.games.holdem import Auction, Bounty, Deal, Discard, Street, Swap, Variant
from counterfold.public.infosets_kernels import normalize
from counterfold.public.public_variants import check_public, is_public
from counterfold.training.plan import make_plan
from counterfold.training.recipe import Recipe
from counterfold.training.solver_factory import build_solver, find_chance
from counterfold.tree import Strategy, compile_game
from helpers.drawn.steps import AUCTIONS, FLAGS, SEATS, SWAPS, deals, discards
from helpers.naive.given_games import TreeStrategies
from helpers.public_games import Small

EPOCH = 250  # deals between two discounts
COMPARABLE = 5  # cards from which on hands of different sizes are compared
HIDDEN = st.builds(Discard, SEATS)
OPEN = st.builds(Discard, SEATS, forced=st.just(True), shown=st.just(True), to_board=FLAGS)
LOOKS = AUCTIONS.map(lambda step: replace(step, prize="look"))

# What goes together in a public graph, and last what need not.
FAMILIES = {
    "give": st.one_of(discards(2), discards(2), deals(1)),
    "look": st.one_of(OPEN, LOOKS, LOOKS, deals(1)),
    "bid": st.one_of(AUCTIONS, AUCTIONS, deals(1), SWAPS),
    "draw": st.one_of(HIDDEN, HIDDEN, deals(1), SWAPS),
    "secrets": st.nothing(),
    "any": st.one_of(discards(2), AUCTIONS, deals(1), SWAPS),
}


@st.composite
def small_variants(draw):
    """Arguments of `Variant`, but for its deck."""
    family = draw(st.sampled_from([*FAMILIES, "bid", "give"]))
    held = draw(st.sampled_from((1, 2, 3)))
    plan = _Steps(draw, held, FAMILIES[family])
    blinds, ante = draw(st.sampled_from((((0, 0), 1), ((1, 1), 0), ((1, 2), 0), ((2, 1), 0))))
    first = draw(SEATS) if blinds[0] == blinds[1] else int(blinds[0] > blinds[1])
    limit = draw(FLAGS)
    bets = {"bet": 1, "max_bets": draw(st.integers(1, 2))} if limit else {}
    steps = plan.take(draw(st.sampled_from((0, 0, 0, 1))), first=True)
    streets = [Street(first=first, betting=blinds[0] != blinds[1] or draw(FLAGS), steps=steps)]
    for n_steps in draw(st.sampled_from(((1,), (1,), (2,), (3,), (1, 1), (2, 0), (0, 1)))):
        betting = not _one_of(draw, 4)
        cards, first = draw(st.integers(1, 2)), draw(SEATS)
        streets.append(Street(cards, first, betting=betting, steps=plan.take(n_steps)))
    secret = family == "secrets" and draw(FLAGS)
    runs = family in ("draw", "secrets", "any") and not secret and _one_of(draw, 3)
    if runs:
        streets[-1] = replace(streets[-1], cards=1, steps=())
    elif any(step.unequal for street in streets for step in street.steps):
        streets[-1] = replace(streets[-1], cards=COMPARABLE - 1)
    rules = {
        "title": "drawn",
        "streets": tuple(replace(street, **bets) for street in streets),
        "betting": "limit" if limit else draw(st.sampled_from(("no-limit", "pot-limit"))),
        "stack": draw(st.integers(2, 4)),
        "blinds": blinds,
        "ante": ante,
        "hole_cards": held,
        "run_suits": "c" if runs else "",
        "fold_when_free": draw(FLAGS),
        "first_flush_suit_only": _one_of(draw, 5),
        "deck": (_one_of(draw, 3), draw(st.integers(0, 3))),
    }
    secret = secret or (not runs and _one_of(draw, 8))
    if secret:
        rules["bounty"] = Bounty(draw(st.sampled_from((1, 3))), draw(st.integers(0, 2)))
    rules["ranking"] = "short-deck" if _one_of(draw, 4) else "standard"
    if family not in ("give", "look"):
        rules["rank_order"] = not secret and _one_of(draw, 4)
    return rules


def _one_of(draw, n):
    """True once in `n` times."""
    return draw(st.sampled_from((False,) * (n - 1) + (True,)))


class _Steps:
    """Steps that go with the cards that a player is sure to have; sometimes they do not."""

    def __init__(self, draw, held, kinds):
        self.draw, self.least, self.kinds = draw, held, kinds

    def take(self, n, *, first=False):
        """The steps of a street, of the first one without a board or swaps."""
        found = []
        for _ in range(0 if self.kinds.is_empty else n):
            step = self.draw(self.kinds)
            if first and isinstance(step, Swap):
                continue
            if not _one_of(self.draw, 20):
                step = self._mend(step, first, found)
            found.append(step)
            if isinstance(step, Deal):
                self.least += min(step.holes)
            elif isinstance(step, Discard) and not step.redraw:
                self.least -= step.count
        return tuple(found)

    def _mend(self, step, first, found):
        """A similar step that the rules allow here."""
        if isinstance(step, Swap) and any(isinstance(each, Swap) for each in found):
            return Deal(1)
        if isinstance(step, Deal):
            board = step.board * (not first)
            return step if board or any(step.holes) else Deal(0, (1, 1))
        if not isinstance(step, Discard):
            return step
        count = min(step.count, self.least - (not step.redraw))
        redraw = step.redraw or count < 1
        to_board = step.to_board and not first
        return Discard(step.first, max(count, 1), step.forced, step.shown, redraw, to_board)


def make_variant(rules):
    """The variant of a declaration, on a deck with hardly more cards than a hand needs."""
    more, place = rules["deck"]
    usual = {"deck": FULL, "rank_order": "", "ranking": "standard"}
    n_cards = max(Variant(**rules | usual).cards_needed + more, 3)
    fitting = [n for n in range(1, 5) if -n_cards % n <= 1 and 2 * n <= n_cards <= 13 * n] or [4]
    suits = fitting[place % len(fitting)]
    ranks = RANKS[max(0, len(RANKS) + -n_cards // suits) :]
    order = ranks[1::2] + ranks[::2] if rules.get("rank_order") else ""
    return Variant(**rules | {"deck": parse_deck(f"{ranks}/{SUITS[:suits]}"), "rank_order": order})


def smaller(rules):
    """The declaration, then others that have more and more of it left out; some contradictory."""
    yield rules
    rules = rules | {"stack": max(rules["blinds"]) + 1, "deck": (False, rules["deck"][1])}
    yield rules
    first, *streets = rules["streets"]
    first = replace(first, betting=False)
    rules = rules | {"blinds": (0, 0), "ante": 1, "stack": 2, "streets": (first, *streets)}
    yield rules
    yield from (rules | {"hole_cards": n} for n in range(rules["hole_cards"] - 1, 0, -1))
    while len(streets) > 1 or len(streets[-1].steps) > 1 or first.steps:
        if first.steps:
            first = replace(first, steps=())
        elif len(streets) > 1:
            streets = streets[1:]
        else:
            streets = [replace(streets[-1], steps=streets[-1].steps[1:])]
        rules |= {"streets": (first, *streets)}
        yield from (rules | {"hole_cards": n} for n in range(rules["hole_cards"], 0, -1))


MENUS = st.sampled_from(("allin", "min", "min, allin; cap 2", "min; cap 3", "none"))
BIDS = st.sampled_from(("allin", "50%, allin", "100%"))


def menu_for(variant, bets, bids):
    """The text of a menu that fits."""
    bets = "min" if variant.betting == "limit" and bets != "none" else bets
    return f"{bets}; bids: {bids}" if variant.has_auctions else bets


def plan_of(variant, menu, algorithm, seed):
    """The plan of a recipe, all of it told as text, that trains a variant with exact cards."""
    return make_plan(
        Recipe(
            variant=variant.name,
            rules=format_variant(variant),
            cards="exact",
            bets=menu,
            seed=seed,
            solver={"algorithm": algorithm, "threads": 1, "epoch": EPOCH},
        )
    )


def small_plan(rules, bets, bids, most, algorithm="external", seed=0):
    """A plan of the largest of `smaller` declarations whose tree has at most `most` ends.

    Raises what the first of them raises if it is refused.
    """
    for at, declared in enumerate(smaller(rules)):
        try:
            variant = make_variant(declared)
            check_public(variant)
        except CounterfoldError:
            if at == 0:
                raise
            continue
        plan = plan_of(variant, menu_for(variant, bets, bids), algorithm, seed)
        if most_ends(plan) <= most:
            return plan
    return None


def small_tree(rules, most):
    """The tree of the largest of `smaller` declarations that are refused as public games."""
    for declared in smaller(rules):
        with suppress(GameError):
            variant = make_variant(declared)
            if not is_public(variant) and has_at_most(variant, most):
                return compile_game(variant)
    return None


def has_at_most(game, most):
    """Whether the tree of a game has at most `most` nodes; no more of them are visited."""
    n_nodes, left = 1, [game.root()]
    while left and n_nodes <= most:
        state = left.pop()
        if state.utilities is None:
            chance = state.chance
            actions = state.infoset.actions if chance is None else dict(chance.outcomes())
            n_nodes += len(actions)
            left += map(state.child, actions)
    return n_nodes <= most


def most_ends(plan):
    """At most so many ends has the tree of all histories: a deal and a way through the graph."""
    return plan.dealer.count_deals() * plan.graph.count_tree()


class Planned(Small):
    """A small game with the parts of a plan."""

    def __init__(self, plan):
        self.plan, self.variant, self.menu = plan, plan.variant, parse_menu(plan.recipe.bets)
        self.dealer, self.graph = plan.dealer, plan.graph
        self.deals, self.cards = plan.exact[0], plan.cards()
        self.buckets = self.cards.label(self.deals)
        self.game = plan.game(self.cards.n_buckets)
        self.listed = EnumeratedGame(self.dealer, self.deals)
        self.knowledge = Knowledge(self.game, self.buckets)

    def responses(self, strategy):
        """Chips that either seat wins by its best response to a strategy, given by slots."""
        return [self.listed.best_response_value(seat, self.knowledge, strategy) for seat in (0, 1)]

    def train(self, n):
        """The average strategies after `n` deals and after 16 times as many, by slots.

        Where the recipe has boards walked with all hands at once, a tenth of that.
        """
        plan, game = self.plan, self.game
        solver = build_solver(plan, game, find_chance(plan, self.cards))
        if plan.walks_boards:
            n //= 10
        for more in (n, 15 * n):
            solver.run(more)
            found = np.empty(game.n_slots)
            averages = solver.tables["averages"]
            normalize(averages, solver.layout, game.offsets, game.n_actions, found)
            yield found

    def on_tree(self, strategy):
        """A strategy, by slots, on the tree of the exact rules."""
        if self.variant.gives_cards:
            return self._trees.strategy(strategy)
        return Strategy(self.compiled, strategy[self.slots])

    @cached_property
    def _trees(self):
        return TreeStrategies(self)


def primitives(variant):
    """Which words of the vocabulary a variant has."""
    steps = variant.steps
    gone = [step for step in steps if isinstance(step, Discard)]
    bids = [step for step in steps if isinstance(step, Auction)]
    dealt = [step for step in steps if isinstance(step, Deal)]
    found = {
        f"{variant.hole_cards} hole cards": True,
        f"{variant.betting} betting": True,
        "swap": variant.has_swaps,
        "deal to the board": any(step.board for step in dealt),
        "deal to both hands": any(min(step.holes) for step in dealt),
        "deal to one seat": any(step.unequal for step in dealt),
        "several deals of a street": any(
            sum(isinstance(step, Deal) and step.board > 0 for step in street.steps)
            for street in variant.streets
        ),
        "street without betting": not all(street.betting for street in variant.streets),
        "bounty": variant.bounty is not None,
        "run": variant.max_runs > 0,
        "short-deck ranking": variant.ranking == "short-deck",
        "order of ranks": bool(variant.rank_order),
        "flush quirk": variant.first_flush_suit_only,
        "fold when free": variant.fold_when_free,
    }
    for name, steps in (("discard", gone), ("auction", bids)):
        found[name] = bool(steps)
    for step in gone:
        found["discard laid" if step.to_board else "discard shown" if step.shown else "hidden"] = 1
        found["discard forced" if step.forced else "discard free"] = True
        found["discard for new cards" if step.redraw else "discard for none"] = True
        found[f"discard of {step.count}"] = True
    for step in bids:
        found[f"auction for a {step.prize}"] = found[f"{step.price} price"] = True
        found["sealed" if step.sealed else "told"] = True
    return sorted(name for name, is_there in found.items() if is_there)
