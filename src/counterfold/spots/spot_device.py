"""Whether a spot is solved on a GPU, and how much of its memory that takes."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from counterfold.devices import Device, choose_device, free_gpu_bytes, gpu_library
from counterfold.ranges.device.device_room import MOST_BYTES, DeviceRoom, find_room
from counterfold.ranges.spot import Spot

_LEAST_STREETS = 3  # from which on `auto` takes a GPU; a processor is done with others in no time


def choose_spot_device(
    spot: Spot, asked: Device, room: DeviceRoom | None = None, *, packed: bool = False
) -> Any:
    """CuPy if `spot` is to be solved on a GPU, else None.

    With `auto` that is a spot from the flop on, if the GPU has `room`. Raises `DeviceError` if a
    GPU is asked for and cannot be used.
    """
    what = "a spot with tables of 16 bits" if packed else "a spot with locks"
    has_path = not (packed or spot.locks)
    if asked == "auto":
        has_path &= spot.lines.n_streets >= _LEAST_STREETS
    if choose_device(asked, what, has_path=has_path) == "cpu":
        return None
    if asked == "auto" and room is not None and room.of_boards(1) > free_gpu_bytes():
        return None
    return gpu_library()


def spot_room(spot: Spot, n_boards: NDArray[Any], n_hands: NDArray[Any]) -> DeviceRoom:
    """Memory of a device, from boards by street and hands that either seat has there, at most."""
    columns = n_hands.astype(np.int64) + 1
    return find_room(spot.lines, n_boards.astype(np.int64), columns, np.dtype(np.float32))


def usual_bytes(room: DeviceRoom, n_last: int) -> int:
    """What is taken where memory is plentiful, with `n_last` boards of the last street."""
    return room.kept_bytes + min(n_last * room.board_bytes, max(MOST_BYTES, room.board_bytes))
