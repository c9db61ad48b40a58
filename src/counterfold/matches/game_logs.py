"""Game logs of the engines of MIT Pokerbots, read as hand histories.

A log is a match in words: those of 2017, or those that all engines since 2020 share. Lines that
tell nothing about the hand, such as faults and statistics, are skipped. Chips are taken from the
banks before and after a hand, so a replay checks them against the cards. The engines of 2025
and 2026 let a player fold although both are all-in, which no rules here know: such hands are left
out.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from counterfold.cards import format_card, format_cards, parse_cards
from counterfold.errors import CardError, HistoryError, IllegalActionError
from counterfold.games.holdem import VARIANTS, HoldemState, Variant
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.action_words import BID, CALL, CHECK, DISCARD, FOLD, KEEP, RAISE
from counterfold.games.holdem.chance import BOUNTY, DRAWN, SWAPPED, UNSWAPPED
from counterfold.matches.hand_histories import HandHistory, quote

_TITLE = "MIT Pokerbots - "
_CHIPS = re.compile(r"stack=(\d{1,7}), bb=(\d{1,7})")  # in the title of 2017
_HAND = re.compile(r"(?:Round|Hand) #(\d{1,9}), (\S+) \((-?\d{1,12})\), (\S+) \((-?\d{1,12})\)")
_FINAL = re.compile(r"F(?:inal,|INAL:) (\S+) \((-?\d{1,12})\),? (\S+) \((-?\d{1,12})\)")
_STREET = re.compile(r"(?:Flop|Turn|River|Run|\*\*\* (?:FLOP|TURN|RIVER) \*\*\*) .*\]")
_DEALT = re.compile(r"Dealt to \S+ \[(.*)\]|\S+ dealt \[(.*)\]")
_HELD = re.compile(r"\S+'s hand: \[(.*)\]")
_DISCARD = re.compile(r"\S+ discards (..)(?: for (..))?")
_PRIZE = re.compile(r"\S+ won the auction and was dealt \[(..)\]")
_BOUNTIES = re.compile(r"Bounties reset to (.) for player (\S+) and (.) for player (\S+)")
_ACTION = re.compile(r"\S+ (folds|checks|calls|bids|bets|raises to)(?: (\d{1,7}))?")
_CARD = re.compile("[2-9TJQKA][cdhs]")
_LETTERS = {
    "folds": FOLD,
    "checks": CHECK,
    "calls": CALL,
    "bids": BID,
    "bets": RAISE,
    "raises to": RAISE,
}

# The games of logs that do not name them, by lines that no other game has.
_SIGNS = {
    "swap": _HELD,
    "river-of-blood": re.compile("Run reached"),
    "auction": _PRIZE,
    "bounty": _BOUNTIES,
    "toss": re.compile(r"\S+ discards .."),
}


def is_game_log(path: Path) -> bool:
    """Whether a file begins as the engines' logs do."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return _TITLE in file.readline(1000)
    except OSError as error:
        raise HistoryError(f"cannot read {str(path)!r}: {error.strerror or error}") from error


def read_game_log(path: Path, variant: Variant | None = None) -> Iterator[tuple[int, HandHistory]]:
    """The hands of a log with the numbers of their first lines; a hand that is cut off is dropped.

    `variant` is what was played; by default what the log is recognized by.
    """
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    variant = variant or _recognize(path, lines)
    hand: _LoggedHand | None = None
    bounties: dict[str, str] = {}  # ranks by player
    for number, line in enumerate(lines, 1):
        begins, ends = _HAND.fullmatch(line), _FINAL.fullmatch(line)
        if begins or ends:
            names = (begins or ends).groups()[-4:]  # type: ignore[union-attr]
            banks = {names[0]: int(names[1]), names[2]: int(names[3])}
            if hand is not None and not hand.is_odd:
                yield hand.line, hand.end(banks)
            hand = _LoggedHand(variant, number, int(begins[1]), banks) if begins else None
            if hand is not None:
                hand.bounties = bounties
        elif drawn := _BOUNTIES.fullmatch(line):
            bounties |= {drawn[2]: drawn[1], drawn[4]: drawn[3]}
        elif hand is not None:
            try:
                hand.follow(line)
            except (IllegalActionError, CardError) as error:
                raise HistoryError(
                    f"line {number} of {str(path)!r}: the rules of {variant.name} refuse "
                    f"{quote(line)}: {str(error)[:300]}; pass another --variant if that was played"
                ) from error


def _recognize(path: Path, lines: Sequence[str]) -> Variant:
    if chips := _CHIPS.search(lines[0]):
        big_blind = int(chips[2])
        return VARIANTS["discard"](int(chips[1]), (big_blind // 2, big_blind))
    for name, sign in _SIGNS.items():
        if any(map(sign.fullmatch, lines)):
            return VARIANTS[name]()
    raise HistoryError(
        f"{str(path)!r} does not say which game was played; pass it as --variant, such as nolimit"
    )


class _LoggedHand:
    """A hand that is followed line by line."""

    def __init__(self, variant: Variant, line: int, number: int, banks: dict[str, int]) -> None:
        self.line, self._number, self._banks = line, number, banks
        self._state: HoldemState = variant.root()
        self._hands: list[tuple[int, ...]] = []  # by seat, in the order of the log
        self._n_held = 0  # lines with the hand of a seat
        self._nod_due = False  # whether the next check answers a card laid onto the board
        self.bounties: dict[str, str] = {}  # ranks by player
        self.is_odd = False  # no rules here know what happened

    def end(self, banks: dict[str, int]) -> HandHistory:
        """The history, given the banks after the hand."""
        one, two = self._banks
        if set(banks) != {one, two}:
            raise HistoryError(
                f"line {self.line}: a hand of {one!r} and {two!r} ends with the banks of other "
                "players; replay one match at a time"
            )
        return HandHistory(
            hand=self._number,
            deal=self._number,
            variant=self._state.variant.name,
            players=(one, two),
            state=self._state.notation,
            chips=(banks[one] - self._banks[one], banks[two] - self._banks[two]),
        )

    def follow(self, line: str) -> None:
        """Note what a line says."""
        if dealt := _DEALT.fullmatch(line):
            self._hands.append(parse_cards(dealt[1] or dealt[2]))
            self._add(format_cards(self._hands[-1]))
            if len(self._hands) == 2 and self._state.variant.bounty is not None:
                for name in self._banks:
                    self._add(BOUNTY + self.bounties.get(name, ""))
        elif _STREET.match(line):
            cards = _CARD.findall(line)
            new = cards[sum(map(len, self._state.board)) :]
            if new:
                self._add("".join(new))
        elif held := _HELD.fullmatch(line):
            self._swap(parse_cards(held[1]))
        elif discard := _DISCARD.fullmatch(line):
            self._add(DISCARD + discard[1])
            if discard[2]:
                self._add(DRAWN + discard[2])
            self._nod_due = not discard[2]
        elif prize := _PRIZE.fullmatch(line):
            self._add(DRAWN + prize[1])
        elif action := _ACTION.fullmatch(line):
            self._act(_LETTERS[action[1]] + (action[2] or ""))

    def _act(self, action: str) -> None:
        state = self._state
        if action == CHECK and self._nod_due:
            self._nod_due = False
            return
        if state.chance is not None or state.utilities is not None:
            # Engines ask for checks although the players are all-in.
            self.is_odd |= action == FOLD and state.variant.fold_when_free
            if self.is_odd or action == CHECK:
                return
        keeps = action == CHECK and state.situation[betting.PHASE] == betting.DRAW
        self._add(KEEP if keeps else action)

    def _swap(self, now: tuple[int, ...]) -> None:
        """The hand of one seat after a street's swaps; a state has its places in another order."""
        seat = self._n_held % 2
        self._n_held += 1
        swaps = dict(zip(self._hands[seat], now, strict=False))
        self._hands[seat] = now
        for card in self._state.holes[seat]:
            new = swaps.get(card, card)
            self._add(UNSWAPPED if new == card else SWAPPED + format_card(new))

    def _add(self, event: str) -> None:
        self._state = self._state.child(event)
