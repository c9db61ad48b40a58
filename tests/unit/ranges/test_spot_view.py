"""What is shown of a spot: lines, boards with other suits, sums, closed forms."""

import numpy as np
import pytest

from counterfold.cards import parse_cards
from counterfold.errors import IllegalActionError
from counterfold.ranges.locks import parse_lock
from counterfold.ranges.spot import Spot
from counterfold.ranges.spot_node import SpotNode
from counterfold.ranges.spot_view import SpotView

BLUFFS = "QcQd,QcQh,QcQs,QdQh,QdQs,QhQs"


def _view(iterations: int = 300, **options: object) -> SpotView:
    spot = Spot(**options)  # type: ignore[arg-type]
    solver = spot.solver()
    solver.run(iterations)
    return SpotView(spot, solver)


def _clairvoyance(bet: str, stack: int) -> SpotNode:
    """One seat has the nuts or nothing; the other beats nothing and loses to the nuts."""
    return _view(
        2000,
        board="2c2d7h8s3d",
        oop="AcAd,AcAh,AcAs,AdAh,AdAs,AhAs," + BLUFFS,
        ip="KcKd,KcKh,KcKs,KdKh,KdKs,KhKs",
        pot=100,
        stack=stack,
        bets=f"oop: bets: {bet}; ip: none",
    ).at()


@pytest.mark.parametrize(("bet", "chips"), [("100%", 100), ("50%", 50), ("200%", 200)])
def test_the_clairvoyance_game_has_its_closed_form(bet: str, chips: int) -> None:
    # Chen and Ankenman 2006: with pot 1 and bet b bluffs are b / (1 + b) of the value bets.
    node = _clairvoyance(bet, chips)
    share = chips / 100
    bluff = share / (1 + share)
    hands = node.actor.texts
    bets = node.strategy[1:].sum(axis=0)
    aces = np.array([text.startswith("A") for text in hands])
    assert bets[aces].mean() == pytest.approx(1, abs=0.01)
    assert bets[~aces].mean() == pytest.approx(bluff, abs=0.02)
    # The value of the one who knows: half of the time the pot, and what its bluffs win besides.
    assert node.totals()["ev"]["oop"] == pytest.approx(50 * (1 + bluff), abs=0.5)


def test_a_flop_is_the_same_under_new_names_of_suits() -> None:
    view = _view(
        60, board="Kc7c2d", pot=10, stack=20, bets="allin", oop="AA,KQs,76s", ip="QQ,AKo,T9s"
    )
    hearts, spades = (view.at(f"k k | {card} | k") for card in ("3h", "3s"))
    assert hearts.board[-1] != spades.board[-1]
    swapped = str.maketrans("hs", "sh")
    other = {row["hand"]: row for row in spades.rows() if row["position"] == "ip"}
    for row in hearts.rows():
        if row["position"] == "ip":
            cards = sorted(parse_cards(row["hand"].translate(swapped)), reverse=True)
            twin = next(
                r for text, r in other.items() if sorted(parse_cards(text), reverse=True) == cards
            )
            assert twin["ev"] == pytest.approx(row["ev"], abs=1e-3)
            assert twin["weight"] == pytest.approx(row["weight"], abs=1e-6)
    assert spades.totals()["ev"]["ip"] == pytest.approx(hearts.totals()["ev"]["ip"], abs=1e-3)


def test_evs_add_up_to_the_pot_and_folds_are_worth_nothing() -> None:
    view = _view(
        100, board="Kc7c2d9h", oop="AA,KQs,76s", ip="QQ,AKo,T9s", pot=11, stack=30, bets="50%"
    )
    for line in ("", "k", "k b50%", "k b50% c | 3h", "b50% c | As | k"):
        node = view.at(line)
        totals = node.totals()
        assert sum(totals["ev"].values()) == pytest.approx(node.pot, abs=2e-3)
        assert sum(totals["equity"].values()) == pytest.approx(1, abs=1e-6)
        assert node.strategy.sum(axis=0) == pytest.approx(np.ones(node.actor.weight.size))
        if node.labels[0] == "fold":
            assert np.nanmax(np.abs(node.action_ev[0])) < 1e-4
        mixed = (node.strategy * np.nan_to_num(node.action_ev)).sum(axis=0)
        met = node.actor.met > 0
        assert mixed[met] == pytest.approx(node.actor.ev[met], abs=1e-3)


def test_locked_hands_play_what_they_are_told() -> None:
    view = _view(
        200, board="Kc7c2d9h3s", oop="AA,KQs,76s", ip="QQ,AKo,T9s", pot=10, stack=30, bets="50%",
        locks=(parse_lock("k : QQ : b50%=0.25, k=0.75"),),
    )  # fmt: skip
    node = view.at("k")
    queens = np.array([text[0] == text[2] == "Q" for text in node.actor.texts])
    assert node.labels == ("check", "bet 5")
    assert node.strategy[:, queens] == pytest.approx(np.tile([[0.75], [0.25]], queens.sum()))
    assert not np.allclose(node.strategy[:, ~queens], 0.5)
    assert view.solver.evaluate().exploitability_percent < 0.5


def test_run_outs_name_every_card_once() -> None:
    view = _view(20, board="Kc7c2d9h", oop="AA,KQs", ip="QQ,T9s", pot=10, stack=30, bets="allin")
    found = dict(view.runouts("k k"))
    assert len(found) == 48
    assert found["3h"].board[-1] == parse_cards("3h")[0]


@pytest.mark.parametrize(
    ("line", "message"),
    [("k k", "name the card"), ("k b50% f", "hand is over"), ("k k k", "name the cards"),
     ("k b33%", "b33%"), ("k k | Kc", "Kc")],
)  # fmt: skip
def test_lines_that_lead_nowhere_are_named(line: str, message: str) -> None:
    view = _view(1, board="Kc7c2d9h", oop="AA,KQs", ip="QQ,T9s", pot=10, stack=30, bets="50%")
    with pytest.raises(IllegalActionError, match=message):
        view.at(line)


def test_the_exploit_view_wins_what_the_best_response_wins() -> None:
    view = _view(
        15, board="Kc7c2d9h", oop="AA,KQs,76s", ip="QQ,AKo,T9s", pot=10, stack=30, bets="50%"
    )
    evaluation = view.solver.evaluate()
    for seat, name in zip(view.spot.positions, ("oop", "ip"), strict=True):
        totals = view.at(exploit=name).totals()
        assert totals["ev"][name] == pytest.approx(evaluation.responses[seat] + 5, abs=1e-3)
        assert totals["ev"][name] > view.at().totals()["ev"][name]
    assert set(np.unique(view.at("k", exploit="ip").strategy)) == {0.0, 1.0}
