"""Steps of streets to draw variants from, for `hypothesis`."""

from hypothesis import strategies as st

from counterfold.games.holdem import Auction, Deal, Discard, Swap

SEATS, FLAGS = st.integers(0, 1), st.booleans()
SWAPS = st.builds(Swap, st.sampled_from((0.1, 0.5)))
AUCTIONS = st.builds(
    Auction, SEATS, st.sampled_from(("first", "second")), FLAGS, st.sampled_from(("card", "look"))
)


def deals(most):
    """Of up to so many cards to each hand, and of up to one to the board."""
    cards = st.integers(0, most)
    return st.builds(Deal, st.integers(0, 1), st.tuples(cards, cards))


def discards(most):
    """Of up to so many cards, hidden, shown or laid, forced or free, with new cards or without."""
    return st.builds(Discard, SEATS, st.integers(1, most), FLAGS, FLAGS, FLAGS, FLAGS)
