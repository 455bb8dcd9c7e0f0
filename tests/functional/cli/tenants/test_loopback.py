"""The port of this machine at which a sign-in comes back."""

import threading
from collections.abc import Iterator

import httpx
import pytest

from timegate.cli.signing_in import loopback
from timegate.client.errors import CredentialsError


@pytest.fixture
def server(socket_enabled: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[loopback.Loopback]:
    """A server at a free port."""
    monkeypatch.setattr(loopback, "SIGN_IN_RETURNS", ("http://localhost:0/signed-in",))
    with loopback.listening() as server:
        yield server


def sent(server: loopback.Loopback, *paths: str) -> list[int]:
    """Send the browser to these paths while the command waits; the statuses."""
    port, server.state = server.server_address[1], "mine"
    seen: list[int] = []

    def browse() -> None:
        seen.extend(
            httpx.get(f"http://127.0.0.1:{port}{path}", trust_env=False).status_code
            for path in paths
        )

    browser = threading.Thread(target=browse)
    browser.start()
    try:
        while len(seen) < len(paths) and server.answered is None:
            server.handle_request()
    finally:
        browser.join()
    return seen


def test_one_answer_is_taken_and_nothing_else(server: loopback.Loopback) -> None:
    """A favicon, another page, and answers without this sign-in's state: it is waited on."""
    others = ("/favicon.ico", "/signed-in", "/other?state=mine&code=x", "/signed-in?state=&code=x")
    states = ("/signed-in?state=another&code=x", "/signed-in?state=%C3%A9&code=x")
    seen = sent(server, *others, *states, "/signed-in?state=mine&code=a-code")

    assert seen == [404] * 6 + [200]
    assert server.wait_for_code("mine", seconds=1) == "a-code"


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("state=mine&error=access_denied&error_description=No+access", "No access"),
        ("state=mine", "it sent no code"),
    ],
)
def test_an_answer_that_is_not_ours_is_refused(
    server: loopback.Loopback, query: str, said: str
) -> None:
    """By what the issuer says."""
    sent(server, f"/signed-in?{query}")

    with pytest.raises(CredentialsError, match=said):
        server.wait_for_code("mine", seconds=1)


def test_a_sign_in_that_does_not_come_ends(server: loopback.Loopback) -> None:
    """The command does not wait for ever."""
    with pytest.raises(CredentialsError) as refused:
        server.wait_for_code("mine", seconds=0)

    assert refused.value.code == "sign_in_timed_out"


def test_a_port_of_another_program_is_passed_over(
    socket_enabled: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And with none left the command says so."""
    with loopback.Loopback("http://localhost:0/signed-in") as other:
        taken = f"http://localhost:{other.server_address[1]}/signed-in"
        monkeypatch.setattr(loopback, "SIGN_IN_RETURNS", (taken, "http://localhost:0/signed-in"))
        with loopback.listening() as server:
            returns_to = server.returns_to
        monkeypatch.setattr(loopback, "SIGN_IN_RETURNS", (taken,))
        with pytest.raises(CredentialsError) as refused, loopback.listening():
            pass

    assert returns_to == "http://localhost:0/signed-in"
    assert refused.value.code == "no_port"
