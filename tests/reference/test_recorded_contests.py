"""Recorded contests of MIT Pokerbots: both sides say what the real engine and players said."""

import re

import pytest

from counterfold.bots import Hand, ShuffledDeck
from counterfold.bots.shuffled_deck import STAYS
from counterfold.cards import format_card, parse_cards
from counterfold.cards.text import RANKS
from counterfold.contest.wire import PROTOCOLS
from counterfold.contest.wire.mit_clauses import (
    YEAR_2022,
    YEAR_2024,
    YEAR_2025,
    YEAR_2026,
    parse_answer,
    read_action,
)
from helpers.recordings.contest_rounds import (
    ACTION,
    BID,
    BOARD,
    CARD,
    HAND,
    NOD,
    TOSS,
    read_final,
    read_game_log,
    read_header,
    read_traffic,
)
from helpers.recordings.recorded_matches import Script

DIALECTS = {2022: YEAR_2022, 2024: YEAR_2024, 2025: YEAR_2025, 2026: YEAR_2026}
ACTIONS = {
    ACTION: str,
    BID: "a{}".format,
    TOSS: lambda card: "d" + format_card(card),
    NOD: lambda nothing: "k",
}


def deal_of(played):
    """The deck of a recorded round in the order dealt, its swaps place by place, its bounties."""
    hands, swaps = [*played.holes], []
    deck, board, tossed = [], 0, []
    for event in played.events:
        if event.kind == HAND:
            old, hands[event.seat] = hands[event.seat], event.value
            new = [STAYS if a == b else b for a, b in zip(old, event.value, strict=True)]
            swaps.append(tuple(new))
        elif event.kind == BOARD:
            deck += [card for card in event.value[board:] if card not in tossed]
            board = len(event.value)
        elif event.kind == CARD:
            deck.append(event.value)
        elif event.kind == TOSS:
            tossed.append(event.value)
    pairs = tuple(zip(swaps[::2], swaps[1::2], strict=True))
    ranks = played.bounties and tuple(map(RANKS.index, played.bounties))
    return ShuffledDeck(
        (played.holes[0], played.holes[1]), tuple(deck), swaps=pairs, bounties=ranks
    )


def without_clock(line):
    return re.sub(r"^T[0-9.]+", "T", line)


@pytest.mark.parametrize("name", "AB")
@pytest.mark.parametrize("year", DIALECTS)
def test_our_client_follows_every_recorded_round(year, name):
    protocol = PROTOCOLS[f"mit-{year}"]
    bot = Script([])
    session = protocol.client_session(bot, protocol.variant(), None, "engine")
    *pairs, (last, _) = read_traffic(year, name)
    hole, n_odd = (), 0
    for message, answer in pairs:
        if dealt := re.search(r" H(\S+)", message):
            hole = parse_cards(dealt[1])
        bot.actions = [read_action(parse_answer(answer, DIALECTS[year]), hole)]
        n_views = len(bot.views)
        written = session.receive(message)
        if answer == "F" and len(bot.views) == n_views:  # folds although all-in, which ours do not
            assert written == ("K",)
            n_odd += 1
        else:
            assert written == (answer,), (message, session.last_fault)
    assert session.receive(last) == ()
    assert session.over
    assert n_odd <= 20
    assert (session.n_faults, session.n_bot_faults, session.n_refused) == (0, 0, 0)
    rounds = read_game_log(year)
    assert [result.chips for result in bot.results] == [
        each.awarded[each.names.index(name)] for each in rounds
    ]
    assert (session.n_hands_ended, session.chips) == (400, read_final(year)[name])


@pytest.mark.parametrize("year", DIALECTS)
def test_our_engine_writes_every_recorded_line(year):
    protocol = PROTOCOLS[f"mit-{year}"]
    variant = protocol.variant()
    engines = {name: protocol.engine_session() for name in "AB"}
    lines = {name: [] for name in "AB"}
    answers = {name: [answer for _, answer in read_traffic(year, name)] for name in "AB"}
    assert protocol.log.begin(("A", "B"), variant) == [read_header(year)]
    for played in read_game_log(year):
        names = played.names
        hand = Hand(variant, deal_of(played), played.number - 1, names, played.banks,
                    protocol.checks_when_all_in)  # fmt: skip
        for seat, name in enumerate(names):
            engines[name].begin_hand(hand, seat, 30.0)
        for event in played.events:
            if event.kind in ACTIONS:
                action = ACTIONS[event.kind](event.value)
                assert hand.waits_for == event.seat
                name = names[event.seat]
                lines[name] += engines[name].prompt(hand, event.seat, 30.0)
                answer = answers[name][len(lines[name]) - 1]
                assert engines[name].read(answer, hand, event.seat) == action
                hand.act(action)
        for seat, name in enumerate(names):
            lines[name] += engines[name].end_hand(hand, seat, 30.0)
        assert hand.chips == tuple(played.awarded)
        assert protocol.log.hand(hand) == ["", played.header, *played.lines]
    for name in "AB":
        lines[name] += engines[name].end_match()
        recorded = [message for message, _ in read_traffic(year, name)]
        assert [*map(without_clock, lines[name])] == [*map(without_clock, recorded)]
