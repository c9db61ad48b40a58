"""What all imagined hands of a player would have done where it searched.

A solution depends on what everybody saw, and has a strategy for every hand of the player's range.
So the one that was played says how likely each imagined hand was to act so.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.bots.explain import DecisionTrace
from counterfold.bots.hand import Hand
from counterfold.bots.hand_events import ActionTaken
from counterfold.bots.policy_kernels import Policy
from counterfold.errors import MatchError
from counterfold.matches.aivat.search_luck_kernels import NOT_SEARCHED, SearchedSteps
from counterfold.search.hand_ranges import number_hands
from counterfold.search.played_shares import play_shares
from counterfold.search.search_trace import SearchTrace


class SearchedDecision(NamedTuple):
    """The actions of a solution at a decision."""

    kinds: list[int]
    totals: list[int]
    shares: NDArray[np.float64]  # [imagined hands, actions]


def read_decisions(
    hand: Hand,
    seat: int,
    traces: Sequence[DecisionTrace],
    holes: NDArray[np.uint8],
    policy: Policy,
) -> Iterator[tuple[int, SearchedDecision]]:
    """The steps of `hand` that `seat` searched, by number; `holes` are its imagined hands."""
    by_place = {trace.view.situation: trace for trace in traces}
    acts = [event for event in hand.events if isinstance(event, ActionTaken) and not event.forced]
    for step, act in enumerate(acts):
        trace = by_place.get(act.before) if act.seat == seat else None
        if not isinstance(trace, SearchTrace):
            continue
        if trace.action != act.action:
            raise MatchError(
                f"{hand.names[seat]} searched and chose {trace.action}, but {act.action} was "
                f"played in hand {hand.number + 1}, so its luck is unknown; play without "
                "--aivat"
            )
        node = trace.solution.find(trace.acts).node
        by_hand = trace.solution.strategies[node][:, number_hands(holes)]
        offered = trace.solution.acts(node)
        yield (
            step,
            SearchedDecision(
                [each.kind for each in offered],
                [each.total for each in offered],
                play_shares(by_hand, policy.threshold, policy.purify).T,
            ),
        )


def list_searched(
    hands: Sequence[Mapping[int, SearchedDecision]], n_imagined: int
) -> SearchedSteps:
    """The decisions of hands as arrays; without any, no step is looked at."""
    found = [decision for hand in hands for decision in hand.values()]
    most = 1 + max((step for hand in hands for step in hand), default=-1)
    widest = max((len(decision.kinds) for decision in found), default=0)
    searched = SearchedSteps(
        np.full((len(hands), most), NOT_SEARCHED, np.int32),
        np.array([len(decision.kinds) for decision in found], np.int64),
        np.zeros((len(found), widest), np.int64),
        np.zeros((len(found), widest), np.int64),
        np.zeros((len(found), n_imagined, widest)),
    )
    for row, decision in enumerate(found):
        width = len(decision.kinds)
        searched.kinds[row, :width] = decision.kinds
        searched.totals[row, :width] = decision.totals
        searched.shares[row, :, :width] = decision.shares
    places = [(i, step) for i, hand in enumerate(hands) for step in hand]
    for row, place in enumerate(places):
        searched.rows[place] = row
    return searched
