"""`counterfold` in processes of its own, forked from one that has imported it already.

They are processes like those of a shell, with signals, locks and files of their own, and can be
killed; only their imports, most of the second that a short command takes, are made once for all.
"""

import os
import signal
import sys
from contextlib import suppress
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path

PATIENCE_SECONDS = 600.0  # to start, kernels compiled; never reached unless something hangs

_CONTEXT = get_context("forkserver")
_CONTEXT.set_forkserver_preload(["counterfold.cli.solve", "counterfold.cli.train"])


class ForkedCommand:
    """A command that runs; what it says on stderr goes to a file beside `folder`."""

    def __init__(self, words, folder, patches=()):
        self._errors = Path(f"{folder}.err")
        arguments = [str(word) for word in words], str(self._errors), dict(patches)
        # A daemon, so that the end of a test that fails ends its processes, too.
        self._process = _CONTEXT.Process(target=_run, args=arguments, daemon=True)
        self._process.start()

    def poll(self):
        """The exit code, or None while it runs."""
        return self._process.exitcode

    def send_signal(self, number):
        os.kill(self._process.pid, number)

    def kill(self):
        with suppress(ProcessLookupError):  # it has ended by itself
            self.send_signal(signal.SIGKILL)
        return self.wait()

    def wait(self):
        """The exit code and what it said on stderr."""
        self._process.join(PATIENCE_SECONDS)
        assert self._process.exitcode is not None, "the command does not end"
        return self._process.exitcode, self._errors.read_text(encoding="utf-8")


def _run(words, errors, patches):
    """The command line, with `patches` of attributes: ``{"module:name": value}``."""
    streams = os.open(os.devnull, os.O_WRONLY), os.open(errors, os.O_WRONLY | os.O_CREAT)
    for number, stream in enumerate(streams, 1):
        os.dup2(stream, number)
    os.ftruncate(2, 0)
    for place, value in patches.items():
        module, _, name = place.partition(":")
        setattr(import_module(module), name, value)
    sys.argv = ["counterfold", *words]
    import_module("counterfold.cli").main()
