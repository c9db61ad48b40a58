"""AIVAT: results of hands less the luck that can be computed (Burch, Schmid, Moravcik and Bowling
2018).

A value function says what a situation is worth to a pair of hands. Whenever cards are dealt or a
player acts whose strategy is known, the mean of that value over all that could have happened, less
the value of what did happen, is added to the result: its mean is 0, whatever the function is. The
result itself is a mean over all hands that a known player could as well have held, imagined ones
(`imagined_kernels`) weighted by how likely they are to have acted the same. What unknown players do
is left as it is.

Before cards are dealt, the value function is linear in the results of the two hands at a showdown.
The mean of such a result over the next cards is the result before them, so that no other cards have
to be looked at.
"""

from counterfold.bots.follow_kernels import follow, follow_auction, follow_deal
from counterfold.bots.policy_kernels import LOST, NO_EDGE
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.betting_kernels import (
    AUCTION,
    BET,
    DEAL,
    DISCARD,
    DRAW,
    FOLDED,
    KEEP,
    RAISE,
    SHOWDOWN,
    after_bid,
    after_deal,
    after_draw,
)
from counterfold.jit.compiler import kernel
from counterfold.jit.random import stream_key, uniform
from counterfold.matches.aivat.auction_luck_kernels import compare_prizes, correct_bid
from counterfold.matches.aivat.bet_luck_kernels import correct_bet, next_situation
from counterfold.matches.aivat.chip_terms_kernels import (
    end_worth,
    find_terms,
    is_exact,
    mean_stake,
    rounds_up,
    worth_of,
)
from counterfold.matches.aivat.choice_luck_kernels import (
    after_giving,
    correct_choice,
    find_digit,
    give_cards,
)
from counterfold.matches.aivat.draw_luck_kernels import (
    compare_draws,
    correct_draw,
    extend_paths,
    shares_of_draw,
)
from counterfold.matches.aivat.look_ahead_kernels import (
    find_winners,
    forget,
    look_at_street,
    show_prizes,
)
from counterfold.matches.aivat.search_luck_kernels import (
    NOT_SEARCHED,
    correct_search,
    find_searched,
)
from counterfold.matches.aivat.worth_kernels import (
    EXTRA,
    N_FEATURES,
    RESULT,
    class_of,
    compare_all,
    hold_hands,
    mean_features,
    stage_of,
    take_sums,
)
from counterfold.matches.policy_match_kernels import (
    GIVE_CHOICES,
    STEP_AMOUNT,
    STEP_EDGE,
    STEP_KIND,
)

# Columns of a visit.
VISIT_SEAT = 0  # of the guide
VISIT_NODE = 1
VISIT_CLASS = 2
VISIT_SCALE = 3
VISIT_FEATURE = 4
VISIT_LUCK = VISIT_FEATURE + N_FEATURES  # corrections up to here
N_VISIT_COLUMNS = VISIT_LUCK + 1


@kernel
def _before_deal(tables, values, seat, policy, node, situation, work):
    """The mean worth of what may be dealt: over whether another street follows, and features."""
    runs = work.runs
    count = runs.counts[0] + runs.counts[1]
    total = 0.0
    for follows in range(2):
        if runs.counts[follows] == 0.0:
            continue
        dealt = after_deal(tables.rules, situation, follows == 1)
        terms = find_terms(tables, values, seat, follow_deal(policy, node, dealt), dealt)
        take_sums(work, runs.sums[follows], count)
        share = runs.counts[follows] / count
        total += worth_of(
            (share * terms[0], terms[1], terms[2], terms[3], share * terms[4], terms[5], terms[6]),
            mean_features(work),
        )
    return total


@kernel
def _begin(tables, imagined, i, seats, seat, work):
    """All hands of a known player are equally likely, and nobody has discarded."""
    work.paths[:] = 0
    work.weights[:] = 0.0
    work.weights[seat, : seats.n_guide] = 1.0 / seats.n_guide
    work.weights[1 - seat, : seats.n_other] = 1.0 / seats.n_other
    for each in range(2):
        hold_hands(tables, imagined, i, each, 0, work)


@kernel
def _visit(row, tables, seat, node, situation, luck, work):
    """Overwrite a row of visits."""
    features = mean_features(work)
    row[VISIT_SEAT] = seat
    row[VISIT_NODE] = node
    row[VISIT_CLASS] = class_of(tables.rules.table[betting.STACK], situation)
    row[VISIT_SCALE] = mean_stake(situation)
    for k in range(N_FEATURES):
        row[VISIT_FEATURE + k] = features[k]
    if work.has_bounties:  # the extra chips of bounties, in stakes like the rest
        row[VISIT_FEATURE + RESULT] += tables.bounty_extra * features[EXTRA] / row[VISIT_SCALE]
    row[VISIT_LUCK] = luck


@kernel
def _settle(tables, values, imagined, i, key, seat, node, before, after, stage, work):
    """Luck of the cards that were won at an auction; hand paths are extended by who won."""
    won = find_winners(before[betting.DREW], after[betting.DREW])
    terms = find_terms(tables, values, seat, node, after)
    show_prizes(work, won)
    luck = worth_of(terms, mean_features(work))
    for each in range(2):
        for m in range(imagined.n_hands):
            work.paths[each, m] = 2 * work.paths[each, m] + (won >> each & 1)
        hold_hands(tables, imagined, i, each, stage + 1, work)
    compare_all(tables, imagined, i, key, after, work)
    forget(work)
    return luck - worth_of(terms, mean_features(work))


@kernel
def correct_hands(
    tables, values, seats, imagined, guide, other, guide_cards, other_cards, seed, samples_seed,
    first, swaps, steps, searched, work, visits, n_visits, results
):  # fmt: skip
    """Overwrite `results` with the winnings of player 0, less luck.

    Parameters
    ----------
    guide, other, guide_cards, other_cards
        Policies, and the cards of `imagined` as they see them; empty for an unknown player.
    seed, samples_seed
        Of the players' numbers, and of those that boards are sampled with.
    swaps, steps
        [n] 1 where player 0 has seat 1, and the decisions of `Played`.
    searched
        Those of them that were made by search: `SearchedSteps`.
    visits, n_visits
        [n, most, N_VISIT_COLUMNS] what the value function was asked for, and how often; none if
        `most` is 0.
    """
    rules, n = tables.rules, imagined.n_hands
    stack = rules.table[betting.STACK]
    stage_table = tables.stage_table
    for i in range(results.size):
        swapped = swaps[i] == 1
        guide_key = stream_key(seed, (first + i) * 4 + 2 * swapped + seats.guide)
        other_key = stream_key(seed, (first + i) * 4 + 2 * swapped + 1 - seats.guide)
        samples_key = stream_key(samples_seed, first + i)
        seat = 1 - seats.guide if swapped else seats.guide
        node = 0 if seats.guide_known else LOST
        other_node = 0
        situation = tables.first_situation
        n_visited = n_compared = step = 0
        pays = False  # whether the last action was to pay chips
        guide_drawn = other_drawn = 0  # random numbers: one for a step, two to search
        _begin(tables, imagined, i, seats, seat, work)
        compare_all(tables, imagined, i, stream_key(samples_key, n_compared), situation, work)
        luck = 0.0
        if tables.alike:  # seats that are dealt alike, so that every feature is 0 in the mean
            terms = find_terms(tables, values, seat, node, situation)
            luck = terms[0] - worth_of(terms, mean_features(work))
        while True:
            phase = situation[betting.PHASE]
            if phase in (FOLDED, SHOWDOWN):
                break
            if n_visited < visits.shape[1] and not is_exact(tables, situation):
                _visit(visits[i, n_visited], tables, seat, node, situation, luck, work)
                n_visited += 1
            if phase == DEAL:
                luck += _before_deal(tables, values, seat, guide, node, situation, work)
                goes_on = situation[betting.STREET] + 1 < imagined.lengths[i]
                situation = after_deal(rules, situation, goes_on)
                node = follow_deal(guide, node, situation)
                if seats.other_known:
                    other_node = follow_deal(other, other_node, situation)
                n_compared += 1
                key = stream_key(samples_key, n_compared)
                compare_all(tables, imagined, i, key, situation, work)
                terms = find_terms(tables, values, seat, node, situation)
                luck -= worth_of(terms, mean_features(work))
                continue
            actor = situation[betting.ACTOR]
            guides = actor == seat
            known = seats.guide_known if guides else seats.other_known
            kind, amount = steps[i, step, STEP_KIND], steps[i, step, STEP_AMOUNT]
            edge = steps[i, step, STEP_EDGE]
            if kind == RAISE:
                amount += situation[betting.BASE]
            stage = stage_of(tables, situation)
            settles = False
            cell = stage_table.hand_cells[stage]
            number = uniform(guide_key, guide_drawn)
            row = find_searched(searched, i, step)
            if row != NOT_SEARCHED and guides:
                number = uniform(guide_key, guide_drawn + 1)
            if phase == AUCTION and situation[betting.FIRST_BID] == 0:
                n_compared += 1
                key = stream_key(samples_key, n_compared)
                compare_prizes(tables, imagined, i, key, stage, work)
            if phase != DRAW and seats.guide_known:
                look_at_street(
                    tables, values, seats, seat, guide, other, node, guide_cards, other_cards,
                    i * n, cell, situation, work
                )  # fmt: skip
            if phase == BET:
                if row != NOT_SEARCHED:
                    luck += correct_search(
                        tables, values, seat, guide, node, searched, row, situation, number, kind,
                        amount, work
                    )  # fmt: skip
                elif known and guides:
                    luck += correct_bet(
                        tables, values, seat, True, guide, node, guide, node, guide_cards, i * n,
                        cell, stage, situation, number, kind, edge, work
                    )  # fmt: skip
                elif known:
                    luck += correct_bet(
                        tables, values, seat, False, guide, node, other, other_node, other_cards,
                        i * n, cell, stage, situation, number, kind, edge, work
                    )  # fmt: skip
                after = next_situation(tables, situation, kind, amount)
            elif phase == AUCTION:
                settles = situation[betting.FIRST_BID] > 0
                if known and guides:
                    luck += correct_bid(
                        tables, values, seat, True, guide, node, guide, node, guide_cards, i * n,
                        cell, stage, situation, number, kind, edge, work
                    )  # fmt: skip
                elif known:
                    luck += correct_bid(
                        tables, values, seat, False, guide, node, other, other_node, other_cards,
                        i * n, cell, stage, situation, number, kind, edge, work
                    )  # fmt: skip
                after = after_bid(rules, situation, amount)
            elif stage_table.gives[stage, GIVE_CHOICES] > 0:
                after = after_giving(tables, situation, kind, amount)
                n_compared += 1
                key = stream_key(samples_key, n_compared)
                if known and guides:
                    luck += correct_choice(
                        tables, values, imagined, i, key, seat, True, guide, node, guide, node,
                        guide_cards, stage, situation, number, kind, amount, work
                    )  # fmt: skip
                elif known:
                    luck += correct_choice(
                        tables, values, imagined, i, key, seat, False, guide, node, other,
                        other_node, other_cards, stage, situation, number, kind, amount, work
                    )  # fmt: skip
                digit = find_digit(tables, stage, kind, amount)
                give_cards(tables, imagined, i, actor, stage, digit, work)
                n_compared += 1
                key = stream_key(samples_key, n_compared)
                compare_all(tables, imagined, i, key, after, work)
            else:
                n_choices = stage_table.draws[stage]
                after = after_draw(rules, situation, kind == DISCARD)
                n_compared += 1
                key = stream_key(samples_key, n_compared)
                if known or kind == DISCARD:
                    kept = find_terms(
                        tables,
                        values,
                        seat,
                        follow(guide, node, KEEP, 0, situation, stack, number),
                        after_draw(rules, situation, False),
                    )
                    gone = find_terms(
                        tables,
                        values,
                        seat,
                        follow(guide, node, DISCARD, 0, situation, stack, number),
                        after_draw(rules, situation, True),
                    )
                    compare_draws(tables, imagined, i, key, situation, stage, work)
                if guides:
                    shares_of_draw(
                        tables, guide, known, node, guide_cards, i * n, cell, stage, situation,
                        kind, amount, work
                    )  # fmt: skip
                else:
                    shares_of_draw(
                        tables, other, known, other_node, other_cards, i * n, cell, stage,
                        situation, kind, amount, work
                    )  # fmt: skip
                if known or kind == DISCARD:
                    luck += correct_draw(kept, gone, actor, n_choices, kind, amount, key, work)
                extend_paths(actor, n_choices, kind, amount, key, work)
                hold_hands(tables, imagined, i, actor, stage + 1, work)
                if kind == DISCARD:
                    n_compared += 1
                    key = stream_key(samples_key, n_compared)
                    compare_all(tables, imagined, i, key, situation, work)
            # Everyone moves on: who acted by policy along the edge, all others by translation. An
            # auction is settled below.
            if settles:
                edge = NO_EDGE
            if not guides or row != NOT_SEARCHED:
                node = follow(guide, node, kind, amount, situation, stack, number)
            elif edge != NO_EDGE and seats.guide_known:
                node = guide.children[edge]
            if row != NOT_SEARCHED and guides:
                guide_drawn += 1
            elif row != NOT_SEARCHED:
                other_drawn += 1
            if seats.other_known and (guides or row != NOT_SEARCHED):
                number = uniform(other_key, other_drawn)
                other_node = follow(other, other_node, kind, amount, situation, stack, number)
            elif seats.other_known and edge != NO_EDGE:
                other_node = other.children[edge]
            if settles:
                node = follow_auction(guide, node, after)
                if seats.other_known:
                    other_node = follow_auction(other, other_node, after)
                n_compared += 1
                key = stream_key(samples_key, n_compared)
                luck += _settle(
                    tables, values, imagined, i, key, seat, node, situation, after, stage, work
                )
            pays = situation[betting.SPENT_0] != situation[betting.SPENT_1]
            situation = after
            step += 1
            guide_drawn += 1
            other_drawn += 1
        forget(work)
        if visits.shape[1] > 0:
            n_visits[i] = n_visited
        folded = situation[betting.PHASE] == FOLDED
        up = rounds_up(tables, steps[i], step, folded, pays)
        total = luck + end_worth(tables, situation, up, work)
        results[i] = -total if swapped else total
