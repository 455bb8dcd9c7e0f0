"""Calendars and freezes, in the jobs table: a partition per tenant."""

import random
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, TypeVar

from timegate.adapters.dynamo.audit_trail.audit_writes import AuditWrites
from timegate.adapters.dynamo.restrictions.in_force_writes import in_force_write
from timegate.adapters.dynamo.restrictions.restriction_items import (
    InForceRecords,
    calendar_from_fields,
    calendar_key,
    calendar_to_fields,
    deleted_calendar_to_fields,
    freeze_from_fields,
    freeze_key,
    freeze_to_fields,
    in_force_copies,
    in_force_from_fields,
    in_force_key,
    stage_in_force_key,
)
from timegate.adapters.dynamo.tables.engine import Engine
from timegate.adapters.dynamo.tables.reading import number
from timegate.adapters.dynamo.tables.transactions import write_together
from timegate.adapters.dynamo.tables.values import Plain
from timegate.adapters.dynamo.tables.writes import Put
from timegate.domain.calendars.calendar import Calendar
from timegate.domain.restrictions.freeze import Freeze, FreezeId, lifted
from timegate.domain.restrictions.restrictions import (
    NOTHING_IN_FORCE,
    CalendarRef,
    RestrictionsInForce,
    freeze_asked_as,
    with_calendar,
    with_freeze,
    without_calendar,
)
from timegate.domain.values.errors import (
    CalendarNotFound,
    CalendarVersionMismatch,
    FreezeNotFound,
    Throttled,
)
from timegate.domain.values.tenant import ADMINISTRATION, TenantId
from timegate.ports.restrictions import CalendarPage, FreezePage
from timegate.value_classes import dataclass

if TYPE_CHECKING:
    from timegate.adapters.dynamo.tables.keys import Key

#: Lost races before the caller hears of it. One of those who race always wins.
TRIES = 10
_LONGEST_PAUSE_SECONDS = 0.2

Outcome = TypeVar("Outcome")
_Found = dict[str, Plain] | None


@dataclass(frozen=True, kw_only=True, slots=True)
class _Decision:
    """Restrictions in force from now on, and the calendar or freeze that changed them."""

    in_force: RestrictionsInForce
    fields: Mapping[str, Plain]
    #: Entries of the audit trail.
    told: Sequence[Put] = ()


class DynamoRestrictionStore:
    """One item each, and one of what is in force; a write changes two of them, or none."""

    def __init__(
        self,
        engine: Engine,
        *,
        table: str,
        retention_days: int,
        audit: AuditWrites | None = None,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self._engine = engine
        self._table = table
        self._retention = timedelta(days=retention_days)
        self._pause = pause
        self._audit = audit or AuditWrites(table=table)

    def put_calendar(
        self, tenant: TenantId, calendar: Calendar, *, expected_version: int | None
    ) -> Calendar:
        """Store a calendar in place of the one of its name; returns it with its new version."""

        def decide(in_force: RestrictionsInForce, found: _Found) -> tuple[_Decision, Calendar]:
            _check_version(calendar.name, in_force, expected_version)
            version = number(found["version"]) + 1 if found is not None else 1
            after = replace(calendar, tenant=tenant, version=version)
            decision = _Decision(
                in_force=with_calendar(in_force, after),
                fields=calendar_to_fields(after),
                told=self._audit.calendar(tenant, after.name, _calendar(found), after),
            )
            return decision, after

        return self._change(tenant, calendar_key(tenant, calendar.name), decide)

    def get_calendar(self, tenant: TenantId, name: str) -> Calendar:
        """A calendar, strongly consistent; raises ``CalendarNotFound``."""
        found = self._engine.get(self._table, calendar_key(tenant, name))
        if found is None or "deleted" in found:
            raise CalendarNotFound(name)
        return calendar_from_fields(found)

    def delete_calendar(
        self, tenant: TenantId, name: str, *, expected_version: int | None, now: datetime
    ) -> None:
        """Forget a calendar; raises ``CalendarNotFound`` and ``CalendarVersionMismatch``."""

        def decide(in_force: RestrictionsInForce, found: _Found) -> tuple[_Decision, None]:
            if name not in in_force.calendars:
                raise CalendarNotFound(name)
            _check_version(name, in_force, expected_version)
            rest = deleted_calendar_to_fields(
                tenant,
                name,
                version=in_force.calendars[name],
                expires_at=now + self._retention,
            )
            decision = _Decision(
                in_force=without_calendar(in_force, name),
                fields=rest,
                told=self._audit.calendar(tenant, name, _calendar(found), None),
            )
            return decision, None

        self._change(tenant, calendar_key(tenant, name), decide)

    def list_calendars(self, tenant: TenantId, *, limit: int, cursor: str | None) -> CalendarPage:
        """The calendars of a tenant, by name."""
        # Only the API lists them.
        from timegate.adapters.dynamo.restrictions.calendar_listing import (  # noqa: PLC0415
            list_calendars,
        )

        return list_calendars(self._engine, self._table, tenant, limit=limit, cursor=cursor)

    def put_freeze(self, tenant: TenantId, freeze: Freeze, *, now: datetime) -> Freeze:
        """Store a freeze unless it, or one of the same request, exists; returns what is stored."""

        def decide(in_force: RestrictionsInForce, found: _Found) -> tuple[_Decision | None, Freeze]:
            stored = freeze_from_fields(found) if found is not None else None
            if stored is not None and not stored.is_asked_anew_by(freeze):
                return None, stored
            asked = freeze_asked_as(in_force, freeze.asked_as)
            if asked is not None:
                return None, asked
            after = with_freeze(in_force, freeze, now=now)
            fields = freeze_to_fields(freeze, retention=self._retention)
            told = self._audit.freeze(None, freeze)
            return _Decision(in_force=after, fields=fields, told=told), freeze

        return self._change(tenant, freeze_key(tenant, freeze.freeze_id), decide)

    def get_freeze(self, tenant: TenantId, freeze_id: FreezeId) -> Freeze:
        """A freeze, whether or not it has ended; raises ``FreezeNotFound``."""
        keys = [freeze_key(owner, freeze_id) for owner in dict.fromkeys([tenant, ADMINISTRATION])]
        for fields in self._read(keys).values():
            freeze = freeze_from_fields(fields)
            if freeze.tenant == tenant:
                return freeze
            if tenant not in freeze.spared_tenants:
                return freeze.seen_by(tenant)
        raise FreezeNotFound(freeze_id)

    def lift_freeze(self, tenant: TenantId, freeze_id: FreezeId, *, now: datetime) -> Freeze:
        """End a freeze at ``now``; one that has ended stays as it is; raises ``FreezeNotFound``."""

        def decide(in_force: RestrictionsInForce, found: _Found) -> tuple[_Decision | None, Freeze]:
            # One of the stage is read as such, and is not lifted here.
            before = freeze_from_fields(found) if found else self.get_freeze(tenant, freeze_id)
            after = lifted(before, now=now)
            if after == before:
                return None, before
            fields = freeze_to_fields(after, retention=self._retention)
            in_force = with_freeze(in_force, after, now=now)
            told = self._audit.freeze(before, after)
            return _Decision(in_force=in_force, fields=fields, told=told), after

        return self._change(tenant, freeze_key(tenant, freeze_id), decide)

    def unended_freezes(self, tenant: TenantId, *, now: datetime) -> tuple[Freeze, ...]:
        """Return freezes that have not ended, by the instant at which they start."""
        in_force = self.in_force([tenant])[tenant]
        return tuple(freeze for freeze in in_force.freezes if not freeze.has_ended(now))

    def list_freezes(self, tenant: TenantId, *, limit: int, cursor: str | None) -> FreezePage:
        """All freezes on record, the last to start first."""
        # Only the API lists them.
        from timegate.adapters.dynamo.restrictions.freeze_listing import (  # noqa: PLC0415
            list_freezes,
        )

        return list_freezes(self._engine, self._table, tenant, limit=limit, cursor=cursor)

    def in_force(self, tenants: Collection[TenantId]) -> Mapping[TenantId, RestrictionsInForce]:
        """Return the restrictions in force at each tenant: one read for up to ninety-nine."""
        keys = {tenant: in_force_key(tenant) for tenant in tenants}
        if not keys:
            return {}
        stage = stage_in_force_key(next(iter(keys)))
        found = self._read([*dict.fromkeys([*keys.values(), stage])])
        own = {tenant: found.get(key) for tenant, key in keys.items()}
        return InForceRecords(own, found.get(stage))

    def calendars(self, wanted: Collection[CalendarRef]) -> Mapping[CalendarRef, Calendar]:
        """Calendars by version: those that still are, each at that version or a later one."""
        keys = {ref: calendar_key(ref.tenant, ref.name) for ref in wanted}
        found = self._read([*keys.values()])
        return {
            ref: calendar_from_fields(found[key])
            for ref, key in keys.items()
            if key in found and "deleted" not in found[key]
        }

    def _read(self, keys: "Sequence[Key]") -> "dict[Key, dict[str, Plain]]":
        return self._engine.get_all({self._table: keys})[self._table] if keys else {}

    def _change(
        self,
        tenant: TenantId,
        key: "Key",
        decide: Callable[[RestrictionsInForce, _Found], tuple[_Decision | None, Outcome]],
    ) -> Outcome:
        """Decide about what is there, and store it if that is there still; else decide again."""
        for attempt in range(TRIES):
            all_key = in_force_key(tenant)
            found = self._read([all_key, key])
            before = found.get(all_key)
            in_force = in_force_from_fields(tenant, before) if before else NOTHING_IN_FORCE
            decision, outcome = decide(in_force, found.get(key))
            if decision is None or self._write(tenant, before, decision):
                return outcome
            longest = min(0.01 * 2**attempt, _LONGEST_PAUSE_SECONDS)
            self._pause(random.uniform(0, longest))  # noqa: S311 - spreads contenders
        raise Throttled("The tenant's calendars and freezes are fought over.")

    def _write(self, tenant: TenantId, before: _Found, decision: _Decision) -> bool:
        in_force = in_force_write(self._table, tenant, before, decision.in_force)
        copies = in_force_copies(tenant, in_force.fields)
        puts = [Put(table=self._table, fields=each) for each in [decision.fields, *copies]]
        return write_together(self._engine, [in_force, *puts, *decision.told])


def _calendar(found: _Found) -> Calendar | None:
    return calendar_from_fields(found) if found is not None and "deleted" not in found else None


def _check_version(name: str, in_force: RestrictionsInForce, expected: int | None) -> None:
    stored = in_force.calendars.get(name, 0)
    if expected not in {None, stored}:
        raise CalendarVersionMismatch(name, stored)
