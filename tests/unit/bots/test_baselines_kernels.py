"""What baselines make of their cards, against plain enumeration with `cards.rank`."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from counterfold.bots import baselines_kernels
from counterfold.bots.baselines_kernels import BY_OUTS
from counterfold.cards import parse_cards, rank
from counterfold.cards.ranking import N_HAND_RANKS
from counterfold.cards.ranking_kernels import rank_tables
from counterfold.games import parse_game
from counterfold.public.deals import Dealer, stage_hand_cells
from counterfold.public.deals_kernels import STAGE_BOARD

DECK = np.arange(52, dtype=np.uint8)


def share(hand):
    cards = np.array(parse_cards(hand), np.uint8)
    return baselines_kernels.rank_share(cards[:2], cards[2:], rank_tables().by_mask)


def test_it_is_the_share_of_ranks_below():
    assert share("2c3d 4h5s7c") == 0.0
    assert share("AcKc QcJcTc") == 1.0
    assert share("2c2d AhKs7c") == rank(parse_cards("2c2dAhKs7c")) / (N_HAND_RANKS - 1)


def gains(cards, place):
    """How much the rank rises, for each card that may come instead of the one at `place`."""
    own = rank(cards)
    kept = [card for k, card in enumerate(cards) if k != place]
    return [rank([*kept, card]) - own for card in range(52) if card not in cards]


@pytest.mark.parametrize("rule", [baselines_kernels.BY_SCORE, baselines_kernels.BY_OUTS])
def test_a_discard_is_the_best_of_all(rule, rng):
    seen = set()
    for n in [5, 6] * 40:
        cards = rng.permutation(52)[:n].astype(np.uint8)
        choice = baselines_kernels.choose_discard(
            cards[:2], cards[2:], DECK, rule, rank_tables().by_mask
        )
        worth = [
            sum(gains([*map(int, cards)], place))
            if rule == baselines_kernels.BY_SCORE
            else sum(np.sign(gains([*map(int, cards)], place)))
            for place in (0, 1)
        ]
        values = [0, *worth]
        assert values[choice] == max(values)
        if choice and worth[0] == worth[1]:
            assert cards[choice - 1] == min(cards[:2])
        again = baselines_kernels.choose_discard(
            cards[1::-1].copy(), cards[2:], DECK, rule, rank_tables().by_mask
        )
        assert again == (0, 2, 1)[choice]  # however the cards stand
        seen.add(choice)
    assert seen == {0, 1, 2}


@pytest.mark.parametrize("last", [3, 2])
def test_there_is_a_choice_at_every_draw_and_nowhere_else(last):
    """Of Discard Hold'em, with and without the river; then the last street begins with a draw."""
    variant = parse_game("discard")
    dealer = Dealer(replace(variant, streets=variant.streets[: last + 1]))
    deals, by_mask = dealer.sample(3, 0, 20), rank_tables().by_mask
    found = np.full(deals.holes.shape[:3], -1, np.int8)
    baselines_kernels.choose_discards(
        dealer.layout, deals.cards, deals.holes, deals.discard_first, BY_OUTS, by_mask, found
    )
    before_draws = [at for at, stage in enumerate(dealer.stages) if stage.before_draw]
    assert len(before_draws) == 2
    for at, stage in enumerate(dealer.layout.stages):
        cells = stage_hand_cells(stage)
        assert (found[:, :, cells] >= 0).all() == (at in before_draws)
        if at not in before_draws:
            assert (found[:, :, cells] == -1).all()
            continue
        board = deals.cards[0, 4 : 4 + stage[STAGE_BOARD]]
        for seat, cell in itertools.product((0, 1), range(cells.start, cells.stop)):
            hole = deals.holes[0, seat, cell]
            choice = baselines_kernels.choose_discard(hole, board, DECK, BY_OUTS, by_mask)
            if choice and deals.discard_first[0, seat, cell]:
                choice = 3 - choice
            assert found[0, seat, cell] == choice


@pytest.mark.parametrize("n_choices", [2, 3])
def test_the_random_player_discards_what_it_has(n_choices):
    variant = parse_game("discard")
    state = variant.root()
    for event in ("AhKs", "QcJd", "c", "k", "2c3c4c"):
        state = state.child(event)
    found = {
        baselines_kernels.act(
            baselines_kernels.RANDOM, variant.rules, state.situation, 0.0, 0, n_choices, number
        )
        for number in np.arange(0.01, 1.0, 0.02)
    }
    assert len(found) == n_choices
