"""The luck of auctions: of what a known player bid, and of the cards that are won.

What a card brings is not known before it is won. The cards that the hands of a seat might win are
as likely to come to any of them; so they are handed on from hand to hand, those of both seats
together, and the mean over a round of that is what was to be expected.
"""

from counterfold.bots.follow_kernels import follow, follow_auction
from counterfold.bots.policy_kernels import NO_EDGE, perform
from counterfold.cards.ranking_kernels import card_bit
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.betting_kernels import after_bid
from counterfold.jit.compiler import kernel
from counterfold.jit.random import stream_key
from counterfold.matches.aivat.chip_terms_kernels import find_terms, worth_of
from counterfold.matches.aivat.hand_comparison_kernels import compare_hands
from counterfold.matches.aivat.look_ahead_kernels import (
    find_choices,
    find_winners,
    hand_worth,
    show_prizes,
)
from counterfold.matches.aivat.worth_kernels import (
    N_WINNERS,
    find_board,
    hand_features,
    weigh_anew,
)
from counterfold.public.deals_kernels import NO_COLUMN, STAGE_PRIZE


@kernel
def compare_prizes(tables, imagined, i, key, stage, work):
    """Set `work.won_pairs` to the results of all pairs, by who wins the auction of `stage`."""
    layout, runs, n = tables.layout, work.runs, imagined.n_hands
    work.won_pairs[0] = work.pairs
    prize = layout.stages[stage + 1, STAGE_PRIZE]
    if prize == NO_COLUMN:  # a look changes no hand
        for won in range(1, N_WINNERS):
            work.won_pairs[won] = work.pairs
        return
    board, size, n_left = find_board(tables, imagined, i, stage, work.paths[0, 0], runs.left)
    final = size == layout.board_cards
    n_samples = (tables.n_samples + n - 1) // n
    for won in range(1, N_WINNERS):
        work.won_pairs[won] = 0.0
        for shift in range(n):
            for seat in range(2):
                for m in range(n):
                    masks = work.masks[seat, m]
                    if (won >> seat) & 1:
                        row = i * n + (m + shift) % n
                        masks |= card_bit(imagined.cards[row, prize + seat])
                    work.prized[seat, m] = masks
            compare_hands(
                layout, tables.ranking, stream_key(key, shift), n_samples, board, size, size, final,
                n_left, work.prized, runs
            )  # fmt: skip
            for m in range(n):
                for k in range(n):
                    work.won_pairs[won, m, k] += runs.sums[0, m, k] / (runs.counts[0] * n)


@kernel
def correct_bid(
    tables, values, seat, guides, guide, guide_node, policy, node, cards, rows, cell, stage,
    situation, number, kind, edge, work
):  # fmt: skip
    """Luck of a known player's bid; its hands are weighted anew. As `correct_bet`."""
    actor = situation[betting.ACTOR]
    stack = tables.rules.table[betting.STACK]
    settles = situation[betting.FIRST_BID] > 0
    expected = happened = total = 0.0
    for m in range(work.after.size):
        work.after[m] = 0.0
        weight = work.weights[actor, m]
        if weight == 0.0:
            continue
        bucket = cards.buckets[rows + m, actor, cell + work.paths[actor, m]]
        shares = work.shares[m]
        width, chooses = find_choices(policy, situation, node, bucket, shares)
        for k in range(width):
            share = weight * shares[k]
            if share == 0.0:
                continue
            its_kind, bid, its_edge, _ = perform(
                policy, tables.rules, situation, node, stage, bucket, k if chooses else NO_EDGE
            )
            after = after_bid(tables.rules, situation, bid)
            if settles:
                child = follow_auction(guide, guide_node, after)
                show_prizes(work, find_winners(situation[betting.DREW], after[betting.DREW]))
            elif not guides:
                child = follow(guide, guide_node, its_kind, bid, situation, stack, number)
            else:
                child = guide_node if its_edge == NO_EDGE else policy.children[its_edge]
            features = hand_features(work, actor, m)
            if settles:
                worth = worth_of(find_terms(tables, values, seat, child, after), features)
            else:
                worth = hand_worth(
                    tables, values, seat, guide, child, after, actor, m, features, work
                )
            expected += share * worth
            if its_kind == kind and its_edge == edge:
                work.after[m] += share
                happened += share * worth
                total += share
    show_prizes(work, 0)
    return weigh_anew(actor, expected, happened, total, work)
