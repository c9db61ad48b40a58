"""The program `counterfold`, also `python -m counterfold`; it can be interrupted from the start."""

import sys

_INTERRUPTED = 130  # 128 and the number of the signal, as the shell has it


def main() -> None:
    """Entry point of the program."""
    try:
        from counterfold.cli import main as run

        run()
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        sys.exit(_INTERRUPTED)


if __name__ == "__main__":
    main()
