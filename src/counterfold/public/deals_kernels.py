"""Deals of a variant, prepared for walks over its public graph: cards, hands by stage, strengths.

All cards of a hand are drawn before it is played, those included that a discard would bring: nobody
can tell. A row of cards holds the hole cards of seat 0 and seat 1, the board, then for each drawing
round or auction the cards that either seat may get, for each deal by the way the cards of both
hands, or for each swap and hole card the new card or `NO_CARD`.

What a player plays with depends on what was chosen: its *hand path*, a number with one digit for
each choice that changes cards. At a draw a seat's digit is its *discard choice*: 0 if it kept its
cards and 1 + place if it discarded. Where it gives cards away in another way, it is the number of a
set of places (see `public.stages.PathStep`), a digit of both paths if the opponent sees the cards;
whether a seat won an auction is a digit of its own. Places of a hand's cards are in an order of
discards, which the caller gives; a hand that gives such a set is kept in that order. The hands of
all hand paths at all stages are the *hand cells* of a deal; a hand with fewer cards than another is
filled up with `NO_CARD`.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.cards.draws_kernels import comes_first
from counterfold.cards.ranking_kernels import card_bit, rank_masks, rank_short
from counterfold.games.holdem.card_sets_kernels import SET_BITS
from counterfold.jit.compiler import kernel
from counterfold.jit.random import stream_key, uniform

NO_CARD = 255
NO_COLUMN = -1
_BOUNTIES = 1 << 61  # first stream of the bounties; those before it deal
_LOOKS = 3 << 60  # first stream of what is seen of hands
NO_SEAT, BOTH_SEATS = -1, 2

# Columns of `Layout.stages`.
STAGE_BOARD = 0  # cards on the board
STAGE_PATHS = 1
STAGE_CELL = 2  # of hand path 0
STAGE_DRAW = 3  # column with the first card of the draw just before, or NO_COLUMN
STAGE_SWAP = 4  # column with the new card of seat 0's first hole card, or NO_COLUMN
STAGE_STREET = 5
STAGE_CHOICES = 6  # of the choice just before; 1 if cards do not depend on one
STAGE_GIVER = 7  # seat that has just given cards away, NO_SEAT or BOTH_SEATS
STAGE_LAID = 8  # cards that players may have laid onto the board
STAGE_PRIZE = 9  # column with seat 0's card of the auction just before, or NO_COLUMN
STAGE_DEAL = 10  # column with the first card that chance has just added to hands, or NO_COLUMN
STAGE_DEALT_0 = 11  # how many it has added to seat 0's hand; those of seat 1 follow them
STAGE_DEALT_1 = 12
STAGE_HELD = 13  # the most cards that a seat may hold
STAGE_LOOK = 14  # number of the auction for a look just before, or NO_COLUMN
STAGE_SHOWN = 15  # dead cards that players may have shown
# Of the cards that were just given away: of how many, how many at most, whether none may be, and
# the number of the first set.
STAGE_GIVEN_OF = 16
STAGE_COUNT = 17
STAGE_KEEPS = 18
STAGE_FIRST_SET = 19
N_STAGE_COLUMNS = 20


class Layout(NamedTuple):
    """Where the cards of a deal lie and what follows from them."""

    stages: NDArray[np.int64]  # [K, N_STAGE_COLUMNS]
    deck: NDArray[np.uint8]
    swaps: NDArray[np.float64]  # [cards after the board] probability that one comes into play
    hole_cards: int
    board_cards: int  # that are dealt, without a run
    max_runs: int
    run_suits: int  # a bit for each
    last_street: int  # without a run
    n_columns: int
    most_held: int  # cards of a hand


@kernel
def sample_deals(layout, seed, first, deck, cards, lengths):
    """Overwrite `cards` [n, columns] with deals `first` and on, `lengths` with their last streets.

    `deck` is work space for the cards of the deck.
    """
    n_deck = layout.deck.size
    most = layout.board_cards + layout.max_runs
    for i in range(cards.shape[0]):
        key = stream_key(seed, first + i)
        step = 0
        for k in range(n_deck):
            deck[k] = layout.deck[k]
        n_drawn = 0
        size = 0
        column = 0
        while column < layout.n_columns:
            k = n_drawn + int(uniform(key, step) * (n_deck - n_drawn))
            step += 1
            card = deck[k]
            deck[k] = deck[n_drawn]
            n_drawn += 1
            cards[i, column] = card
            board = column - 2 * layout.hole_cards
            column += 1
            if 0 <= board < most:
                size = board + 1
                runs = (layout.run_suits >> (card & 3)) & 1
                if size >= layout.board_cards and not runs:
                    column = 2 * layout.hole_cards + most
            elif board >= most and layout.swaps[board - most] < 1.0:
                if uniform(key, step) >= layout.swaps[board - most]:
                    cards[i, column - 1] = NO_CARD
                    n_drawn -= 1  # the card stays in the deck, at the place of the next
                    deck[n_drawn] = card
                step += 1
        lengths[i] = layout.last_street + max(size - layout.board_cards, 0)


@kernel
def draw_bounties(ranks, rounds, seed, first, bounties):
    """Overwrite `bounties` [n, 2] with ranks by seat, of deals `first` and on.

    Players keep theirs for `rounds` deals and change seats with every deal.
    """
    for i in range(bounties.shape[0]):
        number = first + i
        key = stream_key(seed, _BOUNTIES + number // rounds)
        for player in range(2):
            seat = player ^ (number & 1)
            bounties[i, seat] = ranks[int(uniform(key, player) * ranks.size)]


@kernel
def draw_looks(n_places, seed, first, looks):
    """Overwrite `looks` [n, L] with places below `n_places` [L], of deals `first` and on."""
    for i in range(looks.shape[0]):
        key = stream_key(seed, _LOOKS + first + i)
        for k in range(looks.shape[1]):
            looks[i, k] = int(uniform(key, k) * n_places[k])


@kernel
def pick_rows(limits, seed, first, rows):
    """Overwrite `rows` with places drawn by probabilities, given as running sums.

    Row `i` depends on `seed` and `first + i` only, like a deal of `sample_deals`.
    """
    for i in range(rows.size):
        number = uniform(stream_key(seed, first + i), 0) * limits[-1]
        low, high = 0, limits.size - 1
        while low < high:
            middle = (low + high) // 2
            if limits[middle] > number:
                high = middle
            else:
                low = middle + 1
        rows[i] = low


@kernel
def first_discard(a, b, board):
    """0 if card `a` of a hand is the one to discard first, 1 if `b` is, however they stand.

    It is the lower one; of a pair, see `comes_first`. Interchangeable cards go by their number.
    """
    first, second = comes_first(a, b, board), comes_first(b, a, board)
    if first and second:
        first = a < b
    return 0 if first else 1


@kernel
def order_by_rank(hands, hole_cards, discard_first):
    """Overwrite `discard_first` [m] with the place of the card of `hands` that is discarded first.

    `hands` are hole cards, then the board.
    """
    for i in range(hands.shape[0]):
        discard_first[i] = 0
        if hole_cards == 2:
            discard_first[i] = first_discard(hands[i, 0], hands[i, 1], hands[i, 2:])


@kernel
def join_cards(cards, holes, first, hands):
    """Overwrite `hands` [n, seats, hand cells, hole + board]: `holes`, then the cards of the board,
    which are in each row of `cards` from `first` on.
    """
    h = holes.shape[3]
    for n in range(hands.shape[0]):
        for seat in range(hands.shape[1]):
            for hand_cell in range(hands.shape[2]):
                for k in range(h):
                    hands[n, seat, hand_cell, k] = holes[n, seat, hand_cell, k]
                for k in range(h, hands.shape[3]):
                    hands[n, seat, hand_cell, k] = cards[n, first + k - h]


@kernel
def hold_stage(layout, stage, cards, discard_first, holes):
    """Fill the hand cells of `stage` in `holes`, [n, 2, hand cells, cards], from those before.

    `discard_first` [n, 2, hand paths before] says which hole card has place 0 at a draw before.
    """
    h = layout.hole_cards
    stages = layout.stages
    hand_cell, before = stages[stage, STAGE_CELL], stages[max(stage - 1, 0), STAGE_CELL]
    draw, swap, held = (
        stages[stage, STAGE_DRAW],
        stages[stage, STAGE_SWAP],
        stages[stage, STAGE_HELD],
    )
    n_choices = stages[stage, STAGE_CHOICES]
    if stage > 0 and n_choices == 1 and swap == NO_COLUMN:  # as on most streets of most games
        for i in range(cards.shape[0]):
            for seat in range(2):
                for hand_path in range(stages[stage, STAGE_PATHS]):
                    for place in range(layout.most_held):
                        holes[i, seat, hand_cell + hand_path, place] = holes[
                            i, seat, before + hand_path, place
                        ]
        return
    for i in range(cards.shape[0]):
        for seat in range(2):
            for hand_path in range(stages[stage, STAGE_PATHS]):
                parent = hand_path if n_choices == 1 else hand_path // n_choices
                for place in range(layout.most_held):
                    card = np.uint8(NO_CARD)
                    if stage > 0:
                        card = holes[i, seat, before + parent, place]
                    elif place < h:
                        card = cards[i, seat * h + place]
                    if swap != NO_COLUMN and place < held and card != NO_CARD:
                        new = cards[i, swap + seat * held + place]
                        if new != NO_CARD:
                            card = new
                    holes[i, seat, hand_cell + hand_path, place] = card
                choice = hand_path - parent * n_choices
                if choice > 0 and draw != NO_COLUMN:
                    place = choice - 1
                    if discard_first[i, seat, parent] == 1:
                        place = 1 - place
                    holes[i, seat, hand_cell + hand_path, place] = cards[i, draw + seat]


@kernel
def deal_stage(layout, stage, cards, holes):
    """Fill the hand cells of `stage` in `holes`, just before which chance has added cards."""
    row = layout.stages[stage]
    cell, before = row[STAGE_CELL], layout.stages[stage - 1, STAGE_CELL]
    for i in range(cards.shape[0]):
        for seat in range(2):
            first = row[STAGE_DEAL] + (row[STAGE_DEALT_0] if seat == 1 else 0)
            n_dealt = row[STAGE_DEALT_1] if seat == 1 else row[STAGE_DEALT_0]
            for hand_path in range(row[STAGE_PATHS]):
                n_added = 0
                for place in range(layout.most_held):
                    card = holes[i, seat, before + hand_path, place]
                    if card == NO_CARD and n_added < n_dealt:
                        card = cards[i, first + n_added]
                        n_added += 1
                    holes[i, seat, cell + hand_path, place] = card


@kernel
def win_stage(layout, stage, cards, holes):
    """Fill the hand cells of `stage` in `holes`, before which seats may have won one more card."""
    row = layout.stages[stage]
    cell, before = row[STAGE_CELL], layout.stages[stage - 1, STAGE_CELL]
    for i in range(cards.shape[0]):
        for seat in range(2):
            for hand_path in range(row[STAGE_PATHS]):
                owed = hand_path % 2
                for place in range(layout.most_held):
                    card = holes[i, seat, before + hand_path // 2, place]
                    if card == NO_CARD and owed == 1:
                        card = cards[i, row[STAGE_PRIZE] + seat]
                        owed = 0
                    holes[i, seat, cell + hand_path, place] = card


@kernel
def give_stage(layout, stage, cards, holes, laid, shown):
    """Fill the hand cells of `stage`, before which seats may have given cards away.

    The cards leave their hand in `holes` [n, 2, hand cells, hole cards], in which new ones come
    last. Cards that both see come last in `laid` or `shown` [n, hand cells, cards]; of fewer than
    there may be the rest are `NO_CARD`.
    """
    row = layout.stages[stage]
    cell, before = row[STAGE_CELL], layout.stages[stage - 1, STAGE_CELL]
    giver, draw, count = row[STAGE_GIVER], row[STAGE_DRAW], row[STAGE_COUNT]
    n_laid, n_shown = layout.stages[stage - 1, STAGE_LAID], layout.stages[stage - 1, STAGE_SHOWN]
    lays, shows = row[STAGE_LAID] > n_laid, row[STAGE_SHOWN] > n_shown
    for i in range(cards.shape[0]):
        for hand_path in range(row[STAGE_PATHS]):
            parent = before + hand_path // row[STAGE_CHOICES]
            here = cell + hand_path
            choice = hand_path % row[STAGE_CHOICES]
            gone = np.int64(0)
            if choice > 0 or row[STAGE_KEEPS] == 0:
                gone = SET_BITS[
                    row[STAGE_GIVEN_OF], row[STAGE_FIRST_SET] + choice - row[STAGE_KEEPS]
                ]
            for k in range(n_laid):
                laid[i, here, k] = laid[i, parent, k]
            for k in range(n_shown):
                shown[i, here, k] = shown[i, parent, k]
            n_seen = 0
            for seat in range(2):
                gives = giver in (seat, BOTH_SEATS)
                n_held = n_drawn = 0
                for place in range(layout.most_held):
                    card = holes[i, seat, parent, place]
                    if card == NO_CARD or not gives or (gone >> place) & 1 == 0:
                        holes[i, seat, here, n_held] = card
                        n_held += 1
                        continue
                    n_drawn += draw != NO_COLUMN
                    if lays:
                        laid[i, here, n_laid + n_seen] = card
                    if shows:
                        shown[i, here, n_shown + n_seen] = card
                    n_seen += 1
                first = draw + (seat * count if giver == BOTH_SEATS else 0)
                if n_drawn > 0:  # the places of those that are missing are behind them
                    n_held = _count_cards(holes, i, seat, here, n_held)
                    for k in range(n_drawn):
                        holes[i, seat, here, n_held + k] = cards[i, first + k]
                    n_held += n_drawn
                for place in range(n_held, layout.most_held):
                    holes[i, seat, here, place] = NO_CARD
            for k in range(n_seen, count):
                if lays:
                    laid[i, here, n_laid + k] = NO_CARD
                if shows:
                    shown[i, here, n_shown + k] = NO_CARD


@kernel
def _count_cards(holes, i, seat, hand_cell, n):
    """How many of the first `n` places of a hand have a card."""
    while n > 0 and holes[i, seat, hand_cell, n - 1] == NO_CARD:
        n -= 1
    return n


@kernel
def rank_deals(layout, cards, lengths, holes, laid, first_flush_suit_only, by_mask, strengths):
    """Overwrite `strengths` [n, 2, hand paths] with what decides a showdown, for all hands."""
    h = layout.hole_cards
    last = layout.stages[-1]
    for i in range(cards.shape[0]):
        size = layout.board_cards + lengths[i] - layout.last_street
        board = 0
        for k in range(size):
            board |= card_bit(cards[i, 2 * h + k])
        for seat in range(2):
            for hand_path in range(last[STAGE_PATHS]):
                masks = board
                hand_cell = last[STAGE_CELL] + hand_path
                n_cards = size
                for k in range(last[STAGE_LAID]):
                    if laid[i, hand_cell, k] != NO_CARD:
                        masks |= card_bit(laid[i, hand_cell, k])
                        n_cards += 1
                for place in range(layout.most_held):
                    card = holes[i, seat, hand_cell, place]
                    if card != NO_CARD:
                        masks |= card_bit(card)
                        n_cards += 1
                if n_cards >= 5:
                    rank = rank_masks(masks, first_flush_suit_only, by_mask)
                else:
                    rank = rank_short(masks)
                strengths[i, seat, hand_path] = rank
