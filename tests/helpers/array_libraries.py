"""The libraries that `DevicePass` works with: NumPy everywhere, CuPy where there is a GPU."""

import numpy as np
import pytest


def _cupy():
    cupy = pytest.importorskip("cupy", reason="CuPy is not installed")
    try:
        n_devices = cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError:
        n_devices = 0
    if not n_devices:
        pytest.skip("there is no GPU")
    return cupy


def library(name):
    return np if name == "numpy" else _cupy()


LIBRARIES = ["numpy", "cupy"]
