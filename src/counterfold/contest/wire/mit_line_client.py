"""A client of the line protocol of MIT Pokerbots since 2020, in the dialect of any year.

Every line of the engine is answered with one action: a check where there is nothing to decide. That
is the case when a hand is over, when nobody can bet anymore, and after the opponent has laid a card
onto the board.
"""

import logging
from contextlib import suppress
from dataclasses import dataclass

from counterfold.bots.interface import Bot, MatchInfo
from counterfold.bots.view import NO_BOUNTY, View, first_view
from counterfold.cards import format_card
from counterfold.cards.text import RANKS
from counterfold.contest.wire import mit_clauses as clauses
from counterfold.contest.wire.base import ClientSession, Lines
from counterfold.contest.wire.mit_clauses import (
    PLAIN,
    AuctionResult,
    Clause,
    Dialect,
    format_message,
    letter_of,
    parse_message,
    read_action,
    say_action,
)
from counterfold.contest.wire.told_chips import ToldChips
from counterfold.errors import GameError, IllegalActionError, ProtocolError
from counterfold.games.holdem import Variant
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.action_words import BID, CHECK, DISCARD, FOLD, RAISE

_log = logging.getLogger(__name__)

_NO_TOSS, _THEIRS = -1, -2  # instead of a card of ours


@dataclass
class _Told:
    """What the engine has told about a hand beside what a view has."""

    hand: tuple[int, ...] = ()  # ours, in the order dealt
    board: tuple[int, ...] = ()  # in the order dealt
    shown: tuple[int, ...] = ()
    n_checks: int = 0  # still to come on a street on which nobody can bet
    tossed: int = _NO_TOSS  # a card that has yet to come to the board
    nod_due: bool = False  # the check that answers a toss
    auctioned: bool = False  # the board comes once more
    won: int | None = None  # the hand is over
    their_hit: bool = False


class LineClientSession(ClientSession):
    """Follows the lines of an engine.

    Without `knows_order` the ranks may have another order than the variant says: who wins a
    showdown is then not checked.
    """

    def __init__(
        self,
        bot: Bot,
        variant: Variant,
        n_hands: int | None = None,
        peer: str = "engine",
        dialect: Dialect = PLAIN,
        knows_order: bool = True,
    ) -> None:
        super().__init__(bot, variant, n_hands, peer)
        self.dialect, self.knows_order = dialect, knows_order
        self.view: View | None = None  # None between hands and after a fault
        self._told = _Told()
        self._begun = False
        self._counted = True  # whether the chips of this hand are
        self._noted: set[str] = set()  # what was said once: letters of clauses, chips
        self._chips = ToldChips()
        self._first: tuple[Clause, ...] = ()  # the clauses that this hand began with
        self._followed: list[Clause] = []  # and those that came since
        self._seconds: float | None = None  # on the clock

    def follow(self, line: str) -> Lines:
        """The answer to a line: an action, or a check."""
        said = parse_message(line, self.dialect)
        if not said:
            self.over = True
            return ()
        self._seconds = seconds = said[0].value
        if not self._begun:
            self._begun = True
            match = MatchInfo(self.variant, n_hands=self.n_hands, clock_seconds=seconds)
            self.bot.begin_match(match)
        if [clause.kind for clause in said[1:3]] == [clauses.SEAT, clauses.HOLE]:
            said = self._begin(said, line)
        elif self.view is None:  # lost track of this hand
            self._count_lost(said)
            return self._write(CHECK)
        for clause in said[1:]:
            self._follow(clause, line)
            self._followed.append(clause)
        if self._told.won is not None:
            self._end(self._told.won, line)
        if self.view is None:
            return self._write(CHECK)
        self.view = self.view.with_clock(seconds)
        return self._write(self._answer(self.view, line))

    def recover(self, line: str) -> Lines:
        """A check: the engine folds where that is not legal."""
        self.view = None
        with suppress(ProtocolError):
            self._count_lost(parse_message(line, self.dialect))
        return self._write(CHECK)

    def _count_lost(self, said: tuple[Clause, ...]) -> None:
        """Count the chips of a hand that was given up, where an engine tells them."""
        won = next((clause.value for clause in said if clause.kind == clauses.WON), None)
        if won is not None and not self._counted:
            self._counted = True
            self.count_hand(won)

    def _write(self, action: str) -> Lines:
        return (format_message([say_action(action, self._told.hand)], self.dialect),)

    def _begin(self, said: tuple[Clause, ...], line: str) -> tuple[Clause, ...]:
        """Begin a hand; the clauses that are left, after one that stands for the clock."""
        seat, hole, *rest = said[1:]
        self._first, self._followed, self._counted = said, [], False
        self._told, self.last_answer = _Told(hole.value), ""
        bounty = NO_BOUNTY
        if rest and rest[0].kind in (clauses.BOUNTY, clauses.BLANK):
            rank = rest.pop(0).value
            if rank is not None and self.variant.bounty is not None:
                bounty = RANKS.index(rank)
        if self.variant.bounty is not None and bounty == NO_BOUNTY:
            raise ProtocolError(line, "a bounty such as G6 after the hole cards")
        self.view = first_view(self.variant, seat.value, hole.value, bounty)
        self.tell(self.bot.begin_hand, self.view)
        return (said[0], *rest)

    def _follow(self, clause: Clause, line: str) -> None:
        kind, value = clause
        view, told = self.view, self._told
        if kind == clauses.UNKNOWN:
            self._ignore(value)
            return
        if view is None or (told.won is not None and kind != clauses.HITS):
            raise ProtocolError(line, "nothing after the chips won")
        if kind == clauses.TOSS:
            self._follow_toss(clause, view, line)
        elif kind in clauses.ANSWERS:
            self._follow_action(read_action(clause), view, line)
        elif kind == clauses.BOARD:
            self._follow_board(value, view, line)
        elif kind == clauses.HAND:
            self._follow_swaps(value, view, line)
        elif kind == clauses.AUCTION:
            self._follow_auction(value, view, line)
        elif kind == clauses.SHOWN:
            told.shown = value
        elif kind == clauses.WON:
            told.won = value
        elif kind == clauses.HITS:
            told.their_hit = bool(value[1])
        elif kind != clauses.SEAT or letter_of(clauses.AUCTION, self.dialect) is None:
            raise ProtocolError(line, f"an action, cards or the chips won, not another {kind}")

    def _ignore(self, text: str) -> None:
        """Count each letter once: an engine of another year may write it in every hand."""
        self._note_once(text[0], f"wrote {text!r}, which is ignored: it is of another year")

    def _note_once(self, what: str, text: str) -> None:
        if what not in self._noted:
            self._noted.add(what)
            self.note_fault(f"{self.peer} {text}")

    def _adopt(self, variant: Variant, what: str, text: str, line: str) -> None:
        """Play on with other chips, this hand from its beginning; say so once."""
        if variant == self.variant:
            return
        if what not in self._noted and self.n_faults:  # else it will be printed as the first
            _log.warning("%s %s", self.peer, text)
        self._note_once(what, text)
        self.variant = variant
        n_left = None if self.n_hands is None else self.n_hands - self.n_hands_ended
        match = MatchInfo(variant, n_hands=n_left, clock_seconds=self._seconds, under_way=True)
        self.tell(self.bot.begin_match, match)
        if self.view is not None:
            followed = self._followed
            self._begin(self._first, line)
            for clause in followed:
                self._follow(clause, line)
                self._followed.append(clause)

    def _follow_action(self, action: str, view: View, line: str) -> None:
        told = self._told
        if action == CHECK and told.nod_due:
            told.nod_due = False
            return
        if action == CHECK and told.n_checks:
            told.n_checks -= 1
            return
        if action == FOLD and told.n_checks and view.variant.fold_when_free:
            first = view.variant.streets[-1].first
            seat, checked = (first, 0) if told.n_checks == 2 else (1 - first, 1)
            self.view = view.after_all_in_fold(seat, checked)
            told.n_checks = 0
            return
        after = self._after(action, view, line)
        if view.my_turn:
            answer = self.last_answer
            self.compare(action)
            if answer.startswith(RAISE) and not action.startswith(RAISE):
                self.view = view
                self._learn_refusal(_put_in(view, answer), line)
                after = self.view.after(action)
        if action.startswith(RAISE):
            self._chips.put_in(_put_in(view, action), self.variant)
        self.view = after

    def _after(self, action: str, view: View, line: str) -> View:
        """The view after an action, with other chips if it needs them."""
        try:
            return view.after(action)
        except IllegalActionError:
            if action.startswith(RAISE):
                self._learn_stack(_put_in(view, action), line)
            elif view.spent == _posted(self.variant) and view.street == 0:
                self._adopt_blinds(self._chips.post_as(action, self.variant), line)
            else:
                raise
        assert self.view is not None
        return self.view.after(action)

    def _learn_stack(self, total: int, line: str) -> None:
        """Somebody has put in more than the stack."""
        old, variant = self.variant.stack, self._chips.put_in(total, self.variant)
        text = f"lets players put in {total}, not only {old}; a stack of {variant.stack} is assumed"
        self._adopt(variant, "stack", text, line)

    def _learn_refusal(self, total: int, line: str) -> None:
        """A raise of ours was refused, perhaps because nobody has so many chips."""
        variant = self._chips.refuse(total, self.variant)
        text = f"does not let us put in {total}; a stack of {variant.stack} is assumed"
        self._adopt(variant, "stack", text, line)

    def _learn_blinds(self, view: View, chips: int, expected: int, line: str) -> bool:
        """Whether other blinds explain the chips of a hand that was folded to a blind."""
        folder = view.seat if expected < 0 else 1 - view.seat
        posted = _posted(self.variant)[folder]
        folded = view.phase == betting.FOLDED and view.street == 0
        if not folded or not abs(expected) == view.spent[folder] == posted or chips * expected <= 0:
            return False
        with suppress(GameError):
            self._adopt_blinds(self._chips.post(folder, abs(chips), self.variant), line)
            return True
        return False

    def _adopt_blinds(self, variant: Variant, line: str) -> None:
        old, new = (" and ".join(map(str, each.blinds)) for each in (self.variant, variant))
        self._adopt(variant, "blinds", f"plays blinds of {new}, not of {old}", line)

    def _follow_toss(self, clause: Clause, view: View, line: str) -> None:
        """A card on its way to the board; which one the opponent laid is told with the board."""
        told = self._told
        if view.phase != betting.DRAW or view.awaited or told.nod_due:
            raise ProtocolError(line, f"no card laid onto the board in {view}")
        told.nod_due, told.tossed = True, _THEIRS
        if view.my_turn:
            action = read_action(clause, told.hand)
            self.view = view.after(action)
            self.compare(action)
            told.tossed = told.hand[clause.value]
            told.hand = tuple(card for card in told.hand if card != told.tossed)

    def _follow_board(self, board: tuple[int, ...], view: View, line: str) -> None:
        told = self._told
        n_old = len(told.board)
        new = board[n_old:]
        if board[:n_old] != told.board or told.n_checks or told.nod_due:
            raise ProtocolError(line, "a board that continues the one before")
        if told.tossed != _NO_TOSS:
            if len(new) != 1 or (told.tossed != _THEIRS and new[0] != told.tossed):
                raise ProtocolError(line, "the card on the board that a player laid there")
            if told.tossed == _THEIRS:
                view = view.after(DISCARD + format_card(new[0]))
            told.tossed = _NO_TOSS
        elif new or not told.auctioned:
            view = view.after_board(new)
        told.board, told.auctioned, self.view = board, False, view
        told.n_checks = 2 if view.phase in (betting.DEAL, betting.SHOWDOWN) else 0

    def _follow_swaps(self, hand: tuple[int, ...], view: View, line: str) -> None:
        """The hand of now, place by place; a view has its cards in another order."""
        told = self._told
        if len(hand) != len(told.hand):
            raise ProtocolError(line, f"a hand of {len(told.hand)} cards")
        now = dict(zip(told.hand, hand, strict=True))
        self.view = view.after_swaps([now[card] for card in view.hole])
        told.hand = hand

    def _follow_auction(self, result: AuctionResult, view: View, line: str) -> None:
        told = self._told
        n_old = len(told.hand)
        if result.hand[:n_old] != told.hand:
            raise ProtocolError(line, "a hand that continues the one before")
        for card in result.hand[n_old:]:
            view = view.after_drawn(card)
        first, second = (
            int(left + spent) for left, spent in zip(result.stacks, view.spent, strict=True)
        )
        if first != second:
            stacks = " and ".join(str(self.variant.stack - spent) for spent in view.spent)
            raise ProtocolError(line, f"stacks of {stacks} in {view}")
        if first != self.variant.stack:
            text = f"plays stacks of {first}, not of {self.variant.stack}"
            self._adopt(self._chips.name(first, self.variant), "stack", text, line)
            assert self.view is not None
            self._follow_auction(result, self.view, line)
            return
        told.hand, told.auctioned, self.view = result.hand, True, view

    def _end(self, chips: int, line: str) -> None:
        view, told = self.view, self._told
        assert view is not None
        if not view.over or told.n_checks or told.nod_due:
            raise ProtocolError(line, f"more actions before the chips won in {view}")
        expected = view.winnings(told.shown, opponent_hits=told.their_hit)
        self.view, self._counted = None, True
        self.end_hand(view, chips, told.shown)
        unknown = view.phase == betting.SHOWDOWN and not self.knows_order
        if chips != expected and not (
            (unknown and abs(chips) in (0, *view.spent))
            or self._learn_blinds(view, chips, expected, line)
        ):
            letter = letter_of(clauses.WON, self.dialect)
            raise ProtocolError(line, f"{letter}{expected} after {view}")

    def _answer(self, view: View, line: str) -> str:
        told = self._told
        if told.nod_due:
            if told.tossed == _THEIRS:
                return CHECK
        elif told.n_checks:
            first = view.variant.streets[-1].first
            if view.seat == (first if told.n_checks == 2 else 1 - first):
                return CHECK
        elif view.my_turn:
            return self.ask(view.without_sealed_bid())
        elif view.phase == betting.AUCTION:  # a sealed bid comes with the result
            bidden = view.after(f"{BID}0")
            if (sealed := bidden.without_sealed_bid()) != bidden:
                return self.ask(sealed)
        raise ProtocolError(line, f"no message before it is this seat's turn in {view}")


def _posted(variant: Variant) -> tuple[int, int]:
    """What each seat puts in before its first action."""
    return variant.blinds[0] + variant.ante, variant.blinds[1] + variant.ante


def _put_in(view: View, action: str) -> int:
    """The chips that a seat will have put in, bids included, once it has raised."""
    situation = view.situation
    bets = situation[betting.SPENT_0], situation[betting.SPENT_1]
    before = situation[betting.BASE] if view.phase == betting.BET else max(bets)
    bidden = max(situation[betting.PAID_0], situation[betting.PAID_1])
    return int(before) + int(action[1:]) + int(bidden)  # situations may be NumPy's
