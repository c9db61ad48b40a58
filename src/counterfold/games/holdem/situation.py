"""What a public situation allows and what follows from it, in the words of the notation."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from counterfold.cards import format_card, parse_cards
from counterfold.cards.text import CARD_PATTERN, N_CARDS
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.action_words import BID, CALL, CHECK, DISCARD, FOLD, KEEP, RAISE
from counterfold.games.holdem.street import (
    MAX_ROUNDS,
    Auction,
    Choice,
    Deal,
    Discard,
    count_rounds,
)

if TYPE_CHECKING:
    from counterfold.games.holdem.variant import Variant

DEALT, LAST_DEALT = "/", "!"  # in a history; `!` where a run could have continued and does not

Situation = tuple[int, ...]  # see `games.holdem.betting_kernels`

_EVERY_ROUND = sum(1 << 2 * at for at in range(MAX_ROUNDS))  # bits of seat 0 in `DREW`
_RAISE_WORD = re.compile(r"r[1-9][0-9]{0,6}")  # chips up to the largest stack
_BID_WORD = re.compile(r"a(?:0|[1-9][0-9]{0,6})")
_EVENT = re.compile(rf"r[0-9]+|a[0-9]*|d(?:{CARD_PATTERN})?|[fkcs/!]")


def before_deal(street: int, spent: int) -> Situation:
    """The situation in which the cards of `street` are dealt to seats that have put in `spent`."""
    situation = [0] * betting.N_FIELDS
    situation[betting.STREET], situation[betting.PHASE] = street - 1, betting.DEAL
    situation[betting.SPENT_0] = situation[betting.SPENT_1] = spent
    return tuple(situation)


def choice_place(situation: Situation) -> int:
    """Which choice of its street a situation waits for, from 0."""
    return situation[betting.N_ACTIONS] // betting.TURNS


def turn_of(situation: Situation) -> int:
    """How many turns of that choice are over."""
    return situation[betting.N_ACTIONS] % betting.TURNS


def choice_of(variant: "Variant", situation: Situation) -> Choice:
    """The choice that a situation waits for."""
    return variant.streets[situation[betting.STREET]].choices[choice_place(situation)]


def passes_turn(before: Situation, after: Situation) -> bool:
    """Whether a choice of discards has gone to the other seat between situations, or is over."""
    same = after[betting.PHASE] == betting.DRAW and after[betting.ACTOR] == before[betting.ACTOR]
    return not same or choice_place(after) != choice_place(before)


def ends_choice(before: Situation, after: Situation) -> bool:
    """Whether the choice that `before` waits for is over in `after`."""
    waits = after[betting.PHASE] < betting.BET and after[betting.STREET] == before[betting.STREET]
    return not waits or choice_place(after) != choice_place(before)


def last_discard(variant: "Variant", situation: Situation, draws: str) -> str:
    """The card that the seat to act discarded before in this choice, if any, by its `draws`."""
    choice = choice_of(variant, situation)
    turn = turn_of(situation) % choice.count if isinstance(choice, Discard) else 0
    return draws.rpartition("-")[2][:2] if turn else ""


def after_bid_word(variant: "Variant", situation: Situation, action: str) -> Situation | None:
    """The situation once the seat to act has bid, or None if that is not legal."""
    if not _BID_WORD.fullmatch(action) or int(action[1:]) > most_bid(variant, situation):
        return None
    return tuple(betting.after_bid(variant.rules, situation, int(action[1:])))


def seen_history(variant: "Variant", situation: Situation, history: str) -> str:
    """The history as the player to act knows it: of a sealed bid only that it was made."""
    if situation[betting.FIRST_BID] == 0:
        return history
    choice = choice_of(variant, situation)
    sealed = isinstance(choice, Auction) and choice.sealed
    return history[: history.rindex(BID) + 1] if sealed else history


def count_hole_cards(variant: "Variant", situation: Situation, history: str, seat: int) -> int:
    """How many hole cards a seat has, by what everybody has seen, once chance owes nothing."""
    n, rounds = variant.hole_cards, 0
    # What was done at all discards so far, in the order of play.
    words = [event[0] for event in split_history(history) if event[0] in (KEEP, DISCARD)]
    for street in variant.streets[: situation[betting.STREET] + 1]:
        for step in street.steps:
            if isinstance(step, Deal):
                n += step.holes[seat]
            elif isinstance(step, Auction):
                won = situation[betting.DREW] >> (2 * rounds + seat) & 1
                n += won if step.prize == "card" else 0
            elif isinstance(step, Discard):
                gone = _take_discards(words, step)
                n -= 0 if step.redraw else gone[seat]
            rounds += count_rounds(step)
    return n


def _take_discards(words: list[str], step: Discard) -> tuple[int, int]:
    """How many cards each seat has discarded at `step`, by seat; takes its letters off `words`."""
    gone = [0, 0]
    for seat in (step.first, 1 - step.first):
        while words and gone[seat] < step.count:
            if words.pop(0) == KEEP:
                break
            gone[seat] += 1
    return gone[0], gone[1]


def total_spent(situation: Situation) -> tuple[int, int]:
    """Chips that each seat has put in, by betting and at auctions."""
    return (
        situation[betting.SPENT_0] + situation[betting.PAID_0],
        situation[betting.SPENT_1] + situation[betting.PAID_1],
    )


def is_all_in(variant: "Variant", situation: Situation) -> bool:
    """Whether all bets are called and neither seat can bet more: the smaller stack limits both."""
    left = variant.stack - max(situation[betting.PAID_0], situation[betting.PAID_1])
    return situation[betting.SPENT_0] == situation[betting.SPENT_1] == left


def most_bid(variant: "Variant", situation: Situation) -> int:
    """The most that the seat to act may bid: its stack, less what calling a blind will take."""
    paid = situation[betting.PAID_0 if situation[betting.ACTOR] == 0 else betting.PAID_1]
    return variant.stack - max(situation[betting.SPENT_0], situation[betting.SPENT_1]) - paid


def raise_bounds(variant: "Variant", situation: Situation) -> tuple[int, int] | None:
    """Smallest and largest street total to bet or raise to, or None where one may not."""
    low, high = betting.raise_bounds(variant.rules, situation)
    base = situation[betting.BASE]
    return (low - base, high - base) if high else None


def after_bet(variant: "Variant", situation: Situation, action: str) -> Situation | None:
    """The situation once the seat that bets has done `action`, or None if that is not legal."""
    to_call = situation[betting.SPENT_0] != situation[betting.SPENT_1]
    if action == FOLD and (to_call or variant.fold_when_free):
        return tuple(betting.after_fold(situation))
    if action == (CALL if to_call else CHECK):
        return tuple(betting.after_call(variant.rules, situation))
    if _RAISE_WORD.fullmatch(action) and (bounds := raise_bounds(variant, situation)):
        total = int(action[1:])
        if bounds[0] <= total <= bounds[1]:
            return tuple(betting.after_raise(situation, total + situation[betting.BASE]))
    return None


def name_discards(
    variant: "Variant", situation: Situation, hole: Sequence[int], gone: str
) -> tuple[str, ...]:
    """What the seat to act may do with its `hole` at a choice of discards.

    Of several cards the highest goes first: `gone` is the one before, if there was one.
    """
    step = choice_of(variant, situation)
    assert isinstance(step, Discard)
    below = parse_cards(gone)[0] if gone else N_CARDS
    left = (step.count - turn_of(situation) % step.count if step.forced else 1) - 1
    cards = sorted((card for card in hole if card < below), reverse=True)
    names = tuple(DISCARD + format_card(card) for card in cards[: len(cards) - left])
    return names if step.forced else (KEEP, *names)


def wins_auction(before: Situation, after: Situation, seat: int) -> bool:
    """Whether `seat` wins the auction that is settled between two situations."""
    return before[betting.FIRST_BID] > 0 and bool(
        (after[betting.DREW] ^ before[betting.DREW]) >> seat & _EVERY_ROUND
    )


def split_history(history: str) -> tuple[str, ...]:
    """The public events of a history one by one: actions, and `/` or `!` for a street dealt."""
    return tuple(_EVENT.findall(history))


def rounds_up(history: str) -> bool:
    """Whether half chips are rounded up for seat 0: by the number of the last action.

    The engine of the contest with bounties counts the actions of a street, from 0 before the flop
    and from 1 later; a call that ends the betting counts once more.
    """
    before_flop, number = True, 0
    last = ""
    for event in split_history(history):
        if event in (DEALT, LAST_DEALT):
            before_flop, number, last = False, 0, ""
        elif event[0] in (FOLD, CHECK, CALL, RAISE):
            number, last = number + 1, event
    if not last:
        return False  # both are all-in and check
    return (number - before_flop + (last == CALL)) % 2 == 1


@lru_cache(maxsize=16)
def name_raises(stack: int) -> tuple[str, ...]:
    """The words for bets and raises to 0 up to `stack`, shared by all states."""
    return tuple(f"{RAISE}{total}" for total in range(stack + 1))
