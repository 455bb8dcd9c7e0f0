"""A token that a token endpoint gives, and gives anew."""

import asyncio
import threading
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Generator
from http import HTTPStatus
from typing import Any

import httpx

from timegate.client.calling import is_header_value
from timegate.client.errors import CredentialsError

_Flow = Generator[httpx.Request, httpx.Response, None]
_AsyncFlow = AsyncGenerator[httpx.Request, httpx.Response]


class RenewedTokenAuth(httpx.Auth, ABC):
    """A token that is asked for when first needed, and renewed when refused.

    One of many requests at once asks and the others wait: token endpoints are slow, and paid for.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        #: That of a loop is bound to it.
        self._async_lock: tuple[object, asyncio.Lock] = (None, asyncio.Lock())

    def sync_auth_flow(self, request: httpx.Request) -> _Flow:
        """Send the request, and after a 401 once more: tokens expire while we use them."""
        refused: str | None = None
        for _ in range(2):
            with self._lock:
                token = self._known(refused)
                if token is None:
                    answer = yield self._question(request)
                    answer.read()
                    token = self._kept(answer)
            refused = token
            show_token(request, token)
            response = yield request
            if response.status_code != HTTPStatus.UNAUTHORIZED:
                return

    async def async_auth_flow(self, request: httpx.Request) -> _AsyncFlow:
        """Authenticate as ``sync_auth_flow`` does."""
        refused: str | None = None
        for _ in range(2):
            async with self._lock_here():
                token = self._known(refused)
                if token is None:
                    answer = yield self._question(request)
                    await answer.aread()
                    token = self._kept(answer)
            refused = token
            show_token(request, token)
            response = yield request
            if response.status_code != HTTPStatus.UNAUTHORIZED:
                return

    def _lock_here(self) -> asyncio.Lock:
        """Return the lock of the running loop."""
        loop = running_loop()
        if self._async_lock[0] is not loop:
            self._async_lock = (loop, asyncio.Lock())
        return self._async_lock[1]

    @abstractmethod
    def _known(self, refused: str | None) -> str | None:
        """Return the present token; ``None``: there is none, or it is the one that was refused."""

    @abstractmethod
    def _question(self, cause: httpx.Request) -> httpx.Request:
        """Return the request for a token.

        With the timeouts of its cause: a request made by hand has none, and would wait for ever.
        """

    @abstractmethod
    def _kept(self, answer: httpx.Response) -> str:
        """Keep the token of an answer, and return it; raises ``CredentialsError``."""


def running_loop() -> object:
    """Return the loop of asyncio; ``None``: none runs, or it is another library's."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def show_token(request: httpx.Request, token: str) -> None:
    """Let a request show the token; raises ``CredentialsError`` for one that no header carries.

    The HTTP library would quote it in an error, which a worker logs.
    """
    if not (token and is_header_value(token)):
        detail = "The token has characters that no header carries, the end of a line say."
        raise CredentialsError("invalid_token", detail)
    request.headers["Authorization"] = f"Bearer {token}"


def reason_of(response: httpx.Response) -> str:
    """Return why a token endpoint refuses, as it says."""
    body = json_object(response)
    why = body.get("error_description") or body.get("error") or f"status {response.status_code}"
    return str(why)


def may_pass(response: httpx.Response) -> bool:
    """Tell if a token endpoint may answer otherwise when it is asked again."""
    status = response.status_code
    return status >= HTTPStatus.INTERNAL_SERVER_ERROR or status == HTTPStatus.TOO_MANY_REQUESTS


def json_object(response: httpx.Response) -> dict[str, Any]:
    """Return the body; anything but an object is an empty one."""
    try:
        body = response.json()
    except (ValueError, RecursionError):
        return {}
    return body if isinstance(body, dict) else {}
