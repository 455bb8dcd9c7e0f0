"""Which addresses a web hook may reach."""

import socket
from ipaddress import ip_address

import pytest

from tests.unit.adapters.calls import told
from timegate.adapters.targets.safe_address import SafeAddresses, is_public
from timegate.domain.retry import FailureKind
from timegate.ports.surroundings import TargetFailed

FORBIDDEN = {
    "this-host": "0.0.0.0",
    "loopback": "127.0.0.1",
    "loopback-elsewhere": "127.255.255.254",
    "private-10": "10.0.0.1",
    "private-172": "172.16.0.1",
    "private-192": "192.168.1.1",
    "carrier-nat": "100.64.0.1",
    "link-local": "169.254.1.1",
    "instance-metadata": "169.254.169.254",
    "container-credentials": "169.254.170.2",
    "lambda-runtime": "169.254.100.1",
    "benchmarking": "198.18.0.1",
    "documentation": "192.0.2.1",
    "reserved": "240.0.0.1",
    "broadcast": "255.255.255.255",
    "multicast": "224.0.0.1",
    "six-unspecified": "::",
    "six-loopback": "::1",
    "six-link-local": "fe80::1",
    "six-unique-local": "fd00::1",
    "six-instance-metadata": "fd00:ec2::254",
    "six-site-local": "fec0::1",
    "six-multicast": "ff02::1",
    "six-documentation": "2001:db8::1",
    "six-not-given-out": "4000::1",
    "mapped-loopback": "::ffff:127.0.0.1",
    "mapped-metadata": "::ffff:169.254.169.254",
    "mapped-private": "::ffff:10.0.0.1",
    "compatible-loopback": "::127.0.0.1",
    "translated-loopback": "::ffff:0:127.0.0.1",
    "nat64-metadata": "64:ff9b::169.254.169.254",
    "nat64-local": "64:ff9b:1::1",
    "6to4-loopback": "2002:7f00:1::",
    "6to4-private": "2002:a00:1::1",
    "teredo-loopback": "2001:0:808:808:0:0:80ff:fffe",
}
ALLOWED = {
    "four": "93.184.215.14",
    "beside-private": "172.32.0.1",
    "beside-carrier-nat": "100.128.0.1",
    "six": "2606:4700:4700::1111",
    "nat64-of-a-public-one": "64:ff9b::8.8.8.8",
}


@pytest.mark.parametrize("address", FORBIDDEN.values(), ids=FORBIDDEN.keys())
def test_an_address_inside_is_not_public(address: str) -> None:
    """Private, loopback, link-local, reserved, and IPv6 that carries one of these inside."""
    assert not is_public(ip_address(address))


@pytest.mark.parametrize("address", ALLOWED.values(), ids=ALLOWED.keys())
def test_an_address_on_the_internet_is_public(address: str) -> None:
    """Up to the edges of the private blocks."""
    assert is_public(ip_address(address))


def resolving_to(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> None:
    """Let every name resolve to these, in this order."""
    infos = [
        (socket.AF_INET6 if ":" in each else socket.AF_INET, 1, 6, "", (each, 443))
        for each in addresses
    ]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: infos)


def test_a_name_is_reached_at_its_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """IPv4 first: a Lambda outside a VPC reaches nothing else."""
    resolving_to(monkeypatch, "2606:4700:4700::1111", "93.184.215.14")

    assert SafeAddresses().resolve("hooks.example.com", 443) == "93.184.215.14"


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
    """Which one a resolver lists first is the attacker's choice."""
    resolving_to(monkeypatch, *addresses)

    with pytest.raises(TargetFailed) as caught:
        SafeAddresses().resolve("hooks.example.com", 443)

    assert told(caught.value.failure) == (
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

    assert SafeAddresses(private_hosts=(pattern,)).resolve(host, 443) == "10.0.0.7"


@pytest.mark.parametrize("host", ["xinternal", "a.internal.example.com", "10.0.0.7"])
def test_an_exemption_reaches_no_further_than_its_pattern(
    monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    """Neither a name that ends alike nor the address itself."""
    resolving_to(monkeypatch, "10.0.0.7")

    with pytest.raises(TargetFailed):
        SafeAddresses(private_hosts=("*.internal",)).resolve(host, 443)


@pytest.mark.parametrize(
    "error", [socket.gaierror(8, "unknown"), UnicodeError("label too long")], ids=["dns", "idna"]
)
def test_a_name_that_does_not_resolve_may_do_so_later(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """A resolver's hiccup is no reason to give a run up."""

    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(socket, "getaddrinfo", fail)

    with pytest.raises(TargetFailed) as caught:
        SafeAddresses().resolve("hooks.example.com", 443)

    assert told(caught.value.failure) == (
        FailureKind.RETRYABLE,
        "name_not_resolved",
        "NameResolution",
    )
