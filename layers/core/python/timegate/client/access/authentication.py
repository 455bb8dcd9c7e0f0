"""Showing the API a token: a fixed one, or one that is renewed."""

from base64 import b64encode
from collections.abc import Generator
from typing import assert_never

import httpx

from timegate.client.access.person_auth import PersonAuth
from timegate.client.access.profile import ClientCredentials, Credentials, FixedToken, PersonSignIn
from timegate.client.access.renewed_token import (
    RenewedTokenAuth,
    json_object,
    may_pass,
    reason_of,
    show_token,
)
from timegate.client.errors import CredentialsError


def authentication(credentials: Credentials) -> httpx.Auth:
    """Return the authentication of requests by these credentials."""
    match credentials:
        case FixedToken():
            return FixedTokenAuth(credentials)
        case ClientCredentials():
            return ClientCredentialsAuth(credentials)
        case PersonSignIn():
            return PersonAuth(credentials)
        case _:
            assert_never(credentials)


class FixedTokenAuth(httpx.Auth):
    """The same token with every request."""

    def __init__(self, fixed: FixedToken) -> None:
        self._fixed = fixed

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        """Send the request with the token."""
        show_token(request, self._fixed.token)
        yield request


class ClientCredentialsAuth(RenewedTokenAuth):
    """A token of a program's client, kept in memory."""

    def __init__(self, credentials: ClientCredentials) -> None:
        super().__init__()
        self._credentials = credentials
        self._token: str | None = None

    def _known(self, refused: str | None) -> str | None:
        return None if self._token == refused else self._token

    def _question(self, cause: httpx.Request) -> httpx.Request:
        credentials = self._credentials
        pair = f"{credentials.client_id}:{credentials.client_secret}"
        asked = {"grant_type": "client_credentials"}
        if credentials.scopes:
            # Left out, it asks for all that the client has; issuers differ about an empty one.
            asked["scope"] = " ".join(credentials.scopes)
        return httpx.Request(
            "POST",
            credentials.token_url,
            headers={"Authorization": f"Basic {b64encode(pair.encode()).decode()}"},
            data=asked,
            extensions=cause.extensions,
        )

    def _kept(self, answer: httpx.Response) -> str:
        self._token = _token_in(answer)
        return self._token


def _token_in(response: httpx.Response) -> str:
    token = json_object(response).get("access_token")
    if response.is_success and isinstance(token, str):
        return token
    url = response.request.url
    detail = f"{url} gives no token: {reason_of(response)}"
    raise CredentialsError("token_refused", detail, may_pass=may_pass(response))
