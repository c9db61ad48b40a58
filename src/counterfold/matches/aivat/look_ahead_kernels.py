"""What the betting of a street is worth if both play by policy to its end.

There the value function is linear; so it is exact on the last street, and where the stacks are in.
"""

from counterfold.bots.policy_kernels import LOST, find_chances, has_choice, passive_edge
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.betting_kernels import BET, DEAL, FOLDED, SHOWDOWN
from counterfold.jit.compiler import inlined_kernel, kernel
from counterfold.matches.aivat.worth_kernels import (
    HAND_0,
    HAND_1,
    NO_PLACE,
    RESULT,
    find_terms,
    worth_of,
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


@kernel
def look_at_street(
    tables, values, seats, seat, guide, other, node, guide_cards, other_cards, rows, cell,
    situation, work
):  # fmt: skip
    """Look ahead from the guide's node, unless that was done before on the same street."""
    if node == LOST or guide.nodes[node, NODE_PHASE] != BET:
        return
    if work.looked[LOOKED_STREET] != situation[betting.STREET]:
        forget(work)
        work.looked[LOOKED_STREET] = situation[betting.STREET]
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
    """Add the betting nodes of a street from `root` on, as many as fit."""
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
            inner = policy.nodes[child, NODE_PHASE] == BET and work.places[child] == NO_PLACE
            if inner and n_stack < work.stack.size:
                work.stack[n_stack] = child
                n_stack += 1
    work.looked[N_FOUND] = n_found


@inlined_kernel
def _leaf_terms(tables, values, seat, policy, node):
    """As `find_terms`, of a node where the betting of a street ends, by its own chips."""
    phase = policy.nodes[node, NODE_PHASE]
    spent_0, spent_1 = policy.spent[node, 0], policy.spent[node, 1]
    if phase == FOLDED:
        if policy.nodes[node, NODE_ACTOR] == 0:
            return -float(spent_0), 0.0, 0.0, 0.0
        return float(spent_1), 0.0, 0.0, 0.0
    late = policy.nodes[node, NODE_STREET] >= tables.stage_table.last_change
    all_in = min(spent_0, spent_1) == tables.rules.table[betting.STACK]
    if phase == SHOWDOWN or (phase == DEAL and all_in and late):
        return 0.0, float(spent_0), 0.0, 0.0
    row = values.nodes[seat, node]
    scale = 0.5 * (spent_0 + spent_1)
    return (
        scale * row[0],
        scale * row[1 + RESULT],
        scale * row[1 + HAND_0],
        scale * row[1 + HAND_1],
    )


@kernel
def _look_ahead(tables, values, seats, seat, guide, other, root, work):
    """Set `work.worths` of a street's betting nodes from `root` on, if both play by policy to its
    end, where the value function is linear.
    """
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
            if not trained:
                work.chances[passive_edge(guide, node) - start] = 1.0
            for e in range(width):
                work.by_edge[e, m] = work.chances[e]
        work.worths[k] = 0.0
        for e in range(width):
            child = guide.children[start + e]
            place = work.places[child]
            if guide.nodes[child, NODE_PHASE] == BET and place >= 0:
                _add_worths(actor, work.by_edge[e], work.worths[place], work.worths[k])
            else:
                terms = _leaf_terms(tables, values, seat, guide, child)
                for m in range(n):
                    constant = terms[0] + terms[2] * work.means[0, m]
                    for j in range(n):
                        work.leaf[m, j] = (
                            constant + terms[1] * work.pairs[m, j] + terms[3] * work.means[1, j]
                        )
                _add_worths(actor, work.by_edge[e], work.leaf, work.worths[k])


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
        and situation[betting.PHASE] == BET
        and guide.nodes[node, NODE_PHASE] == BET
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
    real = situation[betting.SPENT_0] + situation[betting.SPENT_1]
    return total * real / (guide.spent[node, 0] + guide.spent[node, 1])
