"""The betting of one responder as a device reads it, street by street.

Lines of the bot in the last street lie in lanes. A line that ends by a fold of the bot alone needs
none: what is met there is what is met before, less what is met on the other ways to go on.
"""

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.responses.device.street_pass_kernels import NONE, SLOTS
from counterfold.responses.response_pass import ResponseSide

Numbers = NDArray[np.int32]
Reals = NDArray[np.floating]


class Decisions(NamedTuple):
    """Lines and decisions of a seat on a street, numbered from zero."""

    starts: Numbers  # [E + 1] first line of each start
    points: Numbers  # [E + 1] first decision
    before: Numbers  # [J] the line that leads to a decision
    first: Numbers  # [J]
    n_actions: Numbers  # [J]


@dataclass(frozen=True)
class EarlyStreet:
    """A street that is not the last."""

    bot: Decisions
    own: Decisions
    source: Numbers  # [E] line of the bot on the street before
    answer: NDArray[np.int64]  # [bot's lines] where its chances begin
    ends: Numbers  # lines of the bot that end by a fold
    fold: Numbers  # [own lines] row of `ends`, or NONE
    stake: Reals  # [own lines]
    later: Numbers  # [own lines] start of the next street, or NONE
    own_answer: NDArray[np.int64]  # [own lines] the bot's chances in the responder's place, or NONE


@dataclass(frozen=True)
class LastStreet:
    """The last street; see `street_pass_kernels.end_hands`."""

    own: Decisions
    source: Numbers
    width: int
    n_sums: int
    n_common: int  # groups of starts whose betting has the most common shape
    members: Numbers  # [groups, starts of a group]
    chances: Reals  # [buckets, groups, SLOTS]
    weights: Reals  # [buckets, starts, room], of nothing if there is one layer
    sums: Numbers  # [own lines]
    term_starts: Numbers  # [starts, room + 1]
    term_slots: Numbers  # [starts, most]
    coefficients: Reals  # [starts, most]
    shape: "Shape"

    @property
    def room(self) -> int:
        """Lines of a start, at most, in whole vectors of four."""
        return int(self.term_starts.shape[1]) - 1


class Shape(NamedTuple):
    """The betting of a start without its chips, numbered from zero."""

    n_lines: int
    before: tuple[int, ...]
    first: tuple[int, ...]
    n_actions: tuple[int, ...]
    term_starts: tuple[int, ...]
    term_slots: tuple[int, ...]

    @property
    def constants(self) -> dict[str, str]:
        """What a compiler needs to know of it."""
        counts = np.diff(self.term_starts)
        return {
            "N_LINES": str(self.n_lines),
            "N_POINTS": str(len(self.before)),
            "MOST_ACTIONS": str(max(self.n_actions)),
            "MOST_TERMS": str(max(counts)),
            **{
                name: ",".join(map(str, numbers))
                for name, numbers in (
                    ("POINT_BEFORE", self.before),
                    ("POINT_FIRST", self.first),
                    ("POINT_ACTIONS", self.n_actions),
                    ("TERM_STARTS", self.term_starts),
                    ("TERM_SLOTS", self.term_slots),
                )
            },
        }


_NOTHING = Shape(0, (), (), (), (0,), ())


def has_device_path(side: ResponseSide) -> bool:
    """Whether a device can respond: bets are fixed, and hands are shown on the last street only."""
    lines, moves = side.lines, side.moves
    plain = not (moves.hidden[-1] or moves.adds.any() or (moves.weight != 1.0).any())
    last = _street(side, lines.n_streets - 1, 1 - side.seat)
    widest = int(np.diff(last.starts).max(initial=0))
    return plain and not lines.shows[:-1].any() and lines.zero_sum and widest <= SLOTS


def find_early(side: ResponseSide, k: int) -> EarlyStreet:
    """The tables of street `k`."""
    p, q = side.seat, 1 - side.seat
    tree = side.lines
    own, lines, bot = tree.seats[p], _lines(side, k, p), tree.seats[q]
    ending = np.flatnonzero(bot.fold[_lines(side, k, q)] != NONE)
    met = own.fold[lines]
    rows = np.searchsorted(ending, met - tree.first_lines[k, q])
    later = own.later[lines]
    return EarlyStreet(
        _street(side, k, q),
        _street(side, k, p),
        _source(side, k),
        _answers(side)[_lines(side, k, q)],
        ending.astype(np.int32),
        np.where(met == NONE, NONE, rows).astype(np.int32),
        own.fold_stake[lines].astype(side.dtype),
        np.where(later == NONE, NONE, later - tree.streets[k + 1]).astype(np.int32),
        _own_answers(side, k),
    )


def find_last(side: ResponseSide) -> LastStreet:
    """The tables of the last street."""
    return _LastStreet(side).find()


def _lines(side: ResponseSide, k: int, seat: int) -> slice:
    return slice(*side.lines.first_lines[k : k + 2, seat].tolist())


def _points(side: ResponseSide, k: int, seat: int) -> slice:
    starts = side.lines.streets[k : k + 2]
    return slice(*side.lines.seats[seat].points[starts].tolist())


def _street(side: ResponseSide, k: int, seat: int) -> Decisions:
    """The decisions of a seat on street `k`."""
    lines, begin = side.lines.seats[seat], int(side.lines.first_lines[k, seat])
    points = _points(side, k, seat)
    starts = slice(int(side.lines.streets[k]), int(side.lines.streets[k + 1]) + 1)
    return Decisions(
        lines.starts[starts] - begin,
        lines.points[starts] - points.start,
        lines.parent[points] - begin,
        lines.first[points] - begin,
        np.ascontiguousarray(lines.n_actions[points]),
    )


def _source(side: ResponseSide, k: int) -> Numbers:
    """[E] lines of the bot on the street before."""
    starts = slice(*side.lines.streets[k : k + 2].tolist())
    above = side.lines.first_lines[k - 1, 1 - side.seat]
    return np.ascontiguousarray(side.lines.seats[1 - side.seat].source[starts] - above)


def _answers(side: ResponseSide) -> NDArray[np.int64]:
    """[lines of the bot] where the chances of its last action begin; of no meaning at starts."""
    moves, lines = side.moves, side.lines.seats[1 - side.seat]
    found = np.zeros(lines.fold.size, np.int64)
    acted = slice(int(moves.points[0]), int(moves.points[-1]))
    found[moves.target[acted]] = moves.answer[acted]
    return found


def _own_answers(side: ResponseSide, k: int) -> NDArray[np.int64]:
    """[lines of the responder on street `k`] where the bot's chances in its place begin."""
    lines, begin = side.lines.seats[side.seat], int(side.lines.first_lines[k, side.seat])
    found = np.full(int(side.lines.first_lines[k + 1, side.seat]) - begin, NONE, np.int64)
    if not side.by_street:
        return found
    points = _points(side, k, side.seat)
    for j in range(points.start, points.stop):
        n, row = int(lines.n_actions[j]), int(side.own_at[k] + lines.row[j])
        found[lines.first[j] - begin :][:n] = side.own[row : row + n]
    return found


class _LastStreet:
    def __init__(self, side: ResponseSide) -> None:
        self.side, self.k = side, side.lines.n_streets - 1
        self.p, self.q = side.seat, 1 - side.seat
        self.bot, self.own = (_street(side, self.k, seat) for seat in (self.q, self.p))
        self.n_buckets = side.cards.n_buckets[self.k]
        self.answers = _answers(side)[_lines(side, self.k, self.q)]
        self.point_of = _acting(self.bot)
        self.lanes = self._place_lanes()

    def find(self) -> LastStreet:
        starts, n_starts = self.own.starts, self.own.starts.size - 1
        terms = [self._list_terms(e) for e in range(n_starts)]
        shapes = [self._shape(e, terms[e]) for e in range(n_starts)]
        width = -(-max(int(self.lanes.max(initial=0)) + 1, 2) // 2) * 2  # a lane has two slots
        members, n_common = _group_starts(shapes, SLOTS // width)
        room = -(-int(np.diff(starts).max(initial=1)) // 4) * 4
        most = -(-max((sum(map(len, each)) for each in terms), default=1) // 4) * 4
        term_starts = np.zeros((n_starts, room + 1), np.int32)
        term_slots = np.zeros((n_starts, max(most, 4)), np.int32)
        coefficients = np.zeros(term_slots.shape, self.side.dtype)
        for e, by_line in enumerate(terms):
            counts = np.cumsum([0, *map(len, by_line)])
            term_starts[e] = counts[-1]
            term_starts[e, : counts.size] = counts
            flat = [term for line in by_line for term in line]
            term_slots[e, : len(flat)] = [slot for slot, _ in flat]
            coefficients[e, : len(flat)] = [number for _, number in flat]
        sums, n_sums = self._number_sums()
        return LastStreet(
            self.own, _source(self.side, self.k), width, n_sums, n_common, members,
            self._chances_of_slots(members, width), self._weigh_own(room), sums, term_starts,
            term_slots, coefficients, shapes[members[0, 0]] if len(members) else _NOTHING,
        )  # fmt: skip

    def _chances_of_slots(self, members: Numbers, width: int) -> Reals:
        played = self._play(self.bot, self.answers)
        chances = np.zeros((self.n_buckets, len(members), SLOTS), self.side.dtype)
        for (group, s), e in np.ndenumerate(members):
            if e == NONE:
                continue
            lines = np.arange(self.bot.starts[e], self.bot.starts[e + 1])
            lines = lines[self.lanes[lines] != NONE]
            chances[:, group, s * width + self.lanes[lines]] = played[lines].T
        return chances

    def _weigh_own(self, room: int) -> Reals:
        if not self.side.by_street:
            return np.zeros((1, 1, 1), self.side.dtype)
        played = self._play(self.own, _own_answers(self.side, self.k))
        starts = self.own.starts
        weights = np.zeros((self.n_buckets, starts.size - 1, room), self.side.dtype)
        for e, (begin, end) in enumerate(pairwise(starts.tolist())):
            weights[:, e, : end - begin] = played[begin:end].T
        return weights

    def _shape(self, e: int, terms: list[list[tuple[int, float]]]) -> Shape:
        points = slice(int(self.own.points[e]), int(self.own.points[e + 1]))
        begin = self.own.starts[e]
        return Shape(
            len(terms),
            tuple((self.own.before[points] - begin).tolist()),
            tuple((self.own.first[points] - begin).tolist()),
            tuple(self.own.n_actions[points].tolist()),
            tuple(np.cumsum([0, *map(len, terms)]).tolist()),
            tuple(slot for line in terms for slot, _ in line),
        )

    def _place_lanes(self) -> Numbers:
        """[bot's lines] the lane of each within its start, or NONE for folds that need none."""
        seat, lines = self.side.lines.seats[self.q], _lines(self.side, self.k, self.q)
        fold, show, later = (x[lines] != NONE for x in (seat.fold, seat.show, seat.later))
        leads = np.zeros(fold.size, bool)
        leads[self.bot.before] = True
        alone = fold & ~show & ~later & ~leads & (self.point_of != NONE)
        lanes = np.full(fold.size, NONE, np.int32)
        for begin, end in zip(self.bot.starts[:-1], self.bot.starts[1:], strict=True):
            at = 0
            for line in range(begin, end):
                if alone[line] and self._is_first_fold(line, alone) and self._is_certain(line):
                    continue
                lanes[line] = at
                at += 1
        return lanes

    def _is_first_fold(self, line: int, alone: NDArray[np.bool_]) -> bool:
        first = int(self.bot.first[self.point_of[line]])
        return not alone[first:line].any()

    def _is_certain(self, line: int) -> bool:
        """Whether the chances of all actions beside `line`, and its own, add up to one."""
        j = self.point_of[line]
        actions = range(self.bot.first[j], self.bot.first[j] + self.bot.n_actions[j])
        total = sum(self._chances(self.answers[other]) for other in actions)
        return bool(np.allclose(total, 1.0, rtol=0.0, atol=1e-6))

    def _chances(self, answer: int) -> NDArray[np.float64]:
        if answer == NONE:
            return np.zeros(self.n_buckets)
        return self.side.answers[answer : answer + self.n_buckets].astype(np.float64)

    def _play(self, decisions: Decisions, answers: NDArray[np.int64]) -> NDArray[np.float64]:
        """[lines, buckets] how often lines are played from their start on."""
        played = np.zeros((int(decisions.starts[-1]), self.n_buckets))
        played[decisions.starts[:-1]] = 1.0
        for j, before in enumerate(decisions.before):
            for line in range(decisions.first[j], decisions.first[j] + decisions.n_actions[j]):
                played[line] = played[before] * self._chances(answers[line])
        return played

    def _number_sums(self) -> tuple[Numbers, int]:
        """Places, within a start, for lines to which decisions of the responder follow."""
        leads = np.zeros(int(self.own.starts[-1]), bool)
        leads[self.own.before] = True
        counts = np.cumsum(leads)
        start_of = np.searchsorted(self.own.starts, np.arange(leads.size), side="right") - 1
        begun = np.concatenate(([0], counts))[self.own.starts[start_of]]
        sums = np.where(leads, counts - 1 - begun, NONE).astype(np.int32)
        return sums, int(sums.max(initial=NONE)) + 1

    def _list_terms(self, e: int) -> list[list[tuple[int, float]]]:
        """For each line of a start the slots of its ends, and what these are multiplied with."""
        own = self.side.lines.seats[self.p]
        first, begin = (int(self.side.lines.first_lines[self.k, s]) for s in (self.p, self.q))
        found = []
        for line in range(first + self.own.starts[e], first + self.own.starts[e + 1]):
            terms = []
            if own.show[line] != NONE:
                lane = int(self.lanes[own.show[line] - begin])
                terms.append((lane, float(own.show_stake[line])))
            if own.fold[line] != NONE:
                terms += self._fold_terms(int(own.fold[line]) - begin, float(own.fold_stake[line]))
            found.append(terms)
        return found

    def _fold_terms(self, line: int, stake: float) -> list[tuple[int, float]]:
        if self.lanes[line] != NONE:
            return [(SLOTS + int(self.lanes[line]), stake)]
        j = self.point_of[line]
        actions = range(self.bot.first[j], self.bot.first[j] + self.bot.n_actions[j])
        others = [(SLOTS + int(self.lanes[other]), -stake) for other in actions if other != line]
        return [(SLOTS + int(self.lanes[self.bot.before[j]]), stake), *others]


def _group_starts(shapes: list[Shape], per_group: int) -> tuple[Numbers, int]:
    """[groups, per_group] starts, of the most common shape first, and how many groups these are.

    A shape without decisions is nothing that a compiler could be told.
    """
    counts = Counter(shape for shape in shapes if shape.before and shape.term_slots)
    usual = counts.most_common(1)[0][0] if counts else None
    common = [e for e, shape in enumerate(shapes) if shape == usual]
    others = [e for e, shape in enumerate(shapes) if shape != usual]
    groups = [
        part[at : at + per_group]
        for part in (common, others)
        for at in range(0, len(part), per_group)
    ]
    members = np.full((len(groups), per_group), NONE, np.int32)
    for row, group in zip(members, groups, strict=True):
        row[: len(group)] = group
    return members, -(-len(common) // per_group)


def _acting(decisions: Decisions) -> Numbers:
    """[lines] the decision of which each is an action, or NONE at starts."""
    point_of = np.full(int(decisions.starts[-1]), NONE, np.int32)
    for j, (first, n) in enumerate(zip(decisions.first, decisions.n_actions, strict=True)):
        point_of[first : first + n] = j
    return point_of
