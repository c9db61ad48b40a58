"""Results as JSON can express them: numbers that are not finite become null."""

import math
from collections.abc import Mapping
from typing import Any


def as_plain(content: Any, digits: int | None = None) -> Any:
    """`content` with numbers of at most `digits` after the point, or with all of theirs."""
    if isinstance(content, float):
        if not math.isfinite(content):
            return None
        return content if digits is None else round(content, digits)
    if isinstance(content, Mapping):
        return {key: as_plain(value, digits) for key, value in content.items()}
    if isinstance(content, list | tuple):
        return [as_plain(value, digits) for value in content]
    return content
