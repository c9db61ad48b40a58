"""Made hands in words, with their ranks: ``pair of kings with A98``."""

from collections import Counter
from collections.abc import Sequence

from counterfold.cards.ranking import hand_category, rank
from counterfold.cards.text import RANKS

_WORDS = (
    *("two", "three", "four", "five", "six", "seven"),
    *("eight", "nine", "ten", "jack", "queen", "king", "ace"),
)
_N_FIVE = 5


def name_hand(cards: Sequence[int], *, first_flush_suit_only: bool = False) -> str:
    """What five cards or more make; ranks that break ties come after ``with``."""
    strength = rank(cards, first_flush_suit_only=first_flush_suit_only)
    category = hand_category(strength)
    five = _find_five([*cards], strength, first_flush_suit_only)
    counts = Counter(card >> 2 for card in five)
    ranks = sorted(counts, key=lambda each: (counts[each], each), reverse=True)
    if category in ("straight", "straight flush"):
        wheel = ranks[0] == len(RANKS) - 1 and ranks[1] == RANKS.index("5")
        top = ranks[1] if wheel else ranks[0]
        royal = category == "straight flush" and top == len(RANKS) - 1
        return "royal flush" if royal else f"{category}, {_WORDS[top]} high"
    head, n_named = _name_groups(category, ranks)
    left = "".join(RANKS[each] for each in ranks[n_named:])
    return f"{head} with {left}" if left else head


def _name_groups(category: str, ranks: list[int]) -> tuple[str, int]:
    """The words for what decides first, and how many ranks they name."""
    first, second = ranks[:2]
    match category:
        case "high card":
            return f"{_WORDS[first]} high", 1
        case "pair":
            return f"pair of {_plural(first)}", 1
        case "flush":
            return f"flush, {_WORDS[first]} high", 1
        case "two pair":
            return f"two pair, {_plural(first)} and {_plural(second)}", 2
        case "full house":
            return f"full house, {_plural(first)} over {_plural(second)}", 2
        case _:
            return f"{category}, {_plural(first)}", 1


def _find_five(cards: list[int], strength: int, first_flush_suit_only: bool) -> list[int]:
    """Five of `cards` that are as strong as all: others are taken away while that is so."""
    for card in sorted(cards):
        rest = [each for each in cards if each != card]
        if len(cards) == _N_FIVE:
            break
        if rank(rest, first_flush_suit_only=first_flush_suit_only) == strength:
            cards = rest
    return cards


def _plural(place: int) -> str:
    word = _WORDS[place]
    return word + ("es" if word.endswith("x") else "s")
