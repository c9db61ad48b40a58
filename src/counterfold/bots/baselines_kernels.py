"""Players that need no training: what they make of their cards, and what they do.

These are the only rules of the baselines: matches of kernels and the bots in `bots.baselines` call
the same functions. A player with a score from 0 to 1 looks at its hand and the board, and at no
card that it discarded before.
"""

import numpy as np

from counterfold.bets.menu_kernels import most_bid
from counterfold.cards.ranking_kernels import N_HAND_RANKS, card_bit, rank_masks
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.betting_kernels import (
    AUCTION,
    BID,
    CALL,
    DISCARD,
    DRAW,
    FOLD,
    KEEP,
    RAISE,
    choice_rule,
    count_held,
    raise_bounds,
)
from counterfold.games.holdem.card_sets_kernels import FIRST_SETS, SET_BITS
from counterfold.jit.compiler import kernel
from counterfold.public import deals_kernels

# Kinds of players; 0 is for those that play a strategy.
RANDOM, ALWAYS_CALL, CHECK_FOLD, ALWAYS_ALL_IN, POT_ODDS, HAND_RANK = range(1, 7)

# How the last two discard.
BY_SCORE, BY_OUTS = 0, 1

NO_SET = -1  # of cards that are given away

MIN_CARDS = 5  # of hand and board that have a rank

_OPEN_POTS = 1.0  # the size that baselines bet, in pots
_RAISES_FROM = 0.75  # score from which they bet
_PLAYS_FROM = 0.4  # score from which the hand-rank player continues, as its authors had it


@kernel
def act(player, rules, situation, score, discard, n_choices, number):
    """Kind and amount of what a player does in the situation `situation`.

    Parameters
    ----------
    score, discard
        What it makes of its cards: see `rank_share` and `choose_discard`.
    n_choices
        At a draw.
    number
        Uniform from 0 to 1; only the random player looks at it.
    """
    if situation[betting.PHASE] == DRAW:
        if player == RANDOM:
            choice = int(number * n_choices)
            return (KEEP, 0) if choice == 0 else (DISCARD, choice - 1)
        if discard > 0 and player in (POT_ODDS, HAND_RANK):
            return DISCARD, discard - 1
        return KEEP, 0
    paid = situation[betting.PAID_0] + situation[betting.PAID_1]
    pot = situation[betting.SPENT_0] + situation[betting.SPENT_1] + paid
    if situation[betting.PHASE] == AUCTION:
        # Any bid, all, nothing, or as much of the pot as the hand will win.
        most = most_bid(rules, situation)
        if player == RANDOM:
            return BID, int(number * (most + 1))
        if player == ALWAYS_ALL_IN:
            return BID, most
        return BID, min(most, int(score * pot)) if player in (POT_ODDS, HAND_RANK) else 0
    to_call = abs(situation[betting.SPENT_0] - situation[betting.SPENT_1])
    low, high = raise_bounds(rules, situation)
    if player == ALWAYS_CALL:
        return CALL, 0
    if player == CHECK_FOLD:
        return (CALL, 0) if to_call == 0 else (FOLD, 0)
    if player == ALWAYS_ALL_IN:
        return (RAISE, high) if high > 0 else (CALL, 0)
    if player == RANDOM:
        # Fold, call and raise equally often, where they are legal; a raise of any legal size.
        first = 0.0 if to_call > 0 else 1.0
        last = 3.0 if high > 0 else 2.0
        choice = first + number * (last - first)
        if choice < 1.0:
            return FOLD, 0
        if choice < 2.0:
            return CALL, 0
        return RAISE, low + min(int((choice - 2.0) * (high - low + 1)), high - low)
    other = (pot + to_call) // 2
    bet = max(low, min(high, other + int(_OPEN_POTS * 2 * other)))
    if player == HAND_RANK:
        if score >= _PLAYS_FROM:
            return (RAISE, bet) if high > 0 and score >= _RAISES_FROM else (CALL, 0)
        return (CALL, 0) if to_call == 0 else (FOLD, 0)
    # Pot odds: bet strong hands, else stay in as long as the price is right.
    if score >= _RAISES_FROM and high > 0:
        return RAISE, bet
    return (CALL, 0) if score * (pot + to_call) >= to_call else (FOLD, 0)


@kernel
def rank_share(hole, board, by_mask):
    """The rank of five cards or more, 1 for the best of all hands."""
    masks = np.int64(0)
    for k in range(hole.size):
        if hole[k] != deals_kernels.NO_CARD:
            masks |= card_bit(hole[k])
    for k in range(board.size):
        masks |= card_bit(board[k])
    return rank_masks(masks, False, by_mask) / (N_HAND_RANKS - 1.0)


@kernel
def choose_discard(hole, board, deck, rule, by_mask):
    """What to do at a draw: 0 to keep, or 1 + place in `hole` of the card to discard.

    `BY_SCORE` compares the expected rank of the hand after the draw; `BY_OUTS` counts the cards
    that make the hand better against those that make it worse. Both look at this street alone.
    Of two equally good discards, the lower card is chosen.
    """
    masks = np.int64(0)
    seen = np.int64(0)
    for k in range(hole.size):
        masks |= card_bit(hole[k])
        seen |= np.int64(1) << np.int64(hole[k])
    for k in range(board.size):
        masks |= card_bit(board[k])
        seen |= np.int64(1) << np.int64(board[k])
    own = rank_masks(masks, False, by_mask)
    best, choice = 0, 0
    for place in range(hole.size):
        kept = masks ^ card_bit(hole[place])
        total = 0
        for k in range(deck.size):
            if not (seen >> np.int64(deck[k])) & 1:
                gain = np.int64(rank_masks(kept | card_bit(deck[k]), False, by_mask)) - own
                if rule == BY_SCORE:
                    total += gain
                else:
                    total += (gain > 0) - (gain < 0)
        lower = choice > 0 and hole[place] < hole[choice - 1]
        if total > best or (total == best and lower):
            best, choice = total, 1 + place
    return choice


@kernel
def rank_hand_cells(layout, cards, lengths, holes, by_mask, scores):
    """Overwrite `scores` [n, 2, hand cells] with the shares of ranks of hand and board.

    Cells with fewer than five cards keep what they hold.
    """
    h = layout.hole_cards
    for i in range(cards.shape[0]):
        for stage in range(layout.stages.shape[0]):
            size = layout.stages[stage, deals_kernels.STAGE_BOARD]
            if (
                size + h < MIN_CARDS
                or layout.stages[stage, deals_kernels.STAGE_STREET] > lengths[i]
            ):
                continue
            board = cards[i, 2 * h : 2 * h + size]
            first = layout.stages[stage, deals_kernels.STAGE_CELL]
            for seat in range(2):
                for hand_cell in range(
                    first, first + layout.stages[stage, deals_kernels.STAGE_PATHS]
                ):
                    scores[i, seat, hand_cell] = rank_share(
                        holes[i, seat, hand_cell], board, by_mask
                    )


@kernel
def give_set(player, rules, situation, number):
    """Which set of cards a player that does not rank hands gives away, from the lowest card up, or
    `NO_SET`: any, or the first that it must.
    """
    n, n_held = choice_rule(rules, situation, betting.N_HELD), count_held(rules, situation)
    n_turns = choice_rule(rules, situation, betting.N_TURNS)
    forced = choice_rule(rules, situation, betting.MUST_DISCARD) == 1
    if player != RANDOM:
        return FIRST_SETS[n, n_turns] if forced else NO_SET
    start = FIRST_SETS[n, n_turns] if forced else 0
    stop = FIRST_SETS[n, n_turns + 1]
    n_sets = 0
    for at in range(start, stop):
        n_sets += SET_BITS[n, at] >> n_held == 0
    chosen = int(number * (n_sets + (not forced)))  # from the last set
    for at in range(stop - 1, start - 1, -1):
        if SET_BITS[n, at] >> n_held == 0:
            if chosen == 0:
                return at
            chosen -= 1
    return NO_SET


@kernel
def choose_discards(layout, cards, holes, discard_first, rule, by_mask, discards):
    """Overwrite `discards` [n, 2, hand cells] with what is chosen at each draw: 0, or 1 + place.

    Places are in the order of discards that `discard_first` gives.
    """
    h = layout.hole_cards
    for i in range(cards.shape[0]):
        for stage in range(layout.stages.shape[0] - 1):
            if layout.stages[stage + 1, deals_kernels.STAGE_DRAW] == deals_kernels.NO_COLUMN:
                continue
            board = cards[i, 2 * h : 2 * h + layout.stages[stage, deals_kernels.STAGE_BOARD]]
            first = layout.stages[stage, deals_kernels.STAGE_CELL]
            for seat in range(2):
                for hand_cell in range(
                    first, first + layout.stages[stage, deals_kernels.STAGE_PATHS]
                ):
                    hole = holes[i, seat, hand_cell]
                    choice = choose_discard(hole, board, layout.deck, rule, by_mask)
                    if choice > 0 and discard_first[i, seat, hand_cell] == 1:
                        choice = 3 - choice
                    discards[i, seat, hand_cell] = choice
