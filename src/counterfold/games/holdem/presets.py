"""Variants by name, each a function of what people change about it.

`deck` and `board` make reduced versions for exact work: a deck such as ``9TJQKA/cd``, and how many
cards each street after the first deals. The title of a variant is the call that makes it.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from inspect import signature

from counterfold.cards import parse_deck
from counterfold.errors import GameError
from counterfold.games.holdem.payoff import Bounty
from counterfold.games.holdem.street import Auction, Discard, Street, Swap
from counterfold.games.holdem.variant import SHORT_DECK, Variant
from counterfold.games.holdem.variant_checks import in_place

Preset = Callable[..., Variant]

HOLDEM_BOARD = (3, 1, 1)


def _preset(word: str) -> Callable[[Preset], Preset]:
    """Name what `make` returns by its word and the arguments that differ from their defaults."""

    def decorate(make: Preset) -> Preset:
        call = signature(make)

        @wraps(make)
        def named(*values: object, **named_values: object) -> Variant:
            given = call.bind(*values, **named_values).arguments
            given = {name: _plain(name, value) for name, value in given.items()}
            changed = [
                f"{name}={value!r}"
                for name, value in given.items()
                if value != call.parameters[name].default
            ]
            title = f"{word}({', '.join(changed)})" if changed else word
            with in_place(title):
                _check_board(word, given.get("board", HOLDEM_BOARD))
                return replace(make(**given), title=title)

        return named

    return decorate


def _plain(name: str, value: object) -> object:
    """The canonical form of each argument, so that equal variants have equal names."""
    if name == "deck":
        if not isinstance(value, str):
            raise GameError(f"deck must be text such as full or 9TJQKA/cd, not {value!r}")
        return parse_deck(value).name
    return tuple(value) if isinstance(value, list) else value


def _check_board(word: str, board: object) -> None:
    may_be_empty = word in ("limit", "nolimit", "potlimit")  # betting before the flop only
    if not isinstance(board, tuple) or not (board or may_be_empty):
        raise GameError(
            f"board must be the number of cards of each street, such as (3, 1, 1), not {board!r}"
        )


def _streets(board: tuple[int, ...]) -> tuple[Street, ...]:
    return Street(first=0), *(Street(cards=n) for n in board)


@_preset("limit")
def limit(
    bets: int = 4, deck: str = "full", board: tuple[int, ...] = HOLDEM_BOARD, hole_cards: int = 2
) -> Variant:
    """Heads-up limit hold'em: blinds 1 and 2, bets of 2, then of 4 from the turn on.

    `bets` is the most a street may have, before the flop with the big blind as the first.
    """
    streets = [Street(first=0, bet=2, max_bets=bets)]
    streets += [
        Street(cards=n, bet=2 if 2 * at < len(board) - 1 else 4, max_bets=bets)
        for at, n in enumerate(board)
    ]
    return Variant("", tuple(streets), "limit", deck=parse_deck(deck), hole_cards=hole_cards)


@_preset("nolimit")
def nolimit(
    stack: int = 400,
    blinds: tuple[int, int] = (1, 2),
    deck: str = "full",
    board: tuple[int, ...] = HOLDEM_BOARD,
) -> Variant:
    """Heads-up no-limit hold'em; the Annual Computer Poker Competition plays (20000, (50, 100))."""
    return Variant("", _streets(board), stack=stack, blinds=blinds, deck=parse_deck(deck))


@_preset("potlimit")
def potlimit(
    stack: int = 400,
    blinds: tuple[int, int] = (1, 2),
    deck: str = "full",
    board: tuple[int, ...] = HOLDEM_BOARD,
) -> Variant:
    """Heads-up pot-limit hold'em: a raise is at most the pot after the call."""
    return Variant("", _streets(board), "pot-limit", stack, blinds, deck=parse_deck(deck))


@_preset("discard")
def discard(
    stack: int = 200,
    blinds: tuple[int, int] = (1, 2),
    deck: str = "full",
    board: tuple[int, ...] = HOLDEM_BOARD,
) -> Variant:
    """Discard Hold'em (MIT Pokerbots 2017): a draw before the betting of flop and turn."""
    drawing = (Street(cards=n, steps=(Discard(),)) for n in board[:-1])
    streets = (Street(first=0), *drawing, Street(cards=board[-1]))
    return Variant("", streets, stack=stack, blinds=blinds, deck=parse_deck(deck))


@_preset("river-of-blood")
def river_of_blood(
    stack: int = 400,
    blinds: tuple[int, int] = (1, 2),
    deck: str = "full",
    board: tuple[int, ...] = HOLDEM_BOARD,
) -> Variant:
    """River of Blood (MIT Pokerbots 2023): the river repeats while its last card is red."""
    return Variant(
        "",
        _streets(board),
        stack=stack,
        blinds=blinds,
        deck=parse_deck(deck),
        run_suits="dh",
        first_flush_suit_only=True,
    )


@_preset("swap")
def swap(
    stack: int = 200,
    blinds: tuple[int, int] = (1, 2),
    deck: str = "full",
    board: tuple[int, ...] = HOLDEM_BOARD,
) -> Variant:
    """Swap Hold'em (MIT Pokerbots 2022): hole cards change by chance, 10% then 5% each."""
    swaps = [(Swap(0.10),), (Swap(0.05),), *[()] * len(board)]
    later = (Street(cards=n, steps=steps) for n, steps in zip(board, swaps, strict=False))
    streets = (Street(first=0), *later)
    return Variant("", streets, stack=stack, blinds=blinds, deck=parse_deck(deck))


@_preset("auction")
def auction(
    stack: int = 400,
    blinds: tuple[int, int] = (1, 2),
    deck: str = "full",
    board: tuple[int, ...] = HOLDEM_BOARD,
    sealed: bool = False,
) -> Variant:
    """Auction Hold'em (MIT Pokerbots 2024): a third hole card for the higher bid on the flop.

    The contest's engine tells the first bid to the second bidder, as `sealed=False` does here.
    """
    first, *later = board
    flop = Street(cards=first, steps=(Auction(sealed=sealed),))
    streets = (Street(first=0), flop, *(Street(cards=n) for n in later))
    return Variant("", streets, stack=stack, blinds=blinds, deck=parse_deck(deck))


@_preset("bounty")
def bounty(
    stack: int = 400,
    blinds: tuple[int, int] = (1, 2),
    deck: str = "full",
    board: tuple[int, ...] = HOLDEM_BOARD,
    factor: float = 1.5,
    extra: int = 10,
) -> Variant:
    """Bounty Hold'em (MIT Pokerbots 2025): a secret rank makes a win worth more."""
    return Variant(
        "",
        _streets(board),
        stack=stack,
        blinds=blinds,
        deck=parse_deck(deck),
        fold_when_free=True,
        bounty=Bounty(factor, extra),
    )


@_preset("toss")
def toss(
    stack: int = 400,
    blinds: tuple[int, int] = (1, 2),
    deck: str = "full",
    board: tuple[int, ...] = (2, 1, 1),
    hole_cards: int = 3,
) -> Variant:
    """Toss Hold'em (MIT Pokerbots 2026): each lays a hole card onto the board with the flop."""
    first, *later = board
    lay = Discard(forced=True, redraw=False, to_board=True)
    streets = (
        Street(first=0),
        Street(cards=first, steps=(lay,)),
        *(Street(cards=n) for n in later),
    )
    return Variant(
        "",
        streets,
        stack=stack,
        blinds=blinds,
        deck=parse_deck(deck),
        hole_cards=hole_cards,
        fold_when_free=True,
    )


@_preset("permuted")
def permuted(
    stack: int = 200,
    blinds: tuple[int, int] = (1, 2),
    deck: str = "full",
    board: tuple[int, ...] = HOLDEM_BOARD,
    order: str = "",
) -> Variant:
    """Hold'em with the ranks in another `order` (MIT Pokerbots 2020), here one that both know."""
    streets, cards = _streets(board), parse_deck(deck)
    return Variant("", streets, stack=stack, blinds=blinds, deck=cards, rank_order=order)


@_preset("short-deck")
def short_deck(
    stack: int = 400,
    blinds: tuple[int, int] = (1, 2),
    deck: str = SHORT_DECK,
    board: tuple[int, ...] = HOLDEM_BOARD,
) -> Variant:
    """No-limit hold'em from the six up: A6789 is a straight, a flush beats a full house."""
    streets, cards = _streets(board), parse_deck(deck)
    return Variant("", streets, stack=stack, blinds=blinds, deck=cards, ranking="short-deck")


@_preset("kuhn-variant")
def kuhn() -> Variant:
    """Kuhn poker: one card of three, an ante, one bet."""
    street = Street(first=0, bet=1, max_bets=1)
    return _small("QKA/c", (street,))


@_preset("leduc-variant")
def leduc() -> Variant:
    """Leduc hold'em: one card of six, one on the board, two bets a street."""
    streets = (Street(first=0, bet=2, max_bets=2), Street(1, first=0, bet=4, max_bets=2))
    return _small("QKA/cd", streets)


def _small(deck: str, streets: tuple[Street, ...]) -> Variant:
    return Variant("", streets, "limit", blinds=(0, 0), ante=1, deck=parse_deck(deck), hole_cards=1)


VARIANTS: dict[str, Preset] = {
    "auction": auction,
    "bounty": bounty,
    "discard": discard,
    "kuhn-variant": kuhn,
    "leduc-variant": leduc,
    "limit": limit,
    "nolimit": nolimit,
    "permuted": permuted,
    "potlimit": potlimit,
    "river-of-blood": river_of_blood,
    "short-deck": short_deck,
    "swap": swap,
    "toss": toss,
}
