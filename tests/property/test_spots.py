"""Any small spot: its value, its probabilities, its dead hands, and other names of suits."""

from dataclasses import dataclass, replace
from itertools import combinations, product
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterfold.cards.text import SUITS, parse_cards
from counterfold.games.holdem import betting_kernels as betting
from counterfold.ranges.spot import Spot
from counterfold.ranges.spot_view import SpotView
from counterfold.ranges.tree_lines import format_line
from helpers.examples import fewer
from helpers.naive.naive_spots import NaiveSpot, SpotProgram

ONE_CARD = "limit(bets={bets}, deck='{deck}', board={board}, hole_cards=1)"
LIMIT = "limit(bets={bets}, deck='{deck}', board={board})"
NO_LIMIT = "nolimit(deck='{deck}', board={board})"
ROUNDING = 1e-4  # chips; tables and vectors are of 32 bits
MENUS = ("allin", "50%", "bets: 100%; raises: min; cap 2", "oop: none; ip: 75%")


@dataclass(frozen=True)
class Shape:
    """Rules that are small enough for a linear program, and how many cards are on the board."""

    game: str
    deck: str
    board: tuple[int, ...]
    known: int


SHAPES = (
    Shape(ONE_CARD, "QKA/cd", (1,), 0),
    Shape(ONE_CARD, "QKA/cdhs", (1,), 1),
    Shape(ONE_CARD, "JQKA/cd", (1, 1), 1),
    Shape(ONE_CARD, "9TJQK/cd", (1, 1), 2),
    Shape(LIMIT, "TJQKA/c", (1,), 0),
    Shape(LIMIT, "JQK/cd", (1, 1), 1),
    Shape(NO_LIMIT, "JQK/cd", (1, 1), 1),
    Shape(NO_LIMIT, "TJQK/cd", (1, 2), 3),
    Shape(NO_LIMIT, "9TJQKA/cd", (3, 1, 1), 5),
)


@st.composite
def spots(draw: st.DrawFn) -> Spot:
    shape = draw(st.sampled_from(SHAPES))
    ranks, suits = shape.deck.split("/")
    deck = [rank + suit for rank, suit in product(ranks, suits)]
    cards = draw(st.permutations(deck))
    board = "".join(cards[: shape.known])
    hole_cards = 1 if shape.game is ONE_CARD else 2
    hands = ["".join(hand) for hand in combinations(cards[shape.known :], hole_cards)]
    before_flop = shape.known == 0
    return Spot(
        board=board,
        oop=_draw_range(draw, hands),
        ip=_draw_range(draw, hands[::-1]),
        pot=3 if before_flop else draw(st.integers(2, 12)),
        stack=draw(st.integers(1, 20)),
        bets=draw(st.sampled_from(MENUS)),
        game=shape.game.format(bets=draw(st.integers(1, 2)), deck=shape.deck, board=shape.board),
    )


def _draw_range(draw: st.DrawFn, hands: list[str]) -> str:
    """Weights of some hands; the first two, which the other seat has last, are always held."""
    weights = draw(
        st.lists(st.sampled_from([0.0, 0.25, 1.0]), min_size=len(hands), max_size=len(hands))
    )
    weights[:2] = [1.0, 1.0]
    return ",".join(f"{h}:{w}" for h, w in zip(hands, weights, strict=True))


def solved(spot: Spot, iterations: int = 300) -> SpotView:
    solver = spot.solver(threads=1)
    solver.run(iterations)
    return SpotView(spot, solver)


@fewer(5)
@given(spots())
def test_the_value_is_that_of_the_linear_program(spot: Spot) -> None:
    evaluation = solved(spot).solver.evaluate()
    wanted = SpotProgram(NaiveSpot(spot.tree, spot.cards)).solve()
    assert -ROUNDING <= evaluation.exploitability_percent < 2
    assert evaluation.values[0] == pytest.approx(
        wanted, abs=2 * evaluation.exploitability + ROUNDING
    )
    assert evaluation.responses[0] >= wanted - ROUNDING
    assert evaluation.responses[1] >= -wanted - ROUNDING


@fewer(5)
@given(spots(), st.randoms(use_true_random=False))
def test_shares_add_up_and_dead_hands_are_gone(spot: Spot, random: Random) -> None:
    view = solved(spot, 20)
    for node in spot.tree.decisions.tolist()[::3]:
        seen = view.at(_any_line(spot, node, random))
        assert seen.strategy.sum(axis=0) == pytest.approx(np.ones(seen.actor.weight.size))
        assert (seen.strategy >= 0).all()
        for hands in seen.hands.values():
            assert not np.isin(hands.cards, seen.board).any()
            assert (hands.weight >= 0).all()
            assert np.isfinite(hands.ev[hands.met > 0]).all()


def _any_line(spot: Spot, node: int, random: Random) -> str:
    """The line to a node, with any cards dealt on its way."""
    deck = [card for card in spot.variant.deck.cards.tolist() if card not in spot.cards_on_board]
    random.shuffle(deck)
    root, street = spot.tree.situations[[0, node], betting.STREET].tolist()
    counts = [spot.variant.streets[k].cards for k in range(root + 1, street + 1)]
    return format_line(spot.tree, node, [tuple(deck.pop() for _ in range(n)) for n in counts])


@fewer(5)
@given(spots(), st.permutations(SUITS))
def test_other_names_of_suits_keep_the_value(spot: Spot, suits: list[str]) -> None:
    one, other = solved(spot), solved(_renamed(spot, suits))
    first, second = one.solver.evaluate(), other.solver.evaluate()
    distance = 2 * (first.exploitability + second.exploitability) + ROUNDING
    assert first.values == pytest.approx(second.values, abs=distance)


@fewer(5)
@given(spots(), st.permutations(SUITS), st.sampled_from(["", "oop", "ip"]))
def test_hands_win_the_same_under_other_names_of_suits(
    spot: Spot, suits: list[str], exploit: str
) -> None:
    """With uniform strategies and with best responses to them; solutions may mix as they like."""
    one, other = (solved(each, 0) for each in (spot, _renamed(spot, suits)))
    names = _names(spot, suits)
    for line in (format_line(spot.tree, node) for node in spot.tree.decisions[:2].tolist()):
        for name, hands in one.at(line, exploit=exploit).hands.items():
            twins = other.at(line, exploit=exploit).hands[name]
            found = dict(zip(map(frozenset, twins.cards.tolist()), twins.ev, strict=True))
            for text, ev in zip(hands.texts, hands.ev, strict=True):
                twin = found[frozenset(parse_cards(text.translate(names)))]
                assert twin == pytest.approx(ev, abs=ROUNDING, nan_ok=True)


def _names(spot: Spot, suits: list[str]) -> dict[int, int]:
    """New names, in the order of `suits`, of the suits of the deck."""
    held = [suit for suit in suits if suit in spot.variant.deck.name.partition("/")[2]]
    return str.maketrans("".join(sorted(held)), "".join(held))


def _renamed(spot: Spot, suits: list[str]) -> Spot:
    names = _names(spot, suits)
    board, oop, ip = (text.translate(names) for text in (spot.board, spot.oop, spot.ip))
    return replace(spot, board=board, oop=oop, ip=ip)
