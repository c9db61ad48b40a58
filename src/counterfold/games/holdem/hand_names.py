"""Made hands in words, with their ranks: ``pair of kings with A98``."""

from collections import Counter
from collections.abc import Callable, Sequence

from counterfold.cards.ranking import rank
from counterfold.cards.text import N_CARDS, RANKS

_WORDS = (
    *("two", "three", "four", "five", "six", "seven"),
    *("eight", "nine", "ten", "jack", "queen", "king", "ace"),
)
_N_FIVE = 5
_CATEGORIES = {  # by how often each rank is there
    (1, 1, 1, 1, 1): "high card",
    (1, 1, 1, 2): "pair",
    (1, 2, 2): "two pair",
    (1, 1, 3): "three of a kind",
    (2, 3): "full house",
    (1, 4): "four of a kind",
}


def name_hand(
    cards: Sequence[int],
    *,
    strength: Callable[[Sequence[int]], int] = rank,
    counts_as: Sequence[int] = range(N_CARDS),
    lowest: int = 0,
) -> str:
    """What five cards or more make; ranks that break ties come after ``with``.

    Parameters
    ----------
    strength
        Of five cards or more, as the game has it.
    counts_as
        By card, the card that has its strength in the usual order of ranks.
    lowest
        The rank with which a straight begins whose first card is an ace.
    """
    five = _find_five([*cards], strength)
    names = {counts_as[card] >> 2: card >> 2 for card in five}  # of ranks, by their place
    counts = Counter(counts_as[card] >> 2 for card in five)
    places = sorted(counts, key=lambda each: (counts[each], each), reverse=True)
    top = _find_straight(places, lowest)
    category = _find_category(sorted(counts.values()), five, top is not None)
    if top is not None:
        royal = category == "straight flush" and top == len(RANKS) - 1
        return "royal flush" if royal else f"{category}, {_WORDS[names[top]]} high"
    ranks = [names[place] for place in places]
    head, n_named = _name_groups(category, ranks)
    left = "".join(RANKS[each] for each in ranks[n_named:])
    return f"{head} with {left}" if left else head


def _find_straight(places: list[int], lowest: int) -> int | None:
    """The place of its highest card; `places` descend if all differ."""
    if len(places) < _N_FIVE:
        return None
    if places[0] - places[-1] == _N_FIVE - 1:
        return places[0]
    wheel = [len(RANKS) - 1, *range(lowest + 3, lowest - 1, -1)]
    return places[1] if places == wheel else None


def _find_category(counts: list[int], five: list[int], is_straight: bool) -> str:
    is_flush = len({card & 3 for card in five}) == 1
    if is_straight:
        return "straight flush" if is_flush else "straight"
    return "flush" if is_flush else _CATEGORIES[tuple(counts)]


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


def _find_five(cards: list[int], strength: Callable[[Sequence[int]], int]) -> list[int]:
    """Five of `cards` that are as strong as all: others are taken away while that is so."""
    wanted = strength(cards)
    for card in sorted(cards):
        rest = [each for each in cards if each != card]
        if len(cards) == _N_FIVE:
            break
        if strength(rest) == wanted:
            cards = rest
    return cards


def _plural(place: int) -> str:
    word = _WORDS[place]
    return word + ("es" if word.endswith("x") else "s")
