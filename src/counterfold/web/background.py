"""Work that a request begins and that others watch, in a thread of its own."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from counterfold.errors import CounterfoldError


@dataclass(eq=False, kw_only=True)
class Background:
    """What is known of the work: whether it is to stop, whether it is done, and what went wrong."""

    stop: threading.Event = field(default_factory=threading.Event)
    error: str = ""
    done: bool = False

    def begin(self, work: Callable[[], None]) -> None:
        """Do `work` and return at once; whatever it refuses is `error`."""

        def run() -> None:
            try:
                work()
            except CounterfoldError as error:
                self.error = str(error)
            finally:
                self.done = True

        threading.Thread(target=run, daemon=True).start()
