"""An engine of the line protocol of MIT Pokerbots since 2020, in the dialect of any year.

A message is the clock, then all that happened since the player's previous message, its own actions
included. Seat 0 is the dealer. When nobody can bet, both players are still asked for a check on
every street; in 2026 a card that is laid onto the board is answered with a check, too.
"""

from counterfold.bots.hand import Hand
from counterfold.bots.hand_events import (
    ActionTaken,
    AuctionEnded,
    BoardDealt,
    End,
    Event,
    HandsSwapped,
)
from counterfold.cards import parse_card
from counterfold.cards.text import RANKS
from counterfold.contest import gamelog
from counterfold.contest.wire import mit_clauses as clauses
from counterfold.contest.wire.base import EngineSession, Lines
from counterfold.contest.wire.mit_clauses import (
    PLAIN,
    AuctionResult,
    Clause,
    Dialect,
    format_message,
    letter_of,
    parse_answer,
    read_action,
    say_action,
)
from counterfold.errors import IllegalActionError
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.action_words import BID, CHECK, DISCARD
from counterfold.games.holdem.situation import choice_of
from counterfold.games.holdem.street import Auction


class LineEngineSession(EngineSession):
    """Says what happened since the player's last message."""

    acknowledges = True

    def __init__(self, dialect: Dialect = PLAIN) -> None:
        self.dialect = dialect
        self._n_told = 0  # events of this hand
        self._introduced = False  # whether the player has its cards

    def begin_hand(self, hand: Hand, seat: int, seconds: float) -> Lines:
        """Nothing: cards come with the first question."""
        self._n_told, self._introduced = 0, False
        return ()

    def prompt(self, hand: Hand, seat: int, seconds: float) -> Lines:
        """One line."""
        said = [Clause(clauses.CLOCK, seconds)]
        if not self._introduced:
            said += self._introduce(hand, seat)
            self._introduced = True
        for event in hand.events[self._n_told :]:
            if _is_sealed(event, hand, seat):
                break
            said += self._say(event, hand, seat)
            self._n_told += 1
        return (format_message(said, self.dialect),)

    def read(self, line: str, hand: Hand, seat: int) -> str:
        """The action, if it is legal."""
        clause = parse_answer(line, self.dialect)
        action = read_action(clause, hand.holes[seat])
        if hand.waits_for is None:
            legal = action == CHECK
        else:
            legal = hand.takes_forced(action) if hand.forced else hand.view(seat).is_legal(action)
        if legal:
            return action
        raise IllegalActionError(gamelog.ACTION_NAMES[action[0]])

    def end_hand(self, hand: Hand, seat: int, seconds: float) -> Lines:
        """One line, which a client answers with a check."""
        return self.prompt(hand, seat, seconds)

    def end_match(self) -> Lines:
        """The quit line."""
        return (format_message([], self.dialect),)

    def _has(self, kind: str) -> bool:
        return letter_of(kind, self.dialect) is not None

    def _introduce(self, hand: Hand, seat: int) -> list[Clause]:
        said = [Clause(clauses.SEAT, seat), Clause(clauses.HOLE, hand.deal.holes[seat])]
        if hand.deal.bounties is not None:
            said.append(Clause(clauses.BOUNTY, RANKS[hand.deal.bounties[seat]]))
        return [*said, Clause(clauses.BLANK)] if self._has(clauses.BLANK) else said

    def _say(self, event: Event, hand: Hand, seat: int) -> list[Clause]:
        if isinstance(event, ActionTaken):
            return [say_action(event.action, _hole_before(event, hand))]
        if isinstance(event, BoardDealt):
            return [Clause(clauses.BOARD, event.board)]
        if isinstance(event, HandsSwapped):
            return [Clause(clauses.HAND, event.after[seat])]
        if isinstance(event, AuctionEnded):
            first, second = (hand.variant.stack - spent for spent in event.spent)
            result = AuctionResult((first, second), event.bids, event.hands[seat])
            again = [Clause(clauses.BOARD, event.board)] if event.board else []
            return [Clause(clauses.SEAT, seat), Clause(clauses.AUCTION, result), *again]
        if not isinstance(event, End):
            return []
        shown = [Clause(clauses.SHOWN, hand.holes[1 - seat])] if event.showdown else []
        has_hits = self._has(clauses.HITS) and hand.deal.bounties is not None
        hits = [Clause(clauses.HITS, _tell_hits(event, hand, seat))] if has_hits else []
        return [*shown, Clause(clauses.WON, event.chips[seat]), *hits]


def _is_sealed(event: Event, hand: Hand, seat: int) -> bool:
    """Whether an event is a bid that `seat` must not know before it has bid itself."""
    if not isinstance(event, ActionTaken) or event.action[0] != BID or event.seat == seat:
        return False
    auction = choice_of(hand.variant, event.before)
    waits = hand.state.situation[betting.FIRST_BID] > 0
    return waits and isinstance(auction, Auction) and auction.sealed


def _hole_before(act: ActionTaken, hand: Hand) -> list[int]:
    """The hole cards of the seat before it acts, in the order dealt, where it lays one away."""
    hole = [*hand.deal.holes[act.seat]]
    for event in hand.events:
        if event is act:
            break
        if isinstance(event, ActionTaken) and event.seat == act.seat and event.action[0] == DISCARD:
            hole.remove(parse_card(event.action[1:]))
    return hole


def _tell_hits(end: End, hand: Hand, seat: int) -> tuple[bool | None, bool | None]:
    """Whether the bounty of a player and that of the other are hit; the loser's is not told."""
    own, other = (
        None if end.chips[each] < 0 else hand.state.hits_bounty(each) for each in (seat, 1 - seat)
    )
    return own, other
