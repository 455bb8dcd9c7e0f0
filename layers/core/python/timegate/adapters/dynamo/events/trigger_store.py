"""Event triggers, in the jobs table: a partition per tenant, and one for each web hook."""

import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

from timegate.adapters.dynamo.audit_trail.audit_writes import AuditWrites
from timegate.adapters.dynamo.events.trigger_items import (
    TRIGGER_PREFIX,
    deleted_to_fields,
    forgotten_hook_to_fields,
    hook_from_fields,
    hook_key,
    hook_to_fields,
    names_from_fields,
    names_key,
    names_to_fields,
    trigger_from_fields,
    trigger_key,
    trigger_to_fields,
    triggers_pk,
)
from timegate.adapters.dynamo.tables.engine import Engine, Fields, Query
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.present_rows import present_rows
from timegate.adapters.dynamo.tables.reading import number, read_each
from timegate.adapters.dynamo.tables.transactions import write_together
from timegate.adapters.dynamo.tables.values import Plain
from timegate.adapters.dynamo.tables.writes import Insert, Put, Replace
from timegate.adapters.page_cursor import read_cursor, write_cursor
from timegate.domain.event_triggers.errors import (
    EventTriggerNotFound,
    EventTriggerVersionMismatch,
    TooManyEventTriggers,
)
from timegate.domain.event_triggers.event_trigger import (
    MAX_EVENT_TRIGGERS,
    EventTrigger,
    EventTriggerStatus,
    HookId,
    HookPlace,
    former_after,
)
from timegate.domain.values.errors import Throttled
from timegate.domain.values.tenant import TenantId
from timegate.ports.event_triggers import EventTriggerPage
from timegate.value_classes import dataclass

#: Lost races before the caller is told; one of the writers that race always wins.
TRIES = 10
_LONGEST_PAUSE_SECONDS = 0.2
_AFTER_ALL = "~"
#: Triggers that are read together: two imports may bring a tenant more than it may make.
_MOST_STORED = 10 * MAX_EVENT_TRIGGERS

_Found = dict[str, Plain] | None
_Names = Mapping[str, int]


@dataclass(frozen=True, kw_only=True, slots=True)
class _Decision:
    """All names from now on, the item of the trigger, and what is written beside it."""

    names: _Names
    fields: Mapping[str, Plain]
    beside: Sequence[Put]
    outcome: EventTrigger


#: Decides by the names and the trigger of the name; ``None``: it is so already.
_Decide = Callable[[_Names, _Found], _Decision | EventTrigger]


class DynamoEventTriggerStore:
    """One item for each trigger, and one of all names; a write changes both, or neither."""

    def __init__(
        self,
        engine: Engine,
        *,
        table: str,
        audit: AuditWrites | None = None,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self._engine = engine
        self._table = table
        self._pause = pause
        self._audit = audit or AuditWrites(table=table)

    def put(
        self, tenant: TenantId, trigger: EventTrigger, *, expected_version: int | None
    ) -> EventTrigger:
        """Store a trigger in place of the one of its name; returns it with its new version."""

        def decide(names: _Names, found: _Found) -> _Decision:
            _check_version(trigger.name, names, expected_version)
            before = _trigger(tenant, found)
            if before is None and len(names) >= MAX_EVENT_TRIGGERS:
                raise TooManyEventTriggers(MAX_EVENT_TRIGGERS)
            version = number(found["version"]) + 1 if found is not None else 1
            after = _in_place_of(before, replace(trigger, version=version))
            return self._decision(names, before, after)

        return self._change(tenant, trigger.name, decide)

    def set_status(
        self, tenant: TenantId, name: str, status: EventTriggerStatus, *, now: datetime
    ) -> EventTrigger:
        """Pause or resume a trigger."""

        def decide(names: _Names, found: _Found) -> _Decision | EventTrigger:
            before = _existing(tenant, name, found)
            if before.status is status:
                return before
            after = replace(before, status=status, version=before.version + 1, updated_at=now)
            return self._decision(names, before, after)

        return self._change(tenant, name, decide)

    def get(self, tenant: TenantId, name: str) -> EventTrigger:
        """A trigger, strongly consistent."""
        found = self._engine.get(self._table, trigger_key(tenant, name))
        return _existing(tenant, name, found)

    def delete(
        self, tenant: TenantId, name: str, *, expected_version: int | None, now: datetime
    ) -> EventTrigger:
        """Forget a trigger and the address of its web hook; returns it as it was."""

        def decide(names: _Names, found: _Found) -> _Decision:
            before = _existing(tenant, name, found)
            _check_version(name, names, expected_version)
            forgotten = self._forgotten(before.hook_id, now=now)
            return _Decision(
                names={each: version for each, version in names.items() if each != name},
                fields=deleted_to_fields(tenant, name, version=before.version, now=now),
                beside=[*forgotten, *self._audit.event_trigger(before, None)],
                outcome=before,
            )

        return self._change(tenant, name, decide)

    def all_of(self, tenant: TenantId) -> EventTriggerPage:
        """Every trigger of the tenant, by name; a damaged one hides no other."""
        return self._page(tenant, self._stored(tenant, ""), cursor=None)

    def page(self, tenant: TenantId, *, limit: int, cursor: str | None) -> EventTriggerPage:
        """The triggers of a tenant, by name."""
        listing = f"event-triggers#{tenant}"
        # Behind a name it sorts after that name, and before every longer one.
        after = f"{read_cursor(listing, cursor)}!" if cursor is not None else ""
        found = self._stored(tenant, after, most=limit + 1)
        more = write_cursor(listing, found[limit - 1][0]) if len(found) > limit else None
        return self._page(tenant, found[:limit], cursor=more)

    def place_of(self, hook_id: HookId) -> HookPlace | None:
        """Return the trigger that an address was given to."""
        found = self._engine.get(self._table, hook_key(hook_id))
        return hook_from_fields(found) if found is not None else None

    def _page(
        self, tenant: TenantId, found: Sequence[tuple[str, Fields]], *, cursor: str | None
    ) -> EventTriggerPage:
        triggers, damaged = read_each(found, partial(trigger_from_fields, tenant))
        return EventTriggerPage(rows=triggers, damaged=damaged, cursor=cursor)

    def _stored(
        self, tenant: TenantId, after: str, *, most: int = _MOST_STORED
    ) -> list[tuple[str, Fields]]:
        """Return the items of triggers that are not deleted, by name."""
        query = Query(
            table=self._table,
            of=triggers_pk(tenant),
            first=f"{TRIGGER_PREFIX}{after}",
            last=f"{TRIGGER_PREFIX}{_AFTER_ALL}",
            consistent=True,
        )
        found = present_rows(self._engine, query, most, lambda: self._keys(tenant))
        return [(_name_of(each), each) for each in found]

    def _keys(self, tenant: TenantId) -> list[Key]:
        """Return the keys of the triggers that exist."""
        key = names_key(tenant)
        found = self._engine.get_all({self._table: [key]})[self._table].get(key)
        names = names_from_fields(found) if found is not None else {}
        return [trigger_key(tenant, name) for name in names]

    def _decision(
        self, names: _Names, before: EventTrigger | None, after: EventTrigger
    ) -> _Decision:
        beside = [*self._audit.event_trigger(before, after)]
        given = before.hook_id if before is not None else None
        if given is not None and after.hook_id is None:
            beside += self._forgotten(given, now=after.updated_at)
        elif after.hook_id is not None and after.hook is not None:
            place = HookPlace(tenant=after.tenant, name=after.name, hook=after.hook)
            beside.append(Put(table=self._table, fields=hook_to_fields(after.hook_id, place)))
        return _Decision(
            names={**names, after.name: after.version},
            fields=trigger_to_fields(after),
            beside=beside,
            outcome=after,
        )

    def _forgotten(self, hook_id: HookId | None, *, now: datetime) -> list[Put]:
        if hook_id is None:
            return []
        return [Put(table=self._table, fields=forgotten_hook_to_fields(hook_id, now=now))]

    def _change(self, tenant: TenantId, name: str, decide: _Decide) -> EventTrigger:
        """Decide about what is there, and store it if that is there still; else decide again."""
        keys = (names_key(tenant), trigger_key(tenant, name))
        for attempt in range(TRIES):
            found = self._engine.get_all({self._table: keys})[self._table]
            before = found.get(keys[0])
            names = names_from_fields(before) if before is not None else {}
            decided = decide(names, found.get(keys[1]))
            if isinstance(decided, EventTrigger):
                return decided
            if self._write(tenant, before, decided):
                return decided.outcome
            longest = min(0.01 * 2**attempt, _LONGEST_PAUSE_SECONDS)
            self._pause(random.uniform(0, longest))  # noqa: S311 - spreads contenders
        raise Throttled("Many writers change the tenant's event triggers at once.")

    def _write(self, tenant: TenantId, before: _Found, decision: _Decision) -> bool:
        revision = number(before["revision"]) if before is not None else 0
        fields = names_to_fields(tenant, decision.names, revision=revision + 1)
        # Every change names the revision that it read: of those that race one is written.
        names: Insert | Replace = (
            Insert(table=self._table, fields=fields)
            if before is None
            else Replace(table=self._table, fields=fields, where={"revision": revision})
        )
        own = Put(table=self._table, fields=decision.fields)
        return write_together(self._engine, [names, own, *decision.beside])


def _in_place_of(before: EventTrigger | None, after: EventTrigger) -> EventTrigger:
    """Keep what a replacement does not say: standing, creation, and the web hook's address."""
    if before is None:
        return after
    kept = after.hook_id
    if after.hook is not None and before.hook_id is not None:
        kept = before.hook_id
    return replace(
        after,
        status=before.status,
        created_at=before.created_at,
        hook_id=kept,
        former=former_after(before, after),
    )


def _trigger(tenant: TenantId, found: _Found) -> EventTrigger | None:
    if found is None or "deleted" in found:
        return None
    return trigger_from_fields(tenant, found)


def _name_of(fields: Fields) -> str:
    return str(fields["sk"]).removeprefix(TRIGGER_PREFIX)


def _existing(tenant: TenantId, name: str, found: _Found) -> EventTrigger:
    trigger = _trigger(tenant, found)
    if trigger is None:
        raise EventTriggerNotFound(name)
    return trigger


def _check_version(name: str, names: _Names, expected: int | None) -> None:
    stored = names.get(name, 0)
    if expected not in {None, stored}:
        raise EventTriggerVersionMismatch(name, stored)
