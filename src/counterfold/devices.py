"""Where tables are worked on: the processor, or a GPU, which is reached through CuPy.

CuPy is optional (``pip install 'counterfold[gpu]'``), and is imported only if it is asked for or a
method could use it.
"""

import importlib
from functools import cache
from typing import Any, Literal, get_args

from counterfold.errors import DeviceError

Device = Literal["auto", "cpu", "gpu"]


def read_device(text: str) -> Device:
    """The device of that name; raises `DeviceError` if there is none."""
    names: tuple[Device, ...] = get_args(Device)
    for name in names:
        if name == text:
            return name
    raise DeviceError(f"device {text!r} is not one of {', '.join(names)}")


def choose_device(asked: Device, method: str, *, has_path: bool) -> Literal["cpu", "gpu"]:
    """The device for a method; `auto` is the GPU if there is one and the method `has_path` to it.

    Raises `DeviceError` if a GPU is asked for and cannot be used.
    """
    if asked == "gpu":
        if not has_path:
            raise DeviceError(f"{method} cannot use a GPU yet; use --device cpu or leave it out")
        _ = gpu_library()
        return "gpu"
    return "gpu" if asked == "auto" and has_path and _find_library()[0] is not None else "cpu"


def counting_library(asked: Device) -> Any:
    """The module `cupy` if card tables are to be counted on a GPU, else None.

    The counts are integers and the same on both, so `auto` may take what is there.
    """
    chosen = choose_device(asked, "counting", has_path=True)
    return gpu_library() if chosen == "gpu" else None


def gpu_library() -> Any:
    """The module `cupy`; raises `DeviceError` if it or a GPU is missing."""
    library, why = _find_library()
    if library is None:
        raise DeviceError(why)
    return library


def gpu_name() -> str:
    """What the GPU calls itself."""
    properties = gpu_library().cuda.runtime.getDeviceProperties(0)
    return str(properties["name"].decode())


def free_gpu_bytes() -> int:
    """Free memory of the GPU, with what CuPy keeps of arrays that are gone."""
    library = gpu_library()
    kept = library.get_default_memory_pool().free_bytes()
    return int(library.cuda.runtime.memGetInfo()[0]) + int(kept)


@cache
def _find_library() -> tuple[Any, str]:
    """CuPy if it finds a GPU; else None, and why not."""
    try:
        library = importlib.import_module("cupy")
    except ImportError:
        return None, "a GPU needs CuPy; pip install 'counterfold[gpu]', or use --device cpu"
    try:
        n_devices = library.cuda.runtime.getDeviceCount()
    except Exception as error:  # of the driver, by a class that CuPy has elsewhere in each version
        return None, f"CuPy cannot reach a GPU: {error}; use --device cpu"
    return (library, "") if n_devices else (None, "CuPy finds no GPU; use --device cpu")
