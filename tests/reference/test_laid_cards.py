"""Cards that players lay onto the board, in public graphs and deals, against exact states."""

import numpy as np
import pytest

from counterfold.bets import parse_menu
from counterfold.cards import parse_deck
from counterfold.games import parse_game
from counterfold.games.holdem import Discard, Street, Variant
from counterfold.public import deals_kernels
from counterfold.public.deals import Dealer
from counterfold.public.graph import build_graph
from counterfold.public.infosets_kernels import normalize
from counterfold.public.stages import card_stages, stage_table
from counterfold.training.deal_sampling import DealSamplingSolver
from counterfold.tree import solve_linear_program
from helpers.naive.given_games import play_hand
from helpers.public_games import FIRST, LAY, Small, variant_of

TWICE = Variant(
    "both lay twice",
    (
        FIRST,
        Street(cards=1, steps=(LAY,)),
        Street(cards=1, steps=(Discard(0, forced=True, redraw=False, to_board=True),)),
    ),
    stack=6,
    deck=parse_deck("9TJQKA/cd"),
    hole_cards=3,
)


def test_each_turn_of_a_toss_is_a_stage_of_its_own():
    stages = card_stages(parse_game("toss"))
    assert [(s.street, s.turns, s.n_paths, s.n_laid, s.givers) for s in stages] == [
        (0, (), 1, 0, ()),
        (1, (0,), 1, 0, (1,)),
        (1, (1,), 3, 1, (0,)),
        (1, (), 9, 2, ()),
        (2, (), 9, 2, ()),
        (3, (), 9, 2, ()),
    ]
    assert stage_table(stages).tolist() == [[0, 0, 0], [3, 1, 2], [4, 0, 0], [5, 0, 0]]
    layout = Dealer(parse_game("toss")).layout
    assert layout.stages[:, deals_kernels.STAGE_BOARD].tolist() == [0, 2, 3, 4, 5, 6]


@pytest.mark.parametrize(
    "variant", [variant_of("both lay a card"), TWICE, parse_game("toss(stack=20)")]
)
def test_hands_played_by_the_exact_rules(variant, rng):
    """What is held and lies on the board at each decision, what is offered, and what is won."""
    graph, dealer = build_graph(variant, parse_menu("100%, allin; cap 2")), Dealer(variant)
    deals = dealer.sample(5, 0, 200)
    for i in range(len(deals)):
        play_hand(graph, dealer, deals, i, rng)


def test_sampled_training_comes_to_the_value_of_the_tree():
    small = Small("both lay a card", "allin")
    solver = DealSamplingSolver(small.game, small.dealer, small.source, seed=1, threads=1)
    solver.run(50_000)
    strategy = np.empty(small.game.n_slots)
    normalize(solver.averages, solver.layout, small.game.offsets, small.game.n_actions, strategy)
    exploitability = small.exploitability(strategy)
    assert exploitability < 0.06  # chips; 0.03 after 100,000 deals
    value = small.listed.expected_value(small.knowledge, strategy)
    assert value == pytest.approx(solve_linear_program(small.compiled).value, abs=exploitability)
