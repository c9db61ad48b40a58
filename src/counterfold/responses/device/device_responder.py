"""Rows of boards next to the root from a device: threads list boards ahead, the device responds."""

from collections import deque
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterfold.devices import Device, choose_device, gpu_library
from counterfold.responses.device.response_tables import has_device_path
from counterfold.responses.device.street_boards import StreetBoards, list_streets, root_buckets
from counterfold.responses.device.street_pass import StreetPass, place_streets
from counterfold.responses.exact_response import (
    BoardRow,
    ExactResponder,
    NextBoard,
    hand_classes,
)
from counterfold.responses.response_pass import deal_chances
from counterfold.threads import helpers, thread_count


class _Listed(NamedTuple):
    """What is known of a board before the device sees it."""

    board: NextBoard
    streets: list[StreetBoards]
    root: NDArray[np.int32]  # buckets of the root
    chance: NDArray[np.float64]  # [K] of a deal of each street
    kept: NDArray[np.intp]  # hands of which a row keeps the worth


def walks_on_device(responder: ExactResponder) -> bool:
    """Whether a device can do all that `responder` needs."""
    return all(has_device_path(side) for side in responder.sides)


def find_library(responder: ExactResponder, device: Device) -> Any:
    """CuPy if `device` is, or may be, a GPU that can do this; else None.

    Raises `DeviceError` if a GPU is asked for and cannot be used.
    """
    method = f"a response in {responder.variant.name}"
    chosen = choose_device(device, method, has_path=walks_on_device(responder))
    return gpu_library() if chosen == "gpu" else None


def respond_on_device(
    responder: ExactResponder,
    boards: Sequence[NextBoard],
    xp: Any,
    threads: int | None = None,
    stopped: Callable[[], bool] = lambda: False,
) -> Generator[BoardRow]:
    """Rows of `boards`, in their order, by `xp`, until `stopped` says so."""
    passes = [StreetPass(side, xp) for side in responder.sides]
    n_threads = thread_count(threads)
    waiting, left = deque[Future[_Listed]](), iter(boards)
    with helpers(n_threads) as pool:

        def ask() -> None:
            board = next(left, None)
            if board is not None:
                waiting.append(pool.submit(_list_boards, responder, board))

        for _ in range(n_threads + 2):
            ask()
        while waiting and not stopped():
            listed = waiting.popleft().result()
            ask()
            streets = place_streets(xp, listed.streets)
            found = [each.respond(streets, listed.root, listed.chance) for each in passes]
            first, second = (
                each.take(values)[:, :, listed.kept]
                for each, values in zip(passes, found, strict=True)
            )
            yield BoardRow(listed.board, (first, second))
        for future in waiting:
            future.cancel()


def _list_boards(responder: ExactResponder, board: NextBoard) -> _Listed:
    cards = responder.sides[0].board_cards((board.cards, *board.later))
    return _Listed(
        board,
        list_streets(cards, responder.cards),
        root_buckets(cards, responder.cards),
        deal_chances(cards),
        hand_classes(cards)[0],
    )
