"""How much memory there is, asked before work that would not fit."""

import os
import sys

from counterfold.errors import TooLargeError

_SMALL_MACHINE = 4 << 30  # assumed where the system cannot be asked


def free_memory_bytes() -> int:
    """Memory that can be used without swapping."""
    try:
        with open("/proc/meminfo", encoding="ascii") as lines:
            for line in lines:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    except (ValueError, OSError, AttributeError):
        return _SMALL_MACHINE


def resident_bytes() -> int:
    """Memory that this process occupies now, or did at its peak where only that is known."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        pass
    try:
        import resource
    except ImportError:
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else 1024 * peak  # bytes there, kilobytes elsewhere


def check_memory(what: str, n_bytes: int, remedy: str = "use fewer buckets or threads") -> None:
    """Raise `TooLargeError` if `what` needs more than the memory that is free."""
    free = free_memory_bytes()
    if n_bytes > free:
        raise TooLargeError(
            f"{what} need {n_bytes / 1e9:,.1f} GB, and {free / 1e9:,.1f} GB of memory are free; "
            f"{remedy}"
        )
