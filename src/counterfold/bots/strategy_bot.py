"""A bot that plays a trained strategy.

It follows the public history event by event with the functions of `bots.follow_kernels`, in the
order of `matches.policy_match_kernels`: one random number for each decision of its own, one for
each action of the opponent. With the same seed, hands and cards it therefore plays as in kernel
matches, and so does an exported bot, which runs the same source without Numba.
"""

import logging
import re
from collections import Counter
from collections.abc import Sequence
from typing import Protocol

from counterfold.bots.choices import LowerFirst, Numbers, write_actions
from counterfold.bots.explain import DecisionTrace, describe_edges, describe_reading
from counterfold.bots.follow_kernels import follow, follow_auction, follow_deal
from counterfold.bots.interface import Bot, MatchInfo
from counterfold.bots.other_chips import with_chips, without_chips
from counterfold.bots.past_cards import past_cards, won_auction
from counterfold.bots.policy_kernels import LOST, NO_EDGE, TRAINED, Policy, decide
from counterfold.bots.view import View
from counterfold.cards import parse_card
from counterfold.errors import GameError
from counterfold.games.holdem import Variant
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.action_words import KINDS
from counterfold.games.holdem.betting_kernels import BID, CALL, DISCARD, FOLD, KEEP, RAISE
from counterfold.games.holdem.card_sets_kernels import FIRST_SETS
from counterfold.games.holdem.chance import OWED_BOARD, chance_steps
from counterfold.games.holdem.situation import (
    DEALT,
    LAST_DEALT,
    choice_of,
    choice_place,
    ends_choice,
    passes_turn,
    split_history,
    turn_of,
)
from counterfold.games.holdem.street import Discard
from counterfold.public.bounties import (
    BountyKnowledge,
    classify_bounty,
    count_bounty_classes,
)
from counterfold.public.deals_kernels import NO_CARD
from counterfold.public.looks import LookKnowledge, classify_looks, count_look_classes
from counterfold.public.stages import (
    DiscardOrder,
    LayOrder,
    LowestFirst,
    card_stages,
    stage_table,
)

_log = logging.getLogger(__name__)

_LOOK = re.compile(r"\?(..)")
_SEALED = re.compile(r"\d+")  # the chips of a bid that was sealed, where a history goes on with it


class CardLookUp(Protocol):
    """Buckets, hand by hand; every `public.card_maps.CardMap` is one."""

    @property
    def knows_bounty(self) -> BountyKnowledge:
        """What is to be added to `bucket` of the player's bounty."""
        ...

    @property
    def knows_look(self) -> LookKnowledge:
        """What is to be added to it of cards that the player has seen in the other's hand."""
        ...

    @property
    def sees_shown(self) -> bool:
        """Whether it asks for cards that were shown and are dead."""
        ...

    def bucket(self, path: Sequence[tuple[Sequence[int], Sequence[int]]]) -> int:
        """The bucket of a player that saw `path`: its hole cards and the board at each stage."""
        ...


class StrategyBot(Bot):
    """Plays `policy`; `cards` looks up its hands, and `order` names its discards.

    Parameters
    ----------
    seed
        Random seed for its choices.
    player
        0 or 1; which of the two streams of a hand it uses, in case the opponent has the same seed.
    """

    def __init__(
        self,
        variant: Variant,
        policy: Policy,
        cards: CardLookUp,
        order: DiscardOrder | None = None,
        lay_order: LayOrder | None = None,
        *,
        seed: int = 0,
        player: int = 0,
    ) -> None:
        self.variant, self.policy, self.cards = variant, policy, cards
        self._trained_for = variant, policy
        self.order, self.lay_order = order or LowerFirst(), lay_order or LowestFirst()
        self.numbers = Numbers(seed, player)
        self.counts: Counter[int] = Counter()  # of decisions, by how they came about
        self.traces: list[DecisionTrace] = []  # of this hand
        self._stages = card_stages(variant)
        self._stage_table = stage_table(self._stages)
        self._seat = self._node = 0
        self._waiting: list[str] = []  # discards that it has chosen and not yet made
        self._restart()

    def begin_match(self, match: MatchInfo) -> None:
        """Refuse a game that it was not trained for; other chips are read as shares of the pot."""
        variant = match.variant
        if without_chips(variant) != without_chips(self._trained_for[0]):
            raise GameError(f"trained for {self._trained_for[0].name}, not for {variant.name}")
        self.variant, self.policy = variant, with_chips(*self._trained_for, variant)
        others = variant.rules.table.tolist() != self._trained_for[0].rules.table.tolist()
        if others and not match.under_way:
            _log.warning(
                "trained for %s: bets of %s are read by their share of the pot",
                self._trained_for[0].name,
                variant.name,
            )

    def begin_hand(self, view: View) -> None:
        """Forget the last hand."""
        self._seat = view.seat
        self.numbers.begin_hand(view.seat)
        self.traces = []
        self._restart()

    def act(self, view: View) -> str:
        """What the strategy does."""
        self._catch_up(view)
        if self._waiting or self._is_amid_discards(view):
            return self._go_on(view)
        turn = 1 + view.situation[betting.N_ACTIONS] if view.phase < betting.BET else 0
        stage = int(self._stage_table[view.street, turn])
        bucket = self._find_bucket(view, stage)
        node, number = self._node, self.numbers.draw()
        kind, amount, edge, how = decide(
            self.policy, self.variant.rules, view.situation, node, stage, bucket, number
        )
        hole = self._in_order(view, stage) if view.phase == betting.DRAW else view.hole
        action, *self._waiting = write_actions(view, kind, amount, hole)
        self.counts[how] += 1
        known = node != LOST and edge != NO_EDGE
        self.traces.append(
            DecisionTrace(
                view,
                action,
                how,
                bucket,
                int(self.policy.last_buckets[stage]),
                node,
                (int(self.policy.spent[node, 0]), int(self.policy.spent[node, 1]))
                if known
                else None,
                describe_edges(self.policy, view, node, bucket, hole) if known else (),
                number,
                tuple(self._readings),
            )
        )
        if kind == BID and view.situation[betting.FIRST_BID] > 0:
            # It may not know the first bid yet: the history will tell both.
            self._history = view.history
            return action
        if edge != NO_EDGE:
            self._node = int(self.policy.children[edge])
        self._move_on(kind, amount)
        self._history = view.after(action).history
        return action

    def _is_amid_discards(self, view: View) -> bool:
        """Whether its turn is not over after discards that it did not choose itself."""
        if view.phase != betting.DRAW:
            return False
        step = choice_of(self.variant, view.situation)
        return isinstance(step, Discard) and turn_of(view.situation) % step.count > 0

    def _go_on(self, view: View) -> str:
        """The next of several discards, which it has chosen before."""
        action = self._waiting.pop(0) if self._waiting else view.passive_action
        if not view.is_legal(action):
            action = view.passive_action
        self.counts[TRAINED] += 1
        self._move_on(KINDS[action[0]], 0)
        self._history = view.after(action).history
        return action

    def _in_order(self, view: View, stage: int) -> tuple[int, ...]:
        """Its hand in the order in which it names discards."""
        hole, counted = view.hole, (self._count(view.hole), self._count(view.board_cards))
        if self._stages[stage].gives:
            return tuple(hole[place] for place in self.lay_order.sort(*counted))
        return hole[::-1] if self.order.first(*counted) == 1 else hole

    @property
    def last_trace(self) -> DecisionTrace | None:
        """Why it did what it did last in this hand."""
        return self.traces[-1] if self.traces else None

    def _restart(self) -> None:
        """Reset to the beginning of a hand."""
        self._node = 0
        self._situation = betting.first_situation(self.variant.rules)
        self._history = ""  # as far as it was followed
        self._await_boards(0, 0)
        self._readings: list[str] = []
        self._waiting = []
        self._n_gone = 0  # cards that the seat to act has discarded in its turn

    def _catch_up(self, view: View) -> None:
        """Follow what happened since the last decision."""
        if not view.history.startswith(self._history):  # a dealer did not take our action
            self._restart()
        told = view.history[len(self._history) :]
        if sealed := _SEALED.match(told):
            self._open_bid(int(sealed[0]))
        for event in split_history(told):
            if event in (DEALT, LAST_DEALT) and self._along_the_way > 0:
                self._along_the_way -= 1
            elif event in (DEALT, LAST_DEALT):
                rules = self.variant.rules
                self._situation = betting.after_deal(rules, self._situation, event == DEALT)
                self._node = int(follow_deal(self.policy, self._node, self._situation))
                self._await_boards(self._situation[betting.STREET], 0)
            else:
                self._follow(KINDS[event[0]], event)
        self._history = view.history

    def _follow(self, kind: int, event: str) -> None:
        """Follow an action of the opponent's, or one of its own that it did not choose."""
        before, total = self._node, 0
        if kind == RAISE:
            total = int(event[1:]) + self._situation[betting.BASE]
        elif kind == BID:
            total = int(event[1:] or 0)  # of a sealed one nothing is known, and nothing needed
            if self._situation[betting.FIRST_BID] > 0 and self._is_my_turn:
                self._move_on(kind, total)
                return
        elif kind in (KEEP, DISCARD):
            self._follow_discard(kind)
            return
        stack, number = self.variant.stack, self.numbers.draw()
        after = int(follow(self.policy, before, kind, total, self._situation, stack, number))
        if kind == RAISE and after != before and not self._is_my_turn:
            self._readings.append(describe_reading(self.policy, before, after, total))
        self._node = after
        self._move_on(kind, total)

    def _follow_discard(self, kind: int) -> None:
        """Follow the discard of a card; the node waits until the seat's turn is over."""
        before, rules = self._situation, self.variant.rules
        self._n_gone += kind == DISCARD
        self._move_on(kind, 0)
        if not passes_turn(before, self._situation):
            return
        kind, number = (DISCARD, self._n_gone) if self._n_gone else (KEEP, 0)
        if self._n_gone:
            n_held = betting.choice_rule(rules, before, betting.N_HELD)
            number = int(FIRST_SETS[n_held, number])
        stack, chance = self.variant.stack, self.numbers.draw()
        self._node = int(follow(self.policy, self._node, kind, number, before, stack, chance))
        self._n_gone = 0

    @property
    def _is_my_turn(self) -> bool:
        return bool(self._situation[betting.ACTOR] == self._seat)

    def _open_bid(self, bid: int) -> None:
        """Correct the first bid of an auction, which was sealed until now."""
        before, at = self._situation, betting.FIRST_BID
        self._situation = (*before[:at], 1 + bid, *before[at + 1 :])

    def _await_boards(self, street: int, place: int) -> None:
        """Count the deals to the board that come along the way, `place` choices into a street."""
        steps = chance_steps(self.variant, street, place, (0, 0))
        self._along_the_way = sum(kind == OWED_BOARD for kind, _, _ in steps)

    def _move_on(self, kind: int, amount: int) -> None:
        """The real situation after an action."""
        before = self._situation
        self._take_action(kind, amount)
        if before[betting.PHASE] < betting.BET and ends_choice(before, self._situation):
            self._await_boards(before[betting.STREET], choice_place(before) + 1)

    def _take_action(self, kind: int, amount: int) -> None:
        rules, situation = self.variant.rules, self._situation
        if kind == FOLD:
            self._situation = betting.after_fold(situation)
        elif kind == CALL:
            self._situation = betting.after_call(rules, situation)
        elif kind == RAISE:
            self._situation = betting.after_raise(situation, int(amount))
        elif kind == BID:
            self._situation = betting.after_bid(rules, situation, int(amount))
            if situation[betting.FIRST_BID] > 0:
                self._node = int(follow_auction(self.policy, self._node, self._situation))
        else:
            self._situation = betting.after_draw(rules, situation, kind == DISCARD)

    def _find_bucket(self, view: View, stage: int) -> int:
        stages, shown = self._stages[: stage + 1], self.cards.sees_shown
        sights = past_cards(self.variant, stages, view, shown=shown)
        path = [(self._count(hole), self._count(board)) for hole, board in sights]
        return self.cards.bucket(path) * self._n_secrets(stage) + self._find_secrets(view, stage)

    def _n_secrets(self, stage: int) -> int:
        """How many things there are to know besides cards of its own and of the board."""
        n = count_bounty_classes(self.variant, self.cards.knows_bounty)
        looks = self._stages[stage].looks
        return n * count_look_classes(self.variant, self.cards.knows_look, len(looks))

    def _find_secrets(self, view: View, stage: int) -> int:
        """Which of them it knows."""
        looks, cards = self._stages[stage].looks, [*view.hole, *view.board_cards]
        knows = self.cards.knows_bounty
        of_bounty = classify_bounty(self.variant, knows, view.bounty, cards)
        if not looks:
            return of_bounty
        told = iter([match[1] for match in _LOOK.finditer(view.draws)])
        seen = [parse_card(next(told)) if won_auction(view, each) else NO_CARD for each in looks]
        counted = self._count(seen)
        board = self._count(view.board_cards)
        of_looks = classify_looks(self.variant, self.cards.knows_look, counted, board)
        return of_looks * count_bounty_classes(self.variant, knows) + of_bounty

    def _count(self, cards: Sequence[int]) -> list[int]:
        """What cards count as, in the order of ranks that this bot goes by."""
        counts_as = self.variant.counts_as
        return [card if card == NO_CARD else counts_as[card] for card in cards]
