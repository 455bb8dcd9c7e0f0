"""Tokens of a person: out of one file, renewed in time, and shared by her commands."""

import asyncio
import json
import stat
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs

import httpx
import pytest

from timegate.client.access.person_auth import PersonAuth
from timegate.client.access.person_tokens import PersonTokens, read_tokens, write_tokens
from timegate.client.access.profile import PersonSignIn, load_profile
from timegate.client.errors import CredentialsError

TOKEN_URL = "https://id.example.com/oauth2/token"
NOW = 1_000_000.0


@dataclass
class Issuer:
    """Renews tokens and answers requests; remembers both."""

    answer: Callable[[int], httpx.Response] = lambda number: httpx.Response(
        200,
        json={
            "access_token": f"access-{number}",
            "refresh_token": f"refresh-{number}",
            "expires_in": 900,
        },
    )
    refused: set[str] = field(default_factory=set)
    renewals: list[dict[str, list[str]]] = field(default_factory=list)
    shown: list[str] = field(default_factory=list)

    def serve(self, request: httpx.Request) -> httpx.Response:
        if str(request.url) == TOKEN_URL:
            self.renewals.append(parse_qs(request.content.decode()))
            return self.answer(len(self.renewals))
        token = request.headers["authorization"].removeprefix("Bearer ")
        self.shown.append(token)
        return httpx.Response(401 if token in self.refused else 200, json={})


@pytest.fixture
def session(tmp_path: Path) -> Path:
    return tmp_path / "sessions" / "prod-me.json"


@pytest.fixture
def issuer() -> Issuer:
    return Issuer()


def tokens(expires_at: float, *, refresh: str | None = "refresh-0") -> PersonTokens:
    return PersonTokens(access="access-0", refresh=refresh, expires_at=expires_at)


def auth(session: Path) -> PersonAuth:
    person = PersonSignIn(token_url=TOKEN_URL, client_id="console", session=session)
    return PersonAuth(person, clock=lambda: NOW)


def ask(issuer: Issuer, by: PersonAuth) -> httpx.Response:
    with httpx.Client(transport=httpx.MockTransport(issuer.serve), auth=by) as http:
        return http.get("https://api.example.com/v1/tenant")


@pytest.mark.parametrize(("seconds", "renewals"), [(61, 0), (60, 1)])
def test_a_token_is_renewed_a_minute_before_its_end(
    session: Path, issuer: Issuer, seconds: int, renewals: int
) -> None:
    """And the refresh token that came with it replaces the one that was used."""
    write_tokens(session, tokens(NOW + seconds))
    ask(issuer, auth(session))

    assert issuer.shown == [f"access-{renewals}"]
    assert (
        issuer.renewals
        == [
            {
                "grant_type": ["refresh_token"],
                "client_id": ["console"],
                "refresh_token": ["refresh-0"],
            }
        ][:renewals]
    )
    assert read_tokens(session) == (
        PersonTokens(access="access-1", refresh="refresh-1", expires_at=NOW + 900)
        if renewals
        else tokens(NOW + 61)
    )


def test_the_file_is_its_owners_alone_after_a_renewal(session: Path, issuer: Issuer) -> None:
    """Nothing is left beside it."""
    write_tokens(session, tokens(NOW))
    ask(issuer, auth(session))

    assert stat.S_IMODE(session.stat().st_mode) == 0o600
    assert [each.name for each in session.parent.iterdir()] == ["prod-me.json"]


def test_a_token_that_is_refused_is_renewed_once(session: Path, issuer: Issuer) -> None:
    """A role that was taken away makes the next token useless as well, and the answer stands."""
    write_tokens(session, tokens(NOW + 900))
    issuer.refused = {"access-0", "access-1"}
    answer = ask(issuer, auth(session))

    assert answer.status_code == 401
    assert issuer.shown == ["access-0", "access-1"]


def test_an_issuer_that_keeps_refresh_tokens_leaves_the_present_one(
    session: Path, issuer: Issuer
) -> None:
    """The next renewal uses it again."""
    issuer.answer = lambda n: httpx.Response(
        200, json={"access_token": f"access-{n}", "expires_in": 900}
    )
    write_tokens(session, tokens(NOW))
    ask(issuer, auth(session))
    renewed = read_tokens(session)

    assert renewed is not None
    assert renewed.refresh == "refresh-0"


def test_a_command_that_is_late_finds_what_another_has_renewed(
    session: Path, issuer: Issuer
) -> None:
    """Its own refresh token is refused: it was used already."""
    write_tokens(session, tokens(NOW))

    def refused(_: int) -> httpx.Response:
        write_tokens(session, PersonTokens(access="others", refresh="theirs", expires_at=NOW + 900))
        return httpx.Response(400, json={"error": "invalid_grant"})

    issuer.answer = refused
    ask(issuer, auth(session))

    assert issuer.shown == ["others"]


@pytest.mark.parametrize(
    ("status", "code"),
    [
        *((400, "session_ended"), (401, "session_ended")),
        *((403, "token_refused"), (429, "token_refused"), (503, "token_refused")),
    ],
)
def test_an_ended_session_says_how_to_sign_in_again(
    session: Path, issuer: Issuer, status: int, code: str
) -> None:
    """An issuer that is away is no ended session, and the tokens stay."""
    issuer.answer = lambda _: httpx.Response(status, json={"error": "invalid_grant"})
    write_tokens(session, tokens(NOW))

    with pytest.raises(CredentialsError) as refused:
        ask(issuer, auth(session))

    assert refused.value.code == code
    assert ("timegate login --save-as prod-me" in str(refused.value)) is (code == "session_ended")
    assert read_tokens(session) == tokens(NOW)
    assert issuer.shown == []


@pytest.mark.parametrize("content", [None, "{}", "no JSON", '{"access_token": 1}'])
def test_no_person_is_signed_in_without_tokens(
    session: Path, issuer: Issuer, content: str | None
) -> None:
    """A file that cannot be read is none."""
    if content is not None:
        session.parent.mkdir(parents=True)
        session.write_text(content)

    with pytest.raises(CredentialsError) as refused:
        ask(issuer, auth(session))

    assert refused.value.code == "not_signed_in"
    assert (issuer.renewals, issuer.shown) == ([], [])


def test_of_many_requests_at_once_one_renews(session: Path, issuer: Issuer) -> None:
    """Coroutines of one client share the token."""
    write_tokens(session, tokens(NOW))

    async def ask_many() -> None:
        transport = httpx.MockTransport(issuer.serve)
        async with httpx.AsyncClient(transport=transport, auth=auth(session)) as http:
            await asyncio.gather(*(http.get("https://api.example.com/v1/jobs") for _ in range(5)))

    asyncio.run(ask_many())

    assert len(issuer.renewals) == 1
    assert issuer.shown == ["access-1"] * 5


def test_a_profile_of_a_person_has_no_secret(tmp_path: Path) -> None:
    """It names the issuer and the file of her tokens."""
    path = tmp_path / "timegate" / "profiles" / "prod-me.json"
    path.parent.mkdir(parents=True)
    content = {"api_url": "https://api", "authorize_url": "https://id", "token_url": TOKEN_URL}
    path.write_text(json.dumps({**content, "client_id": "console"}))
    profile = load_profile({"XDG_CONFIG_HOME": str(tmp_path)}, "prod-me")

    assert profile.credentials == PersonSignIn(
        token_url=TOKEN_URL,
        client_id="console",
        session=tmp_path / "timegate" / "sessions" / "prod-me.json",
    )


def test_tokens_are_in_no_representation() -> None:
    """Tracebacks show what objects say of themselves."""
    assert "access-0" not in repr(tokens(NOW))
    assert "refresh-0" not in repr(tokens(NOW))
