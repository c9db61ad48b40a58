"""Matches with programs: how the command line hosts them, and what it says of the players."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from counterfold.contest.engine_seats import Limits
from counterfold.games.holdem import Variant
from counterfold.matches import MatchResult, Side, find_protocol, play_hosted
from counterfold.matches.seats import Seated


@dataclass(frozen=True)
class Hosting:
    """How programs are spoken to, and how long they may think for 1000 hands."""

    protocol: str | None
    clock_seconds: float

    def check(self, game: Variant) -> None:
        """Raise `MatchError` for a protocol that cannot be meant, also where no program plays."""
        if self.protocol is not None:
            find_protocol(self.protocol, game)

    def play(
        self,
        game: Variant,
        pair: tuple[Seated, Seated],
        hands: int,
        seed: int,
        duplicate: bool,
        progress: Callable[[int, int], None],
    ) -> MatchResult:
        """Host a match."""
        protocol = find_protocol(self.protocol, game)
        return play_hosted(
            game,
            (pair[0].contestant, pair[1].contestant),
            hands,
            protocol,
            seed=seed,
            duplicate=duplicate,
            limits=Limits(game_seconds=self.clock_seconds),
            progress=progress,
        )


def describe_side(side: Side) -> str:
    """What a player did, in one line."""
    text = f"{side.decisions:,} decisions"
    share = 100.0 / max(1, side.decisions)
    if side.untrained is not None and side.off_tree is not None and side.forced is not None:
        text += (
            f", {share * side.untrained:.3f} % untrained, {share * side.off_tree:.3f} % beyond "
            f"its game, {share * side.forced:.3f} % forced calls"
        )
    if side.mean_seconds is not None and side.slowest_seconds is not None:
        mean, slowest = 1000.0 * side.mean_seconds, 1000.0 * side.slowest_seconds
        text += f", {mean:.3f} ms each, {slowest:.3f} ms at most"
    return f"{text}, {side.faults:,} faults" if side.untrained is None or side.faults else text


@contextmanager
def terminable() -> Iterator[None]:
    """Let SIGTERM end a match like Ctrl-C, so that no program and no file is left behind."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
