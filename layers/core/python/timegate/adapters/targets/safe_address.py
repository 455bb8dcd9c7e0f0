"""Where a web hook may connect: public addresses only, resolved once and pinned (S5).

A name that is checked and then resolved again can answer differently the second time (DNS
rebinding), so the connection is made to the very address that was checked.
"""

import socket
from dataclasses import dataclass
from fnmatch import fnmatchcase
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

from timegate.adapters.targets.failures import permanent, retryable

Address = IPv4Address | IPv6Address

#: All that IANA has given out for public use; the rest is reserved or local (``fec0::/10``).
_GLOBAL_UNICAST = IPv6Network("2000::/3")
#: Translates to IPv4 at a gateway: what counts is the IPv4 address inside (RFC 6052).
_NAT64 = IPv6Network("64:ff9b::/96")


@dataclass(frozen=True, kw_only=True, slots=True)
class SafeAddresses:
    """The rule, with the host names that are exempt from it."""

    #: Patterns with ``*``; for targets in a network of one's own, and for the local cloud.
    private_hosts: tuple[str, ...] = ()

    def resolve(self, host: str, port: int) -> str:
        """The address to connect to; raises ``TargetFailed``.

        A name with any forbidden address is refused whole: which one a resolver lists first is
        the attacker's choice.
        """
        found = _addresses(host, port)
        if any(fnmatchcase(host.lower(), pattern) for pattern in self.private_hosts):
            return found[0]
        forbidden = [text for text in found if not is_public(ip_address(text))]
        if forbidden:
            raise permanent(
                "address_not_allowed",
                "NotAllowed",
                f"{host} resolves to {forbidden[0]}, which web hooks may not reach.",
            )
        return found[0]


def is_public(address: Address) -> bool:
    """Not private, loopback, link-local (instance metadata), multicast or reserved.

    Addresses that carry an IPv4 address inside are judged by that one as well.
    """
    inner = _embedded(address)
    if inner is not None and not is_public(inner):
        return False
    if isinstance(address, IPv6Address) and not _is_routed(address):
        return False
    return address.is_global and not address.is_multicast


def _is_routed(address: IPv6Address) -> bool:
    return address in _GLOBAL_UNICAST or address in _NAT64


def _embedded(address: Address) -> IPv4Address | None:
    if isinstance(address, IPv4Address):
        return None
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    teredo = address.teredo
    return address.ipv4_mapped or address.sixtofour or (teredo[1] if teredo else None)


def _addresses(host: str, port: int) -> list[str]:
    """What the name resolves to, IPv4 first: it is what a Lambda outside a VPC can reach."""
    try:
        infos = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (socket.gaierror, UnicodeError) as error:
        raise retryable("name_not_resolved", "NameResolution", f"{host}: {error}") from error
    ordered = sorted(infos, key=lambda info: info[0] is not socket.AF_INET)
    # A scoped address (fe80::1%eth0) is judged without its zone.
    return [str(info[4][0]).partition("%")[0] for info in ordered]
