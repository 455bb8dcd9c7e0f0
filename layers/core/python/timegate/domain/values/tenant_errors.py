"""Refusals of the administration of tenants, of requests that it suspends, and of web hooks.

TimegateError
├── Conflict
│   ├── FreezeIsOfStage
│   ├── TenantChanged
│   ├── TenantIsSuspended
│   └── VersionMismatch
│       └── TenantVersionMismatch
├── HookRefused             a request to a web hook proves nothing
├── HookUnavailable         a web hook's secret cannot be read or used
└── LinkUnavailable         the same of the links of an approval
"""

from timegate.domain.values.errors import Conflict, TimegateError, VersionMismatch


class FreezeIsOfStage(Conflict):
    """The stage froze the tenant, and alone ends that."""

    code = "freeze_of_stage"

    def __init__(self, freeze_id: str) -> None:
        super().__init__(f"The stage made freeze {freeze_id}; only its administration ends it.")


class TenantChanged(Conflict):
    """Another request changed the tenant's settings in between; read them again and retry."""

    code = "tenant_changed"

    def __init__(self, tenant: str) -> None:
        super().__init__(f"Tenant {tenant} was changed meanwhile; read it again and retry.")


class TenantIsSuspended(Conflict):
    """A suspended tenant reads what it has, and changes nothing."""

    code = "tenant_suspended"

    def __init__(self, reason: str) -> None:
        why = f": {reason}" if reason else "."
        super().__init__(f"The tenant is suspended; it can only read{why}")


class TenantVersionMismatch(VersionMismatch):
    """The caller asked for a version of the settings that is not the stored one."""

    def __init__(self, tenant: str, version: int) -> None:
        Conflict.__init__(self, f"Tenant {tenant} is at version {version}.")


class HookRefused(TimegateError):
    """The request proves nothing: an unknown address and a wrong signature read the same."""

    code = "hook_refused"

    def __init__(self) -> None:
        super().__init__("No web hook of this address accepts a request that is signed so.")


class HookUnavailable(TimegateError):
    """The secret of the web hook cannot be read or used; a later request may succeed."""

    code = "hook_unavailable"

    def __init__(self) -> None:
        super().__init__("The signature cannot be checked now; send the request again later.")


class LinkUnavailable(TimegateError):
    """The secret of the links cannot be read or used; a later request may succeed."""

    code = "link_unavailable"

    def __init__(self) -> None:
        super().__init__("The link cannot be checked now; try again in a minute.")
