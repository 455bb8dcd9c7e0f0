"""Refusals of the administration of tenants, of requests that it suspends, and of web hooks."""

from timegate.domain.values.errors import Conflict, NotFound, TimegateError, VersionMismatch


class FreezeIsOfStage(Conflict):
    """The stage froze the tenant, and alone ends that."""

    code = "freeze_of_stage"

    def __init__(self, freeze_id: str) -> None:
        super().__init__(f"The stage made freeze {freeze_id}; only its administration ends it.")


class RegionPassive(Conflict):
    """The other region of the stage acts, or none does at the moment."""

    code = "region_passive"

    def __init__(self, active: str | None) -> None:
        where = f"{active} is the active region" if active else "no region is active"
        super().__init__(f"This region changes and starts nothing: {where}.")


class TenantChanged(Conflict):
    """Another request changed the tenant's settings in between; read them again and retry."""

    code = "tenant_changed"

    def __init__(self, tenant: str) -> None:
        super().__init__(f"Tenant {tenant} was changed meanwhile; read it again and retry.")


class TenantExists(Conflict):
    """A tenant of this name is on record; it is made once."""

    code = "tenant_exists"

    def __init__(self, tenant: str) -> None:
        super().__init__(f"Tenant {tenant} exists; give it another key, or change its settings.")


class TenantErased(TimegateError):
    """The tenant was erased; its name stands for nothing else."""

    code = "tenant_erased"

    def __init__(self, tenant: str) -> None:
        super().__init__(f"Tenant {tenant} was erased; its name is not given again.")


class TooManyApiKeys(Conflict):
    """The tenant has as many API keys as it may have."""

    code = "too_many_api_keys"

    def __init__(self, limit: int) -> None:
        super().__init__(f"A tenant may have {limit} API keys; revoke one first.")


class TenantIsSuspended(Conflict):
    """A suspended tenant reads what it has, and changes nothing."""

    code = "tenant_suspended"

    def __init__(self, reason: str) -> None:
        why = f": {reason}" if reason else "."
        super().__init__(f"The tenant is suspended; it can only read{why}")


class TenantIsMoving(Conflict):
    """A tenant that moves to another stage changes nothing here."""

    code = "tenant_moving"

    def __init__(self, move: str) -> None:
        super().__init__(f"The tenant is {move}; it can only read here.")


class TenantVersionMismatch(VersionMismatch):
    """The caller asked for a version of the settings that is not the stored one."""

    def __init__(self, tenant: str, version: int) -> None:
        Conflict.__init__(self, f"Tenant {tenant} is at version {version}.")


class TenantNotFound(NotFound):
    """The stage has no record of the tenant."""

    code = "tenant_not_found"

    def __init__(self, tenant: str) -> None:
        super().__init__(f"There is no tenant {tenant} on record.")


class ApiKeyNotFound(NotFound):
    """The tenant has no API key with this id, or it ended long ago."""

    code = "api_key_not_found"

    def __init__(self, key_id: str) -> None:
        super().__init__(f"There is no API key {key_id}.")


class ApiKeyRefused(TimegateError):
    """The request carries an API key that opens nothing."""


class ApiKeyUnknown(ApiKeyRefused):
    """The text is no key of the stage's; the answer does not say what is wrong with it."""

    code = "api_key_unknown"

    def __init__(self) -> None:
        super().__init__("The request carries no API key that the stage knows.")


class ApiKeyEnded(ApiKeyRefused):
    """The key was good once: it has expired, or was revoked."""

    code = "api_key_ended"

    def __init__(self, key_id: str, *, is_revoked: bool) -> None:
        why = "was revoked" if is_revoked else "has expired"
        super().__init__(f"API key {key_id} {why}.")


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


class RunExpired(NotFound):
    """The record of the run, if there was one, has reached the end of its retention."""

    code = "run_expired"

    def __init__(self, run_id: str, archived_in: str, *, days: int) -> None:
        super().__init__(
            f"There is no run {run_id} any more: records expire {days} days after their end. Where"
            f" it ended on the day of its instant, {archived_in} of the archive has it, else that"
            f" of a later day: GET /v1/archive/runs/{run_id} looks for it."
        )
        #: The first partition that may have it.
        self.archived_in = archived_in
