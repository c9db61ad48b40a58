import pytest

from counterfold.games.holdem import VARIANTS, narrate, parse_state


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        (
            "nolimit",
            "AhKs QdQc c r6 c 2c7dTs k r10 f",
            [
                "seat 0 posts 1, seat 1 posts 2",
                "seat 0 is dealt Ah Ks",
                "seat 1 is dealt Qd Qc",
                "seat 0 calls 1",
                "seat 1 raises to 6",  # the blind was a bet
                "seat 0 calls 4",
                "board Ts 7d 2c, pot 12",
                "seat 1 checks",
                "seat 0 bets 10",
                "seat 1 folds",
                "seat 0 wins 6 chips",
            ],
        ),
        (
            "discard",
            "AhKs QdQc r200 c 2c7dTs dQc +Td s",
            [
                "seat 0 raises to 200",
                "seat 1 calls 198",
                "board Ts 7d 2c, pot 400",
                "seat 1 discards Qc",
                "seat 1 draws Td",
                "seat 0 keeps",
            ],
        ),
        ("swap", "AhKs QdQc c k 2c7dTs = ~3d = =", ["seat 0 has Ks swapped for 3d"]),
        ("kuhn-variant", "Kc Qc r1 f", ["seat 0 bets 1", "seat 1 folds", "seat 0 wins 1 chip"]),
        ("nolimit", "AhKs AdKc r400 c TcJdQs 2s 2d", ["the pot is split"]),
    ],
)
def test_hands_in_words(name, text, words):
    lines = narrate(parse_state(VARIANTS[name](), text))
    assert lines[-len(words) :] == words
