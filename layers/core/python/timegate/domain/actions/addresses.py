"""Hosts and addresses: which of them a web hook may reach (S5)."""

import re
import unicodedata
from fnmatch import fnmatchcase
from ipaddress import IPv4Address, IPv6Address, ip_address

from timegate.domain.actions.special_addresses import is_public

Address = IPv4Address | IPv6Address

_LABEL = re.compile(r"(?!-)[A-Za-z0-9_-]{1,63}(?<!-)")
_MAX_NAME = 253
#: Names that lead to the machine itself or to its network, wherever they are asked for.
_LOCAL_NAMES = frozenset({"localhost", "ip6-localhost", "ip6-loopback"})
_LOCAL_DOMAINS = (".localhost", ".localdomain", ".local", ".internal", ".home.arpa")
_PUNYCODE = "xn--"
_IPV4_PARTS = 4


class NoHost(ValueError):
    """A text that names no host, in a way that its reader is told."""


def check_host(host: str, private_hosts: tuple[str, ...]) -> str | None:
    """Return the reason to refuse a host by its spelling; ``None``: there is none.

    Raises ``NoHost`` for what is none. A name can still resolve to a forbidden address: that is
    looked at before each connection.
    """
    address = _literal(host)
    if is_exempt(host, private_hosts):
        return None
    if address is not None:
        spelled = "" if str(address) == host else f" ({address})"
        return None if is_public(address) else f"{host}{spelled} is no address on the internet."
    if host in _LOCAL_NAMES or host.endswith(_LOCAL_DOMAINS):
        return f"{host} is a name within a machine or its network."
    return None


def is_literal(host: str) -> bool:
    """Tell whether a host spells an address, in any way that resolvers take."""
    return ":" in host or _is_number(host.rpartition(".")[2])


def is_exempt(host: str, private_hosts: tuple[str, ...]) -> bool:
    """Tell if the stage lets web hooks reach a host at any address."""
    return any(fnmatchcase(host.lower(), pattern) for pattern in private_hosts)


def _literal(host: str) -> Address | None:
    """The address that a host spells, ``None`` for a name; raises ``NoHost``."""
    if ":" in host:
        return _ipv6(host)
    labels = host.split(".")
    if not labels[-1]:
        raise NoHost("Write it without the dot at its end.")
    if len(host) > _MAX_NAME or not all(_LABEL.fullmatch(label) for label in labels):
        raise NoHost("It names no valid host.")
    if _is_number(labels[-1]):
        return _ipv4(labels)
    for label in labels:
        _check_punycode(label.lower())
    return None


def _ipv6(host: str) -> IPv6Address:
    try:
        address = ip_address(host)
    except ValueError as error:
        raise NoHost("Its address cannot be read.") from error
    if not isinstance(address, IPv6Address) or address.scope_id is not None:
        raise NoHost("An address with a zone is known to one machine only.")
    return address


def _ipv4(labels: list[str]) -> IPv4Address:
    """Any spelling that resolvers take: ``127.1``, ``0177.0.0.1``, ``0x7f000001``, ``2130706433``.

    A host that ends in a number is an address or nothing (WHATWG URL, 3.5).
    """
    values = [_number(label) for label in labels]
    last = values.pop()
    is_address = len(labels) <= _IPV4_PARTS and all(value <= 255 for value in values)  # noqa: PLR2004 - a byte
    if not is_address or last >= 256 ** (_IPV4_PARTS - len(values)):
        raise NoHost("Its address cannot be read.")
    high = sum(value << (8 * (3 - place)) for place, value in enumerate(values))
    return IPv4Address(high + last)


def _is_number(label: str) -> bool:
    return label.isdecimal() or re.fullmatch(r"0[xX][0-9a-fA-F]*", label) is not None


def _number(label: str) -> int:
    try:
        if label[:2].lower() == "0x":
            return int(label[2:] or "0", 16)
        return int(label, 8 if label.startswith("0") else 10)
    except ValueError as error:
        raise NoHost("Its address cannot be read.") from error


def _check_punycode(label: str) -> None:
    """An internationalised label stands for letters beyond ASCII, and not for ASCII in disguise."""
    if not label.startswith(_PUNYCODE):
        return
    try:
        letters = label.removeprefix(_PUNYCODE).encode("ascii").decode("punycode")
    except (UnicodeError, OverflowError) as error:
        raise NoHost(f"{label} stands for no letters.") from error
    if unicodedata.normalize("NFKC", letters).isascii():
        raise NoHost(f"{label} stands for letters that need no such spelling.")
