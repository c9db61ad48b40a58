"""The protocol of the Annual Computer Poker Competition, version 2.0.0, for two players.

Every message is the whole hand as one player sees it. Positions count from the big blind: position
0 is our seat 1. Raises of no-limit games are to a total over the whole hand, where ours are to a
total of the street; raises of limit games have no amount. A slash stands for each street dealt.
"""

import re
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import combinations

from counterfold.bots.hand import Hand
from counterfold.bots.hand_events import ActionTaken, BoardDealt
from counterfold.bots.interface import Bot, MatchInfo
from counterfold.bots.view import View, first_view
from counterfold.cards import format_cards, showdown_strength
from counterfold.cards.text import N_CARDS
from counterfold.contest.wire.base import (
    ClientSession,
    EngineSession,
    Lines,
    LogFormat,
    WireProtocol,
)
from counterfold.contest.wire.fields import parse_whole, parse_wire_cards
from counterfold.errors import (
    CardError,
    CounterfoldError,
    GameError,
    IllegalActionError,
    ProtocolError,
)
from counterfold.games.holdem import VARIANTS, Variant
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.action_words import CALL, CHECK, FOLD, RAISE

VERSION = "VERSION:2.0.0"
STATE = "MATCHSTATE"
COMMENTS = ("#", ";")

_VERSION = re.compile(r"VERSION:2\.[0-9]{1,3}\.[0-9]{1,3}", re.ASCII)
_BETTING = re.compile(r"(?:[fc/]|r[0-9]{0,9})*", re.ASCII)
_MOVE = re.compile(r"[fc/]|r[0-9]*", re.ASCII)
_MAX_STREETS = 4
_NO_HAND = -1

Cards = tuple[int, ...]


@dataclass(frozen=True)
class MatchState:
    """A hand as one position sees it."""

    position: int
    number: int  # of the hand, from 0
    betting: str
    holes: tuple[Cards, Cards]  # by position; empty where unseen
    board: tuple[Cards, ...] = ()  # by street


def parse_match_state(line: str) -> MatchState:
    """The hand that a line of the dealer describes."""
    fields = line.split(":")
    if len(fields) != 5 or fields[0] != STATE:
        raise ProtocolError(line, f"{STATE}:position:hand:betting:cards")
    _, position, number, betting, cards = fields
    if position not in ("0", "1"):
        raise ProtocolError(line, "position 0 or 1")
    if not _BETTING.fullmatch(betting):
        raise ProtocolError(line, "betting of f, c, r and /")
    hidden, *board = cards.split("/")
    holes = [_parse_cards(text, line) for text in hidden.split("|")]
    if len(holes) != 2 or not holes[int(position)]:
        raise ProtocolError(line, f"hole cards of two positions, those of {position} among them")
    return MatchState(
        int(position),
        parse_whole(number, line, "a hand number"),
        betting,
        (holes[0], holes[1]),
        tuple(_parse_cards(text, line) for text in board),
    )


def format_match_state(state: MatchState) -> str:
    """The line that describes `state`."""
    cards = _format_cards(state.holes, state.board)
    return f"{STATE}:{state.position}:{state.number}:{state.betting}:{cards}"


def _parse_cards(text: str, line: str) -> Cards:
    return parse_wire_cards([text[at : at + 2] for at in range(0, len(text), 2)], line, "cards")


def _format_cards(holes: tuple[Cards, Cards], board: tuple[Cards, ...]) -> str:
    return "/".join(["|".join(map(format_cards, holes)), *map(format_cards, board)])


def follow_state(state: MatchState, variant: Variant, line: str) -> View:
    """What the position knows, by the rules of `variant`."""
    view = first_view(variant, 1 - state.position, state.holes[state.position])
    board = iter(state.board)
    for move in _MOVE.findall(state.betting):
        if move == "/":
            cards = next(board, None)
            if cards is None:
                raise ProtocolError(line, "as many streets in the cards as in the betting")
            view = view.after_board(cards)
        else:
            view = view.after(_read_move(move, view, line))
    if next(board, None) is not None or view.phase == betting.DEAL:
        raise ProtocolError(line, "as many streets in the betting as in the cards")
    return view


def format_move(action: str, view: View) -> str:
    """An action of the seat to act in `view` as the protocol writes it."""
    if action[0] != RAISE:
        return "f" if action == FOLD else "c"
    if view.variant.betting == "limit":
        return RAISE
    return f"{RAISE}{int(action[1:]) + view.situation[betting.BASE]}"


def _read_move(move: str, view: View, line: str) -> str:
    """Our action for a move; whether it is legal is up to the rules."""
    if move == "f":
        return FOLD
    if move == "c":
        return CALL if view.to_call else CHECK
    limit = view.variant.betting == "limit"
    if limit != (move == RAISE):
        raise ProtocolError(line, "r alone in limit games and r with a number in others")
    if limit:
        bounds = view.raise_bounds()
        return f"{RAISE}{bounds[0] if bounds else 0}"
    return f"{RAISE}{parse_whole(move[1:], line, 'a raise') - view.situation[betting.BASE]}"


def asks(state: MatchState) -> bool:
    """Whether the dealer waits for the position, as far as the state alone tells."""
    actions = state.betting.rpartition("/")[2]
    moves = _MOVE.findall(actions)
    closed = "f" in moves or (len(moves) > 1 and moves[-1] == "c")
    if closed or state.holes[1 - state.position]:  # cards are only shown at the end
        return False
    first = 1 if "/" not in state.betting else 0
    return (first + len(moves)) % 2 == state.position


def choose_plain_move(state: MatchState) -> str:
    """A move for a hand that does not follow the rules: a call, or a fold by the odds."""
    spent = [0, 0]  # by position; blinds are not known
    for street, moves in enumerate(state.betting.split("/")):
        actor = 1 if street == 0 else 0
        for move in _MOVE.findall(moves):
            if move != "f":
                spent[actor] = max(spent) if move in ("c", RAISE) else int(move[1:])
            actor = 1 - actor
    to_call = spent[1 - state.position] - spent[state.position]
    if to_call <= 0:
        return "c"
    board = tuple(card for cards in state.board for card in cards)
    share = _share_beaten(state.holes[state.position], board)
    return "c" if share * (sum(spent) + to_call) >= to_call else "f"


def _share_beaten(hole: Cards, board: Cards) -> float:
    """The share of all other hands that are weaker on the board as it is."""
    left = [card for card in range(N_CARDS) if card not in (*hole, *board)]
    own = showdown_strength((*hole, *board))
    others = [showdown_strength((*cards, *board)) for cards in combinations(left, len(hole))]
    return sum(other < own for other in others) / len(others)


def _likely_games(variant: Variant) -> list[Variant]:
    """The game, and the same with chips that dealers are known to use."""
    if variant.betting != "no-limit":
        return [variant]
    contest = _nolimit()
    standard = replace(variant, stack=contest.stack, blinds=contest.blinds, min_bet=0)
    return [variant, standard, replace(variant, stack=max(variant.stack, contest.stack))]


class AcpcClientSession(ClientSession):
    """Answers the states in which it is the bot's turn.

    Messages do not say what is played. If a hand breaks the rules of the variant, other chips are
    tried; a state that follows none is answered without the bot, since a dealer waits for every
    client to answer, and at last aborts the match.
    """

    def __init__(
        self, bot: Bot, variant: Variant, n_hands: int | None = None, peer: str = "dealer"
    ) -> None:
        super().__init__(bot, variant, n_hands, peer)
        self.view: View | None = None
        self._expected = _NO_HAND, ""  # the hand and its betting once our move is taken
        self._likely_games = _likely_games(variant)
        self._number: int | None = None  # of the hand
        self._ended = True
        bot.begin_match(MatchInfo(variant, n_hands=n_hands))

    @property
    def greeting(self) -> Lines:
        """The version."""
        return (VERSION,)

    @property
    def ends_with_connection(self) -> bool:
        """The dealer closes the connection after the last hand."""
        return self._ended

    def follow(self, line: str) -> Lines:
        """The state and an action, or nothing."""
        if not line or line.startswith(COMMENTS):
            return ()
        state = parse_match_state(line)
        try:
            view = self._follow_state(state, line)
        except (ProtocolError, IllegalActionError, CardError) as error:
            if not asks(state):
                raise
            self.note_fault(f"this is not {self.variant.name}, answered by the odds: {error}")
            return (f"{line}:{choose_plain_move(state)}",)
        if state.number != self._number:
            self._number, self._ended = state.number, False
            self.tell(self.bot.begin_hand, first_view(self.variant, view.seat, view.hole))
        self.view = view
        self._compare(state)
        if view.my_turn:
            move = format_move(self.ask(view), view)
            self._expected = state.number, state.betting + move
            return (f"{line}:{move}",)
        if view.over and not self._ended:
            shown = state.holes[1 - state.position]
            chips = view.winnings(shown)
            self._ended = True
            self.end_hand(view, chips, shown)
        return ()

    def recover(self, line: str) -> Lines:
        """Nothing: the next state says everything again."""
        return ()

    def _compare(self, state: MatchState) -> None:
        """Count a fault if the dealer replaced our last move."""
        number, expected = self._expected
        if number == state.number and not state.betting.startswith(expected):
            self.n_refused += 1
            self.note_fault(f"{self.peer} made {state.betting!r} of our {expected!r}")
        self._expected = _NO_HAND, ""

    def _follow_state(self, state: MatchState, line: str) -> View:
        """What the position knows; adopts other chips if only those make the hand legal."""
        try:
            return follow_state(state, self.variant, line)
        except (IllegalActionError, CardError):
            for variant in self._likely_games:
                with suppress(CounterfoldError):
                    view = follow_state(state, variant, line)
                    self.bot.begin_match(MatchInfo(variant, n_hands=self.n_hands))
                    self.variant, self._number = variant, None
                    return view
            raise


class AcpcEngineSession(EngineSession):
    """Sends the whole hand before every action."""

    greets = True

    def check_greeting(self, line: str) -> None:
        """The version must be 2."""
        if not _VERSION.fullmatch(line):
            raise ProtocolError(line, VERSION)

    def begin_hand(self, hand: Hand, seat: int, seconds: float) -> Lines:
        """Nothing: cards come with the first state."""
        return ()

    def watch(self, hand: Hand, seat: int) -> Lines:
        """The state, even if the other player acts."""
        return (format_match_state(_state(hand, seat)),)

    def prompt(self, hand: Hand, seat: int, seconds: float) -> Lines:
        """Nothing more than the state that everyone gets."""
        return ()

    def read(self, line: str, hand: Hand, seat: int) -> str | None:
        """The action, repaired as the dealer does: raises are clipped, the rest become calls."""
        current = format_match_state(_state(hand, seat))
        if not line.startswith(current + ":"):
            return None
        view, move = hand.view(seat), line[len(current) + 1 :]
        call = CALL if view.to_call else CHECK
        if move == "f":
            return FOLD if view.is_legal(FOLD) else call
        bounds = view.raise_bounds()
        if not re.fullmatch("r[0-9]*", move, re.ASCII) or bounds is None:
            return call
        if view.variant.betting == "limit":
            return f"{RAISE}{bounds[0]}" if move == RAISE else call
        if move == RAISE:
            return call
        # A number with this many digits is too large in any case.
        total = int(move[1:19]) - view.situation[betting.BASE]
        return f"{RAISE}{min(max(total, bounds[0]), bounds[1])}"

    def end_hand(self, hand: Hand, seat: int, seconds: float) -> Lines:
        """The last state, with all cards after a showdown."""
        return self.watch(hand, seat)


def _state(hand: Hand, seat: int) -> MatchState:
    shown = hand.showdown
    # Position 0 is seat 1.
    holes = [tuple(hand.holes[each]) if shown or each == seat else () for each in (1, 0)]
    return MatchState(1 - seat, hand.number, _betting(hand), (holes[0], holes[1]), _board(hand))


def _betting(hand: Hand) -> str:
    moves = []
    for event in hand.events:
        if isinstance(event, BoardDealt):
            moves.append("/")
        elif isinstance(event, ActionTaken):
            move = event.action if event.action[0] in (FOLD, RAISE) else "c"
            if move[0] == RAISE:
                total = int(move[1:]) + event.before[betting.BASE]
                move = RAISE if hand.variant.betting == "limit" else f"{RAISE}{total}"
            moves.append(move)
    return "".join(moves)


def _board(hand: Hand) -> tuple[Cards, ...]:
    streets = [event for event in hand.events if isinstance(event, BoardDealt)]
    return tuple(event.board[-event.n_new :] for event in streets)


def _format_log_begin(names: tuple[str, str], variant: Variant) -> list[str]:
    return [f"# {names[0]} against {names[1]}"]


def _format_log_hand(hand: Hand) -> list[str]:
    cards = _format_cards((tuple(hand.holes[1]), tuple(hand.holes[0])), _board(hand))
    chips = "|".join(str(each) for each in reversed(hand.chips))
    names = "|".join(reversed(hand.names))
    return [f"STATE:{hand.number}:{_betting(hand)}:{cards}:{chips}:{names}"]


def _format_log_end(names: tuple[str, str], chips: tuple[int, int], n_hands: int) -> list[str]:
    return [f"SCORE:{chips[0]}|{chips[1]}:{names[0]}|{names[1]}"]


def _check_variant(variant: Variant) -> None:
    simple = not (variant.hands_change or variant.run_suits or variant.ante or variant.bounty)
    simple = simple and all(street.betting for street in variant.streets)
    if not simple or len(variant.streets) > _MAX_STREETS or variant.betting == "pot-limit":
        raise GameError(
            f"{variant.name}: the protocol supports only limit and no-limit betting on at most "
            f"{_MAX_STREETS} streets, all with betting, without draws, swaps, runs, antes, "
            "auctions or bounties"
        )


def _check_contest(variant: Variant) -> None:
    """The dealer ranks hands as usual, whatever a variant does."""
    if variant.ranking != "standard" or variant.rank_order:
        raise GameError(f"{variant.name}: acpc is played with the usual ranking of hands")


def _nolimit() -> Variant:
    return VARIANTS["nolimit"](20000, (50, 100))


ACPC = WireProtocol(
    "acpc",
    AcpcClientSession,
    AcpcEngineSession,
    LogFormat(_format_log_begin, _format_log_hand, _format_log_end),
    _nolimit,
    line_end="\r\n",
    first_dealer=1,
    game_seconds=7000.0,  # seven seconds a hand on average
    check_variant=_check_variant,
    check_contest=_check_contest,
)
