"""Small variants with listed deals as public games with joint tables."""

from functools import cache
from typing import NamedTuple

import numpy as np

from counterfold.bets.menu_text import parse_menu
from counterfold.blueprints.enumerated import EnumeratedGame, Knowledge
from counterfold.buckets.joint_tables import JointTables
from counterfold.games.holdem import VARIANTS, Variant
from counterfold.public.card_maps import ExactCards
from counterfold.public.deals import Dealer
from counterfold.public.graph import build_graph
from counterfold.public.infosets import PublicGame, classify
from counterfold.public.situation_features import parse_public_abstraction
from counterfold.ranges.joint.joint_of_deals import joint_of_deals, number_sequences


class JointGame(NamedTuple):
    variant: Variant
    game: PublicGame
    joint: JointTables
    listed: EnumeratedGame
    knowledge: Knowledge


# Name, parameters and menu: one street; two; three; stacks that go in before the cards are out.
SMALL = {
    "kuhn": ("kuhn-variant", {}, "min"),
    "leduc": ("leduc-variant", {}, "min"),
    "three streets": (
        "limit",
        {"bets": 2, "deck": "QKA/cd", "board": (1, 1), "hole_cards": 1},
        "min",
    ),
    "all-in": ("nolimit", {"stack": 7, "deck": "QKA/cd", "board": (1, 1)}, "50%, 100%, allin"),
}


@cache
def small_game(name):
    word, parameters, menu = SMALL[name]
    variant = VARIANTS[word](**parameters)
    dealer = Dealer(variant)
    deals = dealer.enumerate()
    sequences, n_buckets = number_sequences(ExactCards(dealer, deals).label(deals))
    joint = joint_of_deals(deals, sequences, n_buckets)
    game = make_game(variant, menu, joint.n_sequences)
    return JointGame(
        variant, game, joint, EnumeratedGame(dealer, deals), Knowledge(game, sequences)
    )


def make_game(variant, menu, n_sequences, *, features="history * cards", merge=False):
    graph = build_graph(variant, parse_menu(menu), merge=merge)
    return classify(graph, parse_public_abstraction(features), n_sequences)


def random_weights(game, rng):
    """Weights of all slots, some zero, and some information sets without any."""
    weights = rng.random(game.n_slots) * (rng.random(game.n_slots) > 0.3)
    return np.where(rng.random(game.n_slots) > 0.1, weights, 0.0)
