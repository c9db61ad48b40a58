"""The CUDA sources of this folder, in single or double precision."""

from types import ModuleType
from typing import Any

import numpy as np

from counterfold.jit.cuda import THREADS, Launch, open_source

__all__ = ["THREADS", "Launch", "open_kernels"]

_NAMES = {4: "float", 8: "double"}  # by bytes


def open_kernels(
    xp: Any,
    file_name: str,
    twins: ModuleType,
    dtype: np.dtype[Any],
    sums: np.dtype[Any] | None = None,
) -> Launch:
    """What calls the kernels of a file for numbers of `dtype`: for NumPy those in `twins`.

    `sums` is the type of averages, 64 bits if it is not given.
    """
    types = {"real": dtype, "real_sum": np.dtype(np.float64) if sums is None else sums}
    options = (f"-D{name}={_NAMES[found.itemsize]}" for name, found in types.items())
    return open_source(xp, "counterfold.ranges.device", file_name, twins, tuple(options))
