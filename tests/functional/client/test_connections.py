"""Clients read proxies and certificates of the environment: one that cannot be used is told."""

import asyncio
from collections.abc import Callable

import pytest

from timegate.client import (
    AsyncCallbackClient,
    AsyncTimegateClient,
    CallbackClient,
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
