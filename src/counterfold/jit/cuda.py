"""The kernels of a CUDA source file, compiled by CuPy, or their twins for a processor."""

from collections.abc import Mapping
from importlib import resources
from types import ModuleType
from typing import Any, Protocol

import numpy as np

THREADS = 128  # of a block
_USUAL_SHARED = 48 << 10  # bytes of a block that need not be asked for


class Launch(Protocol):
    """Calls a kernel by its name."""

    def __call__(
        self, name: str, n_threads: int, *arguments: Any, block: int = THREADS, shared: int = 0
    ) -> None:
        """Run it on `n_threads` threads in blocks, each with `shared` bytes of its own."""
        ...


def open_source(
    xp: Any,
    package: str,
    file_name: str,
    twins: ModuleType,
    options: tuple[str, ...] = (),
    constants: Mapping[str, str] | None = None,
) -> Launch:
    """What calls the kernels of a file in `package`: for NumPy those in `twins`.

    `constants` are defined before the file begins.
    """
    if xp is np:
        return _call_twins(twins)
    source = (resources.files(package) / file_name).read_text("utf-8")
    defined = (f"#define {name} {value}\n" for name, value in (constants or {}).items())
    return _compile(xp, "".join(defined) + source, options)


def _call_twins(twins: ModuleType) -> Launch:
    def launch(
        name: str, n_threads: int, *arguments: Any, block: int = THREADS, shared: int = 0
    ) -> None:
        getattr(twins, name)(*arguments)

    return launch


def _compile(xp: Any, source: str, options: tuple[str, ...]) -> Launch:
    module = xp.RawModule(code=source, options=options)

    def launch(
        name: str, n_threads: int, *arguments: Any, block: int = THREADS, shared: int = 0
    ) -> None:
        kernel, n_blocks = module.get_function(name), -(-n_threads // block)
        if shared > _USUAL_SHARED:
            kernel.max_dynamic_shared_size_bytes = shared
        if n_blocks:
            kernel((n_blocks,), (block,), tuple(map(_typed, arguments)), shared_mem=shared)

    return launch


def _typed(argument: Any) -> Any:
    """An argument as a kernel takes it."""
    return np.int64(argument) if isinstance(argument, int) else argument
