import contextlib
import signal

import pytest

from counterfold.runs.interrupts import interrupting

SIGNALS = [signal.SIGINT, signal.SIGTERM]


def swallow(number):
    """Send a signal whose exception goes nowhere, as in a callback of C code."""
    with contextlib.suppress(KeyboardInterrupt):
        signal.raise_signal(number)


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_interrupts_at_once(number):
    with pytest.raises(KeyboardInterrupt), interrupting():
        signal.raise_signal(number)


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_that_was_swallowed_is_raised_at_the_next_check(number):
    with contextlib.suppress(KeyboardInterrupt), interrupting() as check:
        swallow(number)
        with pytest.raises(KeyboardInterrupt):
            check()


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_that_was_swallowed_is_raised_at_the_end(number):
    before = signal.getsignal(number)
    with pytest.raises(KeyboardInterrupt), interrupting():
        swallow(number)
    assert signal.getsignal(number) is before


def test_nothing_is_raised_without_a_signal():
    before = [signal.getsignal(number) for number in SIGNALS]
    with interrupting() as check:
        check()
    assert [signal.getsignal(number) for number in SIGNALS] == before
