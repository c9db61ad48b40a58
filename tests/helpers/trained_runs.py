"""Small trained runs, made in moments, and bots that were never trained."""

from dataclasses import replace

import numpy as np
import pytest
from filelock import FileLock

from counterfold.bets import parse_menu
from counterfold.blueprints.blueprint import Blueprint
from counterfold.bots.policy import make_policy
from counterfold.bots.strategy_bot import StrategyBot
from counterfold.cards import parse_deck
from counterfold.games.files import rules_of
from counterfold.games.holdem import Bounty, Deal, Discard, Street, Variant
from counterfold.games.holdem import betting_kernels as betting
from counterfold.public.card_maps import NoCards
from counterfold.public.deals import Dealer
from counterfold.public.graph import build_graph
from counterfold.public.infosets import classify
from counterfold.public.situation_features import parse_public_abstraction
from counterfold.public.walk_kernels import NODE_SLOT
from counterfold.training.plan import Plan
from counterfold.training.recipe import PlayRecipe, parse_recipe
from counterfold.training.train_folder import TrainedRun, load_trained
from counterfold.training.train_metrics import Metrics
from counterfold.training.train_run import train


def _rules(title, *streets, deck, **more):
    """The entries of a recipe for a variant of the first street and `streets`."""
    streets = (Street(first=0), *streets)
    variant = Variant(title, streets, stack=20, deck=parse_deck(deck), **more)
    return {"variant": title, "rules": rules_of(variant), "bets": "100%, allin; cap 2"}


# Reduced decks, most of them small enough for a bucket to every private history.
RECIPES = {
    "discard": {
        "variant": "discard(stack=20, deck='JQKA/cd', board=(1, 1))",
        "cards": "exact",
        "bets": "50%, 100%, allin; cap 3",
        "features": "pot * to_call * raises * opponent_discarded * cards",
    },
    "discard-history": {
        "variant": "discard(stack=12, deck='QKA/cdh', board=(1, 1))",
        "cards": "exact",
        "bets": "100%, allin; cap 2",
        "play": {"translation": "nearest", "threshold": 0.1},
    },
    "discard-tabled": {
        "variant": "discard(stack=20, deck='89TJQKA/cd')",
        "cards": "preflop: lossless; flop: percentile(6, metric=draw) * discards; "
        "turn: percentile(6, metric=draw) * discards; river: percentile(9)",
        "discards": "by-strength",
        "bets": "100%, allin; cap 3",
        "features": "pot * to_call * raises * opponent_discarded * cards",
    },
    "river-of-blood": {
        "variant": "river-of-blood(stack=20, deck='QKA/cd', board=(1,))",
        "cards": "exact",
        "bets": "50%, 100%, allin; cap 4",
        "features": "run * pot * to_call * raises * cards",
    },
    "swap": {
        "variant": "swap(stack=20, deck='6789TJQKA/cd')",
        "cards": "percentile(3); recall: sequence",
        "bets": "100%, allin; cap 3",
        "features": "pot * to_call * raises * cards",
    },
    "short-deck": {
        "variant": "short-deck(stack=20, deck='6789TJQKA/cd')",
        "cards": "preflop: lossless; flop: percentile(6, metric=ehs2); river: percentile(9)",
        "bets": "100%, allin; cap 3",
        "features": "pot * to_call * raises * cards",
    },
    "permuted": {
        "variant": "permuted(stack=20, deck='89TJQKA/cd', order='T8A9KJQ')",
        "cards": "preflop: lossless; flop: percentile(6); recall: sequence",
        "bets": "100%, allin; cap 3",
        "features": "pot * to_call * raises * cards",
    },
    "permuted-exact": {
        "variant": "permuted(stack=20, deck='QKA/cd', board=(1,), order='KAQ')",
        "cards": "exact",
        "bets": "50%, 100%, allin; cap 3",
    },
    "bounty": {
        "variant": "bounty(stack=30, deck='6789TJQKA/cd')",
        "cards": "preflop: lossless; flop: percentile(6, metric=ehs2); river: percentile(9)",
        "bets": "100%, allin; cap 3",
        "features": "pot * to_call * raises * cards",
    },
    "bounty-exact": {
        "variant": "bounty(stack=7, deck='QKA/cd', board=(1,), extra=2)",
        "cards": "exact",
        "bets": "50%, 100%, allin; cap 3",
    },
    "auction": {
        "variant": "auction(stack=20, deck='89TJQKA/cd')",
        "cards": "preflop: lossless; flop: percentile(6, metric=ehs2); river: percentile(9)",
        "bets": "100%, allin; cap 3; flop: bids: 50%, 200%, allin",
        "features": "pot * to_call * raises * cards",
    },
    "auction-sealed": {
        "variant": "auction(stack=12, deck='QKA/cdh', board=(3,), sealed=True)",
        "cards": "exact",
        "bets": "100%, allin; cap 2; flop: bids: 100%, allin",
        "play": {"translation": "nearest"},
    },
    "toss": {
        "variant": "toss(stack=20, deck='QKA/cd', board=(1,), hole_cards=2)",
        "cards": "exact",
        "bets": "50%, 100%, allin; cap 3",
        "features": "pot * to_call * raises * cards",
    },
    "toss-tabled": {
        "variant": "toss(stack=20, deck='9TJQKA/cd', board=(2,))",
        "cards": "preflop: percentile(8); flop: percentile(5); turn: percentile(6)",
        "discards": "by-strength",
        "bets": "100%, allin; cap 3",
        "features": "pot * to_call * raises * cards",
    },
    "toss-bounty": {
        **_rules(
            "toss-bounty",
            Street(2, steps=(Discard(forced=True, redraw=False, to_board=True),)),
            deck="9TJQKA/cd",
            hole_cards=3,
            bounty=Bounty(),
        ),
        "cards": "percentile(4)",
        "discards": "by-strength",
        "features": "pot * to_call * raises * cards",
    },
    "dealt": {
        "variant": "dealt",
        "rules": """
            stack = 12
            deck = "QKA/cdh"
            hole_cards = 1
            [[streets]]
            first = 0
            [[streets]]
            cards = 1
            betting = false
            steps = [{ kind = "deal", holes = [1, 1] }]
            [[streets]]
            cards = 1
            steps = [{ kind = "discard" }, { kind = "deal", board = 1 }]
            """,
        "cards": "exact",
        "bets": "100%, allin; cap 2",
        "features": "pot * to_call * raises * cards",
    },
    "dealt-tabled": {
        "variant": "dealt and swapped",
        "rules": """
            stack = 20
            deck = "456789TJQKA/cd"
            [[streets]]
            first = 0
            [[streets]]
            cards = 2
            betting = false
            steps = [{ kind = "deal", board = 1 }]
            [[streets]]
            cards = 1
            steps = [
                { kind = "deal", holes = [1, 0] },
                { kind = "swap", probability = 0.3 },
                { kind = "swap", probability = 0.6 },
            ]
            [[streets]]
            cards = 1
            """,
        "cards": "preflop: lossless; flop: percentile(6, metric=ehs2); river: percentile(9)",
        "bets": "100%, allin; cap 3",
        "features": "pot * to_call * raises * cards",
    },
    "four-cards": {
        "variant": "four cards",
        "rules": """
            stack = 20
            deck = "89TJQKA/cd"
            hole_cards = 4
            [[streets]]
            first = 0
            [[streets]]
            cards = 3
            [[streets]]
            cards = 1
            betting = false
            [[streets]]
            cards = 1
            """,
        "cards": "preflop: percentile(9); flop: percentile(6); turn: percentile(6); "
        "river: percentile(9)",
        "bets": "100%, allin; cap 3",
        "features": "pot * to_call * raises * cards",
    },
    "looks": {
        "variant": "looks",
        "rules": """
            stack = 12
            deck = "QKA/cd"
            hole_cards = 1
            [[streets]]
            first = 0
            [[streets]]
            cards = 1
            steps = [{ kind = "auction", prize = "look" }]
            [[streets]]
            cards = 1
            steps = [
                { kind = "deal", holes = [1, 1] },
                { kind = "auction", prize = "look", sealed = false, first = 0 },
            ]
            """,
        "cards": "exact",
        "bets": "100%, allin; cap 2; flop: bids: 100%, allin; turn: bids: 50%",
        "features": "pot * to_call * raises * cards",
    },
    "look-listed": {
        "variant": "look",
        "rules": """
            stack = 12
            deck = "JQKA/cd"
            [[streets]]
            first = 0
            [[streets]]
            cards = 1
            steps = [{ kind = "auction", prize = "look", price = "first" }]
            """,
        "cards": "listed-percentile(4)",
        "bets": "100%, allin; cap 2; flop: bids: 100%, allin",
    },
    "look-tabled": {
        "variant": "look at a card",
        "rules": """
            stack = 20
            deck = "89TJQKA/cd"
            [[streets]]
            first = 0
            steps = [{ kind = "auction", prize = "look" }]
            [[streets]]
            cards = 3
            [[streets]]
            cards = 1
            [[streets]]
            cards = 1
            """,
        "cards": "preflop: lossless; flop: percentile(6, metric=ehs2); river: percentile(9)",
        "bets": "preflop: 100%, allin; cap 3; bids: 50%, 200%, allin",
        "features": "pot * to_call * raises * cards",
    },
    "lay-or-not": {
        **_rules(
            "lay-or-not",
            Street(4, steps=(Discard(redraw=False, to_board=True),)),
            deck="JQKA/cd",
        ),
        "cards": "exact",
        "features": "pot * to_call * raises * cards",
    },
    "pineapple": {
        **_rules(
            "pineapple",
            Street(1, steps=(Discard(forced=True, redraw=False),)),
            deck="QKA/cdh",
            hole_cards=3,
        ),
        "cards": "exact",
        "features": "pot * to_call * raises * cards",
    },
    "pineapple-tabled": {
        **_rules(
            "pineapple-tabled",
            Street(3, steps=(Discard(forced=True, redraw=False),)),
            Street(1, steps=(Discard(shown=True),)),
            Street(1),
            deck="789TJQKA/cd",
            hole_cards=3,
        ),
        "cards": "percentile(4)",
        "features": "pot * to_call * raises * cards",
    },
    "lay-two-tabled": {
        **_rules(
            "lay-two-tabled",
            Street(2, steps=(Discard(0, 2, forced=True, redraw=False, to_board=True),)),
            Street(1),
            deck="789TJQKA/cd",
            hole_cards=4,
        ),
        "cards": "preflop: percentile(6); flop: percentile(4)",
        "discards": "by-strength",
        "features": "pot * to_call * raises * cards",
    },
    "toss-four-tabled": {
        **_rules(
            "toss-four-tabled",
            Street(2, steps=(Discard(forced=True, redraw=False, to_board=True),)),
            Street(2),
            deck="789TJQKA/cd",
            hole_cards=4,
            bounty=Bounty(),
        ),
        "cards": "percentile(4)",
        "discards": "by-strength",
        "features": "pot * to_call * raises * cards",
    },
    "show-two-tabled": {
        **_rules(
            "show-two-tabled",
            Street(3, steps=(Discard(1, 2, forced=True, shown=True, redraw=False),)),
            Street(1, steps=(Deal(1, (1, 1)),)),
            deck="789TJQKA/cd",
            hole_cards=4,
        ),
        "cards": "percentile(4)",
        "discards": "by-strength",
        "features": "pot * to_call * raises * cards",
    },
    "lay-freely-tabled": {
        **_rules(
            "lay-freely-tabled",
            Street(3, steps=(Discard(redraw=False, to_board=True),)),
            Street(1),
            deck="789TJQKA/cd",
            hole_cards=3,
        ),
        "cards": "percentile(4)",
        "features": "pot * to_call * raises * cards",
    },
    "drop-or-not": {
        **_rules("drop-or-not", Street(4, steps=(Discard(0, redraw=False),)), deck="JQKA/cd"),
        "cards": "exact",
        "features": "pot * to_call * raises * cards",
    },
    "show-two": {
        **_rules(
            "show-two",
            Street(1, steps=(Discard(0, 2, forced=True, shown=True, redraw=False),)),
            deck="QKA/cdh",
            hole_cards=3,
        ),
        "cards": "exact",
    },
    "show-or-not": {
        **_rules("show-or-not", Street(1, steps=(Discard(shown=True),)), deck="JQKA/cd"),
        "cards": "listed-percentile(4)",
    },
    "draw-then-lay": {
        **_rules(
            "draw-then-lay",
            Street(1, steps=(Discard(0),)),
            Street(1, steps=(Discard(0, forced=True, redraw=False, to_board=True),)),
            deck="JQKA/cd",
        ),
        "cards": "exact",
        "features": "pot * to_call * raises * cards",
    },
    "draw-two-tabled": {
        **_rules(
            "draw-two-tabled",
            Street(3, steps=(Discard(count=2),)),
            Street(1, steps=(Discard(0, shown=True),)),
            Street(1, steps=(Discard(1, 2, forced=True),)),
            deck="56789TJQKA/cd",
        ),
        "cards": "percentile(3); recall: sequence",
        "features": "pot * to_call * raises * opponent_discarded * cards",
    },
    "nolimit-listed": {
        "variant": "nolimit(stack=20, deck='JQKA/cd', board=(1, 1))",
        "cards": "listed-percentile(4, recall=sequence)",
        "bets": "100%, allin; cap 3",
    },
    "nolimit": {
        "variant": "nolimit(stack=40, deck='JQKA/cd', board=(1, 1))",
        "cards": "exact",
        "bets": "50%, 100%, allin; cap 3",
    },
    "limit": {
        "variant": "limit(deck='JQKA/cd', board=(1, 1))",
        "cards": "exact",
        "bets": "limit-4",
        "play": {"purify": True},
    },
}


def train_small(name, folder, iterations=400, **changes):
    """The run of a recipe of `RECIPES`, in `folder`; card tables go to a folder beside it."""
    recipe = parse_recipe({**RECIPES[name], "seed": 1, **changes}, f"the recipe {name!r}")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COUNTERFOLD_HOME", str(folder.parent / "tables"))
        train(Plan(recipe, name), folder, iterations=iterations)
        return load_trained(folder)


class SmallRuns:
    """The runs of `RECIPES` with some changes, each trained when first asked for.

    All workers share one folder, so that each run is trained once. Who wants to change a run's
    folder calls `train_small`.
    """

    def __init__(self, folder, **changes):
        self.folder, self.changes = folder, changes
        self._loaded = {}
        folder.mkdir(exist_ok=True)

    def __getitem__(self, name):
        if name not in self._loaded:
            with FileLock(self.folder / f"{name}.lock"), pytest.MonkeyPatch.context() as patch:
                patch.setenv("COUNTERFOLD_HOME", str(self.folder / "tables"))
                path = self.folder / name
                self._loaded[name] = (
                    load_trained(path) if path.exists() else train_small(name, path, **self.changes)
                )
        return self._loaded[name]

    def path_of(self, name):
        """The folder of a run, trained."""
        self[name]
        return self.folder / name


def untrained_run(plan):
    """The run of a plan that has learned nothing."""
    cards = plan.cards()
    game = plan.game(cards.n_buckets)
    blueprint = Blueprint(game, np.zeros(game.n_slots, np.uint8), 0)
    return TrainedRun(
        plan.name, plan, cards, blueprint, Metrics(0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0)
    )


def randomized(run, seed):
    """The run with a strategy of random numbers, trained everywhere, and played as it is."""
    steps = np.random.default_rng(seed).integers(1, 50, run.blueprint.game.n_slots)
    return with_steps(run, steps.astype(np.uint8))


def with_steps(run, steps):
    """The run with another strategy, played as it is."""
    game, recipe = run.blueprint.game, run.plan.recipe
    plain = recipe.model_copy(update={"play": PlayRecipe(translation=recipe.play.translation)})
    blueprint = Blueprint(game, steps, game.n_infosets)
    return replace(run, plan=run.plan.with_recipe(plain, run.name), blueprint=blueprint)


def scripted_run(run, choose):
    """The run with a strategy that ignores cards; for `choose` see `scripted_bot`."""
    game = run.blueprint.game
    graph, steps = game.graph, np.zeros(game.n_slots, np.uint8)
    for node in np.flatnonzero(graph.phase == betting.BET):
        c = game.classes[node]
        kinds = graph.kinds[graph.starts[node] : graph.starts[node + 1]]
        weights = np.asarray(choose(graph.situations[node], kinds), np.uint8)
        steps[game.offsets[c] : game.offsets[c + 1]] = np.tile(weights, game.n_buckets[c])
    return with_steps(run, steps)


def random_bot(variant, bets="50%, 100%, allin; cap 4", seed=0):
    """A bot of a real variant with a strategy of random numbers, and its card map."""
    bids = "; bids: 50%, 200%, allin" if variant.has_auctions else ""
    game, cards = cardless_game(variant, bets + bids)
    quantized = np.random.default_rng(seed).integers(0, 50, game.n_slots).astype(np.uint8)
    return StrategyBot(
        variant, make_policy(game, cards.dealer, quantized, cards.n_buckets), cards
    ), cards


def scripted_bot(variant, bets, choose, **play):
    """A bot that ignores its cards; `choose` gives the weights of its edges at a node's situation.

    It is called with the situation and the kinds of the edges, where somebody bets.
    """
    game, cards = cardless_game(variant, bets)
    graph = game.graph
    policy = make_policy(
        game, cards.dealer, np.zeros(game.n_slots, np.uint8), cards.n_buckets, **play
    )
    for node in np.flatnonzero(graph.phase == betting.BET):
        kinds = graph.kinds[graph.starts[node] : graph.starts[node + 1]]
        slot = policy.nodes[node, NODE_SLOT]
        policy.quantized[slot : slot + kinds.size] = choose(graph.situations[node], kinds)
    return StrategyBot(variant, policy, cards)


def always(kind):
    """A script that does `kind` wherever it can, and else calls."""

    def choose(situation, kinds):
        return kinds == (kind if (kinds == kind).any() else betting.CALL)

    return choose


def cardless_game(variant, bets):
    """The public game of a variant whose hands are all in one bucket, and its card map."""
    cards = NoCards(Dealer(variant))
    graph = build_graph(variant, parse_menu(bets), merge=True)
    abstraction = parse_public_abstraction("pot * to_call * raises * cards")
    return classify(graph, abstraction, cards.n_buckets), cards
