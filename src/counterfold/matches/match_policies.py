"""What kernels ask in a match: the policy of a trained run, or the rules of a baseline."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from counterfold.bots import baselines_kernels, bid_kernels
from counterfold.bots.baselines import Baseline
from counterfold.bots.policy_kernels import Policy
from counterfold.bots.strengths import TabledStrength, check_ranks_hands
from counterfold.cards.ranking_kernels import rank_tables
from counterfold.cards.streets import STREET_OF_BOARD
from counterfold.matches import policy_match_kernels
from counterfold.public import deals_kernels
from counterfold.public.card_maps import CardMap
from counterfold.public.deals import (
    Dealer,
    Deals,
    join_board,
    stage_hand_cells,
)

CardsOf = Callable[[Deals], policy_match_kernels.Cards]


@dataclass(frozen=True, eq=False)
class MatchPolicy:
    """A policy as kernel matches use it, and how it sees the cards of their deals."""

    kind: int  # `STRATEGY`, or a baseline of `bots.baselines_kernels`, whose `policy` is empty
    policy: Policy
    cards: CardsOf


def strategy_policy(policy: Policy, card_map: CardMap, dealer: Dealer) -> MatchPolicy:
    """A trained strategy; `dealer` is the one it was trained with."""

    def label(deals: Deals) -> policy_match_kernels.Cards:
        buckets = card_map.label(deals)
        places = dealer.find_discard_first(deals.cards, deals.holes) ^ deals.discard_first
        return policy_match_kernels.Cards(
            buckets, *_nothing(buckets.shape), _find_places(dealer, deals, places)
        )

    return MatchPolicy(policy_match_kernels.STRATEGY, policy, label)


def baseline_policy(
    baseline: type[Baseline], dealer: Dealer, strength: TabledStrength
) -> MatchPolicy:
    """A baseline; only those that look at their cards ask for its strength."""
    if baseline.ranks_hands():
        check_ranks_hands(dealer.variant)

    def label(deals: Deals) -> policy_match_kernels.Cards:
        shape = deals.holes.shape[:3]
        scores, discards = _nothing(shape)
        if baseline.ranks_hands():
            _score(dealer, deals, strength, baseline.kind, scores)
            baselines_kernels.choose_discards(
                dealer.layout,
                deals.cards,
                deals.holes,
                deals.discard_first,
                baseline.discards,
                rank_tables(dealer.variant.ranking).by_mask,
                discards,
            )
        return policy_match_kernels.Cards(
            np.zeros(shape, np.int32), scores, discards, np.zeros(shape, np.int32)
        )

    return MatchPolicy(baseline.kind, _no_policy(), label)


def unknown_policy(dealer: Dealer) -> MatchPolicy:
    """A player about whom nothing is known, and who is never asked."""

    def label(deals: Deals) -> policy_match_kernels.Cards:
        shape = len(deals), 2, dealer.n_hand_cells
        return policy_match_kernels.Cards(
            np.zeros(shape, np.int32), *_nothing(shape), np.zeros(shape, np.int32)
        )

    return MatchPolicy(policy_match_kernels.UNKNOWN, _no_policy(), label)


def _score(
    dealer: Dealer,
    deals: Deals,
    strength: TabledStrength,
    kind: int,
    scores: NDArray[np.float32],
) -> None:
    """E[HS] of every hand cell; for the hand-rank player, the rank once there are five cards."""
    layout = dealer.layout
    for at, stage in enumerate(layout.stages):
        if not dealer.stages[at].asks:
            continue
        board = int(stage[deals_kernels.STAGE_BOARD])
        first = int(stage[deals_kernels.STAGE_CELL])
        hand_cells = slice(first, first + int(stage[deals_kernels.STAGE_PATHS]))
        if (
            kind == baselines_kernels.HAND_RANK
            and board + layout.hole_cards >= baselines_kernels.MIN_CARDS
        ):
            continue
        if board in STREET_OF_BOARD:
            holes = deals.holes[:, :, hand_cells]
            hands = join_board(deals.cards, holes, board, layout.hole_cards)
            found = strength.on_board(hands, layout.most_held)
            scores[:, :, hand_cells] = found.reshape(holes.shape[:3])
        else:
            rows = np.flatnonzero(deals.lengths >= stage[deals_kernels.STAGE_STREET])
            boards = deals.cards[rows, 4 : 4 + board]
            scores[rows, :, first] = strength.on_long_boards(boards, deals.holes[rows, :, first])
    if kind == baselines_kernels.HAND_RANK:
        by_mask = rank_tables(dealer.variant.ranking).by_mask
        baselines_kernels.rank_hand_cells(
            layout, deals.cards, deals.lengths, deals.holes, by_mask, scores
        )


def _find_places(dealer: Dealer, deals: Deals, places: NDArray[np.int8]) -> NDArray[np.int32]:
    """`Cards.discard_places`, given them where hands of two discard one."""
    found = places.astype(np.int32)
    for at, stage in enumerate(dealer.stages):
        for seat in stage.givers:
            order = dealer.sort_given(at, seat, deals.cards, deals.holes, deals.laid)
            bits = order << 3 * np.arange(order.shape[2])
            hand_cells = stage_hand_cells(dealer.layout.stages[at])
            found[:, seat, hand_cells] = bits.sum(axis=2)
    return found


def _nothing(shape: tuple[int, ...]) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
    return np.zeros(shape, np.float32), np.zeros(shape, np.int8)


def _no_policy() -> Policy:
    """A policy that is never asked, of the same type as others."""
    return Policy(
        nodes=np.zeros((1, 8), np.int64),
        children=np.zeros(1, np.int32),
        kinds=np.zeros(1, np.int8),
        amounts=np.zeros(1, np.int32),
        labels=np.zeros(1, np.int32),
        spent=np.zeros((1, 2), np.int32),
        finals=np.zeros(1, np.int8),
        raise_nodes=np.zeros(1, np.int32),
        quantized=np.zeros(1, np.uint8),
        entry_keys=np.zeros(1, np.int64),
        entries=np.zeros(1, np.int32),
        last_buckets=np.zeros(1, np.int64),
        nearness=np.zeros(2, np.int64),
        auctions=np.zeros((0, bid_kernels.N_AUCTION_COLUMNS), np.int32),
        rule=bid_kernels.NEAREST,
        threshold=0.0,
        purify=False,
    )
