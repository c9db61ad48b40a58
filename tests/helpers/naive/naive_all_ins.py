"""When only the board is to come, and what that is worth, by the exact rules state by state."""

from functools import cache

from counterfold.games.holdem import Auction, Deal, Discard, Swap, parse_state
from counterfold.games.holdem import betting_kernels as betting


def settled_state(variant, history):
    """The first state of a hand from which on only the board is dealt, or None."""
    last = max((at for at, street in enumerate(variant.streets) if has_more(street)), default=0)
    state = variant.root()
    for event in parse_state(variant, history.state).events:
        situation = state.situation
        if (
            situation[betting.PHASE] == betting.DEAL
            and not state.owed
            and len(state.holes) == 2
            and situation[betting.STREET] >= last
            and max(state.spent) == variant.stack  # and the other has called
            and situation[betting.SPENT_0] == situation[betting.SPENT_1]
        ):
            return state
        state = state.child(event)
    return None


def has_more(street):
    """Whether there is more on a street than cards for the board and bets."""
    return any(
        any(step.holes) if isinstance(step, Deal) else isinstance(step, Swap | Discard | Auction)
        for step in street.steps
    )


@cache
def moments(state):
    """Mean and mean square of seat 0's chips, over all that may be dealt."""
    if state.utilities is not None:
        return state.utilities[0], state.utilities[0] ** 2
    below = [(chance, moments(state.child(event))) for event, chance in state.chance.outcomes()]
    return tuple(sum(chance * found[k] for chance, found in below) for k in (0, 1))
