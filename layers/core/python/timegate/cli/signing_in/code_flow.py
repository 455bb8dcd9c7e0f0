"""A sign-in by a code and its proof (RFC 7636), for a program of the person's own (RFC 8252)."""

from base64 import urlsafe_b64encode
from dataclasses import field
from hashlib import sha256
from secrets import token_urlsafe
from typing import Any
from urllib.parse import urlencode, urlsplit

import httpx

from timegate.client.access.person_tokens import PersonTokens
from timegate.client.access.renewed_token import json_object, reason_of
from timegate.client.errors import CredentialsError
from timegate.value_classes import dataclass

_VERIFIER_BYTES, _STATE_BYTES = 48, 24
#: Names of the machine on which the command runs.
_THIS_MACHINE = frozenset({"localhost", "127.0.0.1", "::1"})
_NAMES = ("stage", "api_url", "authorize_url", "token_url", "client_id")


@dataclass(frozen=True, kw_only=True, slots=True)
class SignInPlace:
    """The stage and its issuer, as the console describes them in ``/config.json``."""

    stage: str
    api_url: str
    authorize_url: str
    token_url: str
    client_id: str
    scopes: tuple[str, ...]
    #: Takes refresh tokens back; ``None``: the console names none.
    revoke_url: str | None

    def as_profile(self, console: str) -> dict[str, object]:
        """Return the profile of a person who has signed in here."""
        return {
            "api_url": self.api_url,
            "console_url": console,
            "authorize_url": self.authorize_url,
            "token_url": self.token_url,
            "client_id": self.client_id,
            "scopes": [*self.scopes],
            **({} if self.revoke_url is None else {"revoke_url": self.revoke_url}),
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class SignInAttempt:
    """Secrets of one sign-in: they prove that the program that began it ends it."""

    returns_to: str
    verifier: str = field(default_factory=lambda: token_urlsafe(_VERIFIER_BYTES), repr=False)
    state: str = field(default_factory=lambda: token_urlsafe(_STATE_BYTES), repr=False)

    def address(self, place: SignInPlace) -> str:
        """Return the address of the issuer's page."""
        digest = sha256(self.verifier.encode()).digest()
        asked = {
            "response_type": "code",
            "client_id": place.client_id,
            "redirect_uri": self.returns_to,
            "scope": " ".join(place.scopes),
            "state": self.state,
            "code_challenge": urlsafe_b64encode(digest).decode().rstrip("="),
            "code_challenge_method": "S256",
        }
        return f"{place.authorize_url}?{urlencode(asked)}"


def read_place(http: httpx.Client, console: str) -> SignInPlace:
    """Read where people of a console sign in; raises ``CredentialsError``."""
    address = f"{console.rstrip('/')}/config.json"
    if not _is_private(address):
        raise _no_console(address, "would be read without TLS")
    try:
        answer = http.get(address)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise _no_console(address, f"does not answer: {error}") from error
    if not answer.is_success:
        raise _no_console(address, f"answers {answer.status_code}")
    body = json_object(answer)
    missing = [name for name in _NAMES if not (isinstance(body.get(name), str) and body[name])]
    scopes = body.get("scopes")
    if missing or not isinstance(scopes, list):
        raise _no_console(address, f"lacks {', '.join([*missing, 'scopes'])}")
    known: dict[str, Any] = {name: body[name] for name in _NAMES}
    revoke = body.get("revoke_url")
    place = SignInPlace(
        **known,
        scopes=tuple(map(str, scopes)),
        revoke_url=revoke if isinstance(revoke, str) and revoke else None,
    )
    for each in (place.api_url, place.authorize_url, place.token_url, place.revoke_url):
        if each is not None and not _is_private(each):
            raise _no_console(address, f"names {each}, which has no TLS")
    return place


def exchange(
    http: httpx.Client, place: SignInPlace, attempt: SignInAttempt, *, code: str, now: float
) -> PersonTokens:
    """Change the code for tokens; raises ``CredentialsError``."""
    asked = {
        "grant_type": "authorization_code",
        "client_id": place.client_id,
        "code": code,
        "redirect_uri": attempt.returns_to,
        "code_verifier": attempt.verifier,
    }
    try:
        answer = http.post(place.token_url, data=asked)
    except httpx.HTTPError as error:
        detail = f"{place.token_url} does not answer: {error}"
        raise CredentialsError("sign_in_refused", detail) from error
    tokens = PersonTokens.granted(json_object(answer), now=now, refresh=None)
    if not answer.is_success or tokens is None:
        detail = f"The issuer refused the sign-in: {reason_of(answer)}"
        raise CredentialsError("sign_in_refused", detail)
    return tokens


def _is_private(address: str) -> bool:
    """Tell if none but its server reads what is sent there: by TLS, or on this very machine."""
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
    except ValueError:
        return False
    is_here = host in _THIS_MACHINE or host.endswith(".localhost")
    return bool(host) and (parts.scheme == "https" or (parts.scheme == "http" and is_here))


def _no_console(address: str, why: str) -> CredentialsError:
    detail = f"{address} {why}. Give the address of the stage's console (output ConsoleUrl)."
    return CredentialsError("no_console", detail)
