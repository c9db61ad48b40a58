"""CUDA sources of this project on a processor: NumPy's functions, and kernels by a C++ compiler.

It stands in for `cupy` where a test wants to run the source itself, not its twin. Arguments must
have the types that a kernel declares, and arrays must have been moved to the device. Threads take
turns, so nothing is learned about races.

Without g++ these tests are skipped; with REQUIRE_COMPILER=1, as in CI, they fail.
"""

import ctypes
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from types import SimpleNamespace

import numpy as np
import pytest

from counterfold import devices
from helpers.cuda.device_array import DeviceArray, on_device

HEADER = Path(__file__).with_name("on_processor.h")
_KERNEL = re.compile(r'extern "C" __global__ void (\w+)\(([^)]*)\)')
_TYPES = {
    **{"int": np.int32, "wide": np.int64, "short": np.int16},
    **{"unsigned char": np.uint8, "unsigned short": np.uint16, "word": np.int64},
}
_UNSAID = re.compile(r"const|__restrict__")  # of parameters: what does not matter to who calls
_REALS = {"float": np.float32, "double": np.float64}


class EmulatedCuda:
    """NumPy, with what `cupy` has besides."""

    cuda = SimpleNamespace(
        Device=lambda: SimpleNamespace(attributes={"MaxSharedMemoryPerBlockOptin": 227 << 10}),
        runtime=SimpleNamespace(memGetInfo=lambda: (1 << 40, 1 << 40)),
        get_current_stream=lambda: SimpleNamespace(synchronize=lambda: None),
    )

    def __getattr__(self, name):
        return on_device(getattr(np, name))

    def asarray(self, numbers, dtype=None):
        """A copy on the device, unless it is there."""
        if isinstance(numbers, DeviceArray):
            return numbers
        return DeviceArray(np.array(numbers, dtype))

    def get_default_memory_pool(self):
        """Memory that is kept of arrays that are gone: none."""
        return SimpleNamespace(free_bytes=lambda: 0)

    def RawModule(self, *, code, options):
        """The kernels of a source."""
        return _compile(code, options)


def pretend_gpu(monkeypatch):
    """The stand-in, for a test in which it is what `--device gpu` finds."""
    library = emulated_cuda()
    monkeypatch.setattr(devices, "_find_library", lambda: (library, ""))
    return library


def emulated_cuda():
    """The stand-in; skips the test where threads cannot take turns."""
    if sys.platform != "linux" or shutil.which("g++") is None:
        if os.environ.get("REQUIRE_COMPILER") == "1":
            pytest.fail("CUDA sources cannot be compiled; install g++ on Linux")
        pytest.skip("there is no g++ on Linux")
    return _LIBRARY


_LIBRARY = EmulatedCuda()


@cache
def _compile(code, options):
    return _Module(code, options)


class _Module:
    def __init__(self, code, options):
        reals = {name: _REALS[kind] for name, kind in (option[2:].split("=") for option in options)}
        self.types = {**_TYPES, **_REALS, **reals}
        self.waits = "_sync(" in code or "__syncwarp(" in code or "__syncthreads" in code
        folder = Path(mkdtemp(prefix="emulated-cuda"))
        source, built = folder / "source.cpp", folder / "source.so"
        source.write_text(code, "utf-8")
        expand = ["g++", "-E", "-P", "-w", *options, source]  # parameters may be macros
        text = subprocess.run(expand, check=True, capture_output=True, text=True).stdout
        self.kernels = {name: _parameters(each) for name, each in _KERNEL.findall(text)}
        launches = "".join(map(_launcher, self.kernels, self.kernels.values()))
        code = code.replace("extern __shared__", "extern")
        source.write_text(f'#include "{HEADER}"\n{code}\n{launches}', "utf-8")
        command = ["g++", "-std=c++17", "-O1", "-shared", "-fPIC", "-w", *options]
        subprocess.run([*command, "-o", built, source], check=True)
        self.library = ctypes.CDLL(str(built))
        shutil.rmtree(folder)

    def get_function(self, name):
        return _Kernel(self, name)


class _Kernel:
    max_dynamic_shared_size_bytes = 0

    def __init__(self, module, name):
        self.module, self.name = module, name

    def __call__(self, grid, block, arguments, shared_mem):
        assert shared_mem <= 1 << 20
        parameters = self.module.kernels[self.name]
        assert len(arguments) == len(parameters)
        kept = [self._place(*each) for each in zip(arguments, parameters, strict=True)]
        pointers = (ctypes.c_void_p * len(kept))(*(each.ctypes.data for each in kept))
        launch = getattr(self.module.library, f"launch_{self.name}")
        launch(grid[0], block[0], shared_mem, int(self.module.waits), pointers)

    def _place(self, argument, parameter):
        """Memory that has an argument as it is passed: a number, or where an array begins."""
        kind, is_array, name = parameter
        wanted = np.dtype(self.module.types[kind])
        assert isinstance(argument, DeviceArray if is_array else np.generic), (self.name, name)
        assert argument.dtype == wanted, (self.name, name, argument.dtype, wanted)
        if is_array:
            assert argument.flags.c_contiguous, (self.name, name)
            return np.array([argument.host.ctypes.data], np.uintp)
        return np.asarray(argument).reshape(1)


def _parameters(text):
    """Type, whether it is an array, and name of each parameter."""
    found = []
    for part in text.split(","):
        words = _UNSAID.sub(" ", part).replace("*", " * ").split()
        is_array = "*" in words
        words = [word for word in words if word != "*"]
        found.append((" ".join(words[:-1]), is_array, words[-1]))
    return found


def _launcher(name, parameters):
    """What calls a kernel with arguments by their addresses."""
    values = ", ".join(
        f"*({kind}{' *' * is_array} *)passed_{name}[{i}]"
        for i, (kind, is_array, _) in enumerate(parameters)
    )
    return f"""
static void **passed_{name};
static void call_{name}() {{ {name}({values}); }}
extern "C" void launch_{name}(unsigned n_blocks, unsigned n_threads, unsigned shared, int waits,
                              void **passed) {{
    passed_{name} = passed;
    turns::run(n_blocks, n_threads, shared, waits, call_{name});
}}
"""
