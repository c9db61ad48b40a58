import numpy as np
import pytest

from counterfold.bots import first_view, split_history, view_of
from counterfold.cards import format_cards, parse_card, parse_cards
from counterfold.errors import CardError, IllegalActionError
from counterfold.games.holdem import (
    VARIANTS,
    Auction,
    Deal,
    Discard,
    Street,
    Swap,
    Variant,
    parse_state,
)
from counterfold.games.holdem import betting_kernels as betting

SHOWN = Variant(
    "shown", (Street(first=0), Street(3, steps=(Discard(shown=True),)), Street(1)), stack=20
)
FREE = Variant("free", (Street(first=0), Street(3)), stack=20, fold_when_free=True)
OFTEN = Variant(
    "often",
    (Street(first=0), Street(3, steps=(Swap(0.5), Discard())), Street(1, steps=(Swap(0.5),))),
    stack=6,
)
# What no contest has yet: several cards discarded, shown or not, cards dealt by the way, a look.
STEPS = {
    "three thrown open": (Discard(count=3, forced=True, shown=True, redraw=False),),
    "two drawn": (Discard(count=2),),
    "two hidden": (Discard(count=2, redraw=False),),
    "two laid": (Discard(count=2, to_board=True),),
    "by the way": (Deal(board=1, holes=(1, 0)), Discard(), Deal(holes=(1, 1))),
    "dealt and thrown": (Deal(board=1), Discard(redraw=False), Deal(board=1)),
    "look": (Auction(prize="look", price="first", sealed=False), Discard(first=0)),
    "sealed": (Auction(), Swap(0.5)),
}
MADE_UP = [
    Variant(
        name,
        (Street(first=0), Street(3, steps=steps), Street(1, betting=False), Street(1)),
        stack=9,
        hole_cards=5 if "thrown" in name else 3,
    )
    for name, steps in STEPS.items()
]
PLAYED = [
    *MADE_UP,
    *(make() for make in VARIANTS.values()),
    OFTEN,
    VARIANTS["nolimit"](20000, (50, 100)),
    SHOWN,
    FREE,
]


def play_along(variant, rng):
    """Play a random hand; yields its states with the views that each seat has grown."""
    state, views = variant.root(), None
    while state.utilities is None:
        chance = state.chance
        if chance is not None:
            owner = next((seat for _, seat, _ in state.owed), None)
            event = chance.sample(rng)
            state = state.child(event)
            if len(state.holes) < 2 or (variant.bounty and len(state.bounties) < 2):
                continue
            if views is None:
                ranks = state.bounties or (-1, -1)
                views = [
                    first_view(variant, seat, state.holes[seat], ranks[seat]) for seat in (0, 1)
                ]
            elif owner is not None and event[0] == "+":
                views[owner] = views[owner].after_drawn(parse_card(event[1:]))
            elif event[0] == "?":
                views[owner] = views[owner].after_look(parse_card(event[1:]))
            elif owner is not None and event[0] not in "~=":
                views = [view.after_board(parse_cards(event)) for view in views]
            elif owner is not None:
                if not any(seat == owner for _, seat, _ in state.owed):
                    views[owner] = views[owner].after_swaps(state.holes[owner])
            else:
                views = [view.after_board(parse_cards(event)) for view in views]
        else:
            actions = state.actions()
            raises = [action for action in actions if action[0] in "ra"]
            kinds = [action for action in actions if action[0] not in "ra"] + raises[:1]
            action = str(rng.choice(kinds))
            action = str(rng.choice(raises)) if action in raises else action
            for seat in (0, 1):
                hidden = action[0] == "d" and seat != state.actor
                hidden = hidden and not variant.streets[views[seat].street].draw.public
                views[seat] = views[seat].after("d" if hidden else action)
            state = state.child(action)
        yield state, views


@pytest.mark.parametrize("variant", PLAYED, ids=lambda variant: variant.name)
def test_a_view_that_grew_equals_the_view_of_the_state(variant, rng):
    for _ in range(15):
        for state, views in play_along(variant, rng):
            if state.owed:
                continue
            for seat in (0, 1):
                if not state.bids_unseen_by(seat):
                    assert views[seat] == view_of(state, seat)
            if state.utilities is None and state.chance is None:
                actor = state.actor
                assert views[actor].my_turn
                assert not views[1 - actor].my_turn
                assert views[1 - actor].actions() == ()
                assert views[actor].infoset == state.infoset
                if views[actor].phase == betting.BET:
                    assert views[actor].raise_bounds() == state.raise_bounds()
        for seat in (0, 1):
            assert views[seat].over
            hits = bool(state.bounties) and state.hits_bounty(1 - seat)
            won = views[seat].winnings(state.holes[1 - seat], opponent_hits=hits)
            assert won == state.utilities[seat]


@pytest.mark.parametrize("variant", PLAYED, ids=lambda variant: variant.name)
def test_legal_is_what_is_listed(variant, rng):
    words = ["f", "k", "c", "s", "d", "r", "r0", "r-1", "r2", "r3", "r4", "r04", "r4.0", "rnan", ""]
    words += [
        "a",
        "a0",
        "a1",
        "a01",
        "a-1",
        "a400",
        "a9999999",
        "dAh",
        "dXx",
        "r" + "9" * 400,
        "r²",
        None,
        4,
    ]
    for state, _ in play_along(variant, rng):
        if state.utilities is None and state.chance is None:
            view = view_of(state, state.actor)
            legal = set(state.actions())
            for word in [*words, *list(legal)[:50]]:
                assert view.is_legal(word) == (word in legal)
            assert view.is_legal(view.passive_action)


def test_a_view_does_not_depend_on_the_cards_of_the_opponent():
    variant = VARIANTS["discard"]()
    rest = "r12 c 2c7dTs d{} +{} dKs +3d k r4 c 5h"
    states = [
        parse_state(variant, f"AhKs {hole} {rest.format(*cards)}")
        for hole, *cards in [("QdQc", "Qd", "4h"), ("9d9c", "9c", "Jc"), ("Kh2d", "2d", "6h")]
    ]
    views = [view_of(state, 0) for state in states]
    assert views[0] == views[1] == views[2]
    assert len({repr(view) + str(view) + str(view.infoset) for view in views}) == 1
    assert len({view_of(state, 1) for state in states}) == 3


def test_swaps_are_seen_by_their_owner(rng):
    state = VARIANTS["swap"]().root()
    while state.utilities is None:
        chance = state.chance
        state = state.child(
            chance.sample(rng) if chance else state.actions()[-1 - bool(state.to_call)]
        )
        if state.utilities is None and state.chance is None:
            assert view_of(state, state.actor).infoset == state.infoset


def test_swaps_that_cannot_be_are_refused():
    view = first_view(VARIANTS["swap"](), 0, parse_cards("AhKs")).after("c").after("k")
    with pytest.raises(CardError, match="no swap leads to AhQd"):
        view.after_swaps(parse_cards("AhQd"))
    view = view.after_board(parse_cards("2c7dTs"))
    assert not view.my_turn
    assert view.actions() == ()
    with pytest.raises(CardError, match="no street is dealt"):
        view.after_board(parse_cards("3c"))
    for cards, reason in [("Ah", "no swap"), ("Ah7d", "dealt twice")]:
        with pytest.raises(CardError, match=reason):
            view.after_swaps(parse_cards(cards))
    view = view.after_swaps(parse_cards("AhQd"))
    assert (view.hole, view.draws) == (parse_cards("AhQd"), "/~Ks~Qd")
    assert parse_cards("Ks")[0] in view.seen_cards


def test_wrong_cards_are_refused():
    view = first_view(VARIANTS["nolimit"](), 0, parse_cards("AhKs")).after("c").after("k")
    for cards, reason in [("AhQdQc", "dealt twice"), ("QdQc", "not 3"), ("2c3c4c5c", "not 3")]:
        with pytest.raises(CardError, match=reason):
            view.after_board(parse_cards(cards))
    with pytest.raises(CardError, match="twice"):
        view.after_board([5, 5, 6])
    with pytest.raises(CardError, match="no street"):
        view.after_board([5, 6, 7]).after_board([8])
    with pytest.raises(CardError, match="no card is drawn"):
        view.after_drawn(3)
    with pytest.raises(CardError, match="hole cards"):
        first_view(VARIANTS["nolimit"](), 0, [1, 2, 3])
    with pytest.raises(CardError, match="not in the deck"):
        first_view(VARIANTS["nolimit"](deck="9TJQKA/cd"), 0, parse_cards("AhKs"))


def test_a_discarded_card_does_not_come_back():
    view = first_view(VARIANTS["discard"](), 1, parse_cards("Ah6c")).after("c").after("k")
    view = view.after_board(parse_cards("8s8h7c")).after("d6c")
    assert not view.my_turn
    assert view.actions() == ()
    with pytest.raises(CardError, match="dealt twice"):
        view.after_drawn(parse_card("6c"))
    view = view.after_drawn(parse_card("Kd"))
    assert format_cards(view.hole) == "AhKd"
    assert view.draws == "-6c+Kd"
    view = view.after("d").after("k").after("k")
    with pytest.raises(CardError, match="dealt twice"):
        view.after_board(parse_cards("6c"))


def test_an_action_that_is_not_legal_names_the_hand():
    view = first_view(VARIANTS["nolimit"](), 0, parse_cards("AhKs"))
    with pytest.raises(IllegalActionError, match=r"'k' is not legal .* AhKs"):
        view.after("k")


def test_a_history_is_split_into_events():
    state = parse_state(VARIANTS["discard"](), "AhKs QdQc r12 c 2c7dTs dQd +3c s k r4 c 5h s s")
    assert "".join(split_history(state.history)) == state.history
    assert split_history(state.history) == (
        "r12",
        "c",
        "/",
        "d",
        "s",
        "k",
        "r4",
        "c",
        "/",
        "s",
        "s",
    )
    assert split_history("cr4c/!dAhs") == ("c", "r4", "c", "/", "!", "dAh", "s")


def test_the_clock_does_not_make_views_differ():
    view = first_view(VARIANTS["nolimit"](), 0, parse_cards("AhKs"))
    assert view.with_clock(3.0) == view
    assert view.with_clock(3.0).clock_seconds == 3.0
    assert view.phase == betting.BET


def test_views_of_all_deals_come_from_one_seed():
    rng = np.random.default_rng(1)
    first = [str(state) for state, _ in play_along(VARIANTS["discard"](), rng)]
    again = [str(state) for state, _ in play_along(VARIANTS["discard"](), np.random.default_rng(1))]
    assert first == again
