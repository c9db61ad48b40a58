"""A line of betting as people write it, followed through a public graph.

Words are those of `games.holdem.notation`, and the labels of the menu, `50%` or `allin`. An amount
that the menu does not offer is read as the most similar one; from then on the chips of the line are
not those of the graph, and amounts out of bounds are brought between them. Cards of the board may
be written where they are dealt.
"""

from dataclasses import dataclass

from counterfold.bets.menu import format_size
from counterfold.cards.text import SUITS, format_card, format_cards
from counterfold.errors import IllegalActionError
from counterfold.games.holdem import betting_kernels as betting
from counterfold.games.holdem.action_words import (
    BID,
    DISCARD,
    KEEP,
    RAISE,
    WORDS,
    letter_of,
)
from counterfold.games.holdem.card_sets_kernels import SET_BITS
from counterfold.games.holdem.line_steps import LineStep, extend_by_deal, extend_line
from counterfold.games.holdem.notation import DEAL, LineWord, check_dealt, read_line, resolve_bet
from counterfold.games.holdem.situation import DEALT, choice_of, most_bid
from counterfold.games.holdem.street import Deal, Discard
from counterfold.public.graph import PublicGraph

Cards = tuple[int, ...]

_OVER = (betting.FOLDED, betting.SHOWDOWN)
# Of hole cards, in the order of `public.deals`.
_PLACES = ("first", "second", "third", "fourth", "fifth", "sixth")


@dataclass(frozen=True)
class Offer:
    """An action at a node: its label, the word for it in states, and the edge."""

    label: str
    word: str
    edge: int

    @property
    def text(self) -> str:
        """Label and chips."""
        return f"{self.label} ({self.word})" if self.word[0] in (RAISE, BID) else self.label


@dataclass(frozen=True)
class Line:
    """Where a line of betting leads."""

    node: int
    read: tuple[str, ...]  # the actions as they were understood, deals included
    discarded: tuple[tuple[int, ...], tuple[int, ...]]  # cards by seat, at each of its discards
    decisions: tuple[tuple[int, int], ...]  # the nodes at which someone acted, with the edges taken
    board: Cards  # as far as it is known


def offers(graph: PublicGraph, node: int) -> tuple[Offer, ...]:
    """The actions at a decision, in the order of its slots."""
    situation = graph.situations[node]
    to_call = abs(int(situation[betting.SPENT_0]) - int(situation[betting.SPENT_1]))
    found = []
    for edge in range(int(graph.starts[node]), int(graph.starts[node + 1])):
        kind, amount = int(graph.kinds[edge]), int(graph.amounts[edge])
        word = letter_of(kind, to_call)
        label = WORDS[word]
        if kind == betting.RAISE:
            label, word = (
                format_size(int(graph.labels[edge])),
                f"{word}{amount - situation[betting.BASE]}",
            )
        elif kind == betting.BID:
            label, word = f"{label} {format_size(int(graph.labels[edge]))}", f"{word}{amount}"
        elif kind in (betting.KEEP, betting.DISCARD):
            most, places = discard_of(graph, node, edge)
            if graph.variant.hole_cards > 1 and places:
                label = f"{label} {' and '.join(_PLACES[place] for place in places)}"
            if most > 1:
                word = DISCARD * len(places) + KEEP * (len(places) < most)
        found.append(Offer(label, word, edge))
    return tuple(found)


def follow(graph: PublicGraph, text: str, board: Cards = ()) -> Line:
    """The decision after the line `text`, whose cards extend `board`.

    Raises `IllegalActionError` with the offered actions if a word does not fit.
    """
    walk = _walk(graph, text, board)
    while walk.phase == betting.DEAL:
        walk.deal()
    if walk.phase in _OVER:
        raise IllegalActionError(f"nobody acts after {text!r}: the hand is over")
    return walk.line()


def find_end(graph: PublicGraph, text: str, board: Cards = ()) -> Line:
    """Where the line `text` ends: at a decision, where a street is dealt, or with the hand."""
    return _walk(graph, text, board).line()


def list_steps(graph: PublicGraph, line: Line) -> tuple[LineStep, ...]:
    """The decisions and deals of a line, with what was offered at each."""
    steps: list[LineStep] = []
    text = ""
    decisions = iter(line.decisions)
    known, street = line.board, 0  # cards that are not written yet
    for read in line.read:
        if read == DEALT:
            street += 1
            n_cards = _n_dealt(graph, street)
            cards, known = known[:n_cards], known[n_cards:]
            steps.append(LineStep(text, cards=cards))
            text = extend_by_deal(text, cards)
            continue
        node, edge = next(decisions)
        found = offers(graph, node)
        taken = next(offer.word for offer in found if offer.edge == edge)
        offered = {offer.word: offer for offer in reversed(found)}  # a discard may have several
        choices = [(offer.text, word) for word, offer in reversed(offered.items())]
        place = [word for _, word in choices].index(taken)
        if taken[0] == DISCARD and _lays_cards(graph, node):
            n_cards = taken.count(DISCARD)
            laid = [DISCARD + format_cards(known[at : at + 1]) for at in range(n_cards)]
            taken, known = " ".join([*laid, *taken[n_cards:]]), known[n_cards:]
            choices[place] = (choices[place][0], taken)
        seat = int(graph.field(betting.ACTOR)[node])
        steps.append(LineStep(text, seat, tuple(choices), place))
        text = extend_line(text, taken)
    return tuple(steps)


def discard_of(graph: PublicGraph, node: int, edge: int) -> tuple[int, tuple[int, ...]]:
    """How many cards may go at a choice of discards, and the places of those that an edge names."""
    rules, situation = graph.variant.rules, tuple(graph.situations[node].tolist())
    bits = 0
    if graph.kinds[edge] == betting.DISCARD:
        n_held = betting.choice_rule(rules, situation, betting.N_HELD)
        bits = int(SET_BITS[n_held, graph.amounts[edge]])
    places = tuple(place for place in range(len(_PLACES)) if bits >> place & 1)
    return int(betting.choice_rule(rules, situation, betting.N_TURNS)), places


def _lays_cards(graph: PublicGraph, node: int) -> bool:
    """Whether the cards that are discarded at a node come to the board."""
    choice = choice_of(graph.variant, tuple(graph.situations[node].tolist()))
    return isinstance(choice, Discard) and choice.to_board


def _n_dealt(graph: PublicGraph, street: int) -> int:
    """How many cards come to the board on `street`, without those that players lay."""
    rules = graph.variant.streets[min(street, len(graph.variant.streets) - 1)]
    return rules.cards + sum(step.board for step in rules.steps if isinstance(step, Deal))


def _walk(graph: PublicGraph, text: str, board: Cards) -> "_Walk":
    walk = _Walk(graph, board)
    for word in read_line(text):
        walk.step(word)
    return walk


class _Walk:
    """What a line has come to so far."""

    def __init__(self, graph: PublicGraph, board: Cards) -> None:
        self.graph, self.board = graph, board
        self.node = 0
        self.n_board = 0  # cards of the board so far, known or not
        self.read: list[str] = []
        self.discarded: tuple[list[int], list[int]] = ([], [])
        self.gone: list[LineWord] = []  # discards of a turn that is not over
        self.decisions: list[tuple[int, int]] = []
        self.similar = False  # an amount was read as another

    @property
    def phase(self) -> int:
        return int(self.graph.phase[self.node])

    @property
    def street(self) -> int:
        return int(self.graph.field(betting.STREET)[self.node])

    def line(self) -> Line:
        if self.gone:
            raise IllegalActionError(
                f"{self.gone[-1].place}: more cards may be discarded after "
                f"{self.gone[-1].text!r}; write {DISCARD} for another, or {KEEP} for no more"
            )
        choices = tuple(self.discarded[0]), tuple(self.discarded[1])
        return Line(self.node, tuple(self.read), choices, tuple(self.decisions), self.board)

    def step(self, word: LineWord) -> None:
        """Follow one word."""
        if word.kind == DEAL:
            if self.phase != betting.DEAL:
                offered = _offered(self.graph, self.node)
                raise IllegalActionError(f"{word.place}: no street is dealt here; {offered}")
            self.deal(word)
            return
        while self.phase == betting.DEAL:
            self.deal()
        if self.phase in _OVER:
            raise IllegalActionError(f"{word.place}: {word.text!r} comes after the hand is over")
        if self.phase == betting.DRAW and word.kind in (DISCARD, KEEP):
            offer = self._discard(word)
            if offer is None:
                return
            n_cards = offer.word.count(DISCARD)
            self.read.append(WORDS[DISCARD if n_cards else KEEP] + f" {n_cards}" * (n_cards > 1))
        else:
            offer, total = _match(self.graph, self.node, word, similar=self.similar)
            self.read.append(offer.text)
            self.similar |= total != int(self.graph.amounts[offer.edge])
        self.decisions.append((self.node, offer.edge))
        self.node = int(self.graph.children[offer.edge])

    def _discard(self, word: LineWord) -> Offer | None:
        """What a seat has discarded once its turn is over, else None."""
        if word.kind == DISCARD:
            self.gone.append(word)
        most, _ = discard_of(self.graph, self.node, int(self.graph.starts[self.node]))
        if word.kind == DISCARD and len(self.gone) < most:
            return None
        gone, self.gone = self.gone, []
        offered = offers(self.graph, self.node)
        found = [offer for offer in offered if offer.word.count(DISCARD) == len(gone)]
        if not found:
            return _match(self.graph, self.node, word)[0]
        self.discarded[int(self.graph.field(betting.ACTOR)[self.node])].append(len(gone))
        for each in gone if _lays_cards(self.graph, self.node) else ():
            if each.cards:
                self._extend_board(each)
            self.n_board += 1
        return found[0]

    def deal(self, word: LineWord | None = None) -> None:
        """Deal a street; where a run may continue, the board says whether it does."""
        variant, edge = self.graph.variant, int(self.graph.starts[self.node])
        street = self.street + 1
        if word is not None and word.cards:
            check_dealt(variant, street, word)
            self._extend_board(word)
        self.n_board += _n_dealt(self.graph, street)
        self.read.append(DEALT)
        if self.graph.starts[self.node + 1] - edge > 1:
            size = variant.board_cards(street)
            if len(self.board) < size:
                raise IllegalActionError(
                    f"whether {variant.name} deals another street depends on card {size} of the "
                    f"board, which has {len(self.board)}; pass a longer --board"
                )
            goes_on = SUITS[self.board[size - 1] & 3] in variant.run_suits
            edge += not goes_on
        self.node = int(self.graph.children[edge])

    def _extend_board(self, word: LineWord) -> None:
        """Add the cards of `word` to the cards before them, or compare them."""
        size = self.n_board
        known = self.board[size : size + len(word.cards)]
        if known and sorted(known) != sorted(word.cards):
            raise IllegalActionError(
                f"{word.place}: {word.text!r} is not {format_cards(known)}, as on the board"
            )
        if len(self.board) < size:
            raise IllegalActionError(
                f"{word.place}: {word.text!r} follows cards that are not written"
            )
        if not known:
            for card in word.cards:
                if card in self.board or word.cards.count(card) > 1:
                    raise IllegalActionError(
                        f"{word.place}: card {format_card(card)} is dealt twice"
                    )
            self.board += word.cards


def _match(
    graph: PublicGraph, node: int, word: LineWord, *, similar: bool = False
) -> tuple[Offer, int]:
    """The offer that `word` names or comes nearest to, and the chips that were meant.

    After a `similar` one chips may be out of bounds.
    """
    offered = offers(graph, node)
    for offer in offered:
        if word.kind == offer.word:
            return offer, int(graph.amounts[offer.edge])
    situation = tuple(graph.situations[node].tolist())
    raises = [offer for offer in offered if offer.word.startswith(RAISE)]
    if word.kind == RAISE and raises:
        base = situation[betting.BASE]
        low, high = betting.raise_bounds(graph.variant.rules, situation)
        if found := resolve_bet(graph.variant, situation, word):
            total = found[1]
        elif similar and word.size is not None:
            total = min(max(base + int(word.size.amount), low), high)
        else:
            raise IllegalActionError(
                f"{word.place}: {word.text!r} is not a raise from r{low - base} to "
                f"r{high - base}; {_offered(graph, node)}"
            )
        other = max(situation[betting.SPENT_0], situation[betting.SPENT_1])
        return min(raises, key=lambda offer: _unlike(total, offer, base, other)), total
    if word.kind == BID and graph.phase[node] == betting.AUCTION:
        bid = int(word.text[1:])
        if similar or bid <= most_bid(graph.variant, situation):
            return min(offered, key=lambda offer: abs(int(offer.word[1:]) - bid)), bid
    raise IllegalActionError(f"{word.place}: {word.text!r} does not fit; {_offered(graph, node)}")


def _unlike(total: int, offer: Offer, base: int, other: int) -> float:
    """The ratio of the larger raise to the smaller, counted beyond the call; 1 if equal."""
    mine, theirs = total - other, int(offer.word[1:]) + base - other
    return max(mine / theirs, theirs / mine)


def _offered(graph: PublicGraph, node: int) -> str:
    texts = dict.fromkeys(
        f"{offer.label.split()[0]} ({offer.word})" if offer.word != offer.label else offer.label
        for offer in offers(graph, node)
    )
    return f"offered are {', '.join(texts)}"
