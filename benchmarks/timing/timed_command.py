"""`counterfold` in a process of its own: prints how long Numba compiled, on the last line."""

from numba.core.event import TimingListener, install_listener

from counterfold.cli import main

listener = TimingListener()
try:
    with install_listener("numba:compile", listener):
        main()
finally:
    print(listener.duration if listener.done else 0.0)
