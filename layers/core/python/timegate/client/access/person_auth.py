"""Showing the API the token of a person, which her session renews."""

import time
from collections.abc import Callable
from http import HTTPStatus

import httpx

from timegate.client.access.person_tokens import PersonTokens, read_tokens, write_tokens
from timegate.client.access.profile import PersonSignIn
from timegate.client.access.renewed_token import (
    RenewedTokenAuth,
    json_object,
    may_pass,
    reason_of,
)
from timegate.client.errors import CredentialsError


class PersonAuth(RenewedTokenAuth):
    """A person's access token out of her file, renewed by her refresh token.

    Commands of one person share the file. One that is late finds what another has renewed.
    """

    def __init__(self, person: PersonSignIn, *, clock: Callable[[], float] = time.time) -> None:
        super().__init__()
        self._person = person
        self._clock = clock
        self._used: PersonTokens | None = None

    def _known(self, refused: str | None) -> str | None:
        for tokens in (self._used, read_tokens(self._person.session)):
            if tokens is not None and tokens.is_good(self._clock()) and tokens.access != refused:
                self._used = tokens
                return tokens.access
        return None

    def _question(self, cause: httpx.Request) -> httpx.Request:
        tokens = read_tokens(self._person.session)
        if tokens is None or tokens.refresh is None:
            raise self._signed_out("not_signed_in", "No person is signed in")
        self._used = tokens
        return httpx.Request(
            "POST",
            self._person.token_url,
            data={
                "grant_type": "refresh_token",
                "client_id": self._person.client_id,
                "refresh_token": tokens.refresh,
            },
            extensions=cause.extensions,
        )

    def _kept(self, answer: httpx.Response) -> str:
        before = self._used
        renewed = PersonTokens.granted(
            json_object(answer),
            now=self._clock(),
            refresh=before.refresh if before is not None else None,
        )
        if answer.is_success and renewed is not None:
            write_tokens(self._person.session, renewed)
            self._used = renewed
            return renewed.access
        return self._of_another(before, answer)

    def _of_another(self, before: PersonTokens | None, answer: httpx.Response) -> str:
        """Return what another command has renewed meanwhile; raises ``CredentialsError``."""
        present = read_tokens(self._person.session)
        if present is not None and present != before and present.is_good(self._clock()):
            self._used = present
            return present.access
        why = reason_of(answer)
        if answer.status_code not in {HTTPStatus.BAD_REQUEST, HTTPStatus.UNAUTHORIZED}:
            detail = f"{self._person.token_url} gives no token: {why}"
            raise CredentialsError("token_refused", detail, may_pass=may_pass(answer))
        raise self._signed_out("session_ended", f"Your session has ended ({why})")

    def _signed_out(self, code: str, what: str) -> CredentialsError:
        name = self._person.session.stem
        return CredentialsError(code, f"{what}: timegate login --save-as {name} signs in again.")
