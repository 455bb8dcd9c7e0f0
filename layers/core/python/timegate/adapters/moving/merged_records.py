"""Records that have all of a tenant's kind in one: what moves in is put beside what is there."""

from collections.abc import Mapping
from dataclasses import replace

from timegate.adapters.dynamo.events.trigger_items import (
    names_from_fields,
    names_to_fields,
    trigger_key,
)
from timegate.adapters.dynamo.restrictions.in_force_writes import in_force_write
from timegate.adapters.dynamo.restrictions.restriction_items import (
    calendar_key,
    in_force_from_fields,
)
from timegate.adapters.dynamo.tables.engine import Engine, Fields
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.reading import number
from timegate.adapters.dynamo.tables.writes import Insert, Replace
from timegate.adapters.dynamo.tenants.tenant_items import tenant_from_fields, tenant_to_fields
from timegate.adapters.moving.item_kinds import owner_of
from timegate.domain.moving.moved_kinds import MovedKind
from timegate.domain.restrictions.restrictions import NOTHING_IN_FORCE, RestrictionsInForce
from timegate.domain.tenants.tenant_settings import MoveState
from timegate.domain.values.errors import Malformed, Throttled
from timegate.domain.values.tenant import TenantId
from timegate.ports.tenants.moving import StoreEffect
from timegate.value_classes import dataclass

#: Lost races before the operator is told.
TRIES = 10


def merge(
    engine: Engine, table: str, kind: MovedKind, fields: Fields, *, arrives: bool
) -> StoreEffect:
    """Put what moves in beside what is there; raises ``Throttled`` after losing every race.

    The tenant ``arrives``: what moves in stands for what an earlier import brought.
    """
    tenant = owner_of(fields)
    if tenant is None:
        raise Malformed(f"{fields['pk']!r} is no tenant's partition.")
    key = Key(pk=str(fields["pk"]), sk=str(fields["sk"]))
    for _ in range(TRIES):
        found = engine.get(table, key)
        write = _MERGES[kind](_Merging(engine, table, tenant, arrives), fields, found)
        if write is None:
            return StoreEffect.PRESENT
        if engine.write(write).done:
            return StoreEffect.STORED
    raise Throttled(f"{key.pk} {key.sk} is fought over.")


@dataclass(frozen=True, slots=True)
class _Merging:
    """A stage, and the tenant whose record moves into it."""

    engine: Engine
    table: str
    tenant: TenantId
    arrives: bool


def _in_force(into: _Merging, fields: Fields, found: Fields | None) -> Insert | Replace | None:
    tenant = into.tenant
    moved = in_force_from_fields(tenant, fields)
    keys = {name: calendar_key(tenant, name) for name in moved.calendars}
    moved = replace(moved, calendars=_existing(into, moved.calendars, keys))
    before = in_force_from_fields(tenant, found) if found is not None else NOTHING_IN_FORCE
    if into.arrives:
        # The freeze of the arrival is this stage's own.
        own = tuple(each for each in before.freezes if each.spares_runs)
        after = _beside(replace(before, freezes=own, calendars={}, late_bounds=()), moved)
    else:
        after = _beside(before, moved)
    return None if after == before else in_force_write(into.table, tenant, found, after)


def _beside(before: RestrictionsInForce, moved: RestrictionsInForce) -> RestrictionsInForce:
    ids = {each.freeze_id for each in before.freezes}
    freezes = [*before.freezes, *(each for each in moved.freezes if each.freeze_id not in ids)]
    bounds = [each for each in moved.late_bounds if each not in before.late_bounds]
    return replace(
        before,
        freezes=tuple(sorted(freezes, key=lambda each: each.freeze_id)),
        calendars={**moved.calendars, **before.calendars},
        late_bounds=(*before.late_bounds, *bounds),
    )


def _names(into: _Merging, fields: Fields, found: Fields | None) -> Insert | Replace | None:
    before = names_from_fields(found) if found is not None else {}
    moved = names_from_fields(fields)
    keys = {name: trigger_key(into.tenant, name) for name in moved}
    after = {**_existing(into, moved, keys), **({} if into.arrives else before)}
    if after == before:
        return None
    revision = number(found["revision"]) if found is not None else 0
    written = names_to_fields(into.tenant, after, revision=revision + 1)
    if found is None:
        return Insert(table=into.table, fields=written)
    return Replace(table=into.table, fields=written, where={"revision": revision})


def _existing(into: _Merging, names: Mapping[str, int], keys: Mapping[str, Key]) -> dict[str, int]:
    """Leave out what this stage has deleted since: the record of that is where it would be."""
    found = into.engine.get_all({into.table: [*keys.values()]})[into.table]
    return {
        name: version
        for name, version in names.items()
        if "deleted" not in found.get(keys[name], {"deleted": True})
    }


def _tenant(into: _Merging, fields: Fields, found: Fields | None) -> Insert | Replace | None:
    """Take over the settings of a tenant that arrives; those that the stage has stay otherwise."""
    if found is None:
        return Insert(table=into.table, fields=fields)
    before, moved = tenant_from_fields(found), tenant_from_fields(fields)
    if before.move is None or before.move.state is not MoveState.ARRIVING:
        return None
    after = replace(
        moved,
        tenant=into.tenant,
        move=before.move,
        created_at=before.created_at,
        version=before.version,
    )
    if replace(after, updated_at=before.updated_at) == before:
        return None
    written = tenant_to_fields(replace(after, version=before.version + 1))
    return Replace(table=into.table, fields=written, where={"version": before.version})


_MERGES = {
    MovedKind.IN_FORCE: _in_force,
    MovedKind.EVENT_TRIGGER_NAMES: _names,
    MovedKind.TENANT: _tenant,
}
