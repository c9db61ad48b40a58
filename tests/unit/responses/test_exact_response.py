"""Exact responses against enumeration of all deals, plain recursion and arithmetic."""

import numpy as np
import pytest

from counterfold.bets.spot_menu_text import parse_spot_menu
from counterfold.blueprints.enumerated import evaluate_enumerated
from counterfold.errors import UnsupportedGameError
from counterfold.games import parse_game
from counterfold.games.holdem import betting_kernels as betting
from counterfold.responses import response_pass
from counterfold.responses.exact_response import ExactResponder, check_variant
from helpers.naive.naive_responses import NaiveResponse
from helpers.random_bots import random_bot as bot
from helpers.random_bots import random_policy as policy_of

LIMIT = "limit(bets=2, deck='QKA/cd', board=(1, 1))"
FREE = "nolimit(stack=7, deck='QKA/cd', board=(1,))"
ROUNDING = 2e-6  # chips; vectors are of 32 bits


def respond(responder):
    return responder.combine(list(responder.respond(responder.boards)))


NO_TURN = """
betting = "limit"
deck = "QKA/cd"
[[streets]]
first = 0
bet = 2
max_bets = 2
[[streets]]
cards = 1
betting = false
[[streets]]
cards = 1
bet = 2
max_bets = 2
"""


@pytest.mark.parametrize(
    ("variant", "rules"), [("leduc-variant", ""), (LIMIT, ""), ("no turn", NO_TURN)]
)
def test_exact_responses_are_those_of_all_deals(variant, rules, rng):
    found, card_map, blueprint = bot(variant, rng, rules=rules)
    policy = policy_of(found, card_map, blueprint)
    result = respond(ExactResponder(found.variant, card_map, policy))
    _, exact = evaluate_enumerated(blueprint, card_map, *found.exact)
    values = [seat.value.mean for seat in result.seats]
    assert values == pytest.approx(exact.responses, abs=ROUNDING)
    assert [seat.own.mean for seat in result.seats] == pytest.approx(exact.values, abs=ROUNDING)
    assert result.exploitability.mean == pytest.approx(exact.exploitability, abs=ROUNDING)
    gains = sum(loss.mean for loss in result.losses)
    assert gains == pytest.approx(exact.exploitability, abs=ROUNDING)
    bets = [street.betting for street in found.variant.streets]
    assert [loss.mean > 0 for loss in result.losses] == bets
    assert result.kind == "exact"


def raises(variant):
    """What may be raised to with fixed limits."""

    def totals(situation):
        low, _ = betting.raise_bounds(variant.rules, situation)
        return [int(low)] if low else []

    return totals


@pytest.mark.parametrize("play", [{}, {"threshold": 0.2}, {"purify": True}])
def test_untrained_hands_and_thresholds_are_played_as_in_matches(rng, play):
    found, card_map, blueprint = bot("leduc-variant", rng, trained=False)
    policy = policy_of(found, card_map, blueprint, **play)
    result = respond(ExactResponder(found.variant, card_map, policy))
    for seat, response in enumerate(result.seats):
        naive = NaiveResponse(found.variant, card_map, policy, seat, raises(found.variant))
        assert response.value.mean == pytest.approx(naive.value(), abs=1e-4)


@pytest.mark.parametrize(
    ("rule", "features"),
    [("pseudo-harmonic", "history * cards"), ("nearest", "pot * to_call * cards")],
)
def test_bets_off_the_menu_are_read_as_in_matches(rng, rule, features):
    found, card_map, blueprint = bot(FREE, rng, bets="100%, allin; cap 2", features=features)
    policy = policy_of(found, card_map, blueprint, rule=rule)
    menu = parse_spot_menu("50%, 150%; cap 2")
    result = respond(ExactResponder(found.variant, card_map, policy, menu))
    assert result.kind == "lower bound"
    assert (result.losses, result.seats[0].own) == ((), None)
    for seat, response in enumerate(result.seats):

        def totals(situation):
            return menu.totals(found.variant, situation)

        naive = NaiveResponse(found.variant, card_map, policy, seat, totals)
        assert response.value.mean == pytest.approx(naive.value(), abs=1e-4)


@pytest.mark.parametrize(("variant", "menu"), [(LIMIT, None), (FREE, "50%, 150%; cap 2")])
def test_lines_in_small_blocks_are_worth_the_same(rng, monkeypatch, variant, menu):
    """Where bets are off the menu, the bot's hidden readings lie in blocks, too."""
    bets = "100%, allin; cap 2" if menu else "min"
    found, card_map, blueprint = bot(variant, rng, bets=bets)
    policy, sizes = policy_of(found, card_map, blueprint), menu and parse_spot_menu(menu)
    whole = respond(ExactResponder(found.variant, card_map, policy, sizes))
    monkeypatch.setattr(response_pass, "_BLOCK_BYTES", 1)
    split = respond(ExactResponder(found.variant, card_map, policy, sizes))
    for one, other in zip(whole.seats, split.seats, strict=True):
        assert one.value.mean == pytest.approx(other.value.mean, abs=ROUNDING)
    assert len(whole.losses) == len(split.losses) == (0 if menu else 3)
    for one, other in zip(whole.losses, split.losses, strict=True):
        assert one.mean == pytest.approx(other.mean, abs=ROUNDING)


def test_always_fold_loses_three_quarters_of_a_big_blind(rng):
    found, card_map, blueprint = bot("limit(deck='JQKA/cd', board=(1, 1))", rng, bets="min")
    blueprint.quantized[:] = 0
    graph, game = blueprint.game.graph, blueprint.game
    for node in graph.decisions:
        width = int(graph.starts[node + 1] - graph.starts[node])
        at = int(game.node_offsets[node])
        n = int(game.n_buckets[game.classes[node]])
        blueprint.quantized[at : at + n * width : width] = 255  # the first action: fold, or check
    result = respond(ExactResponder(found.variant, card_map, policy_of(found, card_map, blueprint)))
    assert result.in_mb(result.exploitability).mean == pytest.approx(750.0, abs=1e-3)
    assert result.in_mb(result.seats[0].value).mean == pytest.approx(1000.0, abs=1e-3)


def test_sampled_boards_estimate_the_exact_figure_without_an_upward_bias(rng):
    found, card_map, blueprint = bot(LIMIT, rng)
    responder = ExactResponder(found.variant, card_map, policy_of(found, card_map, blueprint))
    rows = {row.board: row for row in responder.respond(responder.boards, threads=2)}
    exact = responder.combine(list(rows.values()))
    means, covered = [], 0
    for seed in range(60):
        drawn = [rows[board] for board in responder.sample(12, seed)]
        result = responder.estimate(drawn)
        figure = result.exploitability
        means.append(figure.mean)
        covered += abs(figure.mean - exact.exploitability.mean) <= figure.interval
        assert result.kind == "sampled"
        own = [seat.own.mean for seat in result.seats]
        assert own[0] == pytest.approx(-own[1], abs=ROUNDING)
    error = np.std(means) / np.sqrt(len(means))
    assert np.mean(means) <= exact.exploitability.mean + 3 * error
    assert np.mean(means) >= 0.8 * exact.exploitability.mean
    assert covered >= 45


def test_boards_of_later_streets_say_on_average_what_responding_from_there_wins(rng):
    found, card_map, blueprint = bot("limit(bets=1, deck='QKA/cdh', board=(2, 1))", rng)
    responder = ExactResponder(found.variant, card_map, policy_of(found, card_map, blueprint))
    exact = respond(responder)
    boards, weights = [], []
    for board in responder.boards:
        left = np.setdiff1d(found.variant.deck.cards, board.cards)
        boards += [board._replace(later=((int(card),),)) for card in left]
        weights += [board.copies / responder.n_boards / left.size] * left.size
    rows = list(responder.respond(boards, threads=1))
    for seat, response in enumerate(exact.seats):
        units = responder.units(rows, seat)[:, 2:]
        values = np.average(units, axis=0, weights=weights)
        assert values[-1] == pytest.approx(response.own.mean, abs=ROUNDING)
        gain = values[0] - values[1]
        assert gain == pytest.approx(response.gains[-1].mean, abs=ROUNDING)
    result = responder.estimate(rows)
    assert (result.kind, result.first_street) == ("lower bound", 2)
    assert list(result.by_street) == ["turn"]


def test_samples_of_later_streets_are_boards_of_the_deck(rng):
    found, card_map, blueprint = bot("limit(bets=1, deck='QKA/cdh', board=(2, 1))", rng)
    responder = ExactResponder(found.variant, card_map, policy_of(found, card_map, blueprint))
    drawn = responder.sample(200, seed=3, street=2)
    assert len({board.all_cards for board in drawn}) > 20
    for board in drawn:
        assert len(set(board.all_cards)) == 3
        assert set(board.all_cards) <= set(found.variant.deck.cards.tolist())
    assert [b.cards for b in drawn] == [b.cards for b in responder.sample(200, seed=3, street=2)]
    with pytest.raises(UnsupportedGameError, match="rivers are never dealt"):
        responder.sample(4, seed=3, street=3)


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("discard", "pass --local"),
        ("river-of-blood", "pass --local"),
        ("auction", "pass --learned"),
        ("toss", "pass --learned"),
        ("bounty", "pass --learned"),
        ("kuhn-variant", "counterfold evaluate"),
    ],
)
def test_other_variants_are_refused_with_what_measures_them(name, advice):
    with pytest.raises(UnsupportedGameError, match=advice):
        check_variant(parse_game(name))


def test_bounties_are_refused_before_any_work():
    with pytest.raises(UnsupportedGameError, match="an exact response needs a pot without"):
        check_variant(parse_game("bounty"))
