"""Local best response in plain Python: one hand at a time, ranges as dictionaries.

It shares with the kernels the deals, the random numbers and the rules of betting. What the bot does
is read from its blueprint and from `bets.translation`, results are compared card by card, and cards
are dealt out one by one where they are drawn.
"""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from counterfold.bets.menu import BetMenu, PublicPlace
from counterfold.bets.translation import Translation
from counterfold.cards import showdown_strength
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.betting_kernels import (
    BET,
    CALL,
    DEAL,
    DISCARD,
    DRAW,
    FOLD,
    FOLDED,
    KEEP,
    RAISE,
    SHOWDOWN,
)  # fmt: skip
from counterfold.jit import random
from counterfold.jit.random import uniform
from counterfold.public.deals_kernels import STAGE_BOARD, STAGE_CELL, STAGE_PATHS
from counterfold.responses.run_out_kernels import N_DRAWN_BOARDS

LOST = -1


def stream_key(seed, stream):
    """The key, as Numba takes it back."""
    return np.uint64(random.stream_key(seed, stream))


@dataclass
class NaiveBot:
    """A blueprint in the real game: what it may do and where it may be, with probabilities."""

    game: object
    quantized: np.ndarray
    cards: object
    rule: str = "pseudo-harmonic"
    threshold: float = 0.0
    purify: bool = False

    def __post_init__(self):
        self.graph = self.game.graph
        self.variant = self.graph.variant
        self.translation = Translation(self.graph.menu, self.rule)
        self.merged = self.graph.merged

    def edges(self, node):
        return range(self.graph.starts[node], self.graph.starts[node + 1])

    def place(self, node):
        return PublicPlace(self.variant, tuple(self.graph.situations[node].tolist()))

    def passive(self, node):
        return next(e for e in self.edges(node) if self.graph.kinds[e] == CALL)

    def by_odds(self, situation, stage, bucket):
        to_call = abs(situation[betting.SPENT_0] - situation[betting.SPENT_1])
        pot = situation[betting.SPENT_0] + situation[betting.SPENT_1]
        n = self.cards.n_buckets[stage]
        beaten = ((bucket % n) + 0.5) / n
        return CALL if to_call == 0 or beaten * (pot + to_call) >= to_call else FOLD

    def actions(self, node, situation, stage, bucket):
        """What it may do: probability, kind, amount and the node after, in the order of edges."""
        phase = situation[betting.PHASE]
        odds = KEEP if phase == DRAW else self.by_odds(situation, stage, bucket)
        graph = self.graph
        if node == LOST or graph.phase[node] != phase:
            return [(1.0, odds, 0, node)]
        if graph.field(betting.ACTOR)[node] != situation[betting.ACTOR]:
            return [(1.0, odds, 0, node)]
        edges = self.edges(node)
        start = int(self.game.node_offsets[node]) + len(edges) * bucket
        steps = self.quantized[start : start + len(edges)].astype(float)
        if steps.sum() == 0:
            passive = edges[0] if phase == DRAW else self.passive(node)
            return [(1.0, odds, 0, int(graph.children[passive]))]
        kept = np.where(steps > self.threshold * steps.sum(), steps, 0.0)
        if self.purify or kept.sum() == 0:
            kept = np.arange(len(edges)) == steps.argmax()
        chances = kept / kept.sum()
        found = []
        for chance, edge in zip(chances, edges, strict=True):
            kind, amount, taken = self._real(node, edge, situation)
            if kind is None:
                kind = odds
            if chance > 0:
                found.append((float(chance), kind, amount, int(graph.children[taken])))
        return found

    def choose(self, node, situation, stage, bucket, number):
        """The action that a random number stands for: kind, amount and the node after."""
        actions = self.actions(node, situation, stage, bucket)
        limits = np.cumsum([chance for chance, *_ in actions])
        return actions[min(int(np.searchsorted(limits, number, "right")), len(actions) - 1)][1:]

    def _real(self, node, edge, situation):
        kind, graph = int(self.graph.kinds[edge]), self.graph
        level = situation[betting.SPENT_0] == situation[betting.SPENT_1]
        if kind == RAISE:
            size = int(graph.labels[edge])
            word = {-2: "min", -3: "allin"}.get(size)
            word = word or (f"{size // 10}.{size % 10}%" if size % 10 else f"{size // 10}%")
            action = self.translation.back(word, PublicPlace(self.variant, situation))
            if action[0] != "r":
                return CALL, 0, edge
            return RAISE, int(action[1:]) + situation[betting.BASE], edge
        if kind == FOLD and level:
            return CALL, 0, self.passive(node)
        spent = graph.situations[node]
        if kind == CALL and not level and spent[betting.SPENT_0] == spent[betting.SPENT_1]:
            return None, 0, edge
        return kind, int(graph.amounts[edge]), edge

    def readings(self, node, kind, amount, situation):
        """Where it may be after an action of the opponent's, with probabilities."""
        graph = self.graph
        if node == LOST:
            return [(node, 1.0)]
        phase = graph.phase[node]
        if phase == DRAW and kind in (KEEP, DISCARD):
            return [(int(graph.children[self.edges(node)[int(kind == DISCARD)]]), 1.0)]
        if phase != BET or kind in (KEEP, DISCARD, FOLD):
            return [(node, 1.0)]
        if graph.field(betting.ACTOR)[node] != situation[betting.ACTOR]:
            return [(node, 1.0)]
        if kind == CALL:
            return [(int(graph.children[self.passive(node)]), 1.0)]
        action = f"r{amount - situation[betting.BASE]}"
        found = []
        real, abstract = PublicPlace(self.variant, situation), self.place(node)
        for name, chance in self.translation.distribution(action, real, abstract):
            edge = self.passive(node)
            if name[0] == "r":
                total = int(name[1:]) + abstract.situation[betting.BASE]
                edge = next(
                    e
                    for e in self.edges(node)
                    if graph.kinds[e] == RAISE and graph.amounts[e] == total
                )
            found.append((int(graph.children[edge]), chance))
        return found

    def after_deal(self, node, situation):
        if self.merged:
            return self._entry(situation)
        if node == LOST:
            return node
        while self.graph.phase[node] == BET:
            node = int(self.graph.children[self.passive(node)])
        if self.graph.phase[node] != DEAL:
            return LOST
        finals = self.graph.field(betting.FINAL)
        children = [int(self.graph.children[e]) for e in self.edges(node)]
        return next((c for c in children if finals[c] == situation[betting.FINAL]), LOST)

    def _entry(self, situation):
        """On the menu: the node of this very situation."""
        rows = np.flatnonzero((self.graph.situations == np.array(situation)).all(axis=1))
        return int(rows[0]) if rows.size else LOST


@dataclass
class NaiveResponder:
    """Plays deals against a bot; `dealt` are those of `responder.Responder.deal`."""

    bot: NaiveBot
    dealer: object
    menu: BetMenu
    first_margins: np.ndarray  # [H, H] before the board is dealt; empty if they are computed

    def __post_init__(self):
        self.variant = self.dealer.variant
        self.deck = sorted(self.variant.deck.cards.tolist())
        h = self.variant.hole_cards
        self.hands = list(combinations(self.deck, h))
        changes = [at for at, s in enumerate(self.variant.streets) if s.draw or s.swap]
        self.last_change = max(changes, default=0)
        self.stage_of = {(s.street, s.before_draw): at for at, s in enumerate(self.dealer.stages)}

    def stage_board(self, stage):
        return int(self.dealer.layout.stages[stage, STAGE_BOARD])

    def bucket(self, hand, board, stage):
        path = [(hand, board[: self.stage_board(at)]) for at in range(stage + 1)]
        return self.bot.cards.bucket(path)

    def result(self, mine, theirs, board):
        quirk = self.variant.first_flush_suit_only
        first, second = (
            showdown_strength([*hand, *board], first_flush_suit_only=quirk)
            for hand in (mine, theirs)
        )
        return (first > second) - (first < second)

    def is_complete(self, board):
        size = self.variant.board_cards()
        if len(board) < size:
            return False
        runs = "cdhs"[board[-1] & 3] in self.variant.run_suits
        return not runs or len(board) == size + self.variant.max_runs

    def boards(self, board, seen, key, n_draws):
        """Boards to look at, each with a card drawn before it if there is one."""
        left = [card for card in self.deck if card not in seen]
        n_more = self.variant.board_cards() - len(board)
        if not n_draws and self.is_complete(board):
            yield None, board
            return
        if not n_draws and not self.variant.run_suits:
            chosen = list(combinations(left, n_more))
            if len(chosen) <= N_DRAWN_BOARDS:
                yield from ((None, [*board, *cards]) for cards in chosen)
                return
        most = self.variant.board_cards() + self.variant.max_runs
        n = shuffle = 0
        for _ in range(N_DRAWN_BOARDS):
            if n + n_draws + most - len(board) > len(left):
                n, shuffle = 0, shuffle + 1
            found, drawn = [*board], None
            while (n_draws and drawn is None) or not self.is_complete(found):
                number = uniform(stream_key(key, shuffle), n)
                k = n + int(number * (len(left) - n))
                left[n], left[k] = left[k], left[n]
                if n_draws and drawn is None:
                    drawn = left[n]
                else:
                    found.append(left[n])
                n += 1
            yield drawn, found

    def margins(self, hole, board, seen, key, n_draws=0, fresh=False):
        """Mean result against every hand."""
        if not (board or n_draws or fresh) and self.first_margins.size:
            row = self.first_margins[self.hands.index(tuple(sorted(hole)))]
            return dict(zip(self.hands, row.tolist(), strict=True))
        sums = {hand: [0, 0] for hand in self.hands}
        for drawn, found in self.boards(board, seen, key, n_draws):
            mine = [*hole] if drawn is None else [*hole, drawn]
            gone = {*seen, *found, *mine}
            for hand in self.hands:
                if not gone & {*hand}:
                    sums[hand][0] += self.result(mine, hand, found)
                    sums[hand][1] += 1
        return {hand: total / n if n else 0.0 for hand, (total, n) in sums.items()}

    def play(self, dealt, i, seat, seed, first):
        """Chips that the responder wins."""
        variant, bot, h = self.variant, self.bot, self.variant.hole_cards
        layout = self.dealer.layout
        stream = (first + i) * 4 + 2 * seat
        bot_key, run_key = stream_key(seed, stream), stream_key(seed, stream + 1)
        step = n_keys = node = 0
        paths = [0, 0]
        cards = dealt.cards[i, 2 * h :].tolist()
        situation = betting.first_situation(variant.rules)
        seen = {*dealt.holes[i, seat, 0].tolist()}
        weights = {(0, hand): 1.0 for hand in self.hands if not seen & {*hand}}
        private = {(0, j, 0): 1.0 for j in range(self._n_private(dealt))}
        margins = None

        def hole_at(stage, who):
            cell = int(layout.stages[stage, STAGE_CELL]) + paths[who]
            return dealt.holes[i, who, cell].tolist()

        def keep_possible():
            for key in [key for key in weights if seen & {*key[1]}]:
                del weights[key]

        while situation[betting.PHASE] not in (FOLDED, SHOWDOWN):
            phase, street = situation[betting.PHASE], situation[betting.STREET]
            if phase == DEAL:
                if situation[betting.SPENT_0] == variant.stack and not variant.hands_change:
                    break
                situation = betting.after_deal(
                    variant.rules, situation, street + 1 < dealt.lengths[i]
                )
                street = situation[betting.STREET]
                stage = self.stage_of[street, situation[betting.PHASE] == DRAW]
                seen |= {*cards[: self.stage_board(stage)]}
                keep_possible()
                swap = variant.streets[min(street, len(variant.streets) - 1)].swap
                if swap:
                    weights = self._swapped(weights, swap, seen)
                seen |= {*hole_at(stage, seat)}
                keep_possible()
                moved = {}
                for (at, hand), weight in weights.items():
                    key = bot.after_deal(at, situation), hand
                    moved[key] = moved.get(key, 0.0) + weight
                weights, node, margins = moved, bot.after_deal(node, situation), None
                moved = {}
                for (at, *rest), weight in private.items():
                    key = bot.after_deal(at, situation), *rest
                    moved[key] = moved.get(key, 0.0) + weight
                private = moved
                continue
            stage = self.stage_of[street, phase == DRAW]
            board = cards[: self.stage_board(stage)]
            actor = situation[betting.ACTOR]
            hole = hole_at(stage, actor)
            if actor == seat:
                if margins is None:
                    margins = self.margins(hole, board, seen, stream_key(run_key, n_keys))
                    n_keys += 1
                if phase == DRAW:
                    key = stream_key(run_key, n_keys)
                    order = int(dealt.discard_first[
                        i, seat, int(layout.stages[stage, STAGE_CELL]) + paths[seat]
                    ])  # fmt: skip
                    kind, amount = self._choose_discard(
                        hole, order, board, seen, key, weights, margins
                    )
                    n_keys, margins = n_keys + 1, None
                else:
                    kind, amount = self._choose_bet(situation, seat, stage, board, weights, margins)
                all_in = kind == RAISE and amount == variant.stack
                if all_in and street >= self.last_change:
                    other = situation[betting.SPENT_1 - seat]
                    won = []
                    for w, margin, at, bucket in self._held_at_end(
                        dealt, i, seat, paths[seat], situation, cards, seen,
                        stream_key(run_key, n_keys), weights, private, stage,
                    ):  # fmt: skip
                        fold = self._fold_chance(at, amount, situation, stage, bucket)
                        won.append((w, fold * other + (1 - fold) * margin * amount))
                    return sum(w * value for w, value in won) / sum(w for w, _ in won)
                weights = self._read(weights, kind, amount, situation)
                private = self._read(private, kind, amount, situation)
                number = uniform(bot_key, step)
                readings = bot.readings(node, kind, amount, situation)
                node = readings[0][0] if number < readings[0][1] else readings[-1][0]
            else:
                bucket = int(dealt.buckets[
                    i, actor, int(layout.stages[stage, STAGE_CELL]) + paths[actor]
                ])  # fmt: skip
                number = uniform(bot_key, step)
                kind, amount, after = bot.choose(node, situation, stage, bucket, number)
                weights = self._observe(weights, situation, stage, board, kind, amount)
                labels = dealt.private.labels[i, seat, stage] if private else None
                private = self._observe_private(private, situation, stage, labels, kind, amount)
                node = after
                keep_possible()
            step += 1
            if kind == FOLD:
                situation = betting.after_fold(situation)
            elif kind == CALL:
                situation = betting.after_call(variant.rules, situation)
            elif kind == RAISE:
                situation = betting.after_raise(situation, amount)
            else:
                paths[actor] = paths[actor] * (h + 1) + (1 + amount if kind == DISCARD else 0)
                situation = betting.after_draw(variant.rules, situation, kind == DISCARD)
                if actor == seat:
                    seen |= {*hole_at(self.stage_of[street, False], seat)}
                    keep_possible()
        if situation[betting.PHASE] == FOLDED:
            loser = situation[betting.ACTOR]
            lost = situation[betting.SPENT_0 + loser]
            return float(-lost if loser == seat else lost)
        held = self._held_at_end(
            dealt, i, seat, paths[seat], situation, cards, seen, stream_key(run_key, n_keys),
            weights, private, None,
        )  # fmt: skip
        total = sum(w for w, *_ in held)
        return situation[betting.SPENT_0] * sum(w * margin for w, margin, *_ in held) / total

    def _n_private(self, dealt):
        return dealt.private.strengths.shape[2] // dealt.private.n_paths

    def _held_at_end(
        self, dealt, i, seat, path, situation, cards, seen, key, weights, private, stage
    ):  # fmt: skip
        """Weight, margin, node and bucket of all that the bot may hold."""
        size = self.stage_board(self.stage_of[situation[betting.STREET], False])
        found = []
        if self.variant.hands_change:
            for (node, j, p), weight in private.items():
                at = j * dealt.private.n_paths + p
                mine = int(dealt.strengths[i, seat, path])
                theirs = int(dealt.private.strengths[i, seat, at])
                bucket = int(dealt.private.labels[i, seat, stage or 0, at])
                found.append((weight, (mine > theirs) - (mine < theirs), node, bucket))
            return found
        margins = self.margins(
            dealt.holes[i, seat, 0].tolist(), cards[:size], seen, key, fresh=True
        )
        for (node, hand), weight in weights.items():
            bucket = 0 if stage is None else self.bucket(hand, cards[:size], stage)
            found.append((weight, margins[hand], node, bucket))
        return found

    def _fold_chance(self, node, to, situation, stage, bucket):
        after = betting.after_raise(situation, to)
        fold = 0.0
        for at, share in self.bot.readings(node, RAISE, to, situation):
            actions = self.bot.actions(at, after, stage, bucket)
            fold += share * sum(chance for chance, kind, _, _ in actions if kind == FOLD)
        return fold

    def _read(self, weights, kind, amount, situation):
        moved = {}
        for (at, *rest), weight in weights.items():
            for after, chance in self.bot.readings(at, kind, amount, situation):
                if chance > 0:
                    key = after, *rest
                    moved[key] = moved.get(key, 0.0) + weight * chance
        return moved

    def _observe_private(self, private, situation, stage, labels, kind, amount):
        moved = {}
        n_paths = int(self.dealer.layout.stages[-1, STAGE_PATHS])
        for (node, j, p), weight in private.items():
            bucket = int(labels[j * n_paths + p])
            for chance, does, to, after in self.bot.actions(node, situation, stage, bucket):
                if does != kind or (kind == RAISE and to != amount):
                    continue
                path = p
                if kind in (KEEP, DISCARD):
                    path = p * (self.variant.hole_cards + 1) + (1 + to if kind == DISCARD else 0)
                key = after, j, path
                moved[key] = moved.get(key, 0.0) + weight * chance
        return moved

    def _choose_bet(self, situation, seat, stage, board, weights, margins):
        own = situation[betting.SPENT_0 + seat]
        other = situation[betting.SPENT_1 - seat]
        total = sum(weights.values())
        if total <= 0:
            return CALL, 0
        value = sum(w * margins[hand] for (_, hand), w in weights.items()) / total * other
        options = [(value, CALL, 0)]
        if own < other:
            options.append((-own, FOLD, 0))
        place = PublicPlace(self.variant, situation)
        for _, to in self.menu.bets(place):
            folds = called = 0.0
            for (node, hand), weight in weights.items():
                bucket = self.bucket(hand, board, stage)
                fold = self._fold_chance(node, to, situation, stage, bucket)
                folds += weight * fold
                called += weight * (1 - fold) * margins[hand]
            options.append(((folds * other + called * to) / total, RAISE, to))
        best = max(value for value, _, _ in options)
        return next((kind, amount) for value, kind, amount in options if value >= best - 1e-12)

    def _choose_discard(self, hole, first, board, seen, key, weights, margins):
        total = sum(weights.values())
        options = [(sum(w * margins[h] for (_, h), w in weights.items()) / total, KEEP, 0)]
        for place in range(len(hole)):
            kept = [card for at, card in enumerate(hole) if at != place ^ first]
            found = self.margins(kept, board, seen, stream_key(key, place), 1)
            value = sum(w * found[h] for (_, h), w in weights.items()) / total
            options.append((value, DISCARD, place))
        best = max(value for value, _, _ in options)
        return next((kind, amount) for value, kind, amount in options if value >= best - 1e-12)

    def _observe(self, weights, situation, stage, board, kind, amount):
        moved = {}
        for (node, hand), weight in weights.items():
            bucket = self.bucket(hand, board, stage)
            for chance, does, to, after in self.bot.actions(node, situation, stage, bucket):
                if does != kind or (kind == RAISE and to != amount):
                    continue
                for held in self._held(hand, board, kind, to):
                    key = after, held
                    moved[key] = moved.get(key, 0.0) + weight * chance
        return moved

    def _held(self, hand, board, kind, place):
        """The hand after an action: all that a discard may lead to."""
        if kind != DISCARD:
            return [hand]
        first = self.dealer.order.first(hand, board)
        kept = [card for at, card in enumerate(hand) if at != place ^ first]
        return [tuple(sorted([*kept, card])) for card in self.deck if card not in hand]

    def _swapped(self, weights, chance, seen):
        n = len(self.deck) - len(seen) - self.variant.hole_cards
        moved = {}
        for (node, hand), weight in weights.items():
            others = [card for card in self.deck if card not in hand]
            for n_new in range(len(hand) + 1):
                for kept in combinations(hand, len(hand) - n_new):
                    p = chance**n_new * (1 - chance) ** len(kept)
                    ways = [1, n, n * (n - 1) / 2][n_new]
                    for new in combinations(others, n_new):
                        key = node, tuple(sorted([*kept, *new]))
                        moved[key] = moved.get(key, 0.0) + weight * p / ways
        return moved
