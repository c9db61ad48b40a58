"""A table as the page draws it: cards, choices, what happened, the review of a hand, the score."""

from typing import Any

from counterfold.bots.explain import HOWS, DecisionTrace
from counterfold.bots.hand_events import ActionTaken, End
from counterfold.bots.play.grading import add_grades
from counterfold.bots.play.play_session import PlaySession
from counterfold.bots.play.session_score import BB100, rate_of
from counterfold.bots.play.table_words import choices, describe_event, name_held
from counterfold.bots.view import View
from counterfold.cards.text import RANKS, format_cards
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.action_words import BET, BID, RAISE, WORDS, name_action
from counterfold.intervals import Estimate
from counterfold.matches.match_result import AivatRates
from counterfold.matches.session_folder import SessionFolder, grade_hand


def describe_table(play: PlaySession, folder: SessionFolder) -> dict[str, Any]:
    """A table as the person sees it: cards of the bot only once the hand is over."""
    view, variant = play.view, play.variant
    me = play.seat
    base = view.situation[betting.BASE]
    seats = [
        {
            "behind": variant.stack - view.spent[seat] if variant.has_stacks else None,
            "bet": 0 if play.over else max(0, view.spent[seat] - base),
            "dealer": seat == 0,
        }
        for seat in (me, 1 - me)
    ]
    return {
        "variant": variant.name,
        "hand": play.number,
        "step": len(play.actions),
        "over": play.over,
        "cards": format_cards(view.hole),
        "bot_cards": format_cards(play.hand.state.holes[1 - me]) if play.over else "",
        "n_cards": len(play.hand.holes[1 - me]),  # of the bot; won and laid cards are seen
        "bounty": "" if variant.bounty is None else RANKS[view.bounty],
        "board": format_cards(play.hand.board),
        "pot": view.pot,
        "you": seats[0],
        "bot": seats[1],
        "turn": _list_choices(view) if not play.over else None,
        "log": _list_events(play),
        "result": _tell_result(play) if play.over else None,
        "review": _review(play) if play.over else None,
        "score": _score(folder, variant.big_blind),
    }


def _list_choices(view: View) -> dict[str, Any]:
    """Buttons with their keys, and the bounds of a bet or bid of any size."""
    found = [
        {"key": choice.key, "text": choice.text, "action": choice.action}
        for choice in choices(view)
        if choice.action
    ]
    return {"choices": found, "amount": _bound_amount(view), "to_call": view.to_call}


def _bound_amount(view: View) -> dict[str, Any] | None:
    """The least and most chips of the action whose amount is free, if there is one."""
    if view.phase == betting.AUCTION and view.most_bid:
        return {"low": 0, "high": view.most_bid, "verb": WORDS[BID], "letter": BID}
    bounds = view.raise_bounds()
    if bounds is None or bounds[0] == bounds[1]:
        return None
    verb = WORDS[RAISE] if view.situation[betting.N_BETS] else BET
    return {"low": bounds[0], "high": bounds[1], "verb": verb, "letter": RAISE}


def _list_events(play: PlaySession) -> list[str]:
    told = []
    for event in play.hand.events:
        if isinstance(event, ActionTaken) and event.seat == play.seat:
            told.append(f"you {name_action(event.action, opens=event.opens)}")
        elif line := describe_event(event, play.hand, play.seat):
            told.append(line)
    return told


def _tell_result(play: PlaySession) -> dict[str, Any]:
    end = next(event for event in play.hand.events if isinstance(event, End))
    held = [name_held(play.hand, seat) for seat in (play.seat, 1 - play.seat)]
    return {"chips": play.chips, "showdown": end.showdown, "you": held[0], "bot": held[1]}


def _review(play: PlaySession) -> dict[str, Any]:
    """What the bot thought, and what it would have done in the person's place."""
    mine = [
        event
        for event in play.hand.events
        if isinstance(event, ActionTaken) and event.seat == play.seat
    ]
    return {
        "bot": [write_trace(trace) for trace in play.traces or ()],
        "you": [
            write_trace(trace) | {"action": name_action(act.action)} | given.to_dict()
            for trace, act, given in zip(play.advice, mine, grade_hand(play), strict=False)
        ],
    }


def write_trace(trace: DecisionTrace) -> dict[str, Any]:
    """A decision of the bot, or what it would do."""
    return {
        "cards": format_cards(trace.view.hole),
        "board": format_cards(trace.view.board_cards),
        "action": name_action(trace.action),
        "how": HOWS[trace.how],
        "shares": [[name, share] for name, share in trace.probabilities],
        "readings": list(trace.readings),
    }


def _score(folder: SessionFolder, big_blind: int) -> dict[str, Any]:
    """Chips, mb/hand and bb/100 of the hands that are over, with intervals."""
    mine = [hand.chips[hand.players.index("you")] for hand in folder.hands]
    rate = rate_of(mine, big_blind)
    return {"hands": len(mine), "chips": sum(mine), **_in_units(rate)}


def _in_units(rate: Estimate | None) -> dict[str, Any]:
    return {
        "mb": None if rate is None else rate.to_dict(),
        "bb100": None if rate is None else rate.times(BB100).to_dict(),
    }


def describe_report(folder: SessionFolder, rates: AivatRates | None) -> dict[str, Any]:
    """What a session came to less luck, and how good its decisions were."""
    totals = add_grades(each for grades in folder.grades.values() for each in grades)
    luck = None if rates is None else Estimate(rates.mb, rates.mb_interval)
    return {
        "hands": len(folder.hands),
        "aivat": None if luck is None else _in_units(luck),
        "known": bool(rates is not None and rates.known),
        "grades": vars(totals),
    }
