"""Showing the API a token: a fixed one, or one from client credentials that is renewed."""

from base64 import b64encode
from collections.abc import Generator
from http import HTTPStatus
from typing import Any, assert_never

import httpx

from timegate.client.errors import CredentialsError
from timegate.client.profile import ClientCredentials, FixedToken

_Flow = Generator[httpx.Request, httpx.Response, None]


def authentication(credentials: FixedToken | ClientCredentials) -> httpx.Auth:
    """How requests show these credentials."""
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
    """A token that is asked for when first needed, kept in memory, and renewed when refused."""

    requires_response_body = True

    def __init__(self, credentials: ClientCredentials) -> None:
        self._credentials = credentials
        self._token: str | None = None

    def auth_flow(self, request: httpx.Request) -> _Flow:
        """Send the request, and after a 401 once more: tokens expire while we use them."""
        if self._token is None:
            self._token = yield from self._ask(request)
        _show(request, self._token)
        response = yield request
        if response.status_code == HTTPStatus.UNAUTHORIZED:
            self._token = yield from self._ask(request)
            _show(request, self._token)
            yield request

    def _ask(self, cause: httpx.Request) -> Generator[httpx.Request, httpx.Response, str]:
        credentials = self._credentials
        pair = f"{credentials.client_id}:{credentials.client_secret}"
        response = yield httpx.Request(
            "POST",
            credentials.token_url,
            headers={"Authorization": f"Basic {b64encode(pair.encode()).decode()}"},
            data={"grant_type": "client_credentials", "scope": " ".join(credentials.scopes)},
            # Its timeouts: a request made by hand has none, and would wait for ever.
            extensions=cause.extensions,
        )
        return _token_in(response)


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
