"""Hands between two bots; as a script, between two exported ones: FOLDER SEED HANDS."""

import json
import sys
from pathlib import Path

FOREIGN = ("numba", "scipy", "pydantic", "typer")


def play_hands(bots, seed, n):
    """History, chips and what was thought in hands between two bots, seats alternating."""
    from counterfold.bots.hand import Hand
    from counterfold.bots.shuffled_deck import shuffle

    played = []
    for number in range(n):
        seats = bots if number % 2 == 0 else bots[::-1]
        hand = Hand(bots[0].variant, shuffle(bots[0].variant, seed, number))
        for seat, bot in enumerate(seats):
            bot.begin_hand(hand.view(seat))
        traces = []
        while hand.waits_for is not None:
            seat = hand.waits_for
            hand.act(seats[seat].act(hand.view(seat)))
            trace = seats[seat].last_trace
            traces.append([int(trace.bucket), int(trace.node), int(trace.how)])
        played.append([hand.state.history, list(hand.chips), traces])
    return played


def main():
    folder, seed, n = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    sys.path.insert(0, folder)
    import numpy as np

    from counterfold.contest.exported.exported_data import load_bot

    np.seterr(over="ignore")
    for name in FOREIGN:
        try:
            __import__(name)
        except ImportError:
            continue
        sys.exit(f"{name} can be imported")
    bots = [load_bot(Path(folder) / "data", seed, player) for player in (0, 1)]
    print(json.dumps(play_hands(bots, seed, n)))


if __name__ == "__main__":
    main()
