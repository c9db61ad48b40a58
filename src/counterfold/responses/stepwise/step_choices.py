"""What the responder does at its decisions, looking no further than its own next action.

It supposes that both check and call from then on. That holds for bets, as in
`responses.local_choice_kernels`, for the cards that it gives away, and for bids, where the bids
that the bot may make count as often as its range makes them.
"""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from counterfold.bets.menu_kernels import offered_bids
from counterfold.bots.tracking.range_tracking_kernels import RangeScratch, TrackedRange
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.betting_kernels import BID, DISCARD
from counterfold.games.holdem.card_sets_kernels import SET_BITS
from counterfold.games.holdem.situation import choice_of
from counterfold.games.holdem.street import Auction
from counterfold.responses.run_out_kernels import find_margins as compare_pairs
from counterfold.responses.stepwise.columns import Columns, mask_of, number_hands
from counterfold.responses.stepwise.secret_ranks import rank_bits
from counterfold.responses.stepwise.showdown_kernels import Contenders, compare_hands
from counterfold.responses.stepwise.step_choice_kernels import choose_bet as best_bet
from counterfold.responses.stepwise.step_range_kernels import add_bids

if TYPE_CHECKING:
    from counterfold.responses.stepwise.step_walk import StepWalk

Floats = NDArray[np.float64]
Cards = NDArray[np.uint8]

N_RUN_OUTS = 64
MOST_COMPARED = 2048  # hands; of more, an even selection is taken for a decision

_NOBODY, _RESPONDER, _BOT, _BOTH = range(4)  # who gets a card
_EXTRA = {_NOBODY: (0, 0), _RESPONDER: (1, 0), _BOT: (0, 1), _BOTH: (1, 1)}


def find_margins(
    walk: "StepWalk",
    columns: Columns,
    own: Cards | None = None,
    board: tuple[int, ...] | None = None,
    *,
    gets: int = _NOBODY,
    ends: bool = False,
) -> Floats:
    """[J] the mean results of the responder's hand against columns, wins less losses."""
    game = walk.game
    own = walk.hole(walk.seat) if own is None else own
    board = walk.board if board is None else board
    dealer = game.dealer
    if not board and not ends and gets == _NOBODY and game.first_margins.size:
        pairs = np.sort(own)[None]
        row = game.first_margins[int(number_hands(game.variant.deck, pairs)[0])]
        return np.asarray(columns.spread(row.astype(np.float64)))
    n_more = 0 if ends else dealer.layout.board_cards - dealer.stages[walk.at].n_dealt
    if columns.cards is game.all_pairs.cards and gets in (_NOBODY, _RESPONDER):
        return np.asarray(columns.spread(_compare_pairs(walk, own, board, n_more, gets)))
    deck = game.pairs.deck
    left = deck[walk.seen >> deck.astype(np.int64) & 1 == 0]
    margins = np.zeros(len(columns.cards))
    compare_hands(
        game.ranking,
        Contenders(columns.masks, columns.bits, columns.size),
        (mask_of(board), len(board)),
        mask_of(own.tolist()),
        len(own),
        n_more,
        _EXTRA[gets],
        left,
        walk.next_key(),
        N_RUN_OUTS,
        np.zeros(margins.size, np.int64),
        margins,
    )
    return np.asarray(columns.spread(margins))


def _compare_pairs(
    walk: "StepWalk", own: Cards, board: tuple[int, ...], n_more: int, n_draws: int
) -> Floats:
    """[pairs] the same for all pairs at once; the responder still gets `n_draws` cards."""
    game, size = walk.game, len(board)
    room, margins = walk.bot.run_outs, np.zeros(len(game.all_pairs))
    compare_pairs(
        game.pairs,
        game.showdowns._replace(board_cards=size + n_more, most_cards=size + n_more),
        np.array(board, np.uint8),
        size,
        mask_of(own.tolist()),
        n_draws,
        walk.seen,
        walk.next_key(),
        room,
        margins,
    )
    return margins


def choose_bet(walk: "StepWalk") -> tuple[int, int]:
    """Kind and amount of what the responder does where it bets."""
    columns, held, labels, scratch = _compared(walk)
    margins = find_margins(walk, columns)
    totals = held.weights[: int(held.n[0])].sum(axis=0)
    own_hits, hits = _find_hits(walk, totals)
    prospects = walk.winnings.prospects(walk.situation, margins, own_hits, hits)
    known = walk.game.known
    kind, amount = best_bet(
        known,
        prospects,
        walk.situation,
        walk.seat,
        walk.at,
        labels,
        held,
        np.zeros(margins.size),
        np.zeros(margins.size),
        np.zeros((2, known.menu.sizes.shape[2]), np.int64),
        scratch,
    )
    return int(kind), int(amount)


def _compared(
    walk: "StepWalk",
) -> tuple[Columns, TrackedRange, NDArray[np.int32], RangeScratch]:
    """The columns that are looked at for a decision, and what is known of them."""
    labels = walk.find_labels(walk.range)
    columns, held, chosen, scratch = _choose_columns(walk)
    return columns, held, labels[chosen], scratch


def _choose_columns(
    walk: "StepWalk",
) -> tuple[Columns, TrackedRange, slice | NDArray[np.intp], RangeScratch]:
    """The columns that are looked at for a decision, with their range and their numbers."""
    found = walk.range
    if len(found.columns) <= MOST_COMPARED or walk.secrets:
        return found.columns, found.held, slice(None), found.scratch
    alive = np.flatnonzero(found.weights.any(axis=0))
    if alive.size > MOST_COMPARED:
        alive = alive[:: alive.size // MOST_COMPARED][:MOST_COMPARED]
    chosen = np.resize(alive, MOST_COMPARED)  # a few of them twice, if they are fewer
    columns = Columns(found.columns.cards[chosen])
    held, scratch = walk.bot.room(columns)
    n = int(found.held.n[0])
    held.n[0] = n
    held.nodes[:n] = found.held.nodes[:n]
    held.weights[:n] = found.weights[:, chosen]
    return columns, held, chosen, scratch


def _find_hits(
    walk: "StepWalk", totals: Floats
) -> tuple[tuple[float, float], tuple[Floats, Floats, Floats]]:
    """How likely bounties are hit now and by the end, as `Winnings.prospects` takes it."""
    if not walk.secrets:
        return (0.0, 0.0), (totals, totals, totals)
    game = walk.game
    n_left = game.variant.deck.n_cards - walk.seen.bit_count()
    n_more = game.dealer.layout.board_cards - len(walk.board)
    missed = 1.0
    for k in range(n_more):
        missed *= max(0.0, 1.0 - game.variant.deck.suits / (n_left - k))
    now = walk.secrets.find_hits(rank_bits(walk.board)).astype(np.float64)
    own = float(walk.own_hit)
    by_end = now + (1.0 - now) * (1.0 - missed)
    return (own, own + (1.0 - own) * (1.0 - missed)), (now, by_end, totals)


def choose_cards(walk: "StepWalk") -> tuple[int, int]:
    """Kind and number of the set of cards that the responder gives away: the set after which its
    hand does best, where the bot plays with all cards that it has now.

    Buckets are not asked for: at this stage they are of hands that give cards away, as the bot's
    may have done already.
    """
    step = walk.game.dealer.stages[walk.at].choice
    assert step is not None
    hole = walk.hole(walk.seat)
    columns, held, _, _ = _choose_columns(walk)
    totals = held.weights[: int(held.n[0])].sum(axis=0)
    best, chosen = -np.inf, step.first_set
    for number in range(step.first_set, step.first_set + step.n_choices):
        goes = SET_BITS[step.n_held, number] >> np.arange(hole.size) & 1 == 1
        laid = tuple(hole[goes].tolist()) if step.discard.to_board else ()
        margins = find_margins(walk, columns, hole[~goes], walk.board + laid)
        # Hands with a card that the responder holds have no weight.
        value = float(totals @ margins)
        if value > best:
            best, chosen = value, number
    return DISCARD, chosen


def choose_bid(walk: "StepWalk") -> tuple[int, int]:
    """The bid that is best on average over those that the bot may make."""
    game, found = walk.game, walk.range
    menu, situation = game.known.menu, walk.situation
    bids, labels = np.zeros((2, menu.bids.shape[1] + 1), np.int64)
    n_bids = int(offered_bids(game.variant.rules, menu, situation, bids, labels))
    cases = (_RESPONDER, _BOT, _BOTH)
    margins = np.stack([find_margins(walk, found.columns, gets=gets) for gets in cases])
    best, chosen = -np.inf, 0
    for bid in bids[:n_bids].tolist():
        rows = _bot_bids(walk, bid, margins)
        value = sum(_bid_value(walk, bid, theirs, sums) for theirs, sums in rows)
        if value > best:
            best, chosen = value, bid
    return BID, chosen


def _bot_bids(walk: "StepWalk", bid: int, margins: Floats) -> list[tuple[int, Floats]]:
    """The bids that the bot may have made, or makes when the responder bids `bid`: for each the
    weight of the hands that do, and their weighted margins by who gets a card.
    """
    found, situation = walk.range, walk.situation
    totals = found.total
    asked = situation
    if situation[betting.FIRST_BID] > 0 and walk.pending is None:
        known = situation[betting.FIRST_BID] - 1
        return [(known, np.concatenate([[totals.sum()], margins @ totals]))]
    n = int(found.held.n[0])
    kept = found.held.nodes[:n].copy(), found.held.weights[:n].copy()
    if walk.pending is not None:
        asked = walk.pending[0]
    else:
        found.watch(BID, bid, situation, walk.stack)
        asked = tuple(betting.after_bid(walk.bot.rules, situation, bid))
    room = found.scratch
    most = int(found.held.n[0]) * room.actions.shape[0]
    bids, sums = np.zeros(most, np.int64), np.zeros((most, 4))
    n_rows = add_bids(
        walk.bot.policy, walk.bot.rules, asked, found.at, walk.find_labels(found), margins,
        found.held, room, bids, sums
    )  # fmt: skip
    found.held.n[0] = n
    found.held.nodes[:n], found.held.weights[:n] = kept
    return [(int(bids[row]), sums[row]) for row in range(n_rows)]


def _bid_value(walk: "StepWalk", bid: int, theirs: int, sums: Floats) -> float:
    """Chips, times weights, if the responder bids `bid` and the bot `theirs` and both check."""
    situation = walk.situation
    choice = choice_of(walk.game.variant, situation)
    assert isinstance(choice, Auction)
    price = min(bid, theirs) if choice.price == "second" else max(bid, theirs)
    paid = [situation[betting.PAID_0], situation[betting.PAID_1]]
    own, other = walk.seat, 1 - walk.seat
    paid[own] += price * (bid >= theirs)
    paid[other] += price * (theirs >= bid)
    gets = _BOTH if bid == theirs else _RESPONDER if bid > theirs else _BOT
    stake = max(situation[betting.SPENT_0], situation[betting.SPENT_1]) + sum(paid) / 2
    return float(sums[gets] * stake + sums[0] * (paid[other] - paid[own]) / 2)
