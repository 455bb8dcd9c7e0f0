"""A web hook reaches public addresses and the stage's own exemptions alone."""

import socket
from unittest.mock import Mock

import pytest

from tests.support.factories import TENANT
from tests.unit.adapters.targets.calls import refusal
from timegate.adapters.targets.http.deadline import Deadline
from timegate.adapters.targets.http.messages import HttpRequest
from timegate.adapters.targets.http.safe_address import SafeAddresses
from timegate.domain.jobs.retry import FailureKind
from timegate.ports.call_runner import TargetFailed


def resolving_to(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> None:
    """Let every name resolve to these, in this order."""
    infos = [
        (socket.AF_INET6 if ":" in each else socket.AF_INET, 1, 6, "", (each, 443))
        for each in addresses
    ]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: infos)


def resolve(host: str, *private_hosts: str) -> str:
    """The address that a request to a host goes to."""
    request = HttpRequest(
        tenant=TENANT,
        scheme="https",
        host=host,
        port=443,
        method="POST",
        target="/",
        headers={},
        body=b"",
    )
    return SafeAddresses(private_hosts=private_hosts).resolve(request, Deadline.after(5))


def test_a_name_is_reached_at_its_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """IPv4 first: a Lambda outside a VPC reaches nothing else."""
    resolving_to(monkeypatch, "2606:4700:4700::1111", "93.184.215.14")

    assert resolve("hooks.example.com") == "93.184.215.14"


@pytest.mark.parametrize(
    "addresses",
    [
        pytest.param(("93.184.215.14", "127.0.0.1"), id="second"),
        pytest.param(("127.0.0.1", "93.184.215.14"), id="first"),
        pytest.param(("93.184.215.14", "fe80::1%eth0"), id="with-a-zone"),
    ],
)
def test_a_name_with_any_forbidden_address_is_refused(
    monkeypatch: pytest.MonkeyPatch, addresses: tuple[str, ...]
) -> None:
    """An attacker chooses which address a resolver lists first."""
    resolving_to(monkeypatch, *addresses)

    assert refusal(lambda: resolve("hooks.example.com")) == (
        FailureKind.PERMANENT,
        "address_not_allowed",
        "NotAllowed",
    )


@pytest.mark.parametrize(
    ("host", "pattern"),
    [
        ("intranet.example.com", "intranet.example.com"),
        ("INTRANET.example.com", "intranet.example.com"),
        ("a.internal", "*.internal"),
    ],
)
def test_a_host_of_ones_own_is_exempt_by_name(
    monkeypatch: pytest.MonkeyPatch, host: str, pattern: str
) -> None:
    """For targets in a network of one's own, and for the local cloud."""
    resolving_to(monkeypatch, "10.0.0.7")

    assert resolve(host, pattern) == "10.0.0.7"


@pytest.mark.parametrize("host", ["xinternal", "a.internal.example.com", "10.0.0.7"])
def test_an_exemption_reaches_no_further_than_its_pattern(
    monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    """Neither a name that ends alike nor the address itself."""
    resolving_to(monkeypatch, "10.0.0.7")

    with pytest.raises(TargetFailed):
        resolve(host, "*.internal")


@pytest.mark.parametrize(
    "error", [socket.gaierror(8, "unknown"), UnicodeError("label too long")], ids=["dns", "idna"]
)
def test_a_name_that_does_not_resolve_may_do_so_later(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """A resolver's hiccup is no reason to give a run up."""

    monkeypatch.setattr(socket, "getaddrinfo", Mock(side_effect=error))

    assert refusal(lambda: resolve("hooks.example.com")) == (
        FailureKind.RETRYABLE,
        "name_not_resolved",
        "NameResolution",
    )
