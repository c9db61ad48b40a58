"""What a variant must be, and the presets."""

import pickle
from dataclasses import replace

import pytest

from counterfold.cards import parse_cards, parse_deck
from counterfold.cards.text import RANKS
from counterfold.errors import GameError, IllegalActionError
from counterfold.games import parse_game
from counterfold.games.holdem import (
    VARIANTS,
    Auction,
    Bounty,
    Deal,
    Discard,
    Street,
    Swap,
    Variant,
    parse_state,
)
from counterfold.games.holdem import betting_kernels as betting

NOLIMIT = VARIANTS["nolimit"]()
LIMIT = VARIANTS["limit"]()
BLOOD = VARIANTS["river-of-blood"]()
TOSS = VARIANTS["toss"]()
LAY = Discard(forced=True, redraw=False, to_board=True)


@pytest.mark.parametrize(
    ("variant", "changes", "sentence"),
    [
        (NOLIMIT, {"stack": 1}, "nolimit: stack 1 is below the 2 chips of blind and ante"),
        (NOLIMIT, {"stack": 2, "ante": 1}, "stack 2 is below the 3 chips"),
        (NOLIMIT, {"stack": 1_000_000}, "stack must be given if betting is no-limit"),
        (NOLIMIT, {"stack": 4.0}, "stack must be an integer from 1 to 1000000, not 4.0"),
        (NOLIMIT, {"blinds": (0, 0)}, "blinds and ante are 0: there is nothing to play for"),
        (NOLIMIT, {"blinds": (1, 2, 4)}, "blinds must be two numbers of chips, by seat, not"),
        (NOLIMIT, {"blinds": 2}, "blinds must be two numbers of chips, by seat, not 2"),
        (NOLIMIT, {"blinds": (1, -2)}, "each of blinds must be an integer from 0 to 1000000, not"),
        (NOLIMIT, {"blinds": (2, 1)}, "street 0: first must be 1, the seat with the smaller blind"),
        (NOLIMIT, {"streets": ()}, "streets must be one or more of Street"),
        (NOLIMIT, {"streets": (Street(first=0), 3)}, "street 1: a street must be a Street, not 3"),
        (
            NOLIMIT,
            {"betting": "none"},
            "betting must be one of limit, no-limit, pot-limit, not 'none'",
        ),
        (NOLIMIT, {"hole_cards": 7}, "hole_cards must be an integer from 1 to 6, not 7"),
        (NOLIMIT, {"deck": "full"}, "deck must be a Deck, not 'full'"),
        (NOLIMIT, {"fold_when_free": 1}, "fold_when_free must be true or false, not 1"),
        (
            NOLIMIT,
            {"deck": parse_deck("JQKA/cd")},
            "a hand may need 9 cards, more than the 8 of the deck JQKA/cd",
        ),
        (LIMIT, {"min_bet": 2}, "min_bet 2 has no meaning if betting is limit"),
        (NOLIMIT, {"ranking": "low"}, "ranking must be standard or short-deck, not 'low'"),
        (NOLIMIT, {"ranking": "short-deck"}, "ranking short-deck needs a deck from the six up"),
        (NOLIMIT, {"rank_order": "AKQ"}, "rank_order must have each rank of the deck once, such"),
        (NOLIMIT, {"bounty": 10}, "bounty must be a Bounty or None, not 10"),
        (NOLIMIT, {"bounty": Bounty(0.5)}, "factor of bounty must be from 1 to 100, not 0.5"),
        (NOLIMIT, {"bounty": Bounty(extra=-1)}, "extra of bounty must be an integer from 0 to"),
        (BLOOD, {"run_suits": "x"}, "run_suits must be letters of cdhs, not 'x'"),
    ],
)
def test_impossible_variants(variant, changes, sentence):
    with pytest.raises(GameError, match=sentence) as caught:
        replace(variant, **changes)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (
            {"hole_cards": 1},
            "street 1: a discard of 1 without redraw would leave no hole card, for a player may "
            "have 1 hole card here; set hole_cards higher, or redraw to true$",
        ),
        (
            {"streets": (TOSS.streets[0], Street(3, steps=(Auction(),))), "stack": 2},
            "stack 2 leaves nothing to bid at an auction after blind and ante; it must be 3 or",
        ),
        (
            {"deck": parse_deck("9TJQKA/c")},
            "than the 6 of the deck 9TJQKA/c; use a larger deck, or fewer hole_cards or steps$",
        ),
        ({"blinds": (0, 0)}, "there is nothing to play for; set one of them to 1 or more$"),
        (
            {"streets": (TOSS.streets[0], Street(0, steps=(Discard(),)))},
            "street 1: cards must be 1 or more on every street except the first, not 0; put the",
        ),
        (
            {"streets": (Street(first=0, steps=(LAY,)),)},
            "no board that a card could come to; put the step on a later street$",
        ),
        (
            {"streets": (Street(first=0, steps=(Swap(),)),)},
            "no swap; put the swap on a later street$",
        ),
    ],
)
def test_contradictions_say_what_would_work(changes, sentence):
    with pytest.raises(GameError, match=sentence):
        replace(TOSS, **changes)


def test_a_bounty_outside_the_deck_says_which_ranks_there_are():
    state = parse_state(parse_game("bounty(deck='6789TJQKA/cdhs')"), "AhKs QdQc")
    with pytest.raises(IllegalActionError, match="bounty '#2' must be one of the ranks 6789TJQKA"):
        state.child("#2")


@pytest.mark.parametrize(
    ("at", "changes", "sentence"),
    [
        (0, {"cards": 3}, "street 0: the first street deals only .* put cards = 3 on a later"),
        (0, {"steps": (Swap(0.1),)}, "street 0: the first .* put the swap on a later street"),
        (1, {"cards": 0}, "street 1: cards must be 1 or more on every street except the first"),
        (1, {"cards": 60}, "street 1: cards must be an integer from 0 to 52, not 60"),
        (1, {"cards": 40}, "a hand of 44 cards cannot be ranked, only up to 33"),
        (1, {"first": 2}, "street 1: first must be an integer from 0 to 1, not 2"),
        (2, {"steps": (Swap(1.0),)}, ".*probability of swap must be between 0 and 1, not 1.0"),
        (2, {"steps": (Swap("often"),)}, "street 2: probability of swap must be between 0 and 1"),
        (2, {"steps": True}, "street 2: steps must be a list of steps, not True"),
        (2, {"steps": (True,)}, "street 2: a step must be a Swap, Deal, Discard or Auction, not"),
        (2, {"steps": (Discard(first=3),)}, ".*first of discard must be an integer from 0 to 1"),
        (
            2,
            {"steps": (Discard(shown="no"),)},
            ".*shown of discard must be true or false, not 'no'",
        ),
        (2, {"steps": (Discard(count=9),)}, ".*count of discard must be an integer from 1 to 5"),
        (2, {"steps": (Discard(count=3),)}, "street 2: count of discard must be at most 2, for a"),
        (
            2,
            {"steps": (Discard(redraw=False, count=2),)},
            "street 2: count of discard must be at most 1, for a player may have 2 hole cards here",
        ),
        (2, {"steps": (Auction(first=2),)}, ".*first of auction must be an integer from 0 to 1"),
        (
            2,
            {"steps": (Auction(price="third"),)},
            ".*price of auction must be first or second, not",
        ),
        (
            2,
            {"steps": (Auction(prize="pot"),)},
            ".*prize of auction must be card or look, not 'pot'",
        ),
        (2, {"steps": (Deal(),)}, "street 2: a deal must have a card for the board or for a hand"),
        (2, {"steps": (Deal(holes=1),)}, ".*holes of deal must be two numbers of cards, by seat"),
        (0, {"steps": (Deal(board=1),)}, "street 0: the first street has no board"),
        (0, {"steps": (Discard(to_board=True),)}, "street 0: the first street has no board"),
        (0, {"betting": False}, "street 0: betting must be true on the first street, whose blinds"),
        (2, {"bet": 2}, "street 2: bet 2 has no meaning if betting is no-limit"),
        (
            3,
            {"steps": (Discard(),)},
            "the last street, which run_suits repeat, must deal one card and have no",
        ),
        (3, {"cards": 2}, "the last street, .* must deal one card .* has cards = 2 and 0 steps"),
    ],
)
def test_impossible_streets(at, changes, sentence):
    streets = [*BLOOD.streets]
    streets[at] = replace(streets[at], **changes)
    with pytest.raises(GameError, match=f"river-of-blood: {sentence}"):
        replace(BLOOD, streets=tuple(streets))


def test_fixed_limit_needs_sizes():
    with pytest.raises(GameError, match="street 0: bet and max_bets must be given if betting"):
        Variant("", (Street(first=0, bet=2),), "limit")


@pytest.mark.parametrize(
    "text",
    [
        *VARIANTS,
        "limit(bets=3)",
        "nolimit(stack=20000, blinds=(50, 100))",
        "nolimit(stack=6, deck='TJQKA/cd', board=(1, 1))",
        "river-of-blood(stack=4, deck='QKA/cdh', board=(1,))",
    ],
)
def test_titles_are_read_back(text):
    variant = parse_game(text)
    assert variant.name == text
    assert parse_game(variant.name) == variant
    assert hash(parse_game(variant.name)) == hash(variant)
    assert pickle.loads(pickle.dumps(variant)) == variant


def test_lists_and_decks_have_one_way_to_be_written():
    variant = parse_game("nolimit(20, [1, 2], 'TJQKA/CD', board=[1, 1])")
    assert variant.name == "nolimit(stack=20, deck='TJQKA/cd', board=(1, 1))"
    assert {variant, parse_game(variant.name)} == {variant}
    assert parse_game("nolimit(deck=FULL)").name == "nolimit"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "limit(board=3)",
            r"limit\(board=3\): board must be the number of cards of each street, such as \(3, 1",
        ),
        ("discard(board=())", "board must be the number of cards of each street"),
        ("nolimit(deck=3)", "deck must be text such as full or 9TJQKA/cd, not 3"),
        ("nolimit(stack=1)", r"nolimit\(stack=1\): stack 1 is below the 2 chips of blind and ante"),
        ("nolimit(stck=9)", "unexpected keyword argument 'stck'; parameters of nolimit: stack"),
        ("limit(deck='JQKA/c')", "a hand may need 9 cards, more than the 4 of the deck JQKA/c"),
        ("limit(bets=0)", "street 0: bet and max_bets must be given if betting is limit"),
        ("permuted(stack=0)", r"^permuted\(stack=0\): stack must be an integer from 1 to 1000000"),
        ("short-deck(stack=0)", r"^short-deck\(stack=0\): stack must be an integer from 1 to"),
    ],
)
def test_bad_presets_are_one_sentence(text, sentence):
    with pytest.raises(GameError, match=sentence) as caught:
        parse_game(text)
    assert "\n" not in str(caught.value)


def test_the_longest_run():
    assert BLOOD.max_runs == 26  # all red cards; the board then has 31
    assert BLOOD.board_cards(3 + 26) == 31
    assert VARIANTS["river-of-blood"](deck="QKA/cdh", board=(1,)).max_runs == 4
    assert NOLIMIT.max_runs == 0


@pytest.mark.parametrize(
    ("blinds", "ante", "chips"), [((1, 2), 0, 2), ((2, 1), 5, 2), ((0, 0), 3, 3), ((4, 4), 1, 4)]
)
def test_the_big_blind_is_the_larger_blind_or_else_the_ante(blinds, ante, chips):
    streets = (replace(NOLIMIT.streets[0], first=int(blinds[1] < blinds[0])),)
    assert replace(NOLIMIT, streets=streets, blinds=blinds, ante=ante).big_blind == chips


@pytest.mark.parametrize(
    ("change", "swaps", "changes"),
    [
        ({}, False, False),
        ({"steps": (Discard(),)}, False, True),
        ({"steps": (Swap(0.1),)}, True, True),
    ],
)
def test_hands_change_by_a_draw_or_a_swap(change, swaps, changes):
    streets = [*NOLIMIT.streets]
    streets[1] = replace(streets[1], **change)
    variant = replace(NOLIMIT, streets=tuple(streets))
    assert (variant.has_swaps, variant.hands_change) == (swaps, changes)
    assert variant.last_change == int(changes)


def test_what_is_unusual_must_be_asked_for():
    assert not Discard().shown
    assert not NOLIMIT.fold_when_free
    for free in (False, True):
        assert replace(NOLIMIT, fold_when_free=free).rules.table[betting.FOLD_FREE] == free


def test_permuted_ranks_are_those_of_renamed_cards(rng):
    order = "".join(rng.permutation([*RANKS]))
    variant = VARIANTS["permuted"](order=order)
    for _ in range(50):
        cards = rng.choice(52, 7, replace=False).tolist()
        renamed = [4 * order.index(RANKS[card // 4]) + card % 4 for card in cards]
        assert variant.strength(cards) == NOLIMIT.strength(renamed)
    assert VARIANTS["permuted"](order=RANKS).strength(cards) == NOLIMIT.strength(cards)


def test_a_short_deck_has_its_own_order():
    variant = VARIANTS["short-deck"]()
    flush, house = parse_cards("AdTd9d8d6d"), parse_cards("KdKcKh7s7c")
    assert variant.deck.n_cards == 36
    assert variant.strength(flush) > variant.strength(house)
    assert NOLIMIT.strength(flush) < NOLIMIT.strength(house)
