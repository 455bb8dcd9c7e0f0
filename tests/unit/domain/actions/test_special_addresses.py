"""The table of special addresses, held against IANA's registries as of its date."""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

import pytest

from timegate.domain.actions.special_addresses import (
    GLOBAL_UNICAST,
    NAT64,
    SPECIAL_IPV4,
    SPECIAL_IPV6,
    is_public,
)

#: Every row of both registries, last updated on 2025-10-09, multicast, and what is no longer given
#: out. Only ``64:ff9b::/96`` is judged by what is inside.
REGISTRIES = (
    *("0.0.0.0/8", "0.0.0.0/32", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16"),
    *("172.16.0.0/12", "192.0.0.0/24", "192.0.0.0/29", "192.0.0.8/32", "192.0.0.9/32"),
    *("192.0.0.10/32", "192.0.0.170/32", "192.0.0.171/32", "192.0.2.0/24", "192.31.196.0/24"),
    *("192.52.193.0/24", "192.88.99.0/24", "192.88.99.2/32", "192.168.0.0/16"),
    *("192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4"),
    *("240.0.0.0/4", "255.255.255.255/32"),
    *("::1/128", "::/128", "::ffff:0:0/96", "64:ff9b:1::/48", "100::/64", "100:0:0:1::/64"),
    *("2001::/23", "2001::/32", "2001:1::1/128", "2001:1::2/128", "2001:1::3/128"),
    *("2001:2::/48", "2001:3::/32", "2001:4:112::/48", "2001:10::/28", "2001:20::/28"),
    *("2001:30::/28", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20"),
    *("5f00::/16", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8", "::/96"),
)

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network


@pytest.mark.parametrize("text", REGISTRIES)
def test_a_registered_network_is_refused_from_end_to_end(text: str) -> None:
    """Its first, its last and an address in its middle."""
    network = ip_network(text)
    middle = network[network.num_addresses // 2]

    assert not any(is_public(address) for address in (network[0], middle, network[-1]))


def just_outside(network: Network) -> list[Address]:
    """The addresses next to a network, on either side."""
    kind = type(network[0])
    numbers = (int(network[0]) - 1, int(network[-1]) + 1)
    return [kind(number) for number in numbers if 0 <= number < 2**network.max_prefixlen]


#: Networks that border on another special one, and on which side.
ADJOINING = {"224.0.0.0/4": [240 << 24], "240.0.0.0/4": [(240 << 24) - 1]}


@pytest.mark.parametrize("network", SPECIAL_IPV4, ids=str)
def test_beside_a_special_ipv4_network_is_the_internet(network: IPv4Network) -> None:
    """Not one address too many is refused."""
    for address in just_outside(network):
        is_special = int(address) in ADJOINING.get(str(network), [])

        assert is_public(address) is not is_special


@pytest.mark.parametrize("network", SPECIAL_IPV6, ids=str)
def test_beside_a_special_ipv6_network_is_the_internet(network: IPv6Network) -> None:
    """Unless what is given out for public use ends there."""
    for address in just_outside(network):
        assert is_public(address) is (address in GLOBAL_UNICAST)


def test_public_ipv6_addresses_have_two_ends() -> None:
    """Nothing outside of 2000::/3 has been given out."""
    assert not is_public(ip_address("1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"))
    assert is_public(ip_address("2000::"))
    assert is_public(ip_address("3fff:1000::"))
    assert not is_public(ip_address("4000::"))


@pytest.mark.parametrize("inner", SPECIAL_IPV4, ids=str)
def test_a_translated_address_is_judged_by_the_one_inside(inner: IPv4Network) -> None:
    """Both at the ends of each special network and beside it."""
    base = int(NAT64[0])
    ends = [inner[0], inner[-1], *just_outside(inner)]

    assert [is_public(IPv6Address(base + int(each))) for each in ends] == [
        is_public(each) for each in ends
    ]


@pytest.mark.parametrize(
    "address",
    ["::ffff:8.8.8.8", "2002:808:808::1", "2001:0:4136:e378:8000:63bf:f7f7:f7f7", "::8.8.8.8"],
    ids=["mapped", "6to4", "Teredo", "compatible"],
)
def test_an_address_that_carries_another_is_refused(address: str) -> None:
    """Even with a public one inside: no target is reached that way."""
    assert not is_public(ip_address(address))


@pytest.mark.parametrize("address", ["192.0.0.192", "192.88.99.1", "3fff::1", "192.0.0.9"])
def test_the_interpreter_is_not_asked(address: str) -> None:
    """Python 3.11.7 takes some of these for addresses on the internet."""
    assert not is_public(ip_address(address))
