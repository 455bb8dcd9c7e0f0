"""The audit trail: one entry for each change that a caller asked for, in its own transaction."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.contract.conftest import NewStores
from tests.support.factories import (
    NOW,
    OTHER_TENANT,
    TENANT,
    after,
    attempt_factory,
    attempt_id,
    calendar_factory,
    freeze_factory,
    job_factory,
)
from tests.support.operations.started_operations import operation_factory
from tests.support.stores.contract_stores import Stores, race
from tests.support.stores.recorder import recorded
from tests.unit.domain.dags.definitions import dag, task
from timegate.domain.jobs.job import JobStatus
from timegate.domain.tenants.audit_trail import (
    AuditEntry,
    AuditFilter,
    FieldChange,
    Resource,
    ResourceKind,
    Stamp,
)
from timegate.domain.tenants.tenant_settings import TenantSettings
from timegate.domain.values.errors import InvalidInput, JobChanged
from timegate.domain.values.identity import JobId, Origin
from timegate.domain.values.instants import from_compact

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

STAMP = Stamp(
    subject="ci",
    client_id="client",
    source_ip="192.0.2.1",
    operation="changeThing",
    request_id="r1",
    at=NOW,
)
EVERYTHING = AuditFilter()
JOB = job_factory()
PAUSED = replace(
    JOB, timing=replace(JOB.timing, version=2, status=JobStatus.PAUSED), updated_at=after(1)
)


def entries(stores: Stores, wanted: AuditFilter = EVERYTHING) -> tuple[AuditEntry, ...]:
    """Return the recorded entries, latest first."""
    return stores.audits.list_entries(TENANT, wanted, limit=50, cursor=None).rows


def test_a_change_is_told_with_what_was_before(stores: Stores) -> None:
    """Only of what is not as it was, under the stamp of the caller."""
    stores.jobs.create(JOB)
    with stores.trail.on_behalf_of(STAMP):
        stores.jobs.update(JOB, PAUSED)

    assert entries(stores) == (
        AuditEntry(
            tenant=TENANT,
            resource=Resource(kind=ResourceKind.JOB, id=JOB.job_id),
            stamp=STAMP,
            changes=(FieldChange(field="status", before="active", after="paused"),),
            version=2,
        ),
    )


def test_a_change_without_a_caller_is_not_told(stores: Stores) -> None:
    """Planners and executors do the clock's work."""
    stores.jobs.create(JOB)
    with stores.trail.on_behalf_of(STAMP):
        pass
    stores.jobs.update(JOB, PAUSED)

    assert entries(stores) == ()


def test_a_change_that_came_too_late_is_not_told(stores: Stores) -> None:
    """Neither is a creation that met what was there already."""
    stores.jobs.create(JOB)
    stores.jobs.update(JOB, PAUSED)
    with stores.trail.on_behalf_of(STAMP):
        stores.jobs.create(JOB)
        with pytest.raises(JobChanged):
            stores.jobs.update(JOB, PAUSED)

    assert entries(stores) == ()


def test_of_those_who_change_at_once_one_is_told(stores: Stores) -> None:
    """The loser changed nothing."""
    stores.jobs.create(JOB)

    def change() -> bool:
        try:
            stores.jobs.update(JOB, PAUSED)
        except JobChanged:
            return False
        return True

    with stores.trail.on_behalf_of(STAMP):
        changed = race(*[change] * 4)

    assert sorted(changed) == [False, False, False, True]
    assert len(entries(stores)) == 1


CHANGES: dict[str, Callable[[Stores], object]] = {
    "job": lambda s: s.jobs.create(JOB),
    "dag": lambda s: s.dags.create(dag((task("first"),))),
    "calendar": lambda s: s.restrictions.put_calendar(
        TENANT, calendar_factory(), expected_version=None
    ),
    "freeze": lambda s: s.restrictions.put_freeze(TENANT, freeze_factory(), now=NOW),
    "operation": lambda s: s.operations.create(operation_factory()),
    "tenant": lambda s: s.tenants.put(
        TENANT, TenantSettings(tenant=TENANT), TenantSettings(tenant=TENANT, display_name="Acme")
    ),
    "run": lambda s: s.runs.insert_all([attempt_factory(id=attempt_id(origin=Origin.TRIGGER))]),
}


@pytest.mark.parametrize("kind", CHANGES)
def test_every_kind_of_thing_is_told_of_once(stores: Stores, kind: str) -> None:
    """The entry is that of a creation: nothing was there before."""
    with stores.trail.on_behalf_of(STAMP):
        CHANGES[kind](stores)
        if kind != "tenant":
            CHANGES[kind](stores) if kind != "calendar" else None
    (entry,) = entries(stores)

    assert entry.resource.kind == kind
    assert entry.changes
    assert kind == "tenant" or {change.before for change in entry.changes} == {None}


def test_what_is_undone_is_told_as_well(stores: Stores) -> None:
    """A calendar that is deleted, a freeze that is lifted, an operation that is called off."""
    stores.restrictions.put_calendar(TENANT, calendar_factory(), expected_version=None)
    freeze = freeze_factory()
    stores.restrictions.put_freeze(TENANT, freeze, now=NOW)
    operation = stores.operations.create(operation_factory())
    with stores.trail.on_behalf_of(STAMP):
        stores.restrictions.delete_calendar(TENANT, "weekends", expected_version=1, now=NOW)
        stores.restrictions.lift_freeze(TENANT, freeze.freeze_id, now=after(1))
        stores.operations.request_cancel(TENANT, operation.operation_id)
        stores.operations.request_cancel(TENANT, operation.operation_id)
    told = {entry.resource.kind: entry.changes for entry in entries(stores)}

    assert {change.after for change in told[ResourceKind.CALENDAR]} == {None}
    assert [each.field for each in told[ResourceKind.FREEZE]] == ["lifted_at"]
    assert told[ResourceKind.OPERATION] == (
        FieldChange(field="cancel_requested", before=False, after=True),
    )


def three(stores: Stores) -> list[AuditEntry]:
    """Entries of two jobs, a second apart, the last of another caller; latest first."""
    other = job_factory(timing=replace(JOB.timing, job_id=JobId("b" * 26)))
    with stores.trail.on_behalf_of(STAMP):
        stores.jobs.create(JOB)
    with stores.trail.on_behalf_of(replace(STAMP, at=after(1), request_id="r2")):
        stores.jobs.create(other)
    with stores.trail.on_behalf_of(replace(STAMP, at=after(2), request_id="r3", subject="ops")):
        stores.jobs.update(JOB, PAUSED)
    return list(entries(stores))


def test_entries_are_found_by_thing_span_and_actor(stores: Stores) -> None:
    """Both ends of a span belong to it; an actor is a subject or a client."""
    last, second, first = three(stores)
    of_job = AuditFilter(resource=first.resource)

    assert entries(stores, of_job) == (last, first)
    assert entries(stores, replace(of_job, since=after(0.001))) == (last,)
    assert entries(stores, AuditFilter(since=after(1), until=after(1))) == (second,)
    assert entries(stores, AuditFilter(until=after(1.999))) == (second, first)
    assert entries(stores, AuditFilter(actor="ops")) == (last,)
    assert entries(stores, AuditFilter(actor="client")) == (last, second, first)


@pytest.mark.parametrize("of_one", [False, True])
def test_pages_go_on_where_the_last_one_ended(stores: Stores, *, of_one: bool) -> None:
    """Each entry once, of a thing or of the tenant."""
    every = three(stores)
    wanted = AuditFilter(resource=every[0].resource if of_one else None)
    seen: list[AuditEntry] = []
    cursor: str | None = None
    for _ in range(5):
        page = stores.audits.list_entries(TENANT, wanted, limit=1, cursor=cursor)
        seen += page.rows
        cursor = page.cursor
        if cursor is None:
            break

    assert seen == [each for each in every if not of_one or each.resource == every[0].resource]


def test_a_trail_is_its_tenant_s_own(stores: Stores) -> None:
    """So are its cursors."""
    three(stores)
    cursor = stores.audits.list_entries(TENANT, EVERYTHING, limit=1, cursor=None).cursor

    assert stores.audits.list_entries(OTHER_TENANT, EVERYTHING, limit=9, cursor=None).rows == ()
    with pytest.raises(InvalidInput):
        stores.audits.list_entries(OTHER_TENANT, EVERYTHING, limit=9, cursor=cursor)


def test_an_entry_costs_no_call_and_expires(
    new_dynamo_stores: NewStores, dynamodb: "DynamoDBClient"
) -> None:
    """It is in the transaction of its change, 400 days long."""
    stores = new_dynamo_stores()
    stores.jobs.create(JOB)
    with stores.trail.on_behalf_of(STAMP), recorded(dynamodb) as calls:
        stores.jobs.update(JOB, PAUSED)
    asked = dict(calls)
    pages = dynamodb.get_paginator("list_tables").paginate()
    names = [name for page in pages for name in page["TableNames"]]
    found = [item for name in names for item in dynamodb.scan(TableName=name)["Items"]]
    spans = {
        int(item["expires_at"]["N"]) - from_compact(item["sk"]["S"][:19]).timestamp()
        for item in found
        if "stamp" in item
    }

    assert asked == {"TransactWriteItems": 1}
    assert spans == {timedelta(days=400).total_seconds()}
