from counterfold.bots.shuffled_deck import STAYS, shuffle, swap_seats
from counterfold.games.holdem import VARIANTS


def test_hole_cards_are_swapped_as_often_as_the_rules_say():
    deals = [shuffle(VARIANTS["swap"](), 3, number) for number in range(2000)]
    for street, chance in enumerate((0.10, 0.05)):
        new = [card for deal in deals for hole in deal.swaps[street] for card in hole]
        often = sum(card != STAYS for card in new) / len(new)
        # Four deviations of 8000 cards: once in 16,000 seeds.
        assert abs(often - chance) < 4 * (chance * (1 - chance) / len(new)) ** 0.5
    for deal in deals:
        swapped = [card for swap in deal.swaps for hole in swap for card in hole if card != STAYS]
        assert sorted((*deal.holes[0], *deal.holes[1], *deal.rest, *swapped)) == [*range(52)]


def test_decks_are_shuffled_by_seed_and_number():
    variant = VARIANTS["nolimit"]()
    deals = [shuffle(variant, seed, number) for seed in (0, 1) for number in (0, 1)]
    assert len(set(deals)) == 4
    assert deals[0] == shuffle(variant, 0, 0)
    for deal in deals:
        assert sorted((*deal.holes[0], *deal.holes[1], *deal.rest)) == [*range(52)]
    assert swap_seats(deals[0]).holes == deals[0].holes[::-1]
