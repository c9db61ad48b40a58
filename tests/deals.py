"""Hands of bots on the deals of kernels, by the rules in Python."""

from counterfold.bots.view import view_of
from counterfold.cards import format_card, format_cards
from counterfold.games.holdem.state import DISCARD, DRAWN
from counterfold.kernels import betting
from counterfold.kernels import deals as layouts


def play_deal(dealer, row, bots):
    """Chips of seat 0 when `bots`, by seat, play a row of `Deals.cards`; the state at the end."""
    variant, layout = dealer.variant, dealer.layout
    h = variant.hole_cards
    cards = [int(card) for card in row]
    state = variant.root()
    for seat in range(2):
        state = state.child(format_cards(cards[seat * h : (seat + 1) * h]))
    for seat, bot in enumerate(bots):
        bot.begin_hand(view_of(state, seat))
    dealt = 2 * h
    while state.utilities is None:
        phase, street = state.situation[betting.PHASE], state.situation[betting.STREET]
        if phase == betting.DEAL:
            n = variant.streets[min(street + 1, len(variant.streets) - 1)].cards
            state = state.child(format_cards(cards[dealt : dealt + n]))
            dealt += n
            continue
        seat = state.situation[betting.ACTOR]
        view = view_of(state, seat)
        action = bots[seat].act(view)
        assert view.is_legal(action)
        state = state.child(action)
        if action[0] == DISCARD:
            stage = next(
                at
                for at, each in enumerate(dealer.stages)
                if each.street == street and not each.before_draw
            )
            column = layout.stages[stage, layouts.DRAW] + seat
            state = state.child(DRAWN + format_card(cards[column]))
    return int(state.utilities[0]), state
