"""Tables over the slots of a public game: read in the order of classes, and as probabilities."""

from counterfold.jit.compiler import kernel


@kernel
def by_class(table, layout, offsets, n_actions, out):
    """Overwrite `out`, ordered by `offsets`, with `table`, ordered by `layout`."""
    for c in range(n_actions.size):
        source, step = layout.starts[c], layout.steps[c]
        for start in range(offsets[c], offsets[c + 1], n_actions[c]):
            for k in range(n_actions[c]):
                out[start + k] = table[source + k * step]
            source += layout.strides[c]


@kernel
def normalize(averages, layout, offsets, n_actions, strategy):
    """Overwrite `strategy` with `averages` scaled to one at each information set.

    `averages` are ordered by `layout`, `strategy` by `offsets`, both over the classes of a public
    game.
    """
    for c in range(n_actions.size):
        width = n_actions[c]
        source, step = layout.starts[c], layout.steps[c]
        for start in range(offsets[c], offsets[c + 1], width):
            total = 0.0
            for k in range(width):
                total += averages[source + k * step]
            for k in range(width):
                share = averages[source + k * step] / total if total > 0.0 else 1.0 / width
                strategy[start + k] = share
            source += layout.strides[c]
