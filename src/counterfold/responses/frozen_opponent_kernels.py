"""What a policy plays, as tables in the order of a solver."""

from counterfold.bots.policy_kernels import kept_steps
from counterfold.jit.compiler import kernel


@kernel
def keep_steps(policy, class_nodes, n_buckets, n_actions, layout, out):
    """Overwrite `out`, ordered by `layout`, with the steps of actions that `policy` plays.

    `class_nodes` is a node of each class. Where the likeliest action is played alone, it has one
    step; what was never trained has none.
    """
    for c in range(class_nodes.size):
        for bucket in range(n_buckets[c]):
            start, kept, least, best = kept_steps(policy, class_nodes[c], bucket)
            first = layout.starts[c] + bucket * layout.strides[c]
            for k in range(n_actions[c]):
                steps = policy.quantized[start + k]
                if kept == 0:
                    steps = 1 if k == best else 0
                elif steps <= least:
                    steps = 0
                out[first + k * layout.steps[c]] = steps


@kernel
def spread(steps, n_buckets, n_actions, layout, amount, out):
    """Overwrite `out` with `amount` for each information set, divided as its `steps` are.

    Both are ordered by `layout`; an information set without steps gets nothing.
    """
    for c in range(n_buckets.size):
        for bucket in range(n_buckets[c]):
            first = layout.starts[c] + bucket * layout.strides[c]
            last = first + n_actions[c] * layout.steps[c]
            total = 0
            for slot in range(first, last, layout.steps[c]):
                total += int(steps[slot])
            for slot in range(first, last, layout.steps[c]):
                out[slot] = amount * steps[slot] / max(total, 1)


@kernel
def take_best(regrets, n_buckets, n_actions, layout, out):
    """Overwrite `out` with 1 at the action of most regret of each information set, else 0.

    Both are ordered by `layout`; an information set without any regrets gets zeros.
    """
    out[:] = 0.0
    for c in range(n_buckets.size):
        for bucket in range(n_buckets[c]):
            first = layout.starts[c] + bucket * layout.strides[c]
            best, known = first, False
            for slot in range(first, first + n_actions[c] * layout.steps[c], layout.steps[c]):
                known |= regrets[slot] != 0.0
                if regrets[slot] > regrets[best]:
                    best = slot
            if known:
                out[best] = 1.0
