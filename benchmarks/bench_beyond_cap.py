"""What a trained bot wins where the opponent raises beyond its menu's cap, by the rule it uses.

The opponent raises as long as the bot's menu offers raises, by the least or by the pot, and shoves
where it offers none: any hand, or only the best share of hands. Up to the shove all rules play
alike, so they are compared there and on the same cards: what the bot wins in the pot, by its equity
against the hand that the opponent has.

    python benchmarks/bench_beyond_cap.py RUN --hands 20000 --share 0.2 --pots
"""

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from counterfold.bots import policy_kernels
from counterfold.bots.hand import Hand
from counterfold.bots.played_run import bot_of
from counterfold.bots.shuffled_deck import shuffle
from counterfold.bots.strategy_bot import StrategyBot
from counterfold.bots.view import View
from counterfold.cards import StrengthTables, hand_strengths, index_pair, rank_hands
from counterfold.cards.pairs import PAIR_CARDS
from counterfold.cards.text import N_CARDS
from counterfold.games.holdem import betting_kernels as betting
from counterfold.training.train_folder import load_trained

Rule = Callable[
    [StrategyBot, View, int, int], float
]  # probability of a call at a node, in a bucket

N_BOARDS = 500  # that the equity of two hands is estimated on


def main() -> None:
    """Print one line for each rule."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", type=Path)
    parser.add_argument("--hands", type=int, default=20_000)
    parser.add_argument("--share", type=float, default=1.0, help="of hands that are shoved")
    parser.add_argument("--pots", action="store_true", help="raise by the pot, not by the least")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    bot = bot_of(load_trained(given.run), given.seed)
    opponent = Shover(given.share, given.pots)
    met = list(meet_shoves(bot, opponent, given.hands, given.seed))
    prices, spent, values, calls = (np.array(column) for column in zip(*met, strict=True))
    print(
        f"{len(met)} shoves in {given.hands:,} hands; a call costs {prices.mean():.1%} of the pot, "
        f"and the bot has put in {spent.mean():.1f} chips"
    )
    to_mb = 1000 / bot.variant.big_blind
    for at, rule in enumerate(RULES):
        won = (calls[:, at] * values - spent) * to_mb
        print(
            f"{rule:8} calls {calls[:, at].mean():6.1%}, {won.mean():+8.0f} ± {half(won):5.0f} "
            "mb in such a pot"
        )


def half(values: NDArray[np.float64]) -> float:
    """Half of a 95% interval."""
    return float(1.96 * values.std(ddof=1) / np.sqrt(values.size))


class Shover:
    """The opponent; `share` of its hands are shoved, the others check and call there."""

    def __init__(self, share: float, pots: bool) -> None:
        self.share, self.pots = share, pots
        table = StrengthTables().street("preflop")
        classes = table.isomorphism.index_many(PAIR_CARDS)
        self._preflop = table.mean()[classes]
        self._least = float(np.quantile(self._preflop, 1.0 - share))

    def raises(self, view: View) -> str | None:
        """A raise inside the menu."""
        bounds = view.raise_bounds()
        if bounds is None:
            return None
        total = bounds[0]
        if self.pots:
            total = max(view.spent) - view.situation[betting.BASE] + view.pot + view.to_call
        return f"r{min(max(total, bounds[0]), bounds[1])}"

    def shoves(self, view: View) -> str | None:
        """A shove beyond it."""
        bounds = view.raise_bounds()
        if bounds is None:
            return None
        pair = index_pair(*view.hole)
        if view.board_cards:
            good = hand_strengths(view.board_cards)[pair] >= 1.0 - self.share
        else:
            good = self._preflop[pair] >= self._least
        return f"r{bounds[1]}" if good else None


def meet_shoves(
    bot: StrategyBot, opponent: Shover, n_hands: int, seed: int
) -> Iterator[tuple[float, int, float, list[float]]]:
    """Play hands up to a shove; see `meet`."""
    for number in range(n_hands):
        hand = Hand(bot.variant, shuffle(bot.variant, seed, number))
        seat = number % 2
        bot.begin_hand(hand.view(seat))
        while (acting := hand.waits_for) is not None:
            view = hand.view(acting)
            if acting == seat:
                hand.act(bot.act(view))
                continue
            bot._catch_up(view)  # what both saw
            node = bot._node
            if offers_raises(bot.policy, node):
                hand.act(opponent.raises(view) or passive(view))
            elif (shove := opponent.shoves(view)) is None:
                hand.act(passive(view))
            else:
                hand.act(shove)
                yield meet(bot, hand, seat, node)
                break


def offers_raises(policy: policy_kernels.Policy, node: int) -> bool:
    """Whether the menu has a raise for the opponent here."""
    if node == policy_kernels.LOST:
        return False
    start = policy.nodes[node, policy_kernels.NODE_START]
    stop = start + policy.nodes[node, policy_kernels.NODE_DEGREE]
    acting = policy.nodes[node, policy_kernels.NODE_PHASE] == policy_kernels.BET
    return bool(acting and (policy.kinds[start:stop] == policy_kernels.RAISE).any())


def passive(view: View) -> str:
    """Check or call."""
    return "k" if view.to_call == 0 else "c"


def meet(
    bot: StrategyBot, hand: Hand, seat: int, node: int
) -> tuple[float, int, float, list[float]]:
    """The price of a call, chips put in, the chips a call wins, and who calls how often."""
    view = hand.view(seat)
    wins = run_out(view.hole, hand.view(1 - seat).hole, view.board_cards)
    pot = view.pot + view.to_call
    bucket = bot._find_bucket(view, bot._stages[view.street, False])
    calls = [rule(bot, view, node, bucket) for rule in RULES.values()]
    return view.to_call / pot, view.spent[seat], wins * pot - view.to_call, calls


def run_out(hole: tuple[int, ...], other: tuple[int, ...], board: tuple[int, ...]) -> float:
    """The equity of a hand against another, on boards drawn by the cards."""
    known = [*hole, *other, *board]
    left = np.setdiff1d(np.arange(N_CARDS), known)
    order = np.random.default_rng(known).random((N_BOARDS, left.size)).argsort(axis=1)
    boards = np.empty((N_BOARDS, 5), np.uint8)
    boards[:, : len(board)] = board
    boards[:, len(board) :] = left[order[:, : 5 - len(board)]]
    own, theirs = (
        rank_hands(np.concatenate([np.tile(np.array(cards, np.uint8), (N_BOARDS, 1)), boards], 1))
        for cards in (hole, other)
    )
    return float((1.0 + np.sign(own.astype(int) - theirs)).mean() / 2.0)


def by_earlier_node(bot: StrategyBot, view: View, node: int, bucket: int) -> float:
    """The strategy against a shove at the opponent's last node that offered one."""
    policy = bot.policy
    earlier = int(policy.raise_nodes[node]) if node != policy_kernels.LOST else policy_kernels.LOST
    if earlier == policy_kernels.LOST:
        return by_odds(bot, view, node, bucket)
    stop = policy.nodes[earlier, policy_kernels.NODE_START]
    stop += policy.nodes[earlier, policy_kernels.NODE_DEGREE]
    return 1.0 - fold_share(bot, view, int(policy.children[stop - 1]), bucket)


def fold_share(bot: StrategyBot, view: View, node: int, bucket: int) -> float:
    """How often the strategy folds at a node."""
    policy = bot.policy
    width = int(policy.nodes[node, policy_kernels.NODE_DEGREE])
    slot = int(policy.nodes[node, policy_kernels.NODE_SLOT]) + width * bucket
    played = policy.quantized[slot : slot + width].astype(float)
    if not played.sum():
        return 1.0 - by_odds(bot, view, node, bucket)
    start = policy.nodes[node, policy_kernels.NODE_START]
    folds = policy.kinds[start : start + width] == policy_kernels.FOLD
    return float(played[folds].sum() / played.sum())


def by_odds(bot: StrategyBot, view: View, node: int, bucket: int) -> float:
    """Call if the hand beats more hands than the price asks for."""
    stage = bot._stages[view.street, False]
    kind = policy_kernels.by_odds(bot.policy, stage, bucket, view.to_call, view.pot)
    return float(kind == policy_kernels.CALL)


RULES: dict[str, Rule] = {
    "no hand": lambda bot, view, node, bucket: 0.0,
    "any hand": lambda bot, view, node, bucket: 1.0,
    "earlier": by_earlier_node,
    "odds": by_odds,
}

if __name__ == "__main__":
    main()
