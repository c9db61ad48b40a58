"""The deck of a hand in the order in which an engine deals it, the same for all players."""

from dataclasses import dataclass, replace

import numpy as np

from counterfold.games.holdem import Swap, Variant

Cards = tuple[int, ...]

STAYS = -1  # in a deal: a hole card that is not swapped


@dataclass(frozen=True)
class ShuffledDeck:
    """The shuffled deck of a hand: hole cards by seat, then what comes in its order.

    Where `draws` are given, a discard brings cards of its own, whatever the others did, and so
    does an auction that is won where `prizes` are. `swaps` are for each street that swaps, by seat:
    the new card or `STAYS` for each place of the hand. `bounties` are ranks. `added` are the hole
    cards that come along the way, in their order, and `looks` which of the other's cards, from the
    lowest up, a seat sees that wins an auction for a look.
    """

    holes: tuple[Cards, Cards]
    rest: Cards
    draws: tuple[tuple[Cards, ...], ...] = ()  # by drawing round and seat
    swaps: tuple[tuple[Cards, Cards], ...] = ()
    bounties: tuple[int, int] | None = None  # by seat
    prizes: tuple[Cards, ...] = ()  # by auction for a card and seat
    added: Cards = ()
    looks: tuple[tuple[int, int], ...] = ()  # by auction for a look and seat


def shuffle(variant: Variant, seed: int, number: int) -> ShuffledDeck:
    """The deck of hand `number`; it does not depend on the players."""
    rng = np.random.default_rng((seed, number))
    cards = rng.permutation(variant.deck.cards).tolist()
    n, most = variant.hole_cards, variant.most_hole_cards
    swaps = []
    for step in (step for street in variant.streets for step in street.steps):
        if isinstance(step, Swap):
            odds = step.probability
            new = [cards.pop() if rng.random() < odds else STAYS for _ in range(2 * most)]
            swaps.append((tuple(new[:most]), tuple(new[most:])))
    return ShuffledDeck(
        (tuple(cards[:n]), tuple(cards[n : 2 * n])),
        tuple(cards[2 * n :]),
        swaps=tuple(swaps),
        bounties=_draw_bounties(variant, seed, number),
    )


def _draw_bounties(variant: Variant, seed: int, number: int) -> tuple[int, int] | None:
    """The bounties of hand `number` by seat; players change seats and keep theirs for a while."""
    if variant.bounty is None:
        return None
    rng = np.random.default_rng((seed, number // variant.bounty.rounds, variant.bounty.rounds))
    one, two = rng.choice(variant.deck.ranks, 2).tolist()
    return (one, two) if number % 2 == 0 else (two, one)


def swap_seats(deal: ShuffledDeck) -> ShuffledDeck:
    """The same deck with the cards of the seats exchanged, except those that come along the way."""
    draws = tuple(cards[::-1] for cards in deal.draws)
    prizes = tuple(cards[::-1] for cards in deal.prizes)
    looks = tuple((second, first) for first, second in deal.looks)
    swaps = tuple((second, first) for first, second in deal.swaps)
    bounties = deal.bounties and (deal.bounties[1], deal.bounties[0])
    return replace(
        deal,
        holes=(deal.holes[1], deal.holes[0]),
        draws=draws,
        swaps=swaps,
        bounties=bounties,
        prizes=prizes,
        looks=looks,
    )
