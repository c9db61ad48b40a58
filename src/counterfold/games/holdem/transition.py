"""The state that follows another: what an action or an outcome of chance changes in a hand.

Nature goes first. While hole cards, bounties or what it owes are missing, a word is read as a deal;
else it is what the phase of the betting waits for.
"""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from counterfold.cards import format_card, parse_cards
from counterfold.cards.text import RANKS
from counterfold.errors import CardError
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.action_words import DISCARD, KEEP
from counterfold.games.holdem.chance import (
    DRAWN,
    FIRST_SWAP,
    LOOKED,
    OWED_BOARD,
    OWED_DRAW,
    OWED_HOLE,
    OWED_LOOK,
    OWED_SWAP,
    SWAPPED,
    UNSWAPPED,
    Debt,
    chance_after_choice,
    chance_steps,
    format_set,
)
from counterfold.games.holdem.situation import (
    DEALT,
    LAST_DEALT,
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
    from counterfold.games.holdem.state import HoldemState


def state_after(state: "HoldemState", action: str) -> "HoldemState | None":
    """The state after `action`, or None if that is not legal."""
    if len(state.holes) < 2:
        cards = _dealt(state, action, state.variant.hole_cards)
        if cards is None:
            return None
        held = state.variant.hole_cards, state.variant.hole_cards
        owed = chance_steps(state.variant, 0, 0, held) if state.holes else ()
        return _next(state, format_set(cards), holes=(*state.holes, cards), owed=owed)
    if state.lacks_bounty:
        if action not in state.bounty_words():
            return None
        return _next(state, action, bounties=(*state.bounties, RANKS.index(action[1:])))
    if state.owed:
        return _pay(state, action)
    move = _MOVES.get(state.situation[betting.PHASE])
    return None if move is None else move(state, action)


def _bet(state: "HoldemState", action: str) -> "HoldemState | None":
    situation = after_bet(state.variant, state.situation, action)
    if situation is None:
        return None
    return _next(state, action, situation=situation, history=state.history + action)


def _bid(state: "HoldemState", action: str) -> "HoldemState | None":
    situation = after_bid_word(state.variant, state.situation, action)
    if situation is None:
        return None
    auction = choice_of(state.variant, state.situation)
    kind = OWED_HOLE if isinstance(auction, Auction) and auction.prize == "card" else OWED_LOOK
    won = [seat for seat in (0, 1) if wins_auction(state.situation, situation, seat)]
    prizes = tuple((kind, seat, 1) for seat in won)
    return _next(
        state,
        action,
        situation=situation,
        owed=(*prizes, *_chance_after(state, situation, prizes)),
        history=state.history + action,
    )


def _discard(state: "HoldemState", action: str) -> "HoldemState | None":
    seat, rules = state.actor, state.variant.rules
    hole = state.holes[seat]
    gone = last_discard(state.variant, state.situation, state.draws[seat])
    if action not in name_discards(state.variant, state.situation, hole, gone):
        return None
    situation = betting.after_draw(rules, state.situation, action != KEEP)
    step = choice_of(state.variant, state.situation)
    assert isinstance(step, Discard)
    drawn = _drawn(state, step, situation, action)
    gone_now = action != KEEP and not step.takes_place
    owed = (*drawn, *_chance_after(state, situation, drawn, seat if gone_now else None))
    if action == KEEP:
        return _next(state, action, situation=situation, owed=owed, history=state.history + KEEP)
    (card,) = parse_cards(action[1:])
    changes: dict[str, Any] = {}
    if step.to_board:
        changes["board"] = _board_with(state, (card,))
    elif not step.takes_place:
        changes["dead"] = (*state.dead, card)
    if not step.takes_place:
        kept = tuple(each for each in hole if each != card)
        changes["holes"] = _replace(state.holes, seat, kept)
    return _next(
        state,
        action,
        situation=situation,
        draws=_append(state.draws, seat, "-" + format_card(card)),
        owed=owed,
        history=state.history + (action if step.public else DISCARD),
        **changes,
    )


def _drawn(state: "HoldemState", step: Discard, after: Situation, action: str) -> tuple[Debt, ...]:
    """The cards that the seat to act gets for what it discarded, once it has chosen."""
    seat = state.actor
    if step.takes_place:
        if action == KEEP:
            return ()
        return ((OWED_DRAW, seat, state.holes[seat].index(parse_cards(action[1:])[0])),)
    if not step.redraw or not passes_turn(state.situation, after):
        return ()
    n = turn_of(state.situation) % step.count + (action != KEEP)
    return ((OWED_HOLE, seat, 1),) * n


def _board_with(state: "HoldemState", cards: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """The board with more cards on the current street, in the order in which they come."""
    earlier = state.board[-1] if state.board else ()
    return (*state.board[:-1], (*earlier, *cards))


def _pay(state: "HoldemState", action: str) -> "HoldemState | None":
    """Nature deals what it owes."""
    (kind, seat, place), *rest = state.owed
    owed, draws = tuple(rest), _with_sign(state)
    if kind == OWED_SWAP and action == UNSWAPPED:
        return _next(state, action, draws=draws, owed=owed)
    if kind == OWED_BOARD:
        cards = _dealt(state, action, place)
        if cards is None:
            return None
        history = state.history + DEALT
        return _next(
            state, format_set(cards), board=_board_with(state, cards), owed=owed, history=history
        )
    if kind == OWED_LOOK:
        if action not in [LOOKED + format_card(card) for card in state.holes[1 - seat]]:
            return None
        return _next(state, action, draws=_append(state.draws, seat, action), owed=owed)
    return _pay_card(state, action, kind, seat, place, owed)


def _with_sign(state: "HoldemState") -> tuple[str, str]:
    """What seats have seen of their own cards, with the sign of a swap that begins."""
    first, second = state.draws
    if state.owed[0] != FIRST_SWAP:
        return first, second
    return first + DEALT, second + DEALT


def _pay_card(
    state: "HoldemState", action: str, kind: str, seat: int, place: int, owed: tuple[Debt, ...]
) -> "HoldemState | None":
    """Nature deals a hole card: one more, or in the place of another."""
    sign = SWAPPED if kind == OWED_SWAP else DRAWN
    cards = _dealt(state, action[1:], 1)
    if action[:1] != sign or cards is None:
        return None
    hole = state.holes[seat]
    event = sign + format_card(cards[0])
    if kind == OWED_HOLE:
        return _next(
            state,
            event,
            holes=_replace(state.holes, seat, (*hole, *cards)),
            draws=_append(state.draws, seat, event),
            owed=owed,
        )
    seen = event if kind == OWED_DRAW else f"{SWAPPED}{format_card(hole[place])}{event}"
    draws = _with_sign(state)
    return _next(
        state,
        event,
        holes=_replace(state.holes, seat, _replace(hole, place, cards[0])),
        draws=_append(draws, seat, seen),
        dead=(*state.dead, hole[place]),
        owed=owed,
    )


def _deal(state: "HoldemState", action: str) -> "HoldemState | None":
    """Nature deals the next street."""
    variant = state.variant
    cards = _dealt(state, action, state.next_street().cards)
    if cards is None:
        return None
    street = state.situation[betting.STREET] + 1
    runs = bool(variant.run_suits) and street >= len(variant.streets) - 1
    goes_on = runs and format_card(cards[-1])[1] in variant.run_suits
    situation = betting.after_deal(variant.rules, state.situation, goes_on)
    return _next(
        state,
        format_set(cards),
        situation=situation,
        board=(*state.board, cards),
        owed=chance_steps(variant, situation[betting.STREET], 0, _hand_sizes(state)),
        history=state.history + (LAST_DEALT if runs and situation[betting.FINAL] else DEALT),
    )


def _hand_sizes(state: "HoldemState") -> tuple[int, int]:
    return len(state.holes[0]), len(state.holes[1])


def _chance_after(
    state: "HoldemState", after: Situation, new: tuple[Debt, ...], loser: int | None = None
) -> tuple[Debt, ...]:
    """What chance brings after a choice, once it has paid `new` and `loser` has lost a card."""
    held = [*_hand_sizes(state)]
    for kind, seat, n in new:
        held[seat] += n if kind == OWED_HOLE else 0
    if loser is not None:
        held[loser] -= 1
    return chance_after_choice(state.variant, state.situation, after, (held[0], held[1]))


def _next(state: "HoldemState", event: str, **changes: Any) -> "HoldemState":
    """This state with `event` and what it changes."""
    return replace(state, events=(*state.events, event), **changes)


def _dealt(state: "HoldemState", text: str, n: int) -> tuple[int, ...] | None:
    """The `n` cards that `text` names, highest first, or None if they cannot come."""
    try:
        cards = parse_cards(text)
    except CardError:
        return None
    if len(cards) != n or not set(cards) <= set(state.undealt()):
        return None
    return tuple(sorted(cards, reverse=True))


def _replace(values: tuple[Any, ...], place: int, value: Any) -> tuple[Any, ...]:
    return (*values[:place], value, *values[place + 1 :])


def _append(texts: tuple[str, str], seat: int, text: str) -> tuple[str, str]:
    return (texts[0] + text, texts[1]) if seat == 0 else (texts[0], texts[1] + text)


_MOVES = {
    betting.DEAL: _deal,
    betting.DRAW: _discard,
    betting.AUCTION: _bid,
    betting.BET: _bet,
}
