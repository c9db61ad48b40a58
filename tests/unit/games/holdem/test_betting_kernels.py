"""The rules of betting, one situation after the other."""

import pytest

from counterfold.games.holdem import VARIANTS, Discard, Street, Variant
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.betting_kernels import BET, DEAL, DRAW, FOLDED, SHOWDOWN

NOLIMIT = VARIANTS["nolimit"]().rules
LIMIT = VARIANTS["limit"]().rules


def fields(situation):
    """Phase, actor, chips of both seats."""
    return situation[1:5]


def play(rules, text):
    """The situation after `text`: f, c (also a check), hand totals, d and s to draw, / and ! deal.

    After `!` no street follows.
    """
    situation = betting.first_situation(rules)
    for word in text.split():
        if word == "f":
            situation = betting.after_fold(situation)
        elif word == "c":
            situation = betting.after_call(rules, situation)
        elif word in "ds":
            situation = betting.after_draw(rules, situation, word == "d")
        elif word in "/!":
            situation = betting.after_deal(rules, situation, word == "/")
        else:
            situation = betting.after_raise(situation, int(word))
    return situation


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", (BET, 0, 1, 2)),  # the dealer posts the small blind and acts first
        ("f", (FOLDED, 0, 1, 2)),
        ("c", (BET, 1, 2, 2)),  # the big blind may still raise
        ("c c", (DEAL, 0, 2, 2)),
        ("c 6 c", (DEAL, 0, 6, 6)),
        ("6 c", (DEAL, 0, 6, 6)),
        ("6 18 f", (FOLDED, 0, 6, 18)),
        ("c c /", (BET, 1, 2, 2)),  # from the flop on the big blind acts first
        ("c c / c", (BET, 0, 2, 2)),
        ("c c / c c", (DEAL, 0, 2, 2)),
        ("c c / 10 c", (DEAL, 0, 10, 10)),
        ("c c / c c / c c ! c c", (SHOWDOWN, 0, 2, 2)),
        ("400 c", (DEAL, 0, 400, 400)),
        ("400 c / /", (DEAL, 0, 400, 400)),  # nobody is asked once the stacks are in
        ("400 c / / !", (SHOWDOWN, 0, 400, 400)),
        ("400 f", (FOLDED, 1, 400, 2)),
    ],
)
def test_who_acts(text, expected):
    assert fields(play(NOLIMIT, text)) == expected


@pytest.mark.parametrize(
    ("text", "bounds"),
    [
        ("", (4, 400)),
        ("c", (4, 400)),
        ("4", (6, 400)),  # a raise by 2 asks for 2 more
        ("10", (18, 400)),
        ("10 30", (50, 400)),
        ("300", (400, 400)),  # less than the last raise, but all that is left
        ("399", (400, 400)),
        ("400", (0, 0)),
        ("c c /", (4, 400)),  # totals count from the start of the hand
        ("10 c / ", (12, 400)),
        ("10 c / c 15", (20, 400)),
    ],
)
def test_raises_without_limit(text, bounds):
    assert betting.raise_bounds(NOLIMIT, play(NOLIMIT, text)) == bounds


@pytest.mark.parametrize(
    ("text", "bounds"),
    [
        ("", (4, 4)),
        ("4 6", (8, 8)),
        ("4 6 8", (0, 0)),  # the blind was the first of four bets
        ("c c /", (4, 4)),
        ("c c / 4 6 8", (10, 10)),
        ("c c / 4 6 8 10", (0, 0)),
        ("c c / c c /", (6, 6)),  # bets double on the turn
    ],
)
def test_raises_with_fixed_limit(text, bounds):
    assert betting.raise_bounds(LIMIT, play(LIMIT, text)) == bounds


@pytest.mark.parametrize(
    ("text", "bounds"),
    [
        ("", (4, 6)),  # calling makes 4, raising by as much is to 6
        ("c", (4, 6)),
        ("6", (10, 18)),
        ("c c /", (4, 6)),
        ("6 c /", (8, 18)),
        ("6 18 c / 54", (90, 100)),  # the stack is less than the pot
    ],
)
def test_raises_with_pot_limit(text, bounds):
    rules = VARIANTS["potlimit"](stack=100).rules
    assert betting.raise_bounds(rules, play(rules, text)) == bounds


def test_antes_are_in_the_pot_and_not_in_the_bet():
    streets = Street(first=0), Street(cards=3)
    ante = Variant("", streets, "pot-limit", 50, blinds=(0, 0), ante=1).rules
    first = betting.first_situation(ante)
    assert fields(first) == (BET, 0, 1, 1)
    assert first[betting.BASE] == 1
    assert betting.raise_bounds(ante, first) == (
        2,
        3,
    )  # a bet of 1 chip, up to the pot of 2
    both = Variant("", streets, stack=50, ante=3).rules
    assert fields(betting.first_situation(both)) == (BET, 0, 4, 5)
    assert betting.raise_bounds(both, betting.first_situation(both)) == (7, 50)


def test_blinds_that_are_the_stack():
    rules = VARIANTS["nolimit"](stack=2).rules
    assert fields(play(rules, "")) == (BET, 0, 1, 2)
    assert betting.raise_bounds(rules, play(rules, "")) == (0, 0)
    assert fields(play(rules, "c")) == (DEAL, 0, 2, 2)  # the big blind has nothing to decide
    equal = VARIANTS["nolimit"](stack=2, blinds=(2, 2)).rules
    assert fields(play(equal, "")) == (DEAL, 0, 2, 2)
    alone = Variant("", (Street(first=0),), stack=2, blinds=(2, 2)).rules
    assert fields(play(alone, "")) == (SHOWDOWN, 0, 2, 2)


def test_fixed_limit_all_in_for_less_than_a_bet():
    streets = Street(first=0, bet=2, max_bets=4), Street(1, bet=2, max_bets=4)
    rules = Variant("", streets, "limit", stack=5).rules
    assert betting.raise_bounds(rules, play(rules, "4")) == (5, 5)
    assert fields(play(rules, "4 5 c")) == (DEAL, 0, 5, 5)


DISCARD = VARIANTS["discard"]().rules


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("c c /", (DRAW, 1, 2, 2)),  # the big blind decides first
        ("c c / d", (DRAW, 0, 2, 2)),
        ("c c / d s", (BET, 1, 2, 2)),
        ("c c / s s c c / s s c c !", (BET, 1, 2, 2)),  # no draw on the river
        ("200 c /", (DRAW, 1, 200, 200)),  # all-in players draw
        ("200 c / d d", (DEAL, 0, 200, 200)),
        ("200 c / d d / s s !", (SHOWDOWN, 0, 200, 200)),
    ],
)
def test_draws(text, expected):
    assert fields(play(DISCARD, text)) == expected


def test_who_drew_is_kept_by_round_and_seat():
    assert play(DISCARD, "c c / d s")[betting.DREW] == 0b0010
    assert play(DISCARD, "c c / d s c c / s d")[betting.DREW] == 0b0110
    forgetful = DISCARD._replace(table=DISCARD.table.copy())
    forgetful.table[betting.KEEP_DRAWS] = 0
    assert play(forgetful, "c c / d s c c / s d")[betting.DREW] == 0


def test_a_draw_before_the_first_betting():
    rules = Variant("", (Street(first=0, steps=(Discard(first=0),)),), stack=9).rules
    assert fields(play(rules, "")) == (DRAW, 0, 1, 2)
    assert fields(play(rules, "d")) == (DRAW, 1, 1, 2)
    assert fields(play(rules, "d s")) == (BET, 0, 1, 2)
    assert fields(play(rules, "d s c c")) == (SHOWDOWN, 0, 2, 2)


def test_runs_go_on_while_the_cards_say_so():
    rules = VARIANTS["river-of-blood"]().rules
    river = "c c / c c / c c "
    assert play(rules, river + "!")[betting.FINAL] == 1
    run = play(rules, river + "/")
    assert (run[betting.STREET], run[betting.FINAL]) == (3, 0)
    assert fields(play(rules, river + "/ c c")) == (DEAL, 0, 2, 2)
    assert play(rules, river + "/ c c / c 9 c !")[betting.STREET] == 5
    long = play(rules, "400 c / /" + " /" * 27)
    assert (long[betting.STREET], long[betting.FINAL]) == (
        29,
        1,
    )  # 26 red cards, then the end
    assert fields(long) == (SHOWDOWN, 0, 400, 400)


def test_nothing_of_the_past_stays_where_it_does_not_matter():
    assert play(NOLIMIT, "c 6 c") == play(NOLIMIT, "6 c")
    assert play(NOLIMIT, "c c / 6 c") == play(NOLIMIT, "c c / c 6 c")
