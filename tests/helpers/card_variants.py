"""Variants of every step that deals, shows or adds cards, large enough to be dealt at random."""

from counterfold.cards import parse_deck
from counterfold.games.holdem import Auction, Deal, Discard, Street, Swap, Variant

FIRST = Street(first=0)
LAY = Discard(forced=True, redraw=False, to_board=True)


def _variant(title, *streets, first=FIRST, stack=20, deck="full", **rules):
    return Variant(title, (first, *streets), stack=stack, deck=parse_deck(deck), **rules)


CARD_VARIANTS = {
    variant.title: variant
    for variant in (
        _variant("no betting on the turn", Street(3), Street(1, betting=False), Street(1)),
        _variant(
            "no betting but once",
            Street(1, betting=False),
            Street(2, betting=False, steps=(Deal(holes=(1, 0)),)),
            Street(2, steps=(Deal(board=1, holes=(0, 1)),)),
            first=Street(first=0, betting=False),
            blinds=(1, 1),
        ),
        _variant("four cards", Street(3), Street(1), Street(1), hole_cards=4),
        _variant(
            "six cards",
            Street(3),
            Street(1),
            Street(1),
            hole_cards=6,
            ranking="short-deck",
            deck="6789TJQKA/cdhs",
        ),
        _variant("five and a run", Street(3), Street(1), hole_cards=5, run_suits="d"),
        _variant(
            "dealt between choices",
            Street(3, steps=(Deal(board=1), Discard(), Deal(holes=(0, 0), board=1), Discard(0))),
            Street(1, steps=(Discard(), Deal(holes=(1, 2)), Swap(0.3), Deal(holes=(1, 0)))),
        ),
        _variant(
            "swapped after a draw",
            Street(3, steps=(Swap(0.2), Discard(), Deal(board=1))),
            Street(1, steps=(Discard(), Swap(0.5))),
            first=Street(first=0, steps=(Deal(holes=(1, 1)),)),
            hole_cards=1,
        ),
        _variant(
            "laid and dealt",
            Street(2, steps=(Deal(holes=(1, 1)), LAY, Deal(board=1, holes=(1, 1)))),
            Street(1, steps=(Auction(0, prize="look"), Auction())),
            hole_cards=2,
        ),
        _variant(
            "looks",
            Street(3, steps=(Auction(prize="look"),)),
            Street(1, steps=(Deal(holes=(1, 1)), Auction(0, "first", sealed=False, prize="look"))),
            Street(1, steps=(Discard(),)),
            hole_cards=1,
        ),
        _variant(
            "bids after draws",
            Street(3, steps=(Discard(), Auction(), Swap(0.4))),
            Street(1, steps=(Auction(0, sealed=False),), betting=False),
            Street(1, steps=(Swap(0.2),)),
        ),
        _variant(
            "a look before the flop",
            Street(3, steps=(Swap(0.3),)),
            Street(2),
            first=Street(first=0, steps=(Auction(prize="look"),)),
            rank_order="A23456789TJQK",
        ),
    )
}
