"""Real bets as bets of a menu, and back."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterfold.bets import MENUS, PublicPlace, Translation, parse_menu
from counterfold.bets.translation import nearest, pots, pseudo_harmonic
from counterfold.errors import IllegalActionError, UnknownNameError
from counterfold.games.holdem import VARIANTS, Street, Variant, parse_state
from counterfold.games.holdem import betting_kernels as betting

ROUNDING = 1e-12
RULES = (nearest, pseudo_harmonic)

BETS = st.floats(0.0, 100.0).map(lambda size: round(size, 3))
MENU_SIZES = st.lists(st.floats(0.01, 50.0), max_size=5, unique=True).map(
    lambda sizes: [0.0, *sorted(sizes)]
)


def at_least(places, index):
    return sum(p for at, p in places if at >= index)


@pytest.mark.parametrize("rule", RULES)
@given(sizes=MENU_SIZES, size=BETS)
def test_a_bet_goes_to_its_neighbors_with_probabilities(rule, sizes, size):
    places = rule(size, sizes)
    assert sum(p for _, p in places) == pytest.approx(1.0, abs=ROUNDING)
    assert all(0.0 <= p <= 1.0 for _, p in places)
    below = max((at for at, each in enumerate(sizes) if each <= size), default=0)
    above = min((at for at, each in enumerate(sizes) if each >= size), default=len(sizes) - 1)
    assert {at for at, _ in places} <= {below, above}


@pytest.mark.parametrize("rule", RULES)
@given(sizes=MENU_SIZES)
def test_sizes_of_the_menu_are_themselves(rule, sizes):
    for at, size in enumerate(sizes):
        assert rule(size, sizes) == ((at, 1.0),)


@pytest.mark.parametrize("rule", RULES)
@given(sizes=MENU_SIZES, first=BETS, second=BETS)
def test_larger_bets_are_never_read_as_smaller_ones(rule, sizes, first, second):
    """Stochastic dominance, for the random rule."""
    small, large = (rule(size, sizes) for size in sorted((first, second)))
    for index in range(len(sizes)):
        assert at_least(small, index) <= at_least(large, index) + ROUNDING


@given(sizes=MENU_SIZES, size=BETS)
def test_the_pseudo_harmonic_formula(sizes, size):
    for low, high in pairwise(sizes):
        if low < size < high:
            (at, share), (_, rest) = pseudo_harmonic(size, sizes)
            assert sizes[at] == low
            assert share == pytest.approx(
                (high - size) * (1 + low) / ((high - low) * (1 + size)), abs=ROUNDING
            )
            assert share + rest == 1.0


@given(sizes=MENU_SIZES, size=BETS)
def test_the_nearest_is_most_similar(sizes, size):
    """Up to ties; 0 is like nothing, and has a bound of its own."""
    ((found, _),) = nearest(size, sizes)
    if len(sizes) > 1 and size < sizes[1]:
        assert found == (0 if size <= sizes[1] / (sizes[1] + 2) else 1)
    elif size > 0 and len(sizes) > 1:
        likeness = [min(size / each, each / size) if each else 0.0 for each in sizes]
        assert likeness[found] == pytest.approx(max(likeness), abs=ROUNDING)


def test_both_rules_are_even_at_the_same_small_bet():
    for smallest in (0.33, 0.5, 1.0, 2.0):
        even = smallest / (smallest + 2)
        assert pseudo_harmonic(even, [0.0, smallest])[0][1] == pytest.approx(0.5, abs=ROUNDING)
        assert nearest(0.99 * even, [0.0, smallest]) == ((0, 1.0),)
        assert nearest(1.01 * even, [0.0, smallest]) == ((1, 1.0),)


def test_numbers_of_the_paper():
    """Ganzfried and Sandholm 2013: with A = 0 and B = 1 the even bet is 1/3."""
    assert pseudo_harmonic(1 / 3, [0.0, 1.0])[0] == (0, pytest.approx(0.5))
    assert pseudo_harmonic(0.25, [0.0, 1.0])[0] == (0, pytest.approx(0.6))
    assert pseudo_harmonic(0.75, [0.5, 1.0])[0] == (0, pytest.approx(3 / 7))


GAME = VARIANTS["nolimit"](200)
START = parse_state(GAME, "AhKs QdQc")
HALF_POT_ALL_IN = parse_menu("50%, 100%, allin")


@pytest.mark.parametrize(
    ("rule", "action", "expected"),
    [
        ("nearest", "r4", "r4"),
        ("nearest", "r5", "r6"),  # 3 chips beyond the call: the ratios are 2/3 and 3/4
        ("nearest", "r6", "r6"),
        ("nearest", "r29", "r6"),  # 27 is less than the root of 4 · 198
        ("nearest", "r31", "r200"),
        ("nearest", "r199", "r200"),
        ("nearest", "r200", "r200"),
        ("nearest", "c", "c"),
        ("nearest", "f", "f"),
        ("pseudo-harmonic", "r4", "r4"),
        ("pseudo-harmonic", "r200", "r200"),
    ],
)
def test_bets_from_the_same_situation(rule, action, expected):
    translation = Translation(HALF_POT_ALL_IN, rule)
    assert translation.distribution(action, START, START) == ((expected, 1.0),)


def test_a_bet_between_two_sizes_is_either():
    translation = Translation(HALF_POT_ALL_IN)
    (low, share), (high, rest) = translation.distribution("r5", START, START)
    assert (low, high) == ("r4", "r6")
    assert share == pytest.approx((1 - 0.75) * 1.5 / (0.5 * 1.75))
    assert share + rest == 1.0
    assert translation.sample("r5", START, START, 0.0) == "r4"
    assert translation.sample("r5", START, START, share - 1e-9) == "r4"
    assert translation.sample("r5", START, START, share + 1e-9) == "r6"
    assert translation.sample("r5", START, START, np.nextafter(1.0, 0.0)) == "r6"


def test_samples_come_as_often_as_they_should(rng):
    """Four standard deviations of 4000 draws: a false alarm in 16,000 seeds."""
    translation = Translation(HALF_POT_ALL_IN)
    ((_, share), _) = translation.distribution("r5", START, START)
    drawn = [translation.sample("r5", START, START, u) == "r4" for u in rng.random(4000)]
    assert np.mean(drawn) == pytest.approx(share, abs=4 * (share * (1 - share) / 4000) ** 0.5)


@pytest.mark.parametrize(
    ("events", "action", "passive", "share"),
    [
        ("r50 c 2c7dTs", "r5", "k", (0.5 - 0.05) / (0.5 * 1.05)),  # 5 chips into 100
        ("r50 c 2c7dTs r50", "r110", "c", (0.5 - 0.3) / (0.5 * 1.3)),  # 60 more, the pot is 200
    ],
)
def test_small_bets_are_checks_and_small_raises_calls(events, action, passive, share):
    state = parse_state(VARIANTS["nolimit"](1000), f"AhKs QdQc {events}")
    found = Translation(HALF_POT_ALL_IN).distribution(action, state, state)
    assert found[0] == (passive, pytest.approx(share))
    likely = passive if share > 0.5 else "r150"
    assert Translation(HALF_POT_ALL_IN, "nearest").distribution(action, state, state) == (
        (likely, 1.0),
    )


def test_sizes_are_pots_where_chips_differ():
    """A bet of half the pot is half a pot, whatever the pot is in the abstract game."""
    real = parse_state(GAME, "AhKs QdQc r10 c 2c7dTs")
    abstract = parse_state(GAME, "AhKs QdQc r6 c 2c7dTs")
    translation = Translation(HALF_POT_ALL_IN)
    assert translation.distribution("r10", real, abstract) == (("r6", 1.0),)
    assert translation.distribution("r20", real, abstract) == (("r12", 1.0),)
    assert translation.distribution("r190", real, abstract) == (("r194", 1.0),)


def test_what_is_a_check_here_may_be_a_call_there():
    bet = parse_state(GAME, "AhKs QdQc r50 c 2c7dTs r2")
    checked = parse_state(GAME, "AhKs QdQc r50 c 2c7dTs k")
    translation = Translation(HALF_POT_ALL_IN)
    assert translation.distribution("c", bet, checked) == (("k", 1.0),)
    assert translation.distribution("f", bet, checked) == (("k", 1.0),)
    assert translation.back("check", bet) == "c"
    assert translation.back("call", checked) == "k"
    assert translation.back("fold", checked) == "k"
    assert translation.back("fold", bet) == "f"


def test_a_real_all_in_is_all_in_where_that_is_offered():
    real = parse_state(VARIANTS["nolimit"](20), "AhKs QdQc")
    for rule in ("nearest", "pseudo-harmonic"):
        # 4.5 pots, far from the 49.5 of the abstract stack, but all-in.
        translation = Translation(HALF_POT_ALL_IN, rule)
        assert translation.distribution("r20", real, START) == (("r200", 1.0),)
        assert translation.distribution("r19", real, START)[0][0] == "r6"
        # Without all-in it is a bet like any other.
        translation = Translation(parse_menu("50%, 100%"), rule)
        assert translation.distribution("r20", real, START) == (("r6", 1.0),)


@pytest.mark.parametrize(("beyond", "expected"), [("call", "c"), ("allin", "r200")])
def test_raises_beyond_the_cap(beyond, expected):
    capped = parse_state(GAME, "AhKs QdQc r6")
    translation = Translation(parse_menu("100%; cap 2"), beyond=beyond)
    assert translation.menu.bets(capped) == ()
    assert translation.distribution("r30", capped, capped) == ((expected, 1.0),)
    finished = parse_state(GAME, "AhKs QdQc r200")
    assert translation.distribution("r30", capped, finished) == (("c", 1.0),)


def test_draws_stay_what_they_are():
    state = parse_state(VARIANTS["discard"](), "AhKs QdQc c k 2c7dTs")
    assert Translation(HALF_POT_ALL_IN).distribution("dQd", state, state) == (("dQd", 1.0),)


@pytest.mark.parametrize("action", ["r3", "r201", "r", "rx", "r-4"])
def test_illegal_raises_are_errors(action):
    with pytest.raises(IllegalActionError, match="is not a raise from r4 to r200"):
        Translation(HALF_POT_ALL_IN).distribution(action, START, START)


def test_a_raise_where_none_is_legal_is_an_error():
    state = parse_state(GAME, "AhKs QdQc r200")
    with pytest.raises(IllegalActionError, match="where nobody may bet or raise"):
        Translation(HALF_POT_ALL_IN).distribution("r200", state, state)


def test_a_bet_becomes_a_check_where_nobody_may_bet():
    variant = VARIANTS["limit"](bets=1)  # which the big blind is
    place = PublicPlace(
        variant, betting.after_call(variant.rules, betting.first_situation(variant.rules))
    )
    assert Translation(parse_menu("min")).back("min", place) == "k"


def test_a_raise_becomes_a_call_where_nobody_may_raise():
    state = parse_state(GAME, "AhKs QdQc r200")
    assert Translation(HALF_POT_ALL_IN).back("50%", state) == "c"


def test_unknown_words_are_errors():
    with pytest.raises(UnknownNameError, match="did you mean nearest"):
        Translation(HALF_POT_ALL_IN, "neares")
    with pytest.raises(UnknownNameError, match="known: allin, call"):
        Translation(HALF_POT_ALL_IN, beyond="fold")
    with pytest.raises(UnknownNameError, match="unknown label '60%'; did you mean 50%"):
        Translation(HALF_POT_ALL_IN).back("60%", START)


SHORT = Variant("short", (Street(first=0), Street(1)), stack=5, fold_when_free=True)
ANTES = Variant("antes", (Street(first=0), Street(1)), stack=30, blinds=(0, 0), ante=1, min_bet=7)
REAL = [
    GAME,
    VARIANTS["nolimit"](20000, (50, 100)),
    VARIANTS["nolimit"](13, (1, 5)),
    VARIANTS["potlimit"](300),
    VARIANTS["discard"](),
    VARIANTS["river-of-blood"](),
    SHORT,
    ANTES,
]
LIMITED = [VARIANTS["limit"](), VARIANTS["leduc-variant"](), VARIANTS["kuhn-variant"]()]


def random_spots(variant, rng, n_hands):
    """Where players bet in hands of random legal actions, raises often the smallest or largest."""
    for _ in range(n_hands):
        situation = betting.first_situation(variant.rules)
        while situation[betting.PHASE] in (
            betting.BET,
            betting.DRAW,
            betting.DEAL,
        ):
            if situation[betting.PHASE] == betting.DRAW:
                situation = betting.after_draw(variant.rules, situation, rng.random() < 0.5)
                continue
            if situation[betting.PHASE] == betting.DEAL:
                situation = betting.after_deal(variant.rules, situation, rng.random() < 0.5)
                continue
            yield PublicPlace(variant, situation)
            low, high = betting.raise_bounds(variant.rules, situation)
            if high and rng.random() < 0.5:
                near = min(high, low + int(rng.integers(0, 6)))
                total = int(rng.choice([low, near, high, rng.integers(low, high + 1)]))
                situation = betting.after_raise(situation, total)
            else:
                situation = betting.after_call(variant.rules, situation)


def is_legal(action, spot):
    situation = spot.situation
    to_call = situation[betting.SPENT_0] != situation[betting.SPENT_1]
    if action == "f":
        return to_call or spot.variant.fold_when_free
    if action in ("c", "k"):
        return (action == "c") == to_call
    low, high = betting.raise_bounds(spot.variant.rules, situation)
    return high > 0 and low <= int(action[1:]) + situation[betting.BASE] <= high


@pytest.mark.parametrize("variant", [*REAL, *LIMITED], ids=lambda variant: variant.name)
def test_no_label_is_ever_an_illegal_action(variant, rng):
    limited = variant.betting == "limit"
    names = [name for name in MENUS if name.startswith("limit") == limited]
    names = [name for name in names if len(variant.streets) > 1 or "flop" not in MENUS[name]]
    menus = [*map(parse_menu, names), parse_menu("min; allin from 80%; merge 20%")]
    n = 0
    for spot in random_spots(variant, rng, 150):
        for menu in menus:
            translation = Translation(menu)
            labels = ("fold", "check", "call", "allin", *menu.labels(spot))
            for label in dict.fromkeys(labels):
                assert is_legal(translation.back(label, spot), spot), (label, spot)
                n += 1
            # In the same situation the way there and back is the identity.
            for label, total in menu.bets(spot):
                base = spot.situation[betting.BASE]
                assert translation.back(label, spot) == f"r{total - base}"
    assert n > 1000


@pytest.mark.parametrize("variant", REAL, ids=lambda variant: variant.name)
@pytest.mark.parametrize("rule", ["nearest", "pseudo-harmonic"])
def test_random_raises_become_offered_actions(variant, rule, rng):
    """Between any two situations of a game, however far chips have drifted apart."""
    spots = [*random_spots(variant, rng, 100)]
    translation = Translation(parse_menu("min, 50%, 100%, allin; cap 4; allin from 90%"), rule)
    for real in spots:
        abstract = spots[rng.integers(len(spots))]
        low, high = betting.raise_bounds(variant.rules, real.situation)
        if not high:
            continue
        total = int(rng.integers(low, high + 1))
        action = f"r{total - real.situation[betting.BASE]}"
        base = abstract.situation[betting.BASE]
        bets = {f"r{bet - base}": bet for _, bet in translation.menu.bets(abstract)}
        found = translation.distribution(action, real, abstract)
        assert sum(p for _, p in found) == pytest.approx(1.0, abs=ROUNDING)
        for name, _ in found:
            assert name in bets or name in ("k", "c")
            assert is_legal(name, abstract)
        # A raise that the menu offers in the same situation is that raise.
        for _, bet in translation.menu.bets(real):
            name = f"r{bet - real.situation[betting.BASE]}"
            assert translation.distribution(name, real, real) == ((name, 1.0),)


def test_pots_are_counted_after_the_call():
    assert pots(6, START) == 1.0  # 2 to call, then 4 into a pot of 4
    assert pots(200, START) == 49.5


def test_the_winner_of_discard_hold_em_reads_four_bets_as_a_call_or_all_in():
    """By the pseudo-harmonic formula between 0 and the all-in, in pots after the call."""
    menu = parse_menu("discard-winner")
    state = parse_state(VARIANTS["discard"](), "AhKs QdQc r9 r52")
    size, most = (100 - 52) / 104, (200 - 52) / 104
    call = (most - size) / (most * (1.0 + size))
    found = dict(Translation(menu).distribution("r100", state, state))
    assert found == pytest.approx({"c": call, "r200": 1.0 - call})
    assert 0.4 < call < 0.5


BIDS = parse_menu("100%, allin; bids: 50%, 200%, allin")


@pytest.mark.parametrize(
    ("bid", "expected"),
    [
        ("a0", {"a0": 1.0}),
        ("a2", {"a2": 1.0}),
        ("a4", {"a2": 0.5, "a8": 0.5}),  # (2 - 1) · 1.5 / (1.5 · 2)
        ("a398", {"a398": 1.0}),
    ],
)
def test_bids_are_read_by_their_share_of_the_pot(bid, expected):
    place = parse_state(VARIANTS["auction"](), "AhKs QdQc c k Ts7d2c")
    assert dict(Translation(BIDS).distribution(bid, place, place)) == pytest.approx(expected)


def test_bids_of_another_pot_and_back():
    translation = Translation(BIDS, rule="nearest")
    small = parse_state(VARIANTS["auction"](), "AhKs QdQc c k Ts7d2c")
    large = parse_state(VARIANTS["auction"](), "AhKs QdQc r20 c Ts7d2c")
    assert translation.distribution("a21", large, small) == (("a2", 1.0),)
    assert translation.distribution("a380", large, small) == (("a398", 1.0),)
    assert [translation.back(label, large) for label in ("0%", "50%", "200%", "allin")] == [
        "a0", "a20", "a80", "a380",
    ]  # fmt: skip


def test_an_all_in_after_an_auction_is_one_of_the_smaller_stack():
    state = parse_state(VARIANTS["auction"](), "AhKs QdQc c k Ts7d2c a8 a98 +3c")
    assert Translation(BIDS).distribution("r390", state, state) == (("r390", 1.0),)
    assert dict(Translation(BIDS).distribution("r12", state, state)) == {"r12": 1.0}
