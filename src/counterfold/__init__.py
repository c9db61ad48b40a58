"""Counterfold turns the rules of a poker variant into a near-equilibrium bot.

The names listed here are the API. They are imported when they are first used, so `import
counterfold` and `counterfold --help` take no time. Everything else in the package is internal: it
may change from one version to the next.

Nothing is imported here: until `__main__` has taken over, Ctrl-C is a traceback.
"""

TYPE_CHECKING = False  # type checkers know better; `typing` itself takes time

if TYPE_CHECKING:
    from counterfold.api import evaluate, export, respond, show, spot, train
    from counterfold.bots.interface import Bot
    from counterfold.bots.trained_bot import TrainedBot, load_bot
    from counterfold.bots.view import View
    from counterfold.cards.equity import equity
    from counterfold.errors import CounterfoldError
    from counterfold.games import Game, Infoset, Outcomes, State, parse_game
    from counterfold.games.holdem import (
        Auction,
        Bounty,
        Deal,
        Discard,
        Street,
        Swap,
        Variant,
    )
    from counterfold.matches.learned_response import learned_response
    from counterfold.matches.match_play import play_match as match
    from counterfold.matches.round_robin import play_tournament as tournament
    from counterfold.responses.local_response import local_response
    from counterfold.responses.search_response import search_response
    from counterfold.runs.budget import Budget
    from counterfold.search.searching_bot import SearchingBot, with_search
    from counterfold.spots.solved_spot import SolvedSpot
    from counterfold.training.recipe import Recipe
    from counterfold.tree.compiled_game import compile_game
    from counterfold.tree.exact_evaluation import best_response, expected_values, exploitability
    from counterfold.tree.profile import Strategy, uniform_strategy
    from counterfold.tree.solve_run import solve
    from counterfold.web.notebook import widget

    __version__: str

# Where each name lives, and under which other name; a test compares this with the imports above.
_HOMES = {
    "CounterfoldError": "errors",
    "Variant": "games.holdem",
    "Street": "games.holdem",
    "Swap": "games.holdem",
    "Deal": "games.holdem",
    "Discard": "games.holdem",
    "Auction": "games.holdem",
    "Bounty": "games.holdem",
    "Game": "games",
    "State": "games",
    "Infoset": "games",
    "Outcomes": "games",
    "parse_game": "games",
    "equity": "cards.equity",
    "Budget": "runs.budget",
    "compile_game": "tree.compiled_game",
    "solve": "tree.solve_run",
    "Strategy": "tree.profile",
    "uniform_strategy": "tree.profile",
    "best_response": "tree.exact_evaluation",
    "expected_values": "tree.exact_evaluation",
    "exploitability": "tree.exact_evaluation",
    "spot": "api",
    "SolvedSpot": "spots.solved_spot",
    "Recipe": "training.recipe",
    "train": "api",
    "load_bot": "bots.trained_bot",
    "TrainedBot": "bots.trained_bot",
    "Bot": "bots.interface",
    "View": "bots.view",
    "with_search": "search.searching_bot",
    "SearchingBot": "search.searching_bot",
    "match": "matches.match_play:play_match",
    "tournament": "matches.round_robin:play_tournament",
    "evaluate": "api",
    "respond": "api",
    "local_response": "responses.local_response",
    "learned_response": "matches.learned_response",
    "search_response": "responses.search_response",
    "show": "api",
    "widget": "web.notebook",
    "export": "api",
}

__all__ = [
    "Auction",
    "Bot",
    "Bounty",
    "Budget",
    "CounterfoldError",
    "Deal",
    "Discard",
    "Game",
    "Infoset",
    "Outcomes",
    "Recipe",
    "SearchingBot",
    "SolvedSpot",
    "State",
    "Strategy",
    "Street",
    "Swap",
    "TrainedBot",
    "Variant",
    "View",
    "best_response",
    "compile_game",
    "equity",
    "evaluate",
    "expected_values",
    "exploitability",
    "export",
    "learned_response",
    "load_bot",
    "local_response",
    "match",
    "parse_game",
    "respond",
    "search_response",
    "show",
    "solve",
    "spot",
    "tournament",
    "train",
    "uniform_strategy",
    "widget",
    "with_search",
]


if not TYPE_CHECKING:  # else a type checker would take any name for one of ours

    def __getattr__(name: str) -> object:
        """A name of the API, imported now; `__version__` as it was installed."""
        from importlib import import_module, metadata

        if name == "__version__":
            value: object = metadata.version("counterfold")
        elif name in _HOMES:
            module, _, attribute = _HOMES[name].partition(":")
            value = getattr(import_module(f"counterfold.{module}"), attribute or name)
        else:
            raise AttributeError(f"module 'counterfold' has no attribute {name!r}")
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, "__version__"})
