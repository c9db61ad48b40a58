"""`python -m counterfold`: the command line."""

from counterfold.cli import main

if __name__ == "__main__":
    main()
