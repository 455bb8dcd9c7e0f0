"""Showing the API a token: a fixed one, or one that is renewed; and clients that show it."""

import os
from base64 import b64encode
from collections.abc import Callable, Generator
from typing import Any, assert_never

import httpx

from timegate.client.access.person_auth import PersonAuth
from timegate.client.access.profile import ClientCredentials, Credentials, FixedToken, PersonSignIn
from timegate.client.access.renewed_token import (
    RenewedTokenAuth,
    json_object,
    may_pass,
    reason_of,
    running_loop,
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


class ProcessClient(httpx.Client):
    """A client that connects anew, and asks for a token anew, in a forked process.

    Two processes on one connection would read each other's answers. A lock of the authentication
    may be held by a thread that the fork leaves behind.
    """

    def __init__(
        self,
        make_auth: Callable[[], httpx.Auth] | None = None,
        **settings: Any,  # noqa: ANN401 - of the library
    ) -> None:
        self._make_auth, self._settings = make_auth, settings
        self._process = os.getpid()
        self._begin()

    def send(self, *args: Any, **kwargs: Any) -> httpx.Response:  # noqa: ANN401 - of the library
        """Send a request, as the library's client does."""
        if self._process != os.getpid() and not self.is_closed:
            self._begin()
            self._process = os.getpid()
        return super().send(*args, **kwargs)

    def _begin(self) -> None:
        super().__init__(auth=self._make_auth() if self._make_auth else None, **self._settings)


class AsyncProcessClient(httpx.AsyncClient):
    """The asynchronous form of ``ProcessClient``; it connects anew in another event loop as well.

    Connections are those of a loop, of which ``asyncio.run`` makes one each time. The token stays.
    """

    def __init__(
        self,
        make_auth: Callable[[], httpx.Auth] | None = None,
        **settings: Any,  # noqa: ANN401 - of the library
    ) -> None:
        self._make_auth, self._settings = make_auth, settings
        self._process, self._loop = os.getpid(), running_loop()
        self._shows = make_auth() if make_auth else None
        self._begin()

    async def send(self, *args: Any, **kwargs: Any) -> httpx.Response:  # noqa: ANN401 - of the library
        """Send a request, as the library's client does."""
        process, loop = os.getpid(), running_loop()
        is_forked = self._process != process
        if (is_forked or self._loop not in (None, loop)) and not self.is_closed:
            if is_forked and self._make_auth:
                self._shows = self._make_auth()
            self._begin()
        self._process, self._loop = process, loop
        return await super().send(*args, **kwargs)

    def _begin(self) -> None:
        super().__init__(auth=self._shows, **self._settings)
