"""Clients tell of proxies and certificates that cannot be used, and of a proxy's own answers."""

import asyncio
from collections.abc import Callable

import httpx
import pytest

from timegate.client import (
    AsyncCallbackClient,
    AsyncTimegateClient,
    CallbackClient,
    ClientCredentials,
    ClientError,
    FixedToken,
    NotConnectable,
    Profile,
    TimegateClient,
)

ACCESS = Profile(api_url="https://api.example.com", credentials=FixedToken(token="t"))
CLIENTS: dict[str, Callable[[], object]] = {
    "sync": lambda: TimegateClient(ACCESS),
    "async": lambda: AsyncTimegateClient(ACCESS),
    "callback": lambda: CallbackClient("https://api.example.com/v1/callbacks/a"),
    "async callback": lambda: AsyncCallbackClient("https://api.example.com/v1/callbacks/a"),
}


@pytest.mark.parametrize(
    ("variable", "value", "why"),
    [
        ("ALL_PROXY", "socks5://localhost:1080", "socksio"),
        ("HTTPS_PROXY", "ftp://localhost:3128", "Unknown scheme"),
        ("NO_PROXY", "[::1", "Invalid"),
        ("SSL_CERT_FILE", "/missing.pem", "No such file"),
    ],
)
@pytest.mark.parametrize("client", CLIENTS.values(), ids=CLIENTS)
def test_settings_that_cannot_be_used_are_told(
    monkeypatch: pytest.MonkeyPatch,
    client: Callable[[], object],
    variable: str,
    value: str,
    why: str,
) -> None:
    """The error of the client names the variables and not their values."""
    monkeypatch.setenv("HTTPS_PROXY", "http://localhost:3128")
    monkeypatch.setenv(variable, value)
    with pytest.raises(NotConnectable, match=f"HTTPS_PROXY, .*: .*{why}") as told:
        client()

    assert told.value.code == "not_connectable"


def test_a_proxy_that_can_be_used_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is asked when a call is sent."""
    monkeypatch.setenv("HTTPS_PROXY", "http://localhost:3128")
    TimegateClient(ACCESS).close()
    asyncio.run(AsyncTimegateClient(ACCESS).close())


def test_an_answer_that_is_nested_too_deeply_is_none_of_timegates() -> None:
    """One of a proxy ended the program, and a worker, with an error that is no ``ClientError``."""
    deep = httpx.MockTransport(lambda _: httpx.Response(200, content=b"[" * 200_000))
    given = ClientCredentials(
        token_url="https://tokens.example.com", client_id="a", client_secret="b"
    )
    raised = []
    for credentials in (FixedToken(token="t"), given):
        profile = Profile(api_url="https://api.example.com", credentials=credentials)
        with (
            TimegateClient(profile, transport=deep) as client,
            pytest.raises(ClientError) as told,
        ):
            client.get_job("nightly")
        raised.append(told.value.code)

    assert raised == ["not_understood", "token_refused"]
