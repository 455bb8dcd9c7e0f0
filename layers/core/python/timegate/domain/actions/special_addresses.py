"""Special addresses: the networks that IANA keeps from public use, as a table of Timegate's own.

Taken from the registries below, as of 2025-10-09. Python's ``ipaddress`` has such a table too, but
it changes between interpreters: one version lets ``192.0.0.192`` pass that another refuses.

- https://www.iana.org/assignments/iana-ipv4-special-registry/
- https://www.iana.org/assignments/iana-ipv6-special-registry/
- https://www.iana.org/assignments/multicast-addresses/ and ipv6-address-space/

Blocks are refused whole, with the parts that the registries call globally reachable: no web hook
is at an anycast address of a protocol, at a sink, or behind a tunnel.
"""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

REGISTRY_DATE = "2025-10-09"

SPECIAL_IPV4 = tuple(
    IPv4Network(network)
    for network in (
        "0.0.0.0/8",  # this network, RFC 791
        "10.0.0.0/8",  # private use, RFC 1918
        "100.64.0.0/10",  # shared address space, RFC 6598
        "127.0.0.0/8",  # loopback, RFC 1122
        "169.254.0.0/16",  # link local, with instance metadata, RFC 3927
        "172.16.0.0/12",  # private use, RFC 1918
        "192.0.0.0/24",  # IETF protocol assignments, RFC 6890
        "192.0.2.0/24",  # documentation, RFC 5737
        "192.31.196.0/24",  # AS112-v4, RFC 7535
        "192.52.193.0/24",  # AMT, RFC 7450
        "192.88.99.0/24",  # 6to4 and 6a44 relays, RFC 7526 and RFC 6751
        "192.168.0.0/16",  # private use, RFC 1918
        "192.175.48.0/24",  # direct delegation AS112, RFC 7534
        "198.18.0.0/15",  # benchmarking, RFC 2544
        "198.51.100.0/24",  # documentation, RFC 5737
        "203.0.113.0/24",  # documentation, RFC 5737
        "224.0.0.0/4",  # multicast, RFC 5771
        "240.0.0.0/4",  # reserved, with limited broadcast, RFC 1112 and RFC 8190
    )
)

#: All that is given out for public use; loopback, mapped, local and discarded addresses are
#: outside of it, and so are ``64:ff9b:1::/48``, ``100::/64`` and ``5f00::/16``.
GLOBAL_UNICAST = IPv6Network("2000::/3")

#: The special networks within ``GLOBAL_UNICAST``.
SPECIAL_IPV6 = tuple(
    IPv6Network(network)
    for network in (
        "2001::/23",  # IETF protocol assignments, with Teredo, ORCHID, AMT, AS112, RFC 2928
        "2001:db8::/32",  # documentation, RFC 3849
        "2002::/16",  # 6to4, RFC 3056
        "2620:4f:8000::/48",  # direct delegation AS112, RFC 7534
        "3fff::/20",  # documentation, RFC 9637
    )
)

#: Translated to IPv4 at a gateway: the IPv4 address inside is the one that counts (RFC 6052).
NAT64 = IPv6Network("64:ff9b::/96")


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Tell whether an address is one on the internet."""
    if isinstance(address, IPv4Address):
        return not any(address in network for network in SPECIAL_IPV4)
    if address in NAT64:
        return is_public(IPv4Address(int(address) & 0xFFFFFFFF))
    return address in GLOBAL_UNICAST and not any(address in network for network in SPECIAL_IPV6)
