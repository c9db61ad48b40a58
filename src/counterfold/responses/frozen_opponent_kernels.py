"""What a policy plays, as tables in the order of a solver."""

from counterfold.bots.policy_kernels import kept_steps
from counterfold.jit.compiler import kernel
from counterfold.training.frozen_kernels import find_better


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
def respond(gains, squares, steps, n_buckets, n_actions, layout, evidence, out):
    """Overwrite `out` with 1 at an action that is known to be better than `steps`, else with these.

    All are ordered by `layout`, and `out` may be `squares`; see `find_better`.
    """
    for c in range(n_buckets.size):
        step = layout.steps[c]
        for bucket in range(n_buckets[c]):
            first = layout.starts[c] + bucket * layout.strides[c]
            last = first + n_actions[c] * step
            better = find_better(gains, squares, first, last, step, evidence)
            for slot in range(first, last, step):
                out[slot] = steps[slot] if better < 0 else 0.0
            if better >= 0:
                out[better] = 1.0
