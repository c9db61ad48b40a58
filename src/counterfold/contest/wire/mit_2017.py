"""The protocol of MIT Pokerbots 2017, Discard Hold'em: both sides.

A client writes only in answer to a question. A question lists what is legal, and only that is ever
answered: if the engine's list and our rules disagree, the list wins. In a drawing round a check
keeps both cards. Amounts are totals of the street. Game logs of this engine exist, but no recorded
traffic; what follows is its documented grammar, and the client tolerates what is not documented:
questions and skipped drawing rounds when players are all-in, and ends of hands that are only partly
reported.
"""

from dataclasses import replace

from counterfold.bots.hand import Hand
from counterfold.bots.hand_events import ActionTaken, BoardDealt, CardDrawn, End, Event
from counterfold.bots.interface import Bot, MatchInfo
from counterfold.bots.view import View, first_view
from counterfold.cards import format_card
from counterfold.contest import gamelog_2017
from counterfold.contest.wire.base import (
    ClientSession,
    EngineSession,
    Lines,
    LogFormat,
    WireProtocol,
)
from counterfold.contest.wire.fields import parse_amount, parse_wire_card
from counterfold.contest.wire.mit_2017_packets import (
    STREETS,
    GetAction,
    HandOver,
    Legal,
    NewGame,
    NewHand,
    Performed,
    RequestKeyValues,
    format_packet,
    parse_packet,
)
from counterfold.errors import GameError, IllegalActionError, ProtocolError
from counterfold.games.holdem import VARIANTS, Variant
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.action_words import CALL, CHECK, DISCARD, FOLD, KEEP, RAISE

FINISH = "FINISH"

_PLAIN = {"CHECK": CHECK, "CALL": CALL, "FOLD": FOLD}
_KINDS = {FOLD: "FOLD", CALL: "CALL", CHECK: "CHECK", KEEP: "CHECK", DISCARD: "DISCARD"}


class DiscardClientSession(ClientSession):
    """Follows the packets of an engine."""

    def __init__(
        self, bot: Bot, variant: Variant, n_hands: int | None = None, peer: str = "engine"
    ) -> None:
        super().__init__(bot, variant, n_hands, peer)
        self.view: View | None = None  # None between hands and after a fault
        self._names = ("", "")  # ours, then the opponent's
        self._bank: int | None = None  # before this hand; None between hands
        self._shown: tuple[int, ...] = ()

    @property
    def ends_with_connection(self) -> bool:
        """The engine closes the connection when the match is over."""
        return self.over or self.view is None

    def follow(self, line: str) -> Lines:
        """An action for a question, the last word for the last packet, else nothing."""
        packet = parse_packet(line)
        if isinstance(packet, GetAction):
            return (self._answer(packet, line),)
        if isinstance(packet, RequestKeyValues):
            self.over = True
            return (FINISH,)
        if isinstance(packet, NewGame):
            self._begin_match(packet, line)
        elif isinstance(packet, NewHand):
            self._begin_hand(packet, line)
        elif isinstance(packet, HandOver):
            self._end_hand(packet, line)
        return ()

    def recover(self, line: str) -> Lines:
        """A passive answer to a question; nothing to other packets."""
        self.view = None
        try:
            packet = parse_packet(line)
        except ProtocolError:
            return ("CHECK",) if line.startswith("GETACTION") else ()
        if isinstance(packet, HandOver):
            self._end_hand(packet, line)
        return (_passive(packet.legal),) if isinstance(packet, GetAction) else ()

    def _begin_match(self, packet: NewGame, line: str) -> None:
        if packet.name == packet.opponent:
            raise ProtocolError(line, "different names")
        small = packet.big_blind // 2
        try:
            if (packet.stack, (small, packet.big_blind)) != (
                self.variant.stack,
                self.variant.blinds,
            ):
                self.variant = VARIANTS["discard"](packet.stack, (small, packet.big_blind))
        except GameError as error:
            raise ProtocolError(line, f"stack and blind of a game: {error}") from error
        self._names = packet.name, packet.opponent
        match = MatchInfo(self.variant, self._names, packet.n_hands, packet.seconds)
        self.bot.begin_match(match)

    def _begin_hand(self, packet: NewHand, line: str) -> None:
        if not self._names[0]:
            raise ProtocolError(line, "NEWGAME first")
        self._bank, self._shown, self.last_answer = packet.bank, (), ""
        view = first_view(self.variant, 0 if packet.button else 1, packet.hole)
        self.view = view.with_clock(packet.seconds)
        self.tell(self.bot.begin_hand, self.view)

    def _answer(self, packet: GetAction, line: str) -> str:
        if self.view is None:  # lost track of this hand
            return _passive(packet.legal)
        view = self._follow_all(packet, line).with_clock(packet.seconds)
        self.view = view
        if not view.my_turn:
            if view.all_in or view.over:
                return _passive(packet.legal)
            raise ProtocolError(line, f"no question before it is this seat's turn in {view}")
        if packet.pot != view.pot:
            raise ProtocolError(line, f"a pot of {view.pot} in {view}")
        answer = _format_answer(self.ask(view), packet.legal)
        if answer is None:
            raise ProtocolError(line, f"what is legal in {view}")
        return answer

    def _end_hand(self, packet: HandOver, line: str) -> None:
        if self._bank is None:
            return
        chips = packet.bank - self._bank
        if self.view is None:  # lost track of this hand
            self._bank = None
            self.count_hand(chips)
            return
        view = self._follow_all(packet, line)
        self.view = self._bank = None
        self.end_hand(view, chips, self._shown)
        known = view.phase == betting.FOLDED or (view.over and self._shown)
        if known and chips != view.winnings(self._shown):
            raise ProtocolError(line, f"{view.winnings(self._shown)} chips won in {view}")

    def _follow_all(self, packet: GetAction | HandOver, line: str) -> View:
        assert self.view is not None
        view = self.view
        for performed in packet.performed:
            view = self._follow(performed, view, packet.board, line)
        return view

    def _follow(self, performed: Performed, view: View, board: tuple[int, ...], line: str) -> View:
        kind = performed.kind
        if kind == "DEAL":
            while view.all_in and view.phase == betting.DRAW:  # an engine may no longer ask
                view = view.after(KEEP)
            old = len(view.board_cards)
            n = self.variant.streets[min(view.street + 1, len(self.variant.streets) - 1)].cards
            if set(board[:old]) != set(view.board_cards) or len(board) < old + n:
                raise ProtocolError(line, "a board that continues the one before")
            return view.after_board(board[old : old + n])
        if performed.actor not in self._names:
            raise ProtocolError(line, f"actions of {' or '.join(self._names)}")
        mine = performed.actor == self._names[0]
        if kind == "SHOW" and not mine:
            self._shown = performed.cards
        if kind not in ("CHECK", "CALL", "FOLD", "BET", "RAISE", "DISCARD"):
            return view
        if view.phase in (betting.DEAL, betting.SHOWDOWN) and view.all_in and kind == "CHECK":
            return view  # nothing more can be done
        if mine != (view.situation[betting.ACTOR] == view.seat):
            raise ProtocolError(line, f"an action of the other player in {view}")
        if kind == "DISCARD" and mine and len(performed.cards) != 2:
            raise ProtocolError(line, "the old and the new card of a discard")
        action = _read_performed(performed, view.phase == betting.DRAW)
        after = view.after(action)
        if mine:
            self.compare(action)
        return after.after_drawn(performed.cards[1]) if kind == "DISCARD" and mine else after


def _read_performed(performed: Performed, drawing: bool) -> str:
    """An action that the engine reports; a discard of the opponent's has no card."""
    if performed.kind == "DISCARD":
        return DISCARD + "".join(format_card(card) for card in performed.cards[:1])
    if performed.kind in ("BET", "RAISE"):
        return f"{RAISE}{performed.amount}"
    return KEEP if drawing and performed.kind == "CHECK" else _PLAIN[performed.kind]


def _passive(legal: tuple[Legal, ...]) -> str:
    kinds = [each.kind for each in legal]
    return "FOLD" if "FOLD" in kinds and "CHECK" not in kinds else "CHECK"


def _format_answer(action: str, legal: tuple[Legal, ...]) -> str | None:
    """The answer that says `action`, or None if the engine does not offer it."""
    if action[0] == RAISE:
        total = int(action[1:])
        for each in legal:
            if each.kind in ("BET", "RAISE") and each.low <= total <= each.high:
                return f"{each.kind}:{total}"
        return None
    if action[0] == DISCARD:
        offered = [f"{DISCARD}{format_card(each.card)}" for each in legal if each.kind == "DISCARD"]
        return f"DISCARD:{action[1:]}" if action in offered else None
    kind = _KINDS[action]
    return kind if any(each.kind == kind for each in legal) else None


class DiscardEngineSession(EngineSession):
    """Asks questions and tells what happened since the last packet."""

    last_word = FINISH

    def __init__(self) -> None:
        self._n_told = 0
        self._posted = False

    def begin_match(self, match: MatchInfo) -> Lines:
        """The names and the rules."""
        variant = match.variant
        packet = NewGame(
            *match.names,
            variant.stack,
            variant.blinds[1],
            match.n_hands or 0,
            match.clock_seconds or 0.0,
        )
        return (format_packet(packet),)

    def begin_hand(self, hand: Hand, seat: int, seconds: float) -> Lines:
        """Seat, cards and banks."""
        self._n_told, self._posted = 0, False
        banks = hand.banks[seat], hand.banks[1 - seat]
        packet = NewHand(hand.number + 1, seat == 0, hand.deal.holes[seat], *banks, seconds)
        return (format_packet(packet),)

    def prompt(self, hand: Hand, seat: int, seconds: float) -> Lines:
        """One question."""
        view = hand.view(seat)
        performed = self._performed(hand, seat)
        legal = _legal(view, gamelog_2017.list_hole(hand, seat))
        return (format_packet(GetAction(view.pot, tuple(hand.board), performed, legal, seconds)),)

    def read(self, line: str, hand: Hand, seat: int) -> str:
        """The action, if it was offered."""
        view = hand.view(seat)
        kind, _, rest = line.strip().partition(":")
        if kind in _PLAIN and not rest:
            action = KEEP if view.phase == betting.DRAW and kind == "CHECK" else _PLAIN[kind]
        elif kind in ("BET", "RAISE"):
            # Bots of that year send BET:12.57; all amounts in logs of the real engine are whole.
            action = f"{RAISE}{parse_amount(rest, line)}"
        elif kind == "DISCARD":
            action = DISCARD + format_card(parse_wire_card(rest, line))
        else:
            raise ProtocolError(line, "CHECK, CALL, FOLD, BET:n, RAISE:n or DISCARD:card")
        offered = _format_answer(action, _legal(view, gamelog_2017.list_hole(hand, seat)))
        if not view.is_legal(action) or offered is None or not offered.startswith(kind):
            raise IllegalActionError(f"{kind}:{action[1:]}" if action[0] == RAISE else kind)
        return action

    def end_hand(self, hand: Hand, seat: int, seconds: float) -> Lines:
        """How it ended, and the banks after it."""
        banks = [hand.banks[each] + hand.chips[each] for each in (seat, 1 - seat)]
        performed = self._performed(hand, seat)
        packet = HandOver(banks[0], banks[1], tuple(hand.board), performed, seconds)
        return (format_packet(packet),)

    def end_match(self) -> Lines:
        """The last packet."""
        return ("REQUESTKEYVALUES",)

    def _performed(self, hand: Hand, seat: int) -> tuple[Performed, ...]:
        performed: list[Performed] = []
        if not self._posted:
            self._posted = True
            blinds = zip(hand.names, hand.variant.blinds, strict=True)
            performed += [Performed("POST", name, blind) for name, blind in blinds]
        for event in hand.events[self._n_told :]:
            performed += _perform(event, hand, seat)
        self._n_told = len(hand.events)
        return tuple(performed)


def _legal(view: View, hole: list[int]) -> tuple[Legal, ...]:
    """What may be answered; discards in the order of the hand."""
    if view.phase == betting.DRAW:
        return (Legal("CHECK"), *(Legal("DISCARD", card=card) for card in hole))
    legal = [Legal("CALL"), Legal("FOLD")] if view.to_call else [Legal("CHECK")]
    bounds = view.raise_bounds()
    if bounds:
        opens = max(view.spent) == view.situation[betting.BASE]
        legal.append(Legal("BET" if opens else "RAISE", *bounds))
    return tuple(legal)


def _perform(event: Event, hand: Hand, seat: int) -> list[Performed]:
    """The tokens of an event as `seat` sees it."""
    names = hand.names
    if isinstance(event, BoardDealt):
        return [Performed("DEAL", word=STREETS[len(event.board)])]
    if isinstance(event, CardDrawn):
        cards = (event.old, event.new) if event.seat == seat else ()
        return [Performed("DISCARD", names[event.seat], cards=cards)]
    if isinstance(event, ActionTaken):
        name, kind = names[event.seat], event.action[0]
        if kind == DISCARD:
            return []
        if kind == RAISE:
            return [Performed("BET" if event.opens else "RAISE", name, int(event.action[1:]))]
        return [Performed(_KINDS[kind], name)]
    return _perform_end(event, hand) if isinstance(event, End) else []


def _perform_end(end: End, hand: Hand) -> list[Performed]:
    names, spent = hand.names, hand.state.spent
    refund = gamelog_2017.uncalled_chips(hand)
    pot = sum(spent) - refund
    performed = []
    if refund:
        ahead = 0 if spent[0] > spent[1] else 1
        performed.append(Performed("REFUND", names[ahead], refund))
    if end.showdown:
        performed += [
            Performed("SHOW", name, cards=tuple(gamelog_2017.list_hole(hand, seat)))
            for seat, name in enumerate(names)
        ]
    if end.chips[0] == 0:
        return performed + [Performed("TIE", name, pot // 2) for name in names]
    return [*performed, Performed("WIN", names[0 if end.chips[0] > 0 else 1], pot)]


def _check_variant(variant: Variant) -> None:
    limit = variant.betting == "limit"  # then it may have no stack
    if limit or variant != replace(
        VARIANTS["discard"](variant.stack, variant.blinds), title=variant.title
    ):
        raise GameError(f"{variant.name}: the 2017 protocol plays only Discard Hold'em")
    if variant.blinds[1] != 2 * variant.blinds[0]:
        raise GameError(
            f"{variant.name}: the small blind must be half the big blind in the 2017 protocol"
        )


MIT_2017 = WireProtocol(
    "mit-2017",
    DiscardClientSession,
    DiscardEngineSession,
    LogFormat(gamelog_2017.format_begin, gamelog_2017.format_hand, gamelog_2017.format_end),
    VARIANTS["discard"],
    check_variant=_check_variant,
)
