import numpy as np
import pytest

from counterfold.bets import parse_menu
from counterfold.errors import AbstractionError, UnknownNameError
from counterfold.games import parse_game
from counterfold.games.holdem import parse_state
from counterfold.public.graph import build_graph
from counterfold.public.situation_features import (
    FEATURES,
    MAX_STEPS,
    STEPPED,
    PublicAbstraction,
    Situations,
    parse_public_abstraction,
    parse_public_feature,
)
from helpers.public_games import variant_of

NAMES = [*FEATURES, *(f"{word}({steps})" for word in STEPPED for steps in (1, 3, 20))]


def reveal(name, variant, notation):
    state = parse_state(parse_game(variant), notation)
    return int(parse_public_feature(name)(Situations(state.variant, state.situation)))


@pytest.mark.parametrize(
    ("variant", "menu"),
    [
        ("discard(stack=12)", "50%, allin"),
        ("river-of-blood(stack=10, deck='9TJQKA/cd', board=(3, 1, 1))", "100%, allin"),
        ("limit", "min"),
    ],
)
@pytest.mark.parametrize("name", NAMES)
def test_columns_say_what_single_situations_say(name, variant, menu):
    graph = build_graph(variant_of(variant), parse_menu(menu))
    nodes = graph.decisions
    numbers = np.arange(nodes.size)
    feature = parse_public_feature(name)
    labels = feature(Situations(graph.variant, graph.situations[nodes].T, numbers, numbers))
    assert np.shape(labels) == nodes.shape
    for number in numbers[:: max(1, nodes.size // 200)]:
        row = tuple(graph.situations[nodes[number]].tolist())
        single = Situations(graph.variant, row, int(number), int(number))
        assert feature(single) == labels[number]


# Blinds 1 and 2, seat 0 has the small one; stack 400 where nothing else is said.
@pytest.mark.parametrize(
    ("name", "variant", "notation", "label"),
    [
        ("player", "nolimit", "AhKs QdQc", 0),
        ("player", "nolimit", "AhKs QdQc c", 1),
        ("street", "nolimit", "AhKs QdQc c k 2c7dTs", 1),
        ("run", "nolimit", "AhKs QdQc c k 2c7dTs", 0),
        ("street", "river-of-blood", "AhKs QdQc c k 2c7dTs k k 3c k k 4d k k 5h k k", 3),
        ("run", "river-of-blood", "AhKs QdQc c k 2c7dTs k k 3c k k 4d k k 5h k", 1),
        ("run", "river-of-blood", "AhKs QdQc c k 2c7dTs k k 3c k k 4d k", 0),
        ("final", "nolimit", "AhKs QdQc c k 2c7dTs k k 3c", 0),
        ("final", "nolimit", "AhKs QdQc c k 2c7dTs k k 3c k k 4d", 1),
        ("final", "river-of-blood", "AhKs QdQc c k 2c7dTs k k 3c k k 4s k", 1),
        ("final", "river-of-blood", "AhKs QdQc c k 2c7dTs k k 3c k k 4d", 0),
        ("final", "river-of-blood", "AhKs QdQc c k 2c7dTs k k 3c k k 4d k k 5h", 0),
        ("final", "river-of-blood", "AhKs QdQc c k 2c7dTs k k 3c k k 4d k k 5c k", 1),
        ("pot", "nolimit", "AhKs QdQc r6", 8),
        ("to_call", "nolimit", "AhKs QdQc r6", 4),
        ("raises", "nolimit", "AhKs QdQc", 1),
        ("raises", "nolimit", "AhKs QdQc r6 r14", 3),
        ("raises", "nolimit", "AhKs QdQc c k 2c7dTs", 0),
        ("linear_pot(20)", "nolimit", "AhKs QdQc", 0),
        ("linear_pot(20)", "nolimit", "AhKs QdQc r38", 1),  # 40 of 800 chips
        ("linear_pot(20)", "nolimit", "AhKs QdQc r400", 10),  # 402 of 800
        ("linear_pot(4)", "limit", "AhKs QdQc r4 r6 r8", 0),  # 14 of 96 chips
        ("linear_pot(4)", "limit", "AhKs QdQc r4 r6 r8 c 2c7dTs r2 r4 r6 r8", 1),  # 30 of 96
        ("pot_odds(10)", "nolimit", "AhKs QdQc c", 0),
        ("pot_odds(10)", "nolimit", "AhKs QdQc", 5),  # 1 of 4 chips
        ("pot_odds(10)", "nolimit", "AhKs QdQc r400", 9),  # 398 of 800
        ("opponent_discarded", "discard", "AhKs QdQc c k 2c7dTs dQd +3s", 1),
        ("self_discarded", "discard", "AhKs QdQc c k 2c7dTs dQd +3s", 0),
        ("self_discarded", "discard", "AhKs QdQc c k 2c7dTs dQd +3s s", 1),
        ("opponent_discarded", "discard", "AhKs QdQc c k 2c7dTs s dKs +3s k k 4c", 1),
        ("opponent_discarded", "discard", "AhKs QdQc c k 2c7dTs dQd +3s s k k 4c dQc +5c", 5),
    ],
)
def test_labels_of_situations(name, variant, notation, label):
    assert reveal(name, variant, notation) == label


def test_the_largest_pot_is_in_the_last_step():
    tree = build_graph(parse_game("limit"), parse_menu("min"))
    labels = parse_public_feature("linear_pot(7)")(Situations(tree.variant, tree.situations.T))
    assert labels.max() == 6
    assert labels.min() == 0
    assert np.unique(labels).size == 7


def test_a_product_reads_back_what_it_is_called():
    product = parse_public_abstraction(" street*cards * linear_pot( 20 ) *street ")
    assert product == PublicAbstraction(("linear_pot(20)", "street"), cards=True)
    assert product.name == "cards * linear_pot(20) * street"
    assert parse_public_abstraction(product.name) == product
    assert parse_public_abstraction("nothing") == PublicAbstraction((), cards=False)
    assert parse_public_abstraction(PublicAbstraction((), False).name) == PublicAbstraction(
        (), False
    )
    assert parse_public_abstraction("history").needs_histories
    assert not parse_public_abstraction("raises").needs_histories


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("street * ", AbstractionError, r"a feature is missing in 'street \* '"),
        ("", AbstractionError, "a feature is missing in ''"),
        ("streets", UnknownNameError, "unknown public feature 'streets'; did you mean street"),
        ("linear_pot", UnknownNameError, r"did you mean linear_pot\(20\)"),
        ("linear_pot(0)", AbstractionError, rf"has 0 steps; write 1 to {MAX_STEPS}"),
        ("pot_odds(99999)", AbstractionError, "has 99999 steps"),
        ("street(3)", UnknownNameError, "unknown public feature"),
        ("linear_pot(-1)", AbstractionError, "has -1 steps"),
    ],
)
def test_bad_products(text, error, message):
    with pytest.raises(error, match=message):
        parse_public_abstraction(text)
