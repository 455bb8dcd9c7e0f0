"""Showing the API a token: a fixed one, or one from client credentials that is renewed."""

import asyncio
import threading
from base64 import b64encode
from collections.abc import AsyncGenerator, Generator
from http import HTTPStatus
from typing import Any, assert_never

import httpx

from timegate.client.access.profile import ClientCredentials, FixedToken
from timegate.client.errors import CredentialsError

_Flow = Generator[httpx.Request, httpx.Response, None]
_AsyncFlow = AsyncGenerator[httpx.Request, httpx.Response]


def authentication(credentials: FixedToken | ClientCredentials) -> httpx.Auth:
    """Return the authentication of requests by these credentials."""
    match credentials:
        case FixedToken():
            return FixedTokenAuth(credentials)
        case ClientCredentials():
            return ClientCredentialsAuth(credentials)
        case _:
            assert_never(credentials)


class FixedTokenAuth(httpx.Auth):
    """The same token with every request."""

    def __init__(self, fixed: FixedToken) -> None:
        self._fixed = fixed

    def auth_flow(self, request: httpx.Request) -> _Flow:
        """Send the request with the token."""
        _show(request, self._fixed.token)
        yield request


class ClientCredentialsAuth(httpx.Auth):
    """A token that is asked for when first needed, kept in memory, and renewed when refused.

    Of many requests at once, one asks and the others wait: token endpoints are slow, and paid for.
    """

    def __init__(self, credentials: ClientCredentials) -> None:
        self._credentials = credentials
        self._token: str | None = None
        self._lock = threading.Lock()
        self._async_lock = asyncio.Lock()

    def sync_auth_flow(self, request: httpx.Request) -> _Flow:
        """Send the request, and after a 401 once more: tokens expire while we use them."""
        refused: str | None = None
        for _ in range(2):
            with self._lock:
                token = self._token
                if token is None or token == refused:
                    answer = yield self._question(request)
                    answer.read()
                    token = self._token = _token_in(answer)
            refused = token
            _show(request, token)
            response = yield request
            if response.status_code != HTTPStatus.UNAUTHORIZED:
                return

    async def async_auth_flow(self, request: httpx.Request) -> _AsyncFlow:
        """Authenticate as ``sync_auth_flow`` does."""
        refused: str | None = None
        for _ in range(2):
            async with self._async_lock:
                token = self._token
                if token is None or token == refused:
                    answer = yield self._question(request)
                    await answer.aread()
                    token = self._token = _token_in(answer)
            refused = token
            _show(request, token)
            response = yield request
            if response.status_code != HTTPStatus.UNAUTHORIZED:
                return

    def _question(self, cause: httpx.Request) -> httpx.Request:
        credentials = self._credentials
        pair = f"{credentials.client_id}:{credentials.client_secret}"
        return httpx.Request(
            "POST",
            credentials.token_url,
            headers={"Authorization": f"Basic {b64encode(pair.encode()).decode()}"},
            data={"grant_type": "client_credentials", "scope": " ".join(credentials.scopes)},
            # Its timeouts: a request made by hand has none, and would wait for ever.
            extensions=cause.extensions,
        )


def _show(request: httpx.Request, token: str) -> None:
    request.headers["Authorization"] = f"Bearer {token}"


def _token_in(response: httpx.Response) -> str:
    body = _json_object(response)
    token = body.get("access_token")
    if response.is_success and isinstance(token, str):
        return token
    why = body.get("error_description") or body.get("error") or f"status {response.status_code}"
    url = response.request.url
    raise CredentialsError("token_refused", f"{url} gives no token: {why}")


def _json_object(response: httpx.Response) -> dict[str, Any]:
    try:
        body = response.json()
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}
