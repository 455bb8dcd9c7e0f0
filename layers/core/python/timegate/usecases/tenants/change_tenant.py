"""Changing a tenant's settings: read, decide, and write only what was decided about that."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Self

from timegate.domain.jobs.definition import UNSET, Unset
from timegate.domain.jobs.demands import ListRuns
from timegate.domain.limits.quotas import Quotas, check_quotas
from timegate.domain.restrictions.freeze import Freeze
from timegate.domain.tenants.standing import refuse_erased
from timegate.domain.tenants.tenant_settings import TenantSettings
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.tenant import TenantId
from timegate.domain.values.tenant_errors import TenantChanged, TenantVersionMismatch
from timegate.ports.telemetry import service_events
from timegate.ports.telemetry.telemetry import LogEvent
from timegate.usecases.services.api_services import ApiServices
from timegate.value_classes import dataclass

#: Administrators of a stage rarely work on one tenant alone, and never are many.
MAX_TRIES = 5
MAX_DISPLAY_NAME = 200


@dataclass(frozen=True, kw_only=True, slots=True)
class TenantRef:
    """The tenant to change."""

    tenant: TenantId
    #: Change this version only, 0 if there must be none; ``None``: whichever is stored.
    version: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class NewSettings:
    """New settings of a tenant; ``None`` leaves a setting as it is."""

    display_name: str | None = None
    #: Quotas set, and those that ``kept`` does not leave as they are.
    quotas: Quotas | None = None
    #: Names of quotas that stay.
    kept: frozenset[str] = frozenset()
    #: Default for jobs that are created later without the field.
    list_runs: ListRuns | Unset | None = UNSET


@dataclass(frozen=True, kw_only=True, slots=True)
class Decided:
    """Settings after the change, and a freeze that is stored with them."""

    settings: TenantSettings
    freeze: Freeze | None = None

    @classmethod
    def by(cls, settings: TenantSettings, new: NewSettings) -> Self:
        """The settings with what is new."""
        after = settings
        if new.display_name is not None:
            after = replace(after, display_name=new.display_name)
        if new.quotas is not None:
            stay = {name: getattr(settings.quotas, name) for name in new.kept}
            after = replace(after, quotas=replace(new.quotas, **stay))
        if not isinstance(new.list_runs, Unset):
            after = replace(after, list_runs=new.list_runs)
        return cls(settings=after)


#: Decides what the settings become; ``None`` when they are so already.
Change = Callable[[TenantSettings], Decided | None]


def update_tenant(
    ref: TenantRef, new: NewSettings, services: ApiServices, *, now: datetime
) -> TenantSettings:
    """Set name, quotas and the default of new jobs; who reads them hears of it within ten seconds.

    Raises ``InvalidInput``, ``TenantVersionMismatch`` and ``TenantChanged``.
    """
    check_display_name(new.display_name)
    check_quotas(new.quotas or Quotas())

    def change(settings: TenantSettings) -> Decided | None:
        decided = Decided.by(settings, new)
        return None if settings.version and decided.settings == settings else decided

    return change_tenant(ref, service_events.TENANT_CHANGED, change, services, now=now)


def check_display_name(name: str | None) -> None:
    """Refuse a name too long to be read; raises ``InvalidInput``."""
    if len(name or "") > MAX_DISPLAY_NAME:
        detail = f"It may have {MAX_DISPLAY_NAME} characters."
        raise InvalidInput("display_name", "too_long", detail)


def change_tenant(
    ref: TenantRef, event: LogEvent, change: Change, services: ApiServices, *, now: datetime
) -> TenantSettings:
    """Apply a change as a new version; returns the settings as they are then.

    Raises ``TenantVersionMismatch``, ``TenantChanged`` after losing every race, and whatever
    ``change`` raises.
    """
    for _ in range(MAX_TRIES):
        before = services.tenants.get(ref.tenant)
        refuse_erased(before)
        if ref.version not in {None, before.version}:
            raise TenantVersionMismatch(ref.tenant, before.version)
        decided = change(before)
        if decided is None:
            return before
        after = _written(before, decided.settings, now)
        if services.tenants.put(ref.tenant, before, after, freeze=decided.freeze):
            services.tenants_at_hand.forget(ref.tenant)
            services.telemetry.event(
                event, tenant_id=ref.tenant, version=after.version, status=after.status
            )
            return after
    raise TenantChanged(ref.tenant)


def _written(before: TenantSettings, after: TenantSettings, now: datetime) -> TenantSettings:
    return replace(
        after,
        version=before.version + 1,
        created_at=before.created_at or now,
        updated_at=now,
    )
