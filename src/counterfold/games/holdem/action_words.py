"""Actions: the letter of each in notation, its kind in arrays, and what people call it.

A notation is the letter, and after it the chips of a raise or the card of a discard: ``r12``,
``dAh``, ``a12``. Kinds are those of `games.holdem.betting_kernels`, for which a check is a call of
nothing.
"""

from collections.abc import Mapping

from counterfold.games.holdem import betting_kernels as betting

FOLD, CHECK, CALL, RAISE, KEEP, DISCARD, BID = "f", "k", "c", "r", "s", "d", "a"

KINDS: Mapping[str, int] = {
    FOLD: betting.FOLD,
    CHECK: betting.CALL,
    CALL: betting.CALL,
    RAISE: betting.RAISE,
    KEEP: betting.KEEP,
    DISCARD: betting.DISCARD,
    BID: betting.BID,
}
WORDS: Mapping[str, str] = {
    FOLD: "fold",
    CHECK: "check",
    CALL: "call",
    RAISE: "raise to",
    KEEP: "keep",
    DISCARD: "discard",
    BID: "bid",
}
BET = "bet"  # a raise where nothing is bet yet

_LETTERS = {
    kind: letter for letter, kind in KINDS.items()
}  # of the two letters of a call, the later one


def letter_of(kind: int, to_call: int) -> str:
    """The letter of a kind, where `to_call` chips are the price of a call."""
    if kind == betting.CALL:
        return CALL if to_call else CHECK
    return _LETTERS[int(kind)]


def name_action(action: str, *, opens: bool = False) -> str:
    """An action as a choice: ``raise to 12``, ``bet 12``, ``fold``, ``discard Ah``."""
    word = BET if opens and action[0] == RAISE else WORDS[action[0]]
    return f"{word} {action[1:]}".rstrip()


def tell_action(action: str, *, opens: bool = False) -> str:
    """An action as a report: ``raises to 12``, ``bets 12``, ``folds``."""
    verb, *rest = name_action(action, opens=opens).split(" ")
    return " ".join([f"{verb}s", *rest])
