"""Addresses that web hooks may reach: public only, resolved once and pinned (S5).

A name that is checked and then resolved again can answer differently the second time (DNS
rebinding), so the connection is made to the very address that was checked.
"""

import socket
from dataclasses import field
from ipaddress import ip_address

from timegate.adapters.targets.failures import permanent, retryable
from timegate.adapters.targets.http.deadline import Deadline
from timegate.adapters.targets.http.messages import HttpRequest
from timegate.adapters.targets.http.name_lookups import NameLookups
from timegate.domain.actions.addresses import is_exempt
from timegate.domain.actions.special_addresses import is_public
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class SafeAddresses:
    """The rule, with the host names that are exempt from it."""

    #: Patterns with ``*``; for targets in a network of one's own, and for the local cloud.
    private_hosts: tuple[str, ...] = ()
    lookups: NameLookups = field(default_factory=NameLookups)

    def resolve(self, request: HttpRequest, deadline: Deadline) -> str:
        """Return the address to connect to; raises ``TargetFailed`` or ``DeadlinePassed``.

        A name with any forbidden address is refused whole: which one a resolver lists first is
        the attacker's choice. The refusal names no address: it would tell of a private network.
        """
        host = request.host
        try:
            found = self.lookups.addresses(request.tenant, host, request.port, deadline)
        except (socket.gaierror, UnicodeError):
            message = f"{host} does not resolve to an address."
            raise retryable("name_not_resolved", "NameResolution", message) from None
        if is_exempt(host, self.private_hosts):
            return found[0]
        if not all(is_public(ip_address(text)) for text in found):
            message = f"{host} leads to an address that web hooks may not reach."
            raise permanent("address_not_allowed", "NotAllowed", message)
        return found[0]
