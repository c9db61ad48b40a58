"""What an action, a seat's own or the other's, changes in its view."""

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from counterfold.cards import format_card, parse_card
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.action_words import DISCARD, KEEP
from counterfold.games.holdem.chance import (
    OWED_BOARD,
    OWED_DRAW,
    OWED_HOLE,
    OWED_LOOK,
    OWED_SWAP,
    Debt,
    chance_after_choice,
)
from counterfold.games.holdem.situation import (
    Situation,
    after_bet,
    after_bid_word,
    choice_of,
    last_discard,
    name_discards,
    passes_turn,
    turn_of,
    wins_auction,
)
from counterfold.games.holdem.street import Auction, Discard

if TYPE_CHECKING:
    from counterfold.bots.view import View

CARD = "[2-9TJQKA][cdhs]"

Awaited = tuple[str, int]  # a kind of `games.holdem.chance`, and a place or a number of cards


def view_after(view: "View", action: str) -> "View | None":
    """The view once the seat to act has done `action`, or None if it may not."""
    if view.awaited:
        return None
    if view.phase == betting.BET:
        situation = after_bet(view.variant, view.situation, action)
        if situation is None:
            return None
        return replace(view, situation=situation, history=view.history + action)
    if view.phase == betting.DRAW:
        return _discard(view, action)
    return _bid(view, action) if view.phase == betting.AUCTION else None


def _bid(view: "View", action: str) -> "View | None":
    situation = after_bid_word(view.variant, view.situation, action)
    if situation is None:
        return None
    awaited: tuple[Awaited, ...] = ()
    if wins_auction(view.situation, situation, view.seat):
        auction = choice_of(view.variant, view.situation)
        card = isinstance(auction, Auction) and auction.prize == "card"
        awaited = ((OWED_HOLE if card else OWED_LOOK, 1),)
    later = chance_after_choice(view.variant, view.situation, situation, (1, 1))
    return replace(
        view,
        situation=situation,
        history=view.history + action,
        awaited=(*awaited, *awaited_by(view.seat, later)),
    )


def _discard(view: "View", action: str) -> "View | None":
    step = choice_of(view.variant, view.situation)
    assert isinstance(step, Discard)
    mine = view.situation[betting.ACTOR] == view.seat
    if not _may_discard(view, action, step, mine):
        return None
    keeps = action == KEEP
    situation = betting.after_draw(view.variant.rules, view.situation, not keeps)
    later = awaited_by(
        view.seat, chance_after_choice(view.variant, view.situation, situation, (1, 1))
    )
    changes: dict[str, Any] = {}
    if mine and not keeps:
        changes["draws"] = view.draws + "-" + action[1:]
        if not step.takes_place:
            left = tuple(card for card in view.hole if format_card(card) != action[1:])
            changes["hole"] = left
    if step.to_board and not keeps:
        changes["board"] = (*view.board[:-1], (*view.board[-1], parse_card(action[1:])))
    drawn = _drawn(view, action, step, situation) if mine else ()
    sign = action if keeps or step.public else DISCARD
    return replace(
        view,
        situation=situation,
        awaited=(*drawn, *later),
        history=view.history + sign,
        **changes,
    )


def _may_discard(view: "View", action: str, step: Discard, mine: bool) -> bool:
    if mine:
        gone = last_discard(view.variant, view.situation, view.draws)
        return action in name_discards(view.variant, view.situation, view.hole, gone)
    if action == KEEP:
        return not step.forced
    shown = re.fullmatch(DISCARD + (CARD if step.public else ""), action)
    return shown is not None and not (step.public and parse_card(action[1:]) in view.seen_cards)


def _drawn(view: "View", action: str, step: Discard, after: Situation) -> tuple[Awaited, ...]:
    """The cards that this seat gets for what it discarded, once it has chosen."""
    if not step.redraw:
        return ()
    if step.takes_place:
        if action == KEEP:
            return ()
        names = [format_card(card) for card in view.hole]
        return ((OWED_DRAW, names.index(action[1:])),)
    if not passes_turn(view.situation, after):
        return ()
    n = turn_of(view.situation) % step.count + (action != KEEP)
    return ((OWED_HOLE, 1),) * n


def awaited_by(seat: int, owed: Iterable[Debt]) -> tuple[Awaited, ...]:
    """What of the debts of chance `seat` will see."""
    seen = [(kind, n) for kind, of, n in owed if kind == OWED_BOARD or of == seat]
    return tuple((kind, 0 if kind == OWED_SWAP else n) for kind, n in seen)
