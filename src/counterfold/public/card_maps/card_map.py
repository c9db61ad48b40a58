"""From cards to buckets for whole batches of deals: what an information set knows about the cards.

A card map numbers the buckets of every stage of a variant (see `public.stages`). It labels hands on
boards, `label_hands`, and all hand cells of a batch, `label`: `buckets[deal, seat, hand_cell]`.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from counterfold.buckets.card_abstraction import Sight
from counterfold.buckets.joint_tables import JointTables
from counterfold.cards.table_files import Progress
from counterfold.errors import AbstractionError
from counterfold.public import deals_kernels
from counterfold.public.bounties import BountyKnowledge
from counterfold.public.deals import Dealer, Deals, stage_hand_cells
from counterfold.public.looks import LookKnowledge

Buckets = NDArray[np.int32]
Cards = NDArray[np.uint8]

_ALL = slice(None)


class CardLabels(Protocol):
    """Buckets for deals and for hands on boards, as training needs them."""

    @property
    def n_buckets(self) -> tuple[int, ...]:
        """Number of buckets at every stage."""
        ...

    def label(self, deals: Deals) -> Buckets:
        """[n, 2, hand cells] the bucket of each; of no meaning beyond a deal's end."""
        ...

    def label_hands(
        self, holes: Cards, boards: Cards, lengths: NDArray[np.uint8] | None = None
    ) -> Buckets:
        """[n, stages, H] the buckets of `holes` [n, H, cards], H hands on each of n boards.

        The hands are the same from the first stage on. Stages are those that the columns of
        `boards` suffice for; beyond the end that `lengths` gives, buckets have no meaning.
        """
        ...


class CardMap(ABC):
    """What is known about the cards of a variant, in training and in play. `label_stage` gives it
    for one stage, from the bucket of the stage before if the map is `chained`.
    """

    dealer: Dealer
    n_buckets: tuple[int, ...]  # at every stage
    recalls: bool = False  # whether a bucket is numbered by the buckets of the stages so far
    chained: bool = False  # whether a bucket follows from that of the stage before
    # Whether it asks for all that was seen: cards that were shown and are dead, too. Hands of both
    # seats are then labeled together, filled up to one size.
    sees_shown: bool = False
    forgets_suits: ClassVar[bool] = False  # whether hands that are alike up to suits share buckets
    # What `label` says of bounties and of cards seen in the other's hand, and `bucket` leaves out.
    knows_bounty: BountyKnowledge = "nothing"
    knows_look: LookKnowledge = "nothing"

    @property
    @abstractmethod
    def name(self) -> str:
        """Text that identifies the map."""

    @abstractmethod
    def label_stage(self, at: int, holes: Cards, boards: Cards, before: Buckets | None) -> Buckets:
        """[n, H] the buckets at a stage of H hands on each of n boards.

        `before` are the buckets [n, H] of the stage before, None at the first and if not chained.
        """

    @abstractmethod
    def bucket(self, path: Sequence[Sight]) -> int:
        """The bucket of one player; `path` is what it saw at every stage up to this one."""

    @property
    def without_bounty(self) -> "CardMap":
        """The map that knows nothing of bounties."""
        return self

    def digests(self) -> dict[str, str]:
        """Hashes of the tables on disk that give hands their buckets, by name."""
        return {}

    def joint_tables(
        self, threads: int | None = None, progress: Progress | None = None
    ) -> JointTables:
        """The joint tables of its buckets, from the cache or counted now."""
        raise AbstractionError(f"{self.name} cards have no joint tables; use card tables")

    def label(self, deals: Deals) -> Buckets:
        """[n, 2, hand cells] the buckets of any deals of the variant."""
        layout = self.dealer.layout
        h = layout.hole_cards
        labels = np.zeros((len(deals), 2, self.dealer.n_hand_cells), np.int32)
        for at, stage in enumerate(layout.stages):
            if self.skips(at):
                continue
            if self._is_by_path(at):
                self._label_by_path(at, deals, labels)
                continue
            rows = self._rows(stage, deals.lengths)
            hand_cells = stage_hand_cells(stage)
            holes = deals.holes[rows, :, hand_cells]
            boards = deals.cards[rows, 2 * h : 2 * h + int(stage[deals_kernels.STAGE_BOARD])]
            n, _, n_paths, _ = holes.shape
            before: Buckets | None = None
            if at > 0 and self.chained:
                earlier = stage_hand_cells(layout.stages[at - 1])
                n_following = n_paths // (earlier.stop - earlier.start)
                known = labels[rows, :, earlier]
                if n_following > 1:
                    known = np.repeat(known, n_following, axis=2)
                before = known.reshape(n, 2 * n_paths)  # also of no deal at all
            width = layout.most_held
            of_seats = holes[:, :, 0] if n_paths == 1 else holes.reshape(n, 2 * n_paths, width)
            found = self.label_stage(at, of_seats, boards, before)
            labels[rows, :, hand_cells] = found.reshape(n, 2, n_paths)
        return labels

    def skips(self, at: int) -> bool:
        """Whether nobody needs the buckets of a stage: nobody acts, and none follow from them."""
        return not (self.dealer.stages[at].asks or self.chained)

    def _is_by_path(self, at: int) -> bool:
        """Whether hand paths of a stage have boards or sizes of hands of their own."""
        stage = self.dealer.stages[at]
        shown = self.sees_shown and stage.n_shown > 0
        return stage.resized or shown or len(stage.givers) == 1

    def _label_by_path(self, at: int, deals: Deals, labels: Buckets) -> None:
        """Fill the hand cells of a stage at which each hand path has a board of its own."""
        dealer, stage = self.dealer, self.dealer.stages[at]
        hand_cells = stage_hand_cells(dealer.layout.stages[at])
        shown = deals.shown if self.sees_shown else None
        boards = dealer.boards(at, deals.cards, deals.laid, shown)
        shape = len(deals), stage.n_paths, boards.shape[2]
        boards = np.broadcast_to(boards, shape)  # all share one if nobody has laid a card
        flat_boards = boards.reshape(len(deals) * stage.n_paths, boards.shape[2])
        before: Buckets | None = None
        if self.chained and at > 0:
            earlier = stage_hand_cells(dealer.layout.stages[at - 1])
            n_following = stage.n_paths // (earlier.stop - earlier.start)
            before = np.repeat(labels[:, :, earlier], n_following, axis=2)
        held = [dealer.hand_size(at, seat) for seat in (0, 1)]
        if self.sees_shown:
            held = [max(held)] * 2
        # Hands of one size are labeled together, so that each board is looked at once.
        groups = [(0, 1)] if held[0] == held[1] else [(0,), (1,)]
        if len(stage.givers) == 1 and not self.chained:
            groups = [stage.givers]  # the other is not asked
        for seats in groups:
            n_held, own = held[seats[0]], list(seats)
            holes = deals.holes[:, own, hand_cells, :n_held].swapaxes(1, 2)
            shape = holes.shape[:3]
            known = None if before is None else before[:, own].swapaxes(1, 2)
            found = self.label_stage(
                at,
                holes.reshape(-1, len(seats), n_held),
                flat_boards,
                None if known is None else known.reshape(-1, len(seats)),
            )
            labels[:, own, hand_cells] = found.reshape(shape).swapaxes(1, 2)

    def label_hands(
        self, holes: Cards, boards: Cards, lengths: NDArray[np.uint8] | None = None
    ) -> Buckets:
        """[n, stages, H] the buckets of H hands on each of n boards; see `CardLabels`."""
        stages = self.dealer.layout.stages
        stages = stages[stages[:, deals_kernels.STAGE_BOARD] <= boards.shape[1]]
        labels = np.zeros((len(holes), len(stages), holes.shape[1]), np.int32)
        for at, stage in enumerate(stages):
            if self.skips(at):
                continue
            rows = _ALL if lengths is None else self._rows(stage, lengths)
            board = boards[rows, : int(stage[deals_kernels.STAGE_BOARD])]
            before = labels[rows, at - 1] if at > 0 and self.chained else None
            labels[rows, at] = self.label_stage(at, holes[rows], board, before)
        return labels

    def _rows(
        self, stage: NDArray[np.int64], lengths: NDArray[np.uint8]
    ) -> slice | NDArray[np.intp]:
        """The deals that reach a stage; only runs end early."""
        if stage[deals_kernels.STAGE_STREET] <= self.dealer.layout.last_street:
            return _ALL
        return np.flatnonzero(lengths >= stage[deals_kernels.STAGE_STREET])
