"""The program `counterfold`, also `python -m counterfold`; it can be interrupted from the start."""

import signal
import sys


def main() -> None:
    """Entry point of the program."""
    try:
        from counterfold.cli import main as run

        run()
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        sys.exit(128 + signal.SIGINT)  # as the shell has it


if __name__ == "__main__":
    main()
