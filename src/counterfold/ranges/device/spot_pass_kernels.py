"""The kernels of `spot_pass.cu` for a processor, argument by argument."""

from counterfold.jit.compiler import kernel
from counterfold.ranges.line_kernels import NONE


@kernel
def collect_starts(
    n_starts, n, n_here, n_above, n_copies, first_above, first, chance, starts, down, values, coming
):
    """Overwrite columns of `coming` [starts, n_above] by sums of `values` [lines, n] over copies.

    Parameters
    ----------
    n_here, first_above
        So many columns of the street above, from `first_above` on.
    first
        The column of the street with which `values` begins.
    down
        [copies, n_above] column of each copy of a board, or NONE.
    """
    for e in range(n_starts):
        for u in range(first_above, first_above + n_here):
            total = chance * 0
            for c in range(n_copies):
                if down[c, u] != NONE:
                    total += values[starts[e], down[c, u] - first]
            coming[e, u] = chance * total
