"""How much memory there is, checked before work that may not fit."""

import psutil

from counterfold.errors import TooLargeError


def free_memory_bytes() -> int:
    """Memory that can be used without swapping."""
    return psutil.virtual_memory().available


def resident_bytes() -> int:
    """Memory that this process occupies now."""
    return psutil.Process().memory_info().rss


def check_memory(what: str, n_bytes: int, remedy: str = "use fewer buckets or threads") -> None:
    """Raise `TooLargeError` if `what` needs more than the memory that is free."""
    free = free_memory_bytes()
    if n_bytes > free:
        raise TooLargeError(
            f"{what} need {n_bytes / 1e9:,.1f} GB, but only "
            f"{free / 1e9:,.1f} GB of memory are free; {remedy}"
        )
