"""What the end of a hand pays, against bookkeeping chip by chip."""

from fractions import Fraction
from math import ceil, floor

from hypothesis import given
from hypothesis import strategies as st

from counterfold.games.holdem import Bounty
from counterfold.games.holdem.payoff import NOBODY, settle, settle_bounty

CHIPS = st.integers(1, 400)
SPENT = st.tuples(CHIPS, CHIPS)
LOSERS = st.sampled_from((0, 1, NOBODY))


def by_the_pot(spent, loser):
    """Seat 0's result if the pot is handed out: to the winner, or half of it to each."""
    pot = sum(spent)
    share = {0: 0, 1: pot, NOBODY: Fraction(pot, 2)}[loser]
    # The winner of unequal stakes gets back what the other did not match.
    return share - spent[0]


@given(SPENT, LOSERS)
def test_the_pot_goes_to_the_winner(spent, loser):
    assert settle(spent, loser) == floor(by_the_pot(spent, loser))


@given(SPENT, LOSERS)
def test_what_one_wins_the_other_loses(spent, loser):
    swapped = NOBODY if loser == NOBODY else 1 - loser
    total = settle(spent, loser) + settle(spent[::-1], swapped)
    assert total in (0, -1)  # each view gives the odd chip of a tie to the other seat
    assert total == 0 or loser == NOBODY


@given(CHIPS, LOSERS, st.tuples(st.booleans(), st.booleans()), st.booleans())
def test_bounties_as_the_rules_of_2025_have_them(paid, loser, hit, rounds_up):
    if loser == NOBODY:
        alone = hit[0] != hit[1]
        won = (Fraction(paid, 4) + 10) * (1 if hit[0] else -1) if alone else Fraction(0)
    else:
        won = Fraction(3 * paid, 2) + 10 if hit[1 - loser] else Fraction(paid)
        won = -won if loser == 0 else won
    expected = ceil(won) if rounds_up else floor(won)
    assert settle_bounty(Bounty(), (paid, paid), loser, hit, rounds_up=rounds_up) == expected


@given(SPENT, LOSERS, st.tuples(st.booleans(), st.booleans()))
def test_a_bounty_of_nothing_changes_nothing(spent, loser, hit):
    free = Bounty(factor=1.0, extra=0)
    equal = (spent[0], spent[0])
    assert settle_bounty(free, equal, loser, hit, rounds_up=False) == settle(equal, loser)
