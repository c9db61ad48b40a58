"""A person against a bot: the rules hold, and a hand can be resumed wherever it was left."""

import pytest

from counterfold.bots.dealt_hands import deal_hand
from counterfold.bots.hand import Hand
from counterfold.bots.hand_events import ActionTaken
from counterfold.bots.play.play_session import PlaySession
from counterfold.bots.trained_bot import TrainedBot
from counterfold.errors import IllegalActionError

VARIANTS = ("nolimit", "limit", "discard", "river-of-blood", "swap")


@pytest.fixture(scope="module", params=VARIANTS)
def bot(request, small_runs):
    return TrainedBot(small_runs[request.param])


def sit(bot, seed=7, number=0, actions=()):
    return PlaySession(bot.variant, bot.player(seed), bot.player(seed + 1), seed, number, actions)


def play_hand(session, rng):
    """Play a hand at random to its end; yields before each action of the person."""
    while not session.over:
        yield
        session.act(str(rng.choice(session.view.actions())))


def test_hands_go_as_the_engine_has_them(bot, rng):
    session = sit(bot)
    for number in range(40):
        for _ in play_hand(session, rng):
            assert session.hand.waits_for == session.seat == number % 2
        hand = Hand(bot.variant, deal_hand(bot.variant, 7, number))
        for action in session.actions:
            hand.act(action)
        assert session.chips == hand.chips[session.seat]
        assert hand.state == session.hand.state
        assert not session.faults
        session.next_hand()
        assert session.number == number + 1


def test_a_hand_is_resumed_wherever_it_was_left(bot, rng):
    session = sit(bot)
    for _ in range(6):
        for _ in play_hand(session, rng):
            again = sit(bot, 7, session.number, session.actions)
            assert again.hand.state == session.hand.state
            assert [trace.action for trace in again.bot.traces] == [
                trace.action for trace in session.bot.traces
            ]
            assert again.hint().probabilities == session.hint().probabilities
        ended = sit(bot, 7, session.number, session.actions)
        assert ended.over
        assert ended.chips == session.chips
        assert len(ended.advice) == len(session.advice)
        session.next_hand()


def test_advice_is_what_the_bot_would_do_with_the_cards_of_the_person(bot, rng):
    session = sit(bot)
    for _ in range(4):
        for _ in play_hand(session, rng):
            hint = session.hint()
            assert hint is session.hint()  # asking twice changes nothing
            assert hint.view == session.view
            if hint.probabilities:
                assert sum(share for _, share in hint.probabilities) == pytest.approx(1.0)
        mine = [
            e for e in session.hand.events if isinstance(e, ActionTaken) and e.seat == session.seat
        ]
        assert len(session.advice) == len(mine)
        session.next_hand()


def test_what_is_not_legal_is_refused_and_changes_nothing(bot):
    session = sit(bot)
    before = list(session.actions)
    for action in ("", "x", "r1", "r999999", "dAh", "s" * 3):
        with pytest.raises(IllegalActionError):
            session.act(action)
    with pytest.raises(IllegalActionError, match="the hand is not over"):
        session.next_hand()
    assert session.actions == before
    while not session.over:
        session.act(session.view.plain_actions()[0])
    with pytest.raises(IllegalActionError):
        session.act("c")
    with pytest.raises(IllegalActionError, match="nothing to decide"):
        session.hint()


def test_shares_of_actions_are_found_by_name(small_runs):
    hint = sit(TrainedBot(small_runs["nolimit"])).hint()
    shares = dict(hint.probabilities)
    assert hint.share_of("f") == shares["fold"]
    assert hint.share_of("r40") == shares["to 40 (all-in)"]
    assert hint.share_of("r39") is None


def test_actions_that_do_not_fit_are_refused(small_runs):
    bot = TrainedBot(small_runs["nolimit"])
    with pytest.raises(IllegalActionError):
        sit(bot, actions=["k", "k"])
    with pytest.raises(IllegalActionError):
        sit(bot, actions=["f", "c"])


def test_only_what_nobody_has_answered_can_be_taken_back(bot, rng):
    session = sit(bot)
    n_folds = 0
    for _ in range(30):
        for _ in play_hand(session, rng):
            assert not session.can_undo  # it is the person's turn: something has happened since
        if session.can_undo:
            n_folds += 1
            assert session.actions[-1] == "f"
            before = session.actions[:-1]
            session.undo()
            assert session.actions == before
            assert session.hand.waits_for == session.seat
            assert sit(bot, 7, session.number, before).hand.state == session.hand.state
            session.act("f")
        else:
            with pytest.raises(IllegalActionError, match="nothing to take back"):
                session.undo()
        session.next_hand()
    assert n_folds
