"""A web hook names public hosts and the stage's own exemptions alone (S5)."""

from ipaddress import ip_address

import pytest

from timegate.domain.actions.addresses import NoHost, check_host, is_exempt
from timegate.domain.actions.special_addresses import is_public

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


@pytest.mark.parametrize("address", ALLOWED.values(), ids=ALLOWED.keys())
def test_an_address_on_the_internet_may_be_named(address: str) -> None:
    """Directly, without a name."""
    assert check_host(address, ()) is None


@pytest.mark.parametrize("address", FORBIDDEN.values(), ids=FORBIDDEN.keys())
def test_an_address_inside_may_not_be_named(address: str) -> None:
    """It is refused when the job is created, and not first when it is due."""
    assert check_host(address, ()) is not None


#: Ways in which one machine may be spelled; resolvers take them all.
SPELLINGS = {
    "decimal": "2130706433",
    "hexadecimal": "0x7f000001",
    "hexadecimal-capitals": "0X7F000001",
    "hexadecimal-parts": "0x7f.0x0.0x0.0x1",
    "octal": "017700000001",
    "octal-parts": "0177.0.0.01",
    "octal-with-many-zeros": "0000000177.0.0.1",
    "mixed": "0x7f.1",
    "two-parts": "127.1",
    "three-parts": "127.0.1",
    "metadata-decimal": "2852039166",
    "metadata-hexadecimal": "0xa9fea9fe",
    "metadata-octal": "0251.0376.0251.0376",
    "metadata-two-parts": "169.16689662",
    "private-short": "10.1",
    "everything": "0",
    "everything-hexadecimal": "0x",
    "six-long": "0:0:0:0:0:0:0:1",
    "six-capitals": "FE80::1",
    "six-mapped-in-hexadecimal": "::ffff:7f00:1",
    "six-mapped-long": "0:0:0:0:0:ffff:a9fe:a9fe",
    "nat64-in-hexadecimal": "64:ff9b::a9fe:a9fe",
}


@pytest.mark.parametrize("host", SPELLINGS.values(), ids=SPELLINGS.keys())
def test_an_address_is_known_in_any_spelling(host: str) -> None:
    """Decimal, octal, hexadecimal, and with parts left out."""
    objection = check_host(host, ())

    assert objection is not None
    assert "is no address on the internet" in objection


@pytest.mark.parametrize("host", ["0x8.8.8.8", "134744072", "010.8.8.8", "8.8.2056"])
def test_a_public_address_may_be_spelled_oddly(host: str) -> None:
    """It is the address that counts."""
    assert check_host(host, ()) is None


NAMES = {
    "localhost": "localhost",
    "within-localhost": "a.b.localhost",
    "localdomain": "localhost.localdomain",
    "hosts-file": "ip6-localhost",
    "hosts-file-loopback": "ip6-loopback",
    "google-metadata": "metadata.google.internal",
    "ec2-internal": "ip-10-0-0-1.eu-west-1.compute.internal",
    "multicast-dns": "printer.local",
    "home": "router.home.arpa",
}


@pytest.mark.parametrize("host", NAMES.values(), ids=NAMES.keys())
def test_a_name_inside_is_refused(host: str) -> None:
    """Names that are reserved for what is near."""
    objection = check_host(host, ())

    assert objection is not None
    assert "within a machine or its network" in objection


@pytest.mark.parametrize(
    "host",
    [
        *("localhost.example.com", "mylocalhost", "internal.example.com", "local", "xinternal"),
        *("hooks.example.com", "a_b.example.com", "1.example.com", "127.0.0.1.nip.example"),
        *("xn--mnchen-3ya.de", "xn--strae-oqa.de", "xn--fiqs8s", "xn--80ak6aa92e.com"),
    ],
)
def test_a_name_outside_is_accepted(host: str) -> None:
    """Its address is checked before each connection."""
    assert check_host(host, ()) is None


NONSENSE = {
    "empty": "",
    "dot": ".",
    "trailing-dot": "hooks.example.com.",
    "trailing-dot-on-an-address": "127.0.0.1.",
    "trailing-dot-on-localhost": "localhost.",
    "two-dots": "a..b",
    "hyphen": "-a.com",
    "long-label": "x" * 64,
    "long-name": ".".join(["x" * 60] * 5),
    "percent": "%31%32%37.0.0.1",
    "backslash": "example.com\\.evil.com",
    "not-ascii": "\uff4cocalhost",
    "full-width-dot": "127。0。0。1",
    "circled": "①②⑦.0.0.1",
    "five-parts": "1.2.3.4.5",
    "byte-too-large": "256.1.1.1",
    "last-part-too-large": "127.0.0.256",
    "number-too-large": "4294967296",
    "no-octal-digit": "08.0.0.1",
    "name-that-ends-in-a-number": "example.1",
    "name-that-ends-in-hexadecimal": "example.0x1",
    "zone": "fe80::1%eth0",
    "zone-escaped": "fe80::1%25eth0",
    "zone-on-a-public-address": "2606:4700:4700::1111%1",
    "six-too-long": "1:2:3:4:5:6:7:8:9",
    "six-of-the-future": "v1.fe80::1",
    "punycode-of-ascii": "xn--localhost-",
    "punycode-of-full-width": "xn--"
    + "\uff4c\uff4f\uff43\uff41\uff4c\uff48\uff4f\uff53\uff54".encode("punycode").decode(),
    "punycode-of-circled-digits": "xn--" + "①②⑦".encode("punycode").decode() + ".1",
    "punycode-of-nothing": "xn--",
    "punycode-broken": "xn--a\u0000".replace("\u0000", "-999999999999"),
}


@pytest.mark.parametrize("host", NONSENSE.values(), ids=NONSENSE.keys())
def test_what_names_no_host_is_refused(host: str) -> None:
    """Also where one reader would take it for a name, and another for an address."""
    with pytest.raises(NoHost):
        check_host(host, ())


@pytest.mark.parametrize(
    ("host", "patterns", "expected"),
    [
        ("localhost", ("localhost",), True),
        ("127.0.0.1", ("127.0.0.1",), True),
        ("LOCALHOST", ("localhost",), True),
        ("erp.corp.internal", ("*.corp.internal",), True),
        ("2130706433", ("127.0.0.1",), False),
        ("corp.internal", ("*.corp.internal",), False),
        ("localhost", (), False),
    ],
)
def test_a_stage_may_let_hosts_of_its_own_be_reached(
    host: str, patterns: tuple[str, ...], *, expected: bool
) -> None:
    """By the very spelling that is on its list."""
    assert is_exempt(host, patterns) is expected
    assert (check_host(host, patterns) is None) is expected
