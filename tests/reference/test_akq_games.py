"""AKQ games: closed forms that follow from who is indifferent (Chen and Ankenman 2006, ch. 15).

Each seat has one of three hands, never both the same, and there is one bet, smaller than
the pot. On a river, hands of two cards of one rank stand for the three.
"""

import pytest

from counterfold.ranges.spot import Spot
from counterfold.ranges.spot_node import SpotNode
from counterfold.ranges.spot_view import SpotView

ACE, KING, QUEEN = "AdAc", "KdKc", "QdQc"
HANDS = ",".join((ACE, KING, QUEEN))
SURE = 1e-3  # of a probability that is 0 or 1
MIXED = 0.01
CHIPS = 0.02


def _solve(pot: int, bet: int, bets: str) -> SpotView:
    spot = Spot(board="2h2s7h8s3d", oop=HANDS, ip=HANDS, pot=pot, stack=bet, bets=bets)
    solver = spot.solver()
    solver.run(4000)
    return SpotView(spot, solver)


def _last_action(node: SpotNode) -> dict[str, float]:
    """How often each hand bets, or calls."""
    return dict(zip(node.actor.texts, node.strategy[-1].tolist(), strict=True))


@pytest.mark.parametrize(("pot", "bet"), [(100, 90), (100, 50), (100, 25), (120, 80)])
def test_the_half_street_game(pot: int, bet: int) -> None:
    """The first to act checks; a bluff and a call make the other indifferent."""
    view = _solve(pot, bet, "oop: none; ip: allin")
    bluff, call = bet / (pot + bet), (pot - bet) / (pot + bet)
    bets, calls = _last_action(view.at("k")), _last_action(view.at(f"k b{bet}"))
    assert bets[ACE] == pytest.approx(1, abs=SURE)
    assert bets[KING] == pytest.approx(0, abs=SURE)
    assert bets[QUEEN] == pytest.approx(bluff, abs=MIXED)
    assert calls[ACE] == pytest.approx(1, abs=SURE)
    assert calls[KING] == pytest.approx(call, abs=MIXED)
    assert calls[QUEEN] == pytest.approx(0, abs=SURE)
    assert view.at().totals()["ev"]["ip"] == pytest.approx(pot / 2 + call * bet / 6, abs=CHIPS)


@pytest.mark.parametrize(("pot", "bet"), [(100, 40), (100, 20), (300, 60)])
def test_the_full_street_game_with_a_small_bet(pot: int, bet: int) -> None:
    """With a pot above two bets, the first to act always bets its aces."""
    view = _solve(pot, bet, "allin")
    bluff, call = bet / (pot + bet), (pot - bet) / (pot + bet)
    first, second = _last_action(view.at()), _last_action(view.at("k"))
    facing_bet, facing_late_bet = (_last_action(view.at(f"{k}b{bet}")) for k in ("", "k "))
    assert first[ACE] == pytest.approx(1, abs=MIXED)
    assert first[KING] == pytest.approx(0, abs=SURE)
    assert first[QUEEN] == pytest.approx(bluff, abs=MIXED)
    assert facing_bet[KING] == pytest.approx(call, abs=MIXED)
    assert second[QUEEN] == pytest.approx(bluff, abs=MIXED)
    # Aces have bet, so that kings alone keep bluffs from being free.
    assert facing_late_bet[KING] == pytest.approx(pot / (pot + bet), abs=MIXED)
    wanted = pot / 2 - bet**2 / (6 * (pot + bet))
    assert view.at().totals()["ev"]["oop"] == pytest.approx(wanted, abs=CHIPS)


@pytest.mark.parametrize(("pot", "bet"), [(100, 70), (100, 90)])
def test_the_full_street_game_with_a_large_bet(pot: int, bet: int) -> None:
    """With a pot below two bets, the first to act only checks: the half-street game again."""
    view = _solve(pot, bet, "allin")
    bluff, call = bet / (pot + bet), (pot - bet) / (pot + bet)
    assert max(_last_action(view.at()).values()) == pytest.approx(0, abs=MIXED)
    assert _last_action(view.at("k"))[QUEEN] == pytest.approx(bluff, abs=MIXED)
    assert _last_action(view.at(f"k b{bet}"))[KING] == pytest.approx(call, abs=MIXED)
    wanted = pot / 2 - call * bet / 6
    assert view.at().totals()["ev"]["oop"] == pytest.approx(wanted, abs=CHIPS)


def test_a_pot_of_two_bets_is_the_poker_of_kuhn() -> None:
    """The first to act may bet its aces as often as it likes, and the rest follows from that."""
    view = _solve(100, 50, "allin")
    first, late = _last_action(view.at()), _last_action(view.at("k b50"))
    assert first[QUEEN] == pytest.approx(first[ACE] / 3, abs=MIXED)
    assert late[KING] == pytest.approx((1 + first[ACE]) / 3, abs=MIXED)
    assert view.at().totals()["ev"]["oop"] == pytest.approx(50 - 50 / 18, abs=CHIPS)
