"""``timegate login`` and ``logout``: in a browser, without the issuer's page."""

import json
import stat
import webbrowser
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any
from unittest.mock import Mock
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from tests.functional.cli.conftest import Outcome, Terminal
from timegate.cli.signing_in import commands

CONSOLE = "https://console.example.com"
RETURNS_TO = "http://localhost:41870/signed-in"
STAGE = {
    "stage": "prod",
    "api_url": "https://api.example.com",
    "authorize_url": "https://id.example.com/oauth2/authorize",
    "token_url": "https://id.example.com/oauth2/token",
    "revoke_url": "https://id.example.com/oauth2/revoke",
    "client_id": "console",
    "scopes": ["openid", "timegate/read"],
}
GRANTED = {"access_token": "access-s3cret", "refresh_token": "refresh-s3cret", "expires_in": 900}


@dataclass
class Place:
    """The console's description, the issuer, and a browser that is sent back at once."""

    described: dict[str, Any] = field(default_factory=lambda: dict(STAGE))
    granted: httpx.Response = field(default_factory=lambda: httpx.Response(200, json=GRANTED))
    revoked: httpx.Response = field(default_factory=lambda: httpx.Response(200))
    posted: list[tuple[str, dict[str, list[str]]]] = field(default_factory=list)
    opened: list[str] = field(default_factory=list)

    def serve(self, request: httpx.Request) -> httpx.Response:
        url = str(request.url)
        if url == f"{CONSOLE}/config.json":
            return httpx.Response(200, json=self.described)
        self.posted.append((url, parse_qs(request.content.decode())))
        return self.revoked if url == STAGE["revoke_url"] else self.granted

    @property
    def asked(self) -> dict[str, str]:
        """The query of the issuer's page."""
        return {name: each[0] for name, each in parse_qs(urlsplit(self.opened[-1]).query).items()}

    returns_to = RETURNS_TO

    def wait_for_code(self, state: str, *, seconds: float) -> str:
        assert seconds == 300
        assert not self.opened or state == self.asked["state"]
        return "a-code"


@pytest.fixture
def place(monkeypatch: pytest.MonkeyPatch) -> Place:
    place = Place()

    @contextmanager
    def listening() -> Iterator[Place]:
        yield place

    monkeypatch.setattr(commands, "listening", listening)
    monkeypatch.setattr(webbrowser, "open", place.opened.append)
    return place


@pytest.fixture
def timegate(terminal: Terminal, place: Place) -> Callable[..., Outcome]:
    transport = httpx.MockTransport(place.serve)
    return replace(terminal, surroundings=replace(terminal.surroundings, transport=transport)).run


@pytest.fixture
def home(environ: dict[str, str]) -> Path:
    return Path(environ["XDG_CONFIG_HOME"], "timegate")


def test_a_person_signs_in_and_her_tokens_are_hers_alone(
    timegate: Callable[..., Outcome], place: Place, home: Path
) -> None:
    """The profile has no secret; no output has a token; the code goes with its proof."""
    done = timegate("login", CONSOLE)
    profile = json.loads((home / "profiles" / "prod-me.json").read_text())
    session = home / "sessions" / "prod-me.json"
    ((url, grant),) = place.posted

    assert (done.code, "as the profile prod-me" in done.out) == (0, True)
    assert "s3cret" not in done.out + done.err + json.dumps(profile)
    assert (profile["api_url"], profile["client_id"]) == ("https://api.example.com", "console")
    assert stat.S_IMODE(session.stat().st_mode) == 0o600
    assert json.loads(session.read_text())["refresh_token"] == "refresh-s3cret"
    assert (place.asked["code_challenge_method"], place.asked["redirect_uri"]) == (
        "S256",
        RETURNS_TO,
    )
    assert place.asked["scope"] == "openid timegate/read"
    assert url == STAGE["token_url"]
    assert (grant["code"], grant["redirect_uri"]) == (["a-code"], [RETURNS_TO])
    assert 43 <= len(grant["code_verifier"][0]) <= 128
    assert grant["code_verifier"][0] not in place.opened[0]
    digest = sha256(grant["code_verifier"][0].encode()).digest()
    assert place.asked["code_challenge"] == urlsafe_b64encode(digest).decode().rstrip("=")


def test_each_sign_in_has_its_own_state_and_proof(
    timegate: Callable[..., Outcome], place: Place
) -> None:
    """Neither is known to who has seen another one."""
    told = []
    for _ in range(2):
        timegate("login", CONSOLE)
        told.append((place.asked["state"], place.posted[-1][1]["code_verifier"][0]))

    assert len({each for pair in told for each in pair}) == 4


def test_a_profile_of_another_place_has_no_tokens_of_the_first(
    timegate: Callable[..., Outcome],
    place: Place,
    home: Path,
    environ: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Though the command dies between both, none is sent to an address that did not give it."""
    timegate("login", CONSOLE, "--save-as", "mine")
    session = home / "sessions" / "mine.json"
    there = session.exists()

    monkeypatch.setattr(commands, "write_tokens", Mock(side_effect=OSError))
    timegate("login", CONSOLE, "--save-as", "mine")

    assert (there, session.exists()) == (True, False)


def test_no_browser_is_opened_where_none_is_wanted(
    timegate: Callable[..., Outcome], place: Place
) -> None:
    """The address is printed, for a browser elsewhere on the machine."""
    done = timegate("login", CONSOLE, "--no-browser", "--save-as", "mine", "--use")

    assert place.opened == []
    assert "https://id.example.com/oauth2/authorize?" in done.err
    assert timegate("profiles", "list", "--json").json["items"][1]["current"]


def test_a_later_sign_in_needs_no_address(timegate: Callable[..., Outcome], place: Place) -> None:
    """The profile knows its console; one of another kind is not written over."""
    timegate("login", CONSOLE, "--save-as", "mine")
    again = timegate("login", "--save-as", "mine")
    unknown = timegate("login")
    other = timegate("login", CONSOLE, "--save-as", "local")

    assert again.code == 0
    assert (unknown.code, "ConsoleUrl" in unknown.err) == (2, True)
    assert (other.code, "[profile_exists]" in other.err) == (3, True)
    assert len(place.posted) == 2


def test_a_person_signs_out_here_and_at_the_issuer(
    timegate: Callable[..., Outcome], place: Place, home: Path
) -> None:
    """Commands say then how to sign in again; a second time there is nothing to end."""
    timegate("login", CONSOLE)
    done = timegate("logout", "--profile", "prod-me")
    after = timegate("whoami", "--profile", "prod-me")
    again = timegate("logout", "--profile", "prod-me")

    assert (done.code, done.out) == (0, "You are signed out.\n")
    assert place.posted[1] == (
        STAGE["revoke_url"],
        {"token": ["refresh-s3cret"], "client_id": ["console"]},
    )
    assert not (home / "sessions" / "prod-me.json").exists()
    assert (after.code, "[not_signed_in]" in after.err) == (3, True)
    assert again.out == "No person was signed in.\n"


def test_an_issuer_that_takes_nothing_back_is_said(
    timegate: Callable[..., Outcome], place: Place, home: Path
) -> None:
    """The session is over on this machine in any case."""
    timegate("login", CONSOLE)
    place.revoked = httpx.Response(404)
    done = timegate("logout", "--profile", "prod-me")
    place.described["revoke_url"] = ""
    timegate("login", CONSOLE)
    silent = timegate("logout", "--profile", "prod-me")

    assert "did not take the session back" in done.out
    assert "ends the session by itself" in silent.out
    assert not (home / "sessions" / "prod-me.json").exists()


def test_a_program_is_not_signed_out(timegate: Callable[..., Outcome], place: Place) -> None:
    """Its profile is removed instead."""
    done = timegate("logout", "--profile", "local")

    assert (done.code, "timegate profiles remove" in done.err) == (2, True)
    assert place.posted == []


@pytest.mark.parametrize(
    ("described", "granted", "code"),
    [
        ({"token_url": ""}, httpx.Response(200, json=GRANTED), "no_console"),
        ({"scopes": None}, httpx.Response(200, json=GRANTED), "no_console"),
        ({}, httpx.Response(400, json={"error": "invalid_grant"}), "sign_in_refused"),
        ({}, httpx.Response(200, json={"access_token": "a"}), "sign_in_refused"),
        ({}, httpx.Response(200, text="<html>"), "sign_in_refused"),
    ],
)
def test_what_is_no_console_or_no_token_is_said(
    timegate: Callable[..., Outcome],
    place: Place,
    home: Path,
    described: dict[str, Any],
    granted: httpx.Response,
    code: str,
) -> None:
    """Nothing is written."""
    place.described |= described
    place.granted = granted
    done = timegate("login", CONSOLE)

    assert (done.code, f"[{code}]" in done.err) == (3, True)
    assert not (home / "profiles" / "prod-me.json").exists()


@pytest.mark.parametrize("name", ["api_url", "authorize_url", "token_url", "revoke_url"])
@pytest.mark.parametrize(
    ("url", "is_taken"),
    [
        ("http://id.example.com/x", False),
        ("file:///etc/passwd", False),
        ("https://[x", False),
        ("http://localhost.example.com/x", False),
        ("http://localhost:4566/x", True),
    ],
)
def test_no_code_and_no_token_is_sent_in_the_clear(
    timegate: Callable[..., Outcome], place: Place, name: str, url: str, *, is_taken: bool
) -> None:
    """Nor does a console send the browser to a file of the machine's."""
    place.described[name] = url
    done = timegate("login", CONSOLE)

    assert (done.code == 0, bool(place.opened), bool(place.posted)) == (is_taken,) * 3


def test_a_console_is_not_read_in_the_clear(timegate: Callable[..., Outcome]) -> None:
    """Its description says where passwords are asked for."""
    refused = timegate("login", CONSOLE.replace("https", "http"))

    assert (refused.code, "without TLS" in refused.err) == (3, True)


def test_an_address_cannot_steer_the_terminal(
    timegate: Callable[..., Outcome], place: Place
) -> None:
    """A console at a wrong address is not the stage's."""
    place.described["authorize_url"] = "https://id.example.com/\x1b[2Jx"

    assert "\x1b" not in timegate("login", CONSOLE).err
