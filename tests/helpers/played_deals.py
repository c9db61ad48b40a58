"""Hands of bots on the deals of kernels, by the rules in Python, and the same by kernels."""

import numpy as np

from counterfold.bots import policy_kernels
from counterfold.bots.played_run import bot_of
from counterfold.bots.view import view_of
from counterfold.cards import format_card, format_cards
from counterfold.cards.text import RANKS
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.action_words import BID, DISCARD
from counterfold.games.holdem.chance import DRAWN, SWAPPED, UNSWAPPED
from counterfold.matches import policy_match_kernels
from counterfold.matches.batch import BatchRunner
from counterfold.matches.entrants import run_entrant
from counterfold.public import deals_kernels

SEED = 7


def play_deal(dealer, row, bots, bounties=()):
    """Chips of seat 0 when `bots`, by seat, play a row of `Deals.cards`; the state at the end."""
    variant, layout = dealer.variant, dealer.layout
    h = variant.hole_cards
    cards = dealer.real[row].tolist()
    state = variant.root()
    holes = [cards[:h], cards[h : 2 * h]]
    for hole in holes:
        state = state.child(format_cards(hole))
    for rank in bounties:
        state = state.child("#" + RANKS[rank])
    for seat, bot in enumerate(bots):
        bot.begin_hand(view_of(state, seat))
    dealt = 2 * h
    while state.utilities is None:
        phase, street = (
            state.situation[betting.PHASE],
            state.situation[betting.STREET],
        )
        if phase == betting.DEAL:
            n = variant.streets[min(street + 1, len(variant.streets) - 1)].cards
            state = state.child(format_cards(cards[dealt : dealt + n]))
            dealt += n
            stage = next(at for at, each in enumerate(dealer.stages) if each.street == street + 1)
            column = layout.stages[stage, deals_kernels.STAGE_SWAP]
            if column != deals_kernels.NO_COLUMN:
                state = swap_hands(state, holes, cards[column:])
            continue
        seat = state.situation[betting.ACTOR]
        view = view_of(state, seat)
        action = bots[seat].act(view)
        assert view.is_legal(action)
        state = state.child(action)
        while state.owed and action[0] == BID:
            row = layout.stages[layout.stages[:, deals_kernels.STAGE_STREET] == street][-1]
            column = row[deals_kernels.STAGE_PRIZE] + state.owed[0][1]
            state = state.child(DRAWN + format_card(cards[column]))
        if action[0] == DISCARD and not variant.lays_cards:
            stage = next(
                at
                for at, each in enumerate(dealer.stages)
                if each.street == street and not each.before_draw
            )
            column = layout.stages[stage, deals_kernels.STAGE_DRAW] + seat
            state = state.child(DRAWN + format_card(cards[column]))
    return int(state.utilities[0]), state


def swap_hands(state, holes, cards):
    """The state after the swaps of a street; `holes`, in the places of the row, are replaced."""
    h = len(holes[0])
    for seat, held in enumerate(state.holes):
        for card in held:
            place = holes[seat].index(card)
            new = cards[seat * h + place]
            if new == deals_kernels.NO_CARD:
                state = state.child(UNSWAPPED)
            else:
                state = state.child(SWAPPED + format_card(new))
                holes[seat][place] = new
    return state


def kernel_hands(run, other, n, swapped):
    """Chips of player 0 on each of `n` deals, and counts, as `match.match` has them."""
    runner = BatchRunner(run.plan.variant, (run_entrant(run), run_entrant(other)), SEED)
    deals = runner.dealer.sample(SEED, 0, n)
    counts = np.zeros((2, policy_match_kernels.N_COUNTS), np.int64)
    cards = tuple(policy.cards(deals) for policy in runner.policies)
    played = runner.play_once(deals, cards, 0, np.full(n, swapped, np.uint8), counts)
    return deals, played.winnings, counts


def bot_hands(run, other, deals, swapped):
    """The same by bots."""
    bots = [bot_of(run, SEED + 1, 0), bot_of(other, SEED + 1, 1)]
    seats = bots[::-1] if swapped else bots
    pairs = zip(deals.cards, deals.bounties, strict=True)
    chips = [play_deal(run.plan.dealer, row, seats, ranks)[0] for row, ranks in pairs]
    return np.array(chips) * (-1 if swapped else 1), bots


def check_equal(run, other, n):
    """Both come to the same chips on `n` deals in both seats, by decisions of the same kinds."""
    for swapped in (False, True):
        deals, winnings, counts = kernel_hands(run, other, n, swapped)
        chips, bots = bot_hands(run, other, deals, swapped)
        np.testing.assert_array_equal(chips, winnings)
        for bot, row in zip(bots, counts, strict=True):
            assert bot.counts.total() == row[policy_match_kernels.DECISIONS]
            for how in (policy_kernels.UNTRAINED, policy_kernels.OFF_TREE, policy_kernels.FORCED):
                assert bot.counts[how] == row[how]
