"""What a player held and saw at earlier points of a hand: its view, taken back stage by stage."""

import re
from collections.abc import Sequence

from counterfold.bots.view import View
from counterfold.cards import parse_card
from counterfold.games.holdem import Variant
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.action_words import DISCARD, KEEP
from counterfold.games.holdem.chance import SWAPPED
from counterfold.games.holdem.situation import split_history
from counterfold.games.holdem.street import Deal
from counterfold.public.deals_kernels import NO_CARD
from counterfold.public.stages import DEALT, SHOWN, CardStage, PathStep, seen_cards

Cards = tuple[int, ...]
Discards = dict[tuple[int, int], list[str]]

_CHANGE = re.compile(r"/|[-+?](..)|~(..)~(..)")  # of its own cards, as views write them


def past_cards(
    variant: Variant, stages: Sequence[CardStage], view: View, *, shown: bool
) -> list[tuple[Cards, Cards]]:
    """The hand of the view's seat and the board at each of `stages`, the last of which is now.

    With `shown`, the board has the cards that were shown and are dead. A card that was not given
    away although it might have been is `NO_CARD`.
    """
    discards = list_discards(stages, view.history)
    holes = _past_hands(stages, view, discards)
    if not variant.gives_cards:
        board = view.board_cards
        return [
            (hole, board[: stage.n_on_board]) for hole, stage in zip(holes, stages, strict=True)
        ]
    given: dict[str, list[int]] = {}
    for (at, _), words in discards.items():
        step = stages[at].choice
        if step is not None and step.way is not None:
            cards = [parse_card(word[1:]) for word in words]
            missing = [NO_CARD] * (step.discard.count - len(words))
            given.setdefault(step.way, []).extend([*cards, *missing])
    laid = {card for cards in given.values() for card in cards}
    dealt = [card for card in view.board_cards if card not in laid]
    sights = []
    for hole, stage in zip(holes, stages, strict=True):
        ways = [way for way in seen_cards(variant, stage) if shown or way != SHOWN]
        left = {DEALT: iter(dealt), **{way: iter(cards) for way, cards in given.items()}}
        sights.append((hole, tuple(next(left[way]) for way in ways)))
    return sights


def list_discards(stages: Sequence[CardStage], history: str) -> Discards:
    """The words of each seat's discards so far, by stage and seat; cards are named if seen."""
    words = [event for event in split_history(history) if event[0] in (DISCARD, KEEP)]
    found: Discards = {}
    for at, stage in enumerate(stages):
        step = stage.choice
        if step is None or not stage.before_draw:
            continue
        first = step.discard.first
        for seat in stage.givers if step.shared else (first, 1 - first):
            gone = found[at, seat] = []
            while words and len(gone) < step.discard.count:
                word = words.pop(0)
                if word == KEEP:
                    break
                gone.append(word)
    return found


def won_auction(view: View, step: PathStep) -> bool:
    """Whether the view's seat won an auction."""
    return bool(view.situation[betting.DREW] >> 2 * step.round + view.seat & 1)


def _past_hands(stages: Sequence[CardStage], view: View, discards: Discards) -> list[Cards]:
    """The hand at each stage: changes are undone, the last first."""
    changes = [*_CHANGE.finditer(view.draws)]
    hole, holes = [*view.hole], [view.hole]
    for at in range(len(stages) - 1, 0, -1):
        before, here = stages[at - 1], stages[at]
        if isinstance(here.chance, Deal):
            for _ in range(here.chance.holes[view.seat]):
                hole.remove(_card_of(changes.pop()))
        elif here.chance is not None:
            while changes and changes[-1][0][0] == SWAPPED:
                _undo(hole, changes.pop())
            changes.pop()  # the sign of the swap
        elif before.choice is not None:
            _undo_choice(
                view, before.choice, hole, changes, len(discards.get((at - 1, view.seat), ()))
            )
        holes.append(tuple(hole))
    return holes[::-1]


def _undo_choice(
    view: View, step: PathStep, hole: list[int], changes: list[re.Match[str]], n_gone: int
) -> None:
    """Take back what a choice has done to a hand, of which `n_gone` cards were discarded."""
    if step.kind == "draw":
        if n_gone:
            new, old = _card_of(changes.pop()), _card_of(changes.pop())
            hole[hole.index(new)] = old
    elif step.kind == "give":
        for _ in range(n_gone if step.discard.redraw else 0):
            hole.remove(_card_of(changes.pop()))
        hole.extend(_card_of(changes.pop()) for _ in range(n_gone))
    elif won_auction(view, step):
        card = _card_of(changes.pop())
        if step.kind == "win":
            hole.remove(card)


def _card_of(change: re.Match[str]) -> int:
    """The card that a change brings, takes away or shows."""
    return parse_card(change[1])


def _undo(hole: list[int], swap: re.Match[str]) -> None:
    """Put the card back that a swap replaced."""
    hole[hole.index(parse_card(swap[3]))] = parse_card(swap[2])
