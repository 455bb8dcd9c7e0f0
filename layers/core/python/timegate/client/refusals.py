"""From an answer that refuses to the error that says so."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

import httpx

from timegate.client.errors import (
    Conflict,
    InvalidRequest,
    NotAllowed,
    NotFound,
    ProblemError,
    ServiceFailed,
    TooManyRequests,
    VersionMismatch,
    field_problems,
)
from timegate.client.scopes import SCOPES
from timegate.domain.limits.retry_after import read_date, retry_after_seconds

_REQUEST_ID_HEADERS = ("apigw-requestid", "x-amzn-requestid")
_KINDS: Mapping[int, type[ProblemError]] = {
    HTTPStatus.BAD_REQUEST: InvalidRequest,
    HTTPStatus.UNPROCESSABLE_ENTITY: InvalidRequest,
    HTTPStatus.UNAUTHORIZED: NotAllowed,
    HTTPStatus.FORBIDDEN: NotAllowed,
    HTTPStatus.NOT_FOUND: NotFound,
    HTTPStatus.CONFLICT: Conflict,
    HTTPStatus.PRECONDITION_FAILED: VersionMismatch,
    HTTPStatus.TOO_MANY_REQUESTS: TooManyRequests,
}


def problem(response: httpx.Response, body: Mapping[str, Any]) -> ProblemError:
    """From a problem, or from the little that a gateway in front of the API says."""
    phrase = response.reason_phrase or f"HTTP {response.status_code}"
    detail = body.get("detail") or body.get("message") or f"{phrase}."
    if response.status_code == HTTPStatus.FORBIDDEN and "code" not in body:
        detail = _with_scope(str(detail), response.request)
    request_ids = (response.headers.get(name) for name in _REQUEST_ID_HEADERS)
    return _kind(response.status_code)(
        status=response.status_code,
        code=str(body.get("code") or phrase.lower().replace(" ", "_")),
        title=str(body.get("title") or phrase),
        detail=str(detail),
        errors=field_problems(body.get("errors")),
        request_id=body.get("request_id") or next(filter(None, request_ids), None),
        retry_after_seconds=_retry_after_seconds(response),
    )


def _with_scope(detail: str, request: httpx.Request) -> str:
    """A gateway that checks scopes says that one is missing, and not which."""
    found = (scope for operation, scope in SCOPES.items() if _is_of(request, operation))
    scope = next(found, None)
    if scope is None:
        return detail
    return f"{detail.rstrip('.')}: this takes a token with the scope {scope}."


def _is_of(request: httpx.Request, operation: str) -> bool:
    """The request has the method and path of an operation."""
    method, _, path = operation.partition(" ")
    form = path.split("/")[1:]
    # A stage's name may stand before the path.
    asked = request.url.path.split("/")[-len(form) :]
    if method != request.method or len(asked) != len(form):
        return False
    return all(each == word or each[0] == "{" for each, word in zip(form, asked, strict=True))


def _kind(status: int) -> type[ProblemError]:
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return ServiceFailed
    return _KINDS.get(status, ProblemError)


def _retry_after_seconds(response: httpx.Response) -> float | None:
    """Read the header; a date counts from that of the answer, by the server's own clock."""
    headers = response.headers
    return retry_after_seconds(headers.get("Retry-After"), read_date(headers.get("Date", "")))
