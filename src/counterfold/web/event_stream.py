"""Things that happen, told to the page as server-sent events."""

import json
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing
from typing import Any

from starlette.responses import StreamingResponse

Told = AsyncGenerator[Mapping[str, Any], None]


def stream_events(told: Told) -> StreamingResponse:
    """An answer that continues as long as `told` has something to tell; `told` is closed when
    nobody listens.
    """
    return StreamingResponse(_write(told), media_type="text/event-stream")


async def _write(told: Told) -> AsyncIterator[bytes]:
    async with aclosing(told):
        async for event in told:
            yield f"data: {json.dumps(event)}\n\n".encode()
