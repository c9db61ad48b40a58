"""Who plays in a match of kernels: a trained run, or a baseline by name."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from counterfold.cards import StrengthTables
from counterfold.cards.pairs import N_PAIRS
from counterfold.cards.streets import BOARD_SIZES
from counterfold.cards.text import N_CARDS
from counterfold.compiled.card_maps import CardMap
from counterfold.compiled.deals import Dealer, Deals, join_board
from counterfold.kernels import agent as agents
from counterfold.kernels import baseline_cards
from counterfold.kernels import deals as layouts
from counterfold.kernels import match as kernels
from counterfold.kernels.agent import Agent
from counterfold.kernels.long_boards import bucket_long_boards
from counterfold.kernels.ranking import rank_tables

# Baselines: the player of the kernel, how it discards, and what it is.
BASELINES: dict[str, tuple[int, int, str]] = {
    "random": (kernels.RANDOM, 0, "fold, call and raise equally often, any size"),
    "always-call": (kernels.ALWAYS_CALL, 0, "checks and calls, keeps its cards"),
    "check-fold": (kernels.CHECK_FOLD, 0, "checks, folds to any bet"),
    "all-in": (kernels.ALL_IN, 0, "bets all it has whenever it may"),
    "pot-odds": (kernels.POT_ODDS, baseline_cards.BY_SCORE, "E[HS] against the price"),
    "hand-rank": (kernels.HAND_RANK, baseline_cards.BY_SCORE, "system 3's cut-off on hand ranks"),
    "outs": (kernels.POT_ODDS, baseline_cards.BY_OUTS, "E[HS], discards by counting outs"),
}
_FINE = 1000  # equal widths by which the strength on long boards is told

CardsOf = Callable[[Deals], kernels.Cards]


@dataclass(frozen=True, eq=False)
class Player:
    """One side of a match: what the kernel asks, and how it sees the cards."""

    name: str
    kind: int
    agent: Agent
    cards: CardsOf


def strategy_player(name: str, agent: Agent, card_map: CardMap, dealer: Dealer) -> Player:
    """A trained strategy; `dealer` is the one that it was trained with."""

    def label(deals: Deals) -> kernels.Cards:
        buckets = card_map.label(deals)
        flips = dealer.find_firsts(deals.cards, deals.holes) ^ deals.firsts
        return kernels.Cards(buckets, *_nothing(buckets.shape), flips)

    return Player(name, kernels.STRATEGY, agent, label)


def baseline_player(name: str, dealer: Dealer, tables: Callable[[], StrengthTables]) -> Player:
    """A baseline; only those that look at their cards need strength tables."""
    kind, rule, _ = BASELINES[name]
    strengths = cache(lambda street: tables().street(street).mean())

    def label(deals: Deals) -> kernels.Cards:
        shape = deals.holes.shape[:3]
        scores, discards = _nothing(shape)
        if kind in (kernels.POT_ODDS, kernels.HAND_RANK):
            _score(dealer, deals, strengths, tables(), kind, scores)
            baseline_cards.choose_discards(
                dealer.layout,
                deals.cards,
                deals.holes,
                deals.firsts,
                rule,
                rank_tables().by_mask,
                discards,
            )
        return kernels.Cards(np.zeros(shape, np.int32), scores, discards, np.zeros(shape, np.int8))

    return Player(name, kind, _no_agent(), label)


def _score(
    dealer: Dealer,
    deals: Deals,
    strengths: Callable[[str], NDArray[np.float64]],
    tables: StrengthTables,
    kind: int,
    scores: NDArray[np.float32],
) -> None:
    """E[HS] of every cell; for the hand-rank player the rank, from five cards on."""
    layout = dealer.layout
    for stage in layout.stages:
        board, first = int(stage[layouts.BOARD]), int(stage[layouts.CELL])
        cells = slice(first, first + int(stage[layouts.VERSIONS]))
        street = next((s for s, n in BOARD_SIZES.items() if n == board), None)
        if street is not None and (kind == kernels.POT_ODDS or board == 0):
            means = strengths(street)
            hands = join_board(deals.cards, deals.holes[:, :, cells], board)
            found = means[tables.isomorphism(street).index_many(hands)]
            scores[:, :, cells] = found.reshape(scores[:, :, cells].shape)
        elif street is None and kind == kernels.POT_ODDS:
            rows = np.flatnonzero(deals.lengths >= stage[layouts.STREET])
            found = np.empty((rows.size, 2), np.int64)
            bucket_long_boards(
                deals.cards[rows, 4 : 4 + board],
                deals.holes[rows, :, first],
                _FINE,
                dealer.variant.first_flush_suit_only,
                rank_tables(),
                np.empty(N_CARDS, np.uint8),
                np.empty(N_PAIRS, np.int16),
                found,
            )
            scores[rows, :, first] = (found + 0.5) / _FINE
    if kind == kernels.HAND_RANK:
        baseline_cards.rank_cells(
            layout, deals.cards, deals.lengths, deals.holes, rank_tables().by_mask, scores
        )


def _nothing(shape: tuple[int, ...]) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
    return np.zeros(shape, np.float32), np.zeros(shape, np.int8)


def _no_agent() -> Agent:
    """An agent that is never asked, of the same type as others."""
    return Agent(
        nodes=np.zeros((1, 8), np.int64),
        children=np.zeros(1, np.int32),
        kinds=np.zeros(1, np.int8),
        amounts=np.zeros(1, np.int32),
        labels=np.zeros(1, np.int32),
        spent=np.zeros((1, 2), np.int32),
        finals=np.zeros(1, np.int8),
        steps=np.zeros(1, np.uint8),
        entry_keys=np.zeros(1, np.int64),
        entries=np.zeros(1, np.int32),
        last_buckets=np.zeros(1, np.int64),
        nearness=np.zeros(2, np.int64),
        rule=agents.NEAREST,
        threshold=0.0,
        purify=False,
    )
