"""Hands of bots on the deals of kernels, by the rules in Python, and the same by kernels."""

import numpy as np

from counterfold.bots import policy_kernels
from counterfold.bots.played_run import bot_of
from counterfold.bots.view import view_of
from counterfold.cards import format_card, format_cards
from counterfold.cards.text import RANKS
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.action_words import BID
from counterfold.games.holdem.chance import (
    DRAWN,
    LOOKED,
    OWED_BOARD,
    OWED_DRAW,
    OWED_HOLE,
    OWED_LOOK,
    OWED_SWAP,
    SWAPPED,
    UNSWAPPED,
    chance_steps,
)
from counterfold.games.holdem.situation import (
    choice_of,
    choice_place,
    ends_choice,
    passes_turn,
    turn_of,
)
from counterfold.matches import policy_match_kernels
from counterfold.matches.batch import BatchRunner
from counterfold.matches.entrants import run_entrant
from counterfold.public import deals_kernels
from counterfold.public.stages import stage_table

SEED = 7


def play_deal(dealer, row, bots, bounties=(), looks=()):
    """Chips of seat 0 when `bots`, by seat, play a row of `Deals.cards`; the state at the end."""
    chance = Chance(dealer, dealer.real[row].tolist(), looks)
    state = dealer.variant.root()
    for hole in chance.holes:
        state = state.child(format_cards(hole))
    for rank in bounties:
        state = state.child("#" + RANKS[rank])
    for seat, bot in enumerate(bots):
        bot.begin_hand(view_of(state, seat))
    state = chance.pay(state)
    while state.utilities is None:
        if state.situation[betting.PHASE] == betting.DEAL:
            state = chance.pay(state.child(chance.take_board(state.next_street().cards)))
            continue
        seat, before = state.situation[betting.ACTOR], state.situation
        view = view_of(state, seat)
        action = bots[seat].act(view)
        assert view.is_legal(action)
        state = state.child(action)
        settles = action[0] == BID and before[betting.FIRST_BID] > 0
        state = chance.pay(state, before, won=settles)
        if before[betting.PHASE] < betting.BET and ends_choice(before, state.situation):
            chance.choices += 1
    return int(state.utilities[0]), state


class Chance:
    """What chance deals in a hand, from a row of `Deals.cards`."""

    def __init__(self, dealer, cards, looks):
        h, layout = dealer.variant.hole_cards, dealer.layout
        self.dealer, self.variant, self.cards, self.looks = dealer, dealer.variant, cards, looks
        self.holes = [cards[:h], cards[h : 2 * h]]
        self.board = iter(cards[2 * h : 2 * h + layout.board_cards + layout.max_runs])
        self.choices = 0  # so far
        self.columns, self.added, self.swaps, self.n_looks = {}, [], [], 0
        streets = enumerate(dealer.variant.streets)
        choices = [(at, place) for at, each in streets for place in range(len(each.choices))]
        before = None
        for stage, row in zip(dealer.stages, layout.stages, strict=True):
            if row[deals_kernels.STAGE_PRIZE] != deals_kernels.NO_COLUMN:
                at = before.street, before.turns[0] // betting.TURNS
                self.columns[choices.index(at)] = row[deals_kernels.STAGE_PRIZE]
            before = stage
            if row[deals_kernels.STAGE_SWAP] != deals_kernels.NO_COLUMN:
                self.swaps.append((row[deals_kernels.STAGE_SWAP], row[deals_kernels.STAGE_HELD]))
            first = row[deals_kernels.STAGE_DEAL]
            if first != deals_kernels.NO_COLUMN:
                n = row[deals_kernels.STAGE_DEALT_0] + row[deals_kernels.STAGE_DEALT_1]
                self.added += cards[first : first + n]

    def take_board(self, n):
        return format_cards([next(self.board) for _ in range(n)])

    def pay(self, state, before=None, won=False):
        """The state once chance owes nothing; who `won` an auction gets its prize first."""
        before = before or state.situation
        n_won = 0
        draws = before[betting.PHASE] == betting.DRAW
        if won or (draws and passes_turn(before, state.situation)):
            street = min(state.situation[betting.STREET], len(self.variant.streets) - 1)
            later = sum(
                kind == OWED_HOLE
                for kind, _, _ in chance_after(self.variant, street, self.choices + 1)
            )
            later *= ends_choice(before, state.situation)
            n_won = sum(kind == OWED_HOLE for kind, _, _ in state.owed) - later
        n_drawn = 0
        looked = False
        while state.owed:
            kind, seat, place = state.owed[0]
            if kind == OWED_SWAP:
                state = swap_hands(state, self.holes, self.cards, *self.swaps.pop(0))
            elif kind == OWED_BOARD:
                state = state.child(self.take_board(place))
            elif kind == OWED_LOOK:
                theirs = sorted(state.holes[1 - seat], key=self.variant.counts_as.__getitem__)
                seen = theirs[self.looks[2 * self.n_looks + seat]]
                state, looked = state.child(LOOKED + format_card(seen)), True
            elif kind == OWED_DRAW or n_won > 0:
                if draws:
                    card = self.cards[draw_column(self.dealer, before) + n_drawn]
                    n_drawn += 1
                else:
                    card = self.cards[self.columns[self.choices] + seat]
                if kind == OWED_DRAW:
                    old = state.holes[seat][place]
                    self.holes[seat][self.holes[seat].index(old)] = card
                else:
                    n_won -= 1
                    self.holes[seat].append(card)
                state = state.child(DRAWN + format_card(card))
            else:
                self.holes[seat].append(self.added[0])
                state = state.child(DRAWN + format_card(self.added.pop(0)))
        self.n_looks += looked
        return state


def chance_after(variant, street, choices):
    """What comes along the way once so many choices of the hand are over, the last on `street`."""
    before = sum(len(each.choices) for each in variant.streets[:street])
    return chance_steps(variant, street, choices - before, (0, 0))


def draw_column(dealer, situation):
    """The column of the first card that the seat gets whose turn at discards ends."""
    choice = choice_of(dealer.variant, situation)
    first = turn_of(situation) // choice.count * choice.count
    turn = 1 + choice_place(situation) * betting.TURNS + first
    stage = stage_table(dealer.stages)[situation[betting.STREET], turn]
    row = dealer.layout.stages[stage + 1]
    alone = row[deals_kernels.STAGE_GIVER] in (0, 1)
    return row[deals_kernels.STAGE_DRAW] + (0 if alone else choice.count * situation[betting.ACTOR])


def swap_hands(state, holes, cards, column, held):
    """The state after a swap; `holes`, in the places of the row, are replaced."""
    for seat, hole in enumerate(state.holes):
        for card in hole:
            place = holes[seat].index(card)
            new = cards[column + seat * held + place]
            if new == deals_kernels.NO_CARD:
                state = state.child(UNSWAPPED)
            else:
                state = state.child(SWAPPED + format_card(new))
                holes[seat][place] = new
    return state


def kernel_hands(run, other, n, swapped):
    """Chips of player 0 on each of `n` deals, and counts, as `match.match` has them."""
    runner = BatchRunner(run.plan.variant, (run_entrant(run), run_entrant(other)), SEED)
    deals = runner.dealer.sample(SEED, 0, n)
    counts = np.zeros((2, policy_match_kernels.N_COUNTS), np.int64)
    cards = tuple(policy.cards(deals) for policy in runner.policies)
    played = runner.play_once(deals, cards, 0, np.full(n, swapped, np.uint8), counts)
    return deals, played.winnings, counts


def bot_hands(run, other, deals, swapped):
    """The same by bots."""
    bots = [bot_of(run, SEED + 1, 0), bot_of(other, SEED + 1, 1)]
    seats = bots[::-1] if swapped else bots
    rows = zip(deals.cards, deals.bounties, deals.looks, strict=True)
    chips = [play_deal(run.plan.dealer, row, seats, *secrets)[0] for row, *secrets in rows]
    return np.array(chips) * (-1 if swapped else 1), bots


def check_equal(run, other, n):
    """Both come to the same chips on `n` deals in both seats, by decisions of the same kinds."""
    for swapped in (False, True):
        deals, winnings, counts = kernel_hands(run, other, n, swapped)
        chips, bots = bot_hands(run, other, deals, swapped)
        np.testing.assert_array_equal(chips, winnings)
        for bot, row in zip(bots, counts, strict=True):
            assert bot.counts.total() == row[policy_match_kernels.DECISIONS]
            for how in (policy_kernels.UNTRAINED, policy_kernels.OFF_TREE, policy_kernels.FORCED):
                assert bot.counts[how] == row[how]
