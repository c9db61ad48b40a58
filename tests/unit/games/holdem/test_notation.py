"""Betting lines and states as people write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterfold.cards import format_cards
from counterfold.errors import IllegalActionError
from counterfold.games import parse_game
from counterfold.games.holdem import parse_state
from counterfold.games.holdem.bet_size import ALL_IN, CHIPS, POT, TIMES, BetSize
from counterfold.games.holdem.notation import DEAL, read_line

NO_LIMIT = parse_game("nolimit")


def words(text):
    """Kind, and size or cards, of every word."""
    found = []
    for word in read_line(text):
        more = (word.size, format_cards(word.cards))
        found.append((word.kind, *(each for each in more if each)))
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("c k", [("c",), ("k",)]),
        ("x,X  check", [("k",), ("k",), ("k",)]),
        ("fcall", [("f",), ("c",)]),
        ("b50%", [("r", BetSize(POT, 500))]),
        ("B33.3%", [("r", BetSize(POT, 333))]),
        ("b120 r300", [("r", BetSize(CHIPS, 120)), ("r", BetSize(CHIPS, 300))]),
        ("r2.5x", [("r", BetSize(TIMES, 2500))]),
        ("bet 120, raise 300, raise to 900", [("r", BetSize(CHIPS, n)) for n in (120, 300, 900)]),
        ("allin all-in ballin", [("r", BetSize(ALL_IN))] * 3),
        ("allin 900", [("r", BetSize(CHIPS, 900))]),
        ("50% allin", [("r", BetSize(POT, 500)), ("r", BetSize(ALL_IN))]),
        ("r b raise", [("r",)] * 3),
        ("s d dAh keep discard", [("s",), ("d",), ("d", "Ah"), ("s",), ("d",)]),
        ("r6c/kk", [("r", BetSize(CHIPS, 6)), ("c",), (DEAL,), ("k",), ("k",)]),
        ("c k / k", [("c",), ("k",), (DEAL,), ("k",)]),
        ("c k / | k", [("c",), ("k",), (DEAL,), (DEAL,), ("k",)]),
        ("k k | 7h | k", [("k",), ("k",), (DEAL, "7h"), ("k",)]),
        ("k k | 7h", [("k",), ("k",), (DEAL, "7h")]),
        ("k k 7h k", [("k",), ("k",), (DEAL, "7h"), ("k",)]),
        ("Qd 7c, 2s | k", [(DEAL, "Qd7c2s"), ("k",)]),
        ("Q♦7♣️2♤ k", [(DEAL, "Qd7c2s"), ("k",)]),
        ("c | Qd7c2s | 5h | 6h", [("c",), (DEAL, "Qd7c2s"), (DEAL, "5h"), (DEAL, "6h")]),
        ("Kd kd", [(DEAL, "KdKd")]),
        ("kk", [("k",), ("k",)]),
    ],
)
def test_words_of_lines(text, expected):
    assert words(text) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("c z", "word 2 of 'c z': 'z' is not an action or cards; write f, k, c, b50%"),
        ("c 120", "word 2 of 'c 120': '120' is not an action"),
        ("r0", r"word 1 of 'r0': a size is 50% of the pot, .*, not '0'"),
        ("b0%", "not '0%'"),
        ("r2.5", r"not '2\.5'"),
        ("k 7h7h", "word 2 of 'k 7h7h': card 7h twice"),
    ],
)
def test_what_is_not_a_line(text, message):
    with pytest.raises(IllegalActionError, match=message):
        read_line(text)


@pytest.mark.parametrize(
    "text",
    [
        "AhKs QdQc r6 c Ts7d2c k r6",
        "A♥K♠ Q♦Q♣ r6 c T♠7♦2♣ k r6",
        "AhKs QdQc / r6 c / Ts7d2c / k b50%",
        "AhKs | QdQc | r6 c | Ts7d2c | x b50%",
        "Ah Ks Qd Qc r6 c Ts 7d 2c k b6",
        "ahks,qdqc,raise to 6,call,ts7d2c,check,bet 6",
        "AhKs QdQc r3x c Ts7d2c k b50%",
    ],
)
def test_states_however_they_are_written(text):
    assert parse_state(NO_LIMIT, text).notation == "AhKs QdQc r6 c Ts7d2c k r6"


def test_sizes_that_states_do_not_allow_are_named_as_written():
    with pytest.raises(
        IllegalActionError, match=r"word 3 of .*: action 'b3' is not one of f, c, r4"
    ):
        parse_state(NO_LIMIT, "AhKs QdQc b3")
    with pytest.raises(IllegalActionError, match="action 'b50%' is not an outcome of chance"):
        parse_state(NO_LIMIT, "b50%")
    with pytest.raises(IllegalActionError, match="action 'raise' is not one of"):
        parse_state(NO_LIMIT, "AhKs QdQc raise")
    limit = parse_state(parse_game("limit"), "AhKs QdQc raise b c Ts7d2c k b")
    assert limit.notation == "AhKs QdQc r4 r6 c Ts7d2c k r2"


@pytest.mark.parametrize("name", ["nolimit(stack=40)", "potlimit", "limit", "discard", "swap"])
@given(data=st.data())
def test_random_states_read_back(name, data):
    state = parse_game(name).root()
    deck = iter(data.draw(st.permutations(range(52))))
    for _ in range(data.draw(st.integers(0, 12))):
        if state.utilities is not None:
            break
        if hasattr(state.chance, "n"):
            event = format_cards([next(deck) for _ in range(state.chance.n)])
        elif state.chance is not None:
            fresh = format_cards([next(deck)])
            event = next(text for text, _ in state.chance.outcomes() if fresh in text)
        else:
            event = data.draw(st.sampled_from(state.actions()))
        state = state.child(event)
    assert parse_state(state.variant, state.notation) == state
    assert parse_state(state.variant, "/".join(state.events)) == state
