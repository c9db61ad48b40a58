"""Who may sit down to a match: trained runs, baselines, and programs that speak a protocol."""

from dataclasses import dataclass
from pathlib import Path

from counterfold.artifacts import MANIFEST
from counterfold.bots.baselines import BASELINES
from counterfold.bots.strengths import TabledStrength
from counterfold.cards import StrengthTables
from counterfold.contest.programs import COMMANDS_FILE, load_program
from counterfold.errors import MatchError
from counterfold.games.holdem import Variant
from counterfold.matches import Contestant, Player, baseline_player
from counterfold.matches.run_players import bot_of
from counterfold.public.deals import Dealer
from counterfold.training.train_folder import TrainedRun


@dataclass(frozen=True, eq=False)
class Seated:
    """Someone as it plays in matches of kernels, and in those that an engine hosts."""

    name: str
    player: Player | None  # None for programs
    contestant: Contestant


def is_program(folder: Path) -> bool:
    """Is `folder` that of a contest's bot, and not that of a run?"""
    if folder.is_file():
        raise MatchError(f"{str(folder)!r} is a file; unpack it and name the folder")
    program = (folder / COMMANDS_FILE).exists()
    if not program and not (folder / MANIFEST).exists():
        raise MatchError(
            f"{str(folder)!r} has neither {MANIFEST}, as runs have, nor {COMMANDS_FILE}, as "
            "programs have; train a run or export one"
        )
    return program


def seat_program(folder: Path) -> Seated:
    """The program in `folder`."""
    program = load_program(folder)
    name = folder.resolve().name
    return Seated(name, None, Contestant(name, lambda seed, player: program))


def seat_run(run: TrainedRun, player: Player) -> Seated:
    """A trained run."""
    return Seated(
        player.name, player, Contestant(player.name, lambda seed, number: bot_of(run, seed, number))
    )


def seat_baseline(name: str, variant: Variant) -> Seated:
    """A baseline; card tables are built when it first looks at its cards."""

    def tables() -> StrengthTables:
        return StrengthTables(variant.deck)

    strength = TabledStrength(tables, variant.first_flush_suit_only)
    return Seated(
        name,
        baseline_player(name, Dealer(variant), tables),
        Contestant(
            name, lambda seed, number: BASELINES[name](seed, strength=strength, player=number)
        ),
    )
