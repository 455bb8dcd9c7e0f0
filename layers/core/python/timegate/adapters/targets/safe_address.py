"""Where a web hook may connect: public addresses only, resolved once and pinned (S5).

A name that is checked and then resolved again can answer differently the second time (DNS
rebinding), so the connection is made to the very address that was checked.
"""

import socket
from dataclasses import dataclass
from ipaddress import ip_address

from timegate.adapters.targets.failures import permanent, retryable
from timegate.domain.addresses import is_exempt, is_public


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
        if is_exempt(host, self.private_hosts):
            return found[0]
        forbidden = [text for text in found if not is_public(ip_address(text))]
        if forbidden:
            raise permanent(
                "address_not_allowed",
                "NotAllowed",
                f"{host} resolves to {forbidden[0]}, which web hooks may not reach.",
            )
        return found[0]


def _addresses(host: str, port: int) -> list[str]:
    """What the name resolves to, IPv4 first: it is what a Lambda outside a VPC can reach."""
    try:
        infos = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (socket.gaierror, UnicodeError) as error:
        raise retryable("name_not_resolved", "NameResolution", f"{host}: {error}") from error
    ordered = sorted(infos, key=lambda info: info[0] is not socket.AF_INET)
    # A scoped address (fe80::1%eth0) is judged without its zone.
    return [str(info[4][0]).partition("%")[0] for info in ordered]
