"""What a worker must have in common with the head: the package, byte by byte, and what compiles it.

Results are equal to the bit only where the same source is compiled by the same compiler.
"""

import hashlib
import importlib.metadata
import platform
from functools import cache
from pathlib import Path

from counterfold.errors import ClusterError

_LIBRARIES = ("numpy", "numba", "llvmlite", "scipy")
_SOURCES = (".py", ".cu", ".toml")
_PACKAGE = Path(__file__).parents[1]


@cache
def describe_software() -> dict[str, str]:
    """Names and versions of what results depend on."""
    versions = {name: importlib.metadata.version(name) for name in _LIBRARIES}
    python = ".".join(platform.python_version_tuple()[:2])
    return {
        "counterfold": importlib.metadata.version("counterfold"),
        "its source": hash_source(_PACKAGE),
        **versions,
        "Python": python,
        "processor": platform.machine(),
    }


def hash_source(folder: Path) -> str:
    """Hash of all source files below `folder`, with their names."""
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.suffix in _SOURCES):
        digest.update(path.relative_to(folder).as_posix().encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


def check_software(found: dict[str, str], expected: dict[str, str], place: str) -> None:
    """Raise `ClusterError` if the worker at `place` has other software than its head."""
    for name, version in expected.items():
        if found.get(name) != version:
            raise ClusterError(
                f"the worker on {place} has {name} {found.get(name)!r}, not {version!r} as the "
                "head has; install the same version on all machines"
            )
