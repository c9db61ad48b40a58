"""AIVAT of sessions: that of the hands as they were played, of a person who is not known."""

import pytest

from counterfold.bots.play.play_session import NAMES
from counterfold.bots.trained_bot import TrainedBot
from counterfold.errors import HistoryError
from counterfold.matches.session_folder import SessionFolder, SessionRecord, begin_session
from counterfold.matches.session_luck import SessionLuck, rebuild_hand


@pytest.fixture(scope="module", params=["nolimit", "discard", "river-of-blood", "swap"])
def bot(request, small_runs):
    return TrainedBot(small_runs[request.param])


def play_session(bot, folder, rng, n_hands):
    record = SessionRecord("/runs/a", 8, 0.0)
    play = begin_session(bot, record)
    hands = []
    for _ in range(n_hands):
        while not play.over:
            play.act(str(rng.choice(play.view.actions())))
        folder.add_hand(play)
        hands.append(play.hand)
        play.next_hand()
    return hands


def test_hands_are_rebuilt_from_their_histories(bot, tmp_path, rng):
    folder = SessionFolder(tmp_path)
    hands = play_session(bot, folder, rng, 30)
    for hand, history in zip(hands, folder.hands, strict=True):
        again = rebuild_hand(history, bot.variant, 8)
        assert again.state == hand.state
        assert again.events == hand.events
    with pytest.raises(HistoryError, match="was not dealt with seed 9"):
        rebuild_hand(folder.hands[0], bot.variant, 9)


def test_luck_is_that_of_the_person_and_smaller_than_the_result(small_runs, tmp_path, rng):
    bot = TrainedBot(small_runs["nolimit"])
    folder = SessionFolder(tmp_path)
    hands = play_session(bot, folder, rng, 400)
    luck = SessionLuck(bot, 8)
    assert luck.rates() is None
    for hand in hands:
        luck.add(hand)
    rates = luck.rates()
    assert rates.known == ("bot",)
    mine = [hand.chips[hand.names.index(NAMES[1])] for hand in hands]
    mean = sum(mine) / len(mine)
    interval = 1.96 * (sum((each - mean) ** 2 for each in mine) / 399 / 400) ** 0.5
    assert rates.chips_interval < 0.9 * interval
    assert abs(rates.chips - mean) < 3 * interval
    again = SessionLuck(bot, 8)
    again.add_histories(folder.hands[:100])
    again.add_histories(folder.hands)
    assert again.rates() == rates
    cards_alone = SessionLuck(bot, 8, searches=True)
    cards_alone.add_histories(folder.hands)
    assert cards_alone.rates().known == ()
