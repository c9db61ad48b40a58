"""What is told to a page as server-sent events."""

import asyncio

from counterfold.web.event_stream import stream_events


def test_each_thing_is_one_event_and_the_teller_is_closed():
    closed = []

    async def tell():
        try:
            for n in range(5):
                yield {"n": n, "text": "1 ± 2"}
        finally:
            closed.append(True)

    async def listen():
        answer = stream_events(tell())
        assert answer.media_type == "text/event-stream"
        lines = []
        async for part in answer.body_iterator:
            lines.append(part)
            if len(lines) == 2:
                break
        await answer.body_iterator.aclose()
        return lines

    lines = asyncio.run(listen())
    assert lines == [b'data: {"n": 0, "text": "1 \\u00b1 2"}\n\n',
                     b'data: {"n": 1, "text": "1 \\u00b1 2"}\n\n']  # fmt: skip
    assert closed == [True]
