"""What the betting of a street, or an auction, is worth if both play by policy to its end.

There the value function is linear; so it is exact on the last street, and where the stacks are in.
"""

from counterfold.bots.bid_kernels import (
    AUCTION_DREW,
    AUCTION_PAID_0,
    AUCTION_PAID_1,
    paid_at,
)
from counterfold.bots.policy_kernels import LOST, find_chances, has_choice, passive_edge
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.betting_kernels import AUCTION, BET, DEAL, FOLDED, SHOWDOWN
from counterfold.jit.compiler import inlined_kernel, kernel
from counterfold.matches.aivat.chip_terms_kernels import (
    find_terms,
    fitted_terms,
    fold_terms,
    mean_stake,
    showdown_terms,
    worth_of,
)
from counterfold.matches.aivat.worth_kernels import (
    EXTRA,
    HAND_0,
    HAND_1,
    HIT_0,
    HIT_1,
    N_WINNERS,
    NO_PLACE,
    RESULT,
    take_sums,
)
from counterfold.matches.policy_match_kernels import NO_STREET
from counterfold.public.walk_kernels import (
    NODE_ACTOR,
    NODE_DEGREE,
    NODE_PHASE,
    NODE_START,
    NODE_STREET,
)

# Entries of `WorthScratch.looked`.
N_FOUND = 0
LOOKED_STREET = 1

_AWAITED = -2  # the place of a node that was found and not yet looked at


@inlined_kernel
def find_choices(policy, situation, node, bucket, shares):
    """How likely each edge is, and how many there are; one, if the policy has no choice."""
    if has_choice(policy, situation, node) and find_chances(policy, node, bucket, shares):
        return policy.nodes[node, NODE_DEGREE], True
    shares[0] = 1.0
    return 1, False


@kernel
def forget(work):
    """Forget the street that was looked at."""
    for k in range(work.looked[N_FOUND]):
        work.places[work.found[k]] = NO_PLACE
    work.looked[N_FOUND] = 0
    work.looked[LOOKED_STREET] = NO_STREET


@inlined_kernel
def find_winners(before, after):
    """Who won the auction between two values of `DREW`: 1 for seat 0, and 2 for seat 1."""
    won = after ^ before
    while won >= N_WINNERS:
        won >>= 2
    return won


@inlined_kernel
def show_prizes(work, won):
    """Set pairs and means to those of an auction that ended so."""
    take_sums(work, work.won_pairs[won], 1.0)


@kernel
def look_at_street(
    tables, values, seats, seat, guide, other, node, guide_cards, other_cards, rows, cell,
    situation, work
):  # fmt: skip
    """Look ahead from the guide's node, unless that was done before on the same street."""
    phase = situation[betting.PHASE]
    if node == LOST or guide.nodes[node, NODE_PHASE] != phase:
        return
    street = 2 * situation[betting.STREET] + (phase == BET)
    if work.looked[LOOKED_STREET] != street:
        forget(work)
        work.looked[LOOKED_STREET] = street
        for each in range(2):
            for m in range(work.after.size):
                hand_cell = cell + work.paths[each, m]
                if each == seat or not seats.alike:
                    work.buckets[each, m] = guide_cards.buckets[rows + m, each, hand_cell]
                else:
                    work.buckets[each, m] = other_cards.buckets[rows + m, each, hand_cell]
    if work.places[node] == NO_PLACE:
        _look_ahead(tables, values, seats, seat, guide, other, node, work)


@kernel
def _collect(policy, root, work):
    """Add the betting nodes of a street from `root` on, or the bidding ones, as many as fit."""
    phase = policy.nodes[root, NODE_PHASE]
    n_found = work.looked[N_FOUND]
    n_stack = 1
    work.stack[0] = root
    while n_stack > 0:
        n_stack -= 1
        node = work.stack[n_stack]
        if work.places[node] != NO_PLACE or n_found == work.found.size:
            continue
        work.places[node] = _AWAITED
        work.found[n_found] = node
        n_found += 1
        start = policy.nodes[node, NODE_START]
        for edge in range(start, start + policy.nodes[node, NODE_DEGREE]):
            child = policy.children[edge]
            inner = policy.nodes[child, NODE_PHASE] == phase and work.places[child] == NO_PLACE
            if inner and n_stack < work.stack.size:
                work.stack[n_stack] = child
                n_stack += 1
    work.looked[N_FOUND] = n_found


@inlined_kernel
def _leaf_terms(tables, values, seat, policy, node):
    """As `find_terms`, of a node where the betting of a street ends, by its own chips."""
    phase = policy.nodes[node, NODE_PHASE]
    spent_0, spent_1 = policy.spent[node, 0], policy.spent[node, 1]
    paid_0 = paid_1 = 0
    if policy.auctions.shape[0] > 0:
        paid_0 = policy.auctions[node, AUCTION_PAID_0]
        paid_1 = policy.auctions[node, AUCTION_PAID_1]
    stake_0, stake_1 = float(spent_0 + paid_0), float(spent_1 + paid_1)
    if phase == FOLDED:
        return fold_terms(tables, policy.nodes[node, NODE_ACTOR], stake_0, stake_1)
    late = policy.nodes[node, NODE_STREET] >= tables.last_change
    all_in = min(spent_0, spent_1) == tables.rules.table[betting.STACK] - max(paid_0, paid_1)
    if phase == SHOWDOWN or (phase == DEAL and all_in and late):
        return showdown_terms(tables, stake_0, stake_1)
    return fitted_terms(tables, values.nodes[seat, node], 0.5 * (stake_0 + stake_1))


@kernel
def _look_ahead(tables, values, seats, seat, guide, other, root, work):
    """Set `work.worths` of a street's betting nodes from `root` on, if both play by policy to its
    end, where the value function is linear; likewise of an auction.
    """
    phase = guide.nodes[root, NODE_PHASE]
    known = work.looked[N_FOUND]
    _collect(guide, root, work)
    n_found = work.looked[N_FOUND]
    added = work.found[known:n_found]
    added.sort()  # a parent precedes its children
    n = work.pairs.shape[0]
    for k in range(n_found - 1, known - 1, -1):
        node = work.found[k]
        work.places[node] = k
        actor = guide.nodes[node, NODE_ACTOR]
        start, width = guide.nodes[node, NODE_START], guide.nodes[node, NODE_DEGREE]
        for m in range(n):
            work.chances[:width] = 0.0
            bucket = work.buckets[actor, m]
            trained = True
            if work.weights[actor, m] > 0.0 and (actor == seat or not seats.alike):
                trained = find_chances(guide, node, bucket, work.chances)
            elif work.weights[actor, m] > 0.0:
                trained = find_chances(other, node, bucket, work.chances)
            if not trained and phase == BET:
                work.chances[passive_edge(guide, node) - start] = 1.0
            elif not trained:
                work.chances[0] = 1.0
            for e in range(width):
                work.by_edge[e, m] = work.chances[e]
        work.worths[k] = 0.0
        for e in range(width):
            child = guide.children[start + e]
            place = work.places[child]
            if guide.nodes[child, NODE_PHASE] == phase and place >= 0:
                _add_worths(actor, work.by_edge[e], work.worths[place], work.worths[k])
            else:
                if phase == AUCTION:
                    drew = guide.auctions[node, AUCTION_DREW]
                    show_prizes(work, find_winners(drew, guide.auctions[child, AUCTION_DREW]))
                _set_leaf(_leaf_terms(tables, values, seat, guide, child), work)
                _add_worths(actor, work.by_edge[e], work.leaf, work.worths[k])
    if phase == AUCTION:
        show_prizes(work, 0)


@inlined_kernel
def _set_leaf(terms, work):
    """Set `work.leaf` by the terms of a node."""
    n = work.pairs.shape[0]
    for m in range(n):
        constant = terms[0] + terms[1 + HAND_0] * work.means[0, m]
        constant += terms[1 + HIT_0] * work.hits[0, m]
        for j in range(n):
            work.leaf[m, j] = (
                constant
                + terms[1 + RESULT] * work.pairs[m, j]
                + terms[1 + HAND_1] * work.means[1, j]
                + terms[1 + HIT_1] * work.hits[1, j]
            )
            if work.has_bounties:
                work.leaf[m, j] += terms[1 + EXTRA] * work.extras[m, j]


@inlined_kernel
def _add_worths(actor, chances, child, worths):
    """Add the worth of a child, by how likely each hand of the actor is to go there."""
    n = chances.size
    if actor == 0:
        for m in range(n):
            chance = chances[m]
            if chance > 0.0:
                for j in range(n):
                    worths[m, j] += chance * child[m, j]
        return
    for m in range(n):
        for j in range(n):
            worths[m, j] += chances[j] * child[m, j]


@inlined_kernel
def hand_worth(tables, values, seat, guide, node, situation, actor, m, features, work):
    """What a situation is worth to hand `m` of the actor, by the weights of the other's hands."""
    looked = (
        node != LOST
        and situation[betting.PHASE] <= BET
        and guide.nodes[node, NODE_PHASE] == situation[betting.PHASE]
        and work.places[node] != NO_PLACE
    )
    if not looked:
        return worth_of(find_terms(tables, values, seat, node, situation), features)
    worths = work.worths[work.places[node]]
    total = 0.0
    for k in range(work.pairs.shape[0]):
        if work.weights[1 - actor, k] > 0.0:
            value = worths[m, k] if actor == 0 else worths[k, m]
            total += work.weights[1 - actor, k] * value
    pot = guide.spent[node, 0] + guide.spent[node, 1] + paid_at(guide, node)
    return total * 2.0 * mean_stake(situation) / pot
