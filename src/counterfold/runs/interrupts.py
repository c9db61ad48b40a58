"""Ctrl-C and SIGTERM: as a flag, so that a run can end with a checkpoint, or as an exception."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def interruptible(stop: threading.Event | None = None) -> Iterator[threading.Event]:
    """Turn Ctrl-C and SIGTERM into a flag, `stop` if given; a second Ctrl-C interrupts at once."""
    flag = threading.Event() if stop is None else stop
    if threading.current_thread() is not threading.main_thread():
        yield flag  # only the main thread may handle signals
        return

    def handle(number: int, frame: FrameType | None) -> None:
        if flag.is_set():
            raise KeyboardInterrupt
        flag.set()

    before = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield flag
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def interrupting() -> Iterator[Callable[[], None]]:
    """Let Ctrl-C and SIGTERM raise `KeyboardInterrupt`, and lose none of them.

    An exception raised in a callback from C code, which can happen while kernels are loaded, is
    swallowed there. So the function that is yielded raises it again, and so does the end.
    """
    if threading.current_thread() is not threading.main_thread():
        yield lambda: None
        return
    flag = threading.Event()

    def handle(number: int, frame: FrameType | None) -> None:
        flag.set()
        raise KeyboardInterrupt

    def check() -> None:
        if flag.is_set():
            raise KeyboardInterrupt

    before = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield check
        check()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
