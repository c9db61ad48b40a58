"""Secret ranks beside cards that change, lie open or are bid for, against exact states."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from counterfold.bots.strategy_bot import StrategyBot
from counterfold.cards import parse_deck
from counterfold.errors import UnsupportedGameError
from counterfold.games import parse_game
from counterfold.games.holdem import (
    Auction,
    Bounty,
    Deal,
    Discard,
    Street,
    Swap,
    Variant,
    parse_state,
)
from counterfold.matches.aivat.corrector import check_luck
from counterfold.matches.entrants import baseline_entrant
from counterfold.matches.hosted_match import IN_PROCESS, play_hosted
from counterfold.matches.policy_match import play_policies
from counterfold.public.infosets_kernels import normalize
from counterfold.sampling import Sampling
from counterfold.training.deal_sampling import DealSamplingSolver
from counterfold.tree import Strategy, evaluate, solve_linear_program
from helpers.entrants import policy_entrant
from helpers.naive.naive_luck import CardlessGame
from helpers.public_games import LAY, SPECIAL, Small
from helpers.trained_runs import random_bot

ROUNDING = 1e-11
BOUNTY = Bounty(3, 1)  # pays whole chips


def small(title, *steps, cards=1, deck="QKA/cd", hole_cards=1):
    """Antes, one board with steps, and its betting."""
    streets = Street(first=0, betting=False), Street(cards, first=0, steps=steps)
    rules = {"stack": 3, "blinds": (0, 0), "ante": 1, "hole_cards": hole_cards, "bounty": BOUNTY}
    return Variant(title, streets, deck=parse_deck(deck), **rules)


BESIDE = {
    variant.title: variant
    for variant in (
        small("bounty and swap", Swap(0.3)),
        small("bounty and draw", Discard()),
        small("bounty and laid card", LAY, hole_cards=2),
        small(
            "bounty and shown card", Discard(shown=True, forced=True, redraw=False), hole_cards=2
        ),
        small("bounty and draw in the open", Discard(shown=True)),
        small("bounty and auction", Auction(), cards=4, deck="JQKA/cd"),
        small("bounty and look", Auction(prize="look")),
        small("bounty and deal", Deal(1, (0, 1)), deck="89TJQKA/c", cards=3),
    )
}
SPECIAL.update(BESIDE)


def menu(variant, bets):
    return f"{bets}; bids: allin" if variant.has_auctions else bets


@cache
def game(name):
    return Small(name, menu(BESIDE[name], "min; cap 1"))


@pytest.mark.parametrize("name", BESIDE)
def test_values_and_best_responses_are_those_of_the_tree(name, rng):
    table = game(name)
    for pure in (0.0, 0.5):
        strategy = table.random_strategy(rng, pure)
        figures = evaluate(Strategy(table.compiled, strategy[table.slots]))
        listed, knowledge = table.listed, table.knowledge
        value = listed.expected_value(knowledge, strategy)
        responses = [listed.best_response_value(seat, knowledge, strategy) for seat in (0, 1)]
        assert value == pytest.approx(figures.values[0], abs=ROUNDING)
        assert responses == pytest.approx(figures.responses, abs=ROUNDING)


@pytest.mark.parametrize("name", ["bounty and laid card", "bounty and look", "bounty and swap"])
def test_sampled_training_comes_to_the_value_of_the_tree(name):
    table, sampling = game(name), Sampling()
    solver = DealSamplingSolver(table.game, table.dealer, table.source, sampling, seed=1, threads=1)
    solver.run(20_000)
    strategy = np.empty(table.game.n_slots)
    offsets, widths = table.game.offsets, table.game.n_actions
    normalize(solver.averages, solver.layout, offsets, widths, strategy)
    exploitability = table.exploitability(strategy)
    assert exploitability < 0.5  # chips
    value = table.listed.expected_value(table.knowledge, strategy)
    assert value == pytest.approx(solve_linear_program(table.compiled).value, abs=exploitability)


UNSEEN = ("bounty and swap", "bounty and draw", "bounty and auction")


@pytest.mark.parametrize("known", [(True, True), (True, False), (False, True)])
@pytest.mark.parametrize("name", sorted(BESIDE.keys() - UNSEEN))
def test_luck_is_taken_out_without_bias(name, known):
    """AIVAT, with half chips."""
    variant = replace(BESIDE[name], bounty=Bounty(1.7, 2))
    game = CardlessGame(variant, menu(variant, "allin; cap 1"))
    game.play(1, known=known, swapped=known[0], seed=1).check_unbiased()


@pytest.mark.parametrize("name", UNSEEN)
def test_aivat_says_which_bounties_it_does_not_know(name):
    with pytest.raises(UnsupportedGameError, match="AIVAT with bounties needs hands without swaps"):
        check_luck(BESIDE[name])


LARGE = {"stack": 31, "deck": parse_deck("6789TJQKA/cdhs"), "bounty": Bounty(1.5, 3, 4)}


@pytest.mark.parametrize(
    "steps",
    [(Swap(0.3),), (Discard(),), (Discard(count=2, shown=True),), (LAY,), (Auction(),),
     (Auction(sealed=False, price="first"), Deal(1, (0, 1))), (Auction(prize="look"), Swap(0.2)),
     (Discard(redraw=False, to_board=True),)],
    ids=str,
)  # fmt: skip
def test_kernels_hosts_and_exact_rules_pay_the_same(steps):
    """Unequal payments, ties and half chips; bots in kernels and by views, and hands replayed."""
    streets = Street(first=0), Street(3, steps=steps), Street(2)
    variant = replace(parse_game("bounty"), streets=streets, hole_cards=3, **LARGE)
    bot, cards = random_bot(variant, "100%, allin; cap 2", 5)
    mine = policy_entrant("strategy", bot.policy, cards, cards.dealer)
    mine = replace(
        mine,
        start=lambda seed, n: StrategyBot(variant, bot.policy, bot.cards, seed=seed, player=n),
    )
    players = mine, baseline_entrant("random", variant)
    histories = []
    kernels = play_policies(variant, players, 100, seed=2, histories=histories.extend)
    states = [parse_state(variant, history.state) for history in histories]
    assert [state.utilities for state in states] == [history.chips for history in histories]
    assert len({(state.hits_bounty(0), state.hits_bounty(1)) for state in states}) == 4
    hosted = play_hosted(variant, players, 100, IN_PROCESS, seed=2)
    assert kernels.plain_chips == hosted.chips
