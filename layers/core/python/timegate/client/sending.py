"""Sending calls, and again while that can help; waiting for the answer, or awaiting it."""

import asyncio
import copy
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from types import TracebackType
from typing import Any, Self, cast

import httpx
from httpx import USE_CLIENT_DEFAULT

from timegate.client.calling import Answer, ApiCall, is_header_value
from timegate.client.errors import (
    ClientError,
    NotConnectable,
    NotReachable,
    NotSendable,
    NotUnderstood,
)
from timegate.client.refusals import problem
from timegate.client.retries import Retries
from timegate.value_classes import dataclass

#: Longer than any request to the API takes: its function is stopped before.
TIMEOUT_SECONDS = 30.0
#: Nothing of such a request has left this machine, or no server took it.
_NEVER_ARRIVED = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)


@dataclass(frozen=True, kw_only=True, slots=True)
class Sender:
    """Sends calls to one API, and waits."""

    http: httpx.Client
    api_url: str
    retries: Retries
    sleep: Callable[[float], None] = time.sleep
    clock: Callable[[], float] = time.monotonic
    #: Sent with each call that names no other; ``None``: none.
    traceparent: str | None = None

    def send(self, call: ApiCall[Answer]) -> Answer:
        """Send the call and return its answer; raises ``ClientError``."""
        begun = self.clock()
        for pause in self.retries.pauses():
            try:
                return self._send_once(call)
            except ClientError as error:
                waited = self.clock() - begun
                wait_seconds = self.retries.wait_seconds(
                    error, pause, is_repeatable=call.is_repeatable, waited_seconds=waited
                )
                if wait_seconds is None:
                    raise
            self.sleep(wait_seconds)
        return self._send_once(call)

    def _send_once(self, call: ApiCall[Answer]) -> Answer:
        url = _url(self.api_url, call)
        _check_open(self.http)
        request = _request(self.http, call, url, self.traceparent)
        try:
            response = self.http.send(request, auth=_auth(call))
        except (httpx.RequestError, httpx.InvalidURL) as error:
            raise _not_reachable(error, request) from error
        return _read(call, response, url)


@dataclass(frozen=True, kw_only=True, slots=True)
class AsyncSender:
    """Sends calls to one API, and lets others go on meanwhile."""

    http: httpx.AsyncClient
    api_url: str
    retries: Retries
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    clock: Callable[[], float] = time.monotonic
    #: Sent with each call that names no other; ``None``: none.
    traceparent: str | None = None

    async def send(self, call: ApiCall[Answer]) -> Answer:
        """Send the call and return its answer; raises ``ClientError``."""
        begun = self.clock()
        for pause in self.retries.pauses():
            try:
                return await self._send_once(call)
            except ClientError as error:
                waited = self.clock() - begun
                wait_seconds = self.retries.wait_seconds(
                    error, pause, is_repeatable=call.is_repeatable, waited_seconds=waited
                )
                if wait_seconds is None:
                    raise
            await self.sleep(wait_seconds)
        return await self._send_once(call)

    async def _send_once(self, call: ApiCall[Answer]) -> Answer:
        url = _url(self.api_url, call)
        _check_open(self.http)
        request = _request(self.http, call, url, self.traceparent)
        try:
            response = await self.http.send(request, auth=_auth(call))
        except (httpx.RequestError, httpx.InvalidURL) as error:
            raise _not_reachable(error, request) from error
        return _read(call, response, url)


@contextmanager
def connecting() -> Iterator[None]:
    """Make a client of httpx within; raises ``NotConnectable`` for what it cannot use.

    It reads ``HTTPS_PROXY``, ``SSL_CERT_FILE`` and others when it is made, and raises what they
    happen to cause.
    """
    try:
        yield
    except (ImportError, OSError, ValueError, httpx.InvalidURL) as error:
        raise NotConnectable(str(error)) from error


class Calls:
    """A client that carries out operations."""

    sender: Any

    def traced(self, traceparent: str | None) -> Self:
        """Return a client on the same connections whose calls belong to a trace (W3C).

        A call's own ``traceparent`` comes first. Close the one that was made first.
        """
        other = copy.copy(self)
        other.sender = replace(self.sender, traceparent=traceparent)
        return other


class SyncCalls(Calls):
    """Methods that return what was answered. Use it as a context manager, or close it."""

    sender: Sender

    def __init__(self, sender: Sender) -> None:
        self.sender = sender

    def execute(self, call: ApiCall[Answer]) -> Answer:
        """Carry out a call and return its answer; raises ``ClientError``."""
        return self.sender.send(call)

    def close(self) -> None:
        """Give back the connections."""
        self.sender.http.close()

    def __enter__(self) -> Self:
        """Itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close it, whatever happened."""
        self.close()


class AsyncCalls(Calls):
    """Methods to be awaited. Use it with ``async with``, or close it."""

    sender: AsyncSender

    def __init__(self, sender: AsyncSender) -> None:
        self.sender = sender

    async def execute(self, call: ApiCall[Answer]) -> Answer:
        """Carry out a call and return its answer; raises ``ClientError``."""
        return await self.sender.send(call)

    async def close(self) -> None:
        """Give back the connections."""
        await self.sender.http.aclose()

    async def __aenter__(self) -> Self:
        """Itself."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close it, whatever happened."""
        await self.close()


def _url(api_url: str, call: ApiCall[Any]) -> str:
    return call.path if call.is_link else f"{api_url.rstrip('/')}{call.path}"


def _auth(call: ApiCall[Any]) -> Any:  # noqa: ANN401 - of the library
    return None if call.is_link else USE_CLIENT_DEFAULT


def _request(
    http: httpx.Client | httpx.AsyncClient, call: ApiCall[Any], url: str, traceparent: str | None
) -> httpx.Request:
    """Write a call out.

    Raises ``NotSendable`` for values that JSON or a header cannot say, and ``NotReachable`` for an
    address that is none.
    """
    accept = {} if call.media_type is None else {"Accept": call.media_type}
    trace = {} if traceparent is None else {"traceparent": traceparent}
    headers = {**trace, **call.headers, **accept}
    wrong = [name for name, value in headers.items() if not is_header_value(value)]
    if wrong:
        raise NotSendable(f"no header carries the value of {wrong[0]}")
    try:
        return http.build_request(
            # An address that is signed has its query, and keeps it.
            call.method,
            url,
            params=call.query or None,
            json=call.body,
            headers=headers,
        )
    except httpx.InvalidURL as error:
        raise NotReachable(url, str(error), may_have_arrived=False) from error
    except (TypeError, ValueError, RecursionError) as error:
        raise NotSendable(str(error)) from error


def _check_open(http: httpx.Client | httpx.AsyncClient) -> None:
    """Raise ``NotSendable`` for a closed client, for which httpx raises ``RuntimeError``."""
    if http.is_closed:
        raise NotSendable("the client is closed")


def _not_reachable(
    error: httpx.RequestError | httpx.InvalidURL, request: httpx.Request
) -> NotReachable:
    """Tell which address did not answer: the API's, or the token endpoint's before the call."""
    asked: httpx.Request | None = None
    if isinstance(error, httpx.RequestError):
        # An error that knows of no request is taken for the call's.
        with suppress(RuntimeError):
            asked = error.request
        asked = asked or request
    may_have_arrived = asked is request and not isinstance(error, _NEVER_ARRIVED)
    why = str(error) or type(error).__name__
    # The query of a link is as good as a token.
    url = (asked or request).url.copy_with(query=None)
    return NotReachable(str(url), why, may_have_arrived=may_have_arrived)


def _read(call: ApiCall[Answer], response: httpx.Response, url: str) -> Answer:
    if response.is_success and call.is_link:
        return cast("Answer", response.text)
    if response.is_success and call.media_type is not None:
        return _read_text(call, response, url)
    try:
        body = response.json()
    except (ValueError, RecursionError):
        body = None
    if not response.is_success:
        raise problem(response, body if isinstance(body, dict) else {})
    if not isinstance(body, dict):
        raise NotUnderstood(f"{url} gave no JSON object")
    return call.read(body)


def _read_text(call: ApiCall[Answer], response: httpx.Response, url: str) -> Answer:
    """Return the text of an answer that says of itself to be what was asked for."""
    if response.headers.get("content-type", "").partition(";")[0] != call.media_type:
        raise NotUnderstood(f"{url} gave no {call.media_type}")
    return cast("Answer", response.text)
