"""The CUDA sources of this folder, in single or double precision."""

from types import ModuleType
from typing import Any

import numpy as np

from counterfold.jit.cuda import THREADS, Launch, open_source

__all__ = ["THREADS", "Launch", "open_kernels"]


def open_kernels(xp: Any, file_name: str, twins: ModuleType, dtype: np.dtype[Any]) -> Launch:
    """What calls the kernels of a file for numbers of `dtype`: for NumPy those in `twins`."""
    real = "float" if dtype == np.float32 else "double"
    return open_source(xp, "counterfold.ranges.device", file_name, twins, (f"-Dreal={real}",))
