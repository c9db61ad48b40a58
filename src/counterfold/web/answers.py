"""Requests as checked parameters, and answers as JSON: one sentence for whatever is wrong."""

import json
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from counterfold.errors import CounterfoldError, UnknownNameError
from counterfold.web.guard import API, RefusedError
from counterfold.web.plain_json import as_plain

_DIGITS = 5  # of numbers in answers, after the point

_log = logging.getLogger(__name__)


class Parameters(BaseModel):
    """What a request may say; anything else is an error."""

    model_config = ConfigDict(extra="forbid", str_max_length=4000, frozen=True)


Given = TypeVar("Given", bound=Parameters)


@dataclass(frozen=True)
class Operation(Generic[Given]):
    """One thing that can be asked for: `GET` asks, `POST` changes something."""

    method: str
    path: str  # below /api/
    parameters: type[Given]
    work: Callable[[Given], Any]  # what is answered as JSON, or an answer

    @property
    def route(self) -> Route:
        """Its place in the server."""
        return Route(API + self.path, self._answer, methods=[self.method])

    async def _answer(self, request: Request) -> Response:
        try:
            given = self.parameters.model_validate(await _read(request))
            found = await run_in_threadpool(self.work, given)
            return found if isinstance(found, Response) else answer_json(found)
        except ValidationError as error:
            return answer_error(400, _tell_invalid(error))
        except UnknownNameError as error:
            return answer_error(404, str(error))
        except CounterfoldError as error:
            return answer_error(400, str(error))


async def _read(request: Request) -> Any:
    """What a request says: its query, or the JSON object of its body."""
    if request.method != "POST":
        return dict(request.query_params)
    try:
        return json.loads(await request.body())
    except (ValueError, RecursionError):
        raise RefusedError(400, "the content is not valid JSON") from None


def _tell_invalid(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_context=False)[0]
    place = ".".join(map(str, first["loc"])) or "the content"
    message = str(first["msg"])
    return f"{place[:100]}: {message[:1].lower()}{message[1:]}"


def answer_json(content: Any, status: int = 200) -> Response:
    """An answer; numbers are rounded, and those that are not finite become null."""
    text = json.dumps(as_plain(content, _DIGITS), allow_nan=False, separators=(",", ":"))
    return Response(text, status, media_type="application/json")


def answer_error(status: int, sentence: str) -> Response:
    """An answer that says what is wrong."""
    return answer_json({"error": sentence}, status)


async def report_fault(request: Request, error: Exception) -> Response:
    """The answer to a request that ran into a bug of ours; the log has the traceback."""
    _log.error("%s %s failed", request.method, request.url.path, exc_info=error)
    return answer_error(500, "the server made a mistake here; its terminal says which")
