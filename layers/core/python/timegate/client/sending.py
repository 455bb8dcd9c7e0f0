"""Sending one call: what may be repeated is, what came back is JSON or an error."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

import httpx

from timegate.client.errors import (
    ClientError,
    NotReachable,
    NotUnderstood,
    ProblemError,
    field_problems,
)

JsonObject = dict[str, Any]

#: Between one try and the next, unless the answer asks for more.
PAUSES_SECONDS = (0.2, 0.6, 1.8)
#: Whoever asks for more is not waited for: the caller learns of it instead.
MAX_RETRY_AFTER_SECONDS = 30.0
_REQUEST_ID_HEADERS = ("apigw-requestid", "x-amzn-requestid")


@dataclass(frozen=True, kw_only=True, slots=True)
class Call:
    """One request to the API."""

    method: str
    path: str
    query: Mapping[str, str | list[str]] = field(default_factory=dict)
    #: Any JSON; ``None`` sends no body.
    body: object = None
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_repeatable(self) -> bool:
        """Sending it twice does what sending it once does."""
        return self.method == "GET" or "Idempotency-Key" in self.headers


@dataclass(frozen=True, kw_only=True, slots=True)
class Sender:
    """Sends calls to one API."""

    http: httpx.Client
    api_url: str
    sleep: Callable[[float], None]

    def send(self, call: Call) -> JsonObject:
        """The JSON of the answer; raises ``ClientError``.

        A repeatable call is tried again while the API is busy, broken or out of reach.
        """
        for pause in PAUSES_SECONDS if call.is_repeatable else ():
            try:
                return self._send_once(call)
            except (ProblemError, NotReachable) as error:
                wait_seconds = _wait_seconds(error, pause)
                if wait_seconds is None:
                    raise
            self.sleep(wait_seconds)
        return self._send_once(call)

    def _send_once(self, call: Call) -> JsonObject:
        url = f"{self.api_url.rstrip('/')}{call.path}"
        try:
            response = self.http.request(
                call.method, url, params=call.query, json=call.body, headers=call.headers
            )
        except (httpx.RequestError, httpx.InvalidURL) as error:
            raise NotReachable(_asked(error, url), str(error) or type(error).__name__) from error
        body = _json_in(response)
        if not response.is_success:
            raise _problem(response, body if isinstance(body, dict) else {})
        if not isinstance(body, dict):
            raise NotUnderstood(f"{url} gave no JSON object")
        return body


def _wait_seconds(error: ClientError, pause: float) -> float | None:
    """How long to wait before the next try; ``None`` when there should be none."""
    if not isinstance(error, ProblemError):
        return pause
    passing = (
        error.status == HTTPStatus.TOO_MANY_REQUESTS
        or error.status >= HTTPStatus.INTERNAL_SERVER_ERROR
    )
    asked = error.retry_after_seconds or 0.0
    return max(pause, asked) if passing and asked <= MAX_RETRY_AFTER_SECONDS else None


def _asked(error: httpx.RequestError | httpx.InvalidURL, url: str) -> str:
    """The address that did not answer, which may be the token endpoint's."""
    try:
        return str(error.request.url) if isinstance(error, httpx.RequestError) else url
    except RuntimeError:  # The error knows of no request.
        return url


def _json_in(response: httpx.Response) -> object:
    try:
        return response.json()
    except ValueError:
        return None


def _problem(response: httpx.Response, body: Mapping[str, Any]) -> ProblemError:
    """From a problem, or from the little that a gateway in front of the API says."""
    phrase = response.reason_phrase or f"HTTP {response.status_code}"
    detail = body.get("detail") or body.get("message") or f"{phrase}."
    request_ids = (response.headers.get(name) for name in _REQUEST_ID_HEADERS)
    return ProblemError(
        status=response.status_code,
        code=str(body.get("code") or phrase.lower().replace(" ", "_")),
        title=str(body.get("title") or phrase),
        detail=str(detail),
        errors=field_problems(body.get("errors")),
        request_id=body.get("request_id") or next(filter(None, request_ids), None),
        retry_after_seconds=_retry_after_seconds(response),
    )


def _retry_after_seconds(response: httpx.Response) -> float | None:
    text = response.headers.get("Retry-After", "")
    # The header's other form is a date; neither Timegate nor API Gateway sends it.
    return float(text) if text.isdecimal() else None
