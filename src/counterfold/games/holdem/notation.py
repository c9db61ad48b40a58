"""States of variants as text: their events with spaces between; slashes are skipped."""

from counterfold.errors import IllegalActionError
from counterfold.games.holdem.state import HoldemState
from counterfold.games.holdem.variant import Variant


def parse_state(variant: Variant, text: str) -> HoldemState:
    """The state of `variant` that `text` describes, such as ``AhKs QdQc c k 2c7dTs k r4``."""
    state = variant.root()
    words = [word for word in text.split() if word != "/"]
    for at, word in enumerate(words, start=1):
        try:
            state = state.child(word)
        except IllegalActionError as error:
            raise IllegalActionError(f"word {at} of {text!r}: {error}") from None
    return state
