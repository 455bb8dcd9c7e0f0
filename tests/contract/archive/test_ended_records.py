"""``EndedRecords``: what ended in a span, from whatever partition of either table."""

import json
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from tests.support.factories import (
    NOW,
    OTHER_TENANT,
    TENANT,
    after,
    attempt_factory,
    attempt_id,
    gap_factory,
    job_factory,
    job_id,
)
from tests.support.stores.contract_stores import Stores
from timegate.adapters.dynamo.tables.keys import attempt_key
from timegate.adapters.dynamo.tables.writes import Update
from timegate.adapters.parquet.writer import ParquetFiles
from timegate.domain.archive.columns import ArchivedRow, RecordKind
from timegate.domain.archive.rounds import ArchivedTable, Span
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.runs.run import Attempt, RunError, RunState
from timegate.domain.tenants.audit_trail import Stamp
from timegate.domain.values.identity import Origin

#: The day before the one on which tests begin, and the day after it.
SPAN = Span(begin=date(2026, 11, 21), end=date(2026, 11, 22))
DAY = 86_400
MIDNIGHT = -7 * 3600
STAMP = Stamp(subject="ci", operation="updateJob", request_id="r1", at=NOW)


def rows(stores: Stores, source: ArchivedTable, span: Span = SPAN) -> list[ArchivedRow]:
    """The rows of all segments."""
    of = stores.ended.segments(source)
    return [
        row
        for segment in range(of)
        for row in stores.ended.rows(source, span, segment=segment, of=of)
    ]


def ended(at: float, *, name: str = "a", origin: Origin = Origin.SCHEDULE) -> Attempt:
    """An attempt that failed so many seconds after ``NOW``."""
    return attempt_factory(
        id=attempt_id(job=job_id(name), origin=origin, scheduled_at=after(at - 60)),
        state=RunState.FAILED,
        started_at=after(at - 30),
        ended_at=after(at),
        watch_at=None,
        error=RunError(code="http_status", type="HttpError", message="503"),
        explanation="Attempt 1 of 1.",
        lease_key="secret",
    )


def as_json(value: object) -> object:
    """Return a value as the text of a record has it."""
    return sorted(value) if isinstance(value, frozenset) else value


def test_a_table_has_a_segment_for_each_part_of_its_size(stores: Stores) -> None:
    """One more than it has whole parts."""
    assert stores.ended.segments(ArchivedTable.RUNS) == 3


def test_attempts_are_those_that_ended_in_the_span(stores: Stores) -> None:
    """From its first midnight on, and before its last; those that have not ended are left out."""
    edges = (MIDNIGHT - 0.001, MIDNIGHT, MIDNIGHT + DAY - 0.001, MIDNIGHT + DAY)
    for number, at in enumerate(edges):
        stores.add(ended(at, name=str(number)))
    stores.add(attempt_factory(id=attempt_id(job=job_id("waits"))))

    assert {row.cells["job_id"] for row in rows(stores, ArchivedTable.RUNS)} == {
        job_id("1"),
        job_id("2"),
    }


def test_the_first_round_takes_all_that_ended_before(stores: Stores) -> None:
    """It has no beginning."""
    stores.add(ended(MIDNIGHT - 20 * DAY))
    (row,) = rows(stores, ArchivedTable.RUNS, replace(SPAN, begin=None))

    assert row.day == "2026-11-01"


def test_a_row_has_the_columns_and_the_whole_record(stores: Stores) -> None:
    """Less the key that signs tokens of its leases."""
    attempt = stores.add(ended(5))
    (row,) = rows(stores, ArchivedTable.RUNS)
    record = json.loads(str(row.cells["record"]))

    assert (row.kind, row.tenant, row.day) == (RecordKind.ATTEMPTS, TENANT, "2026-11-21")
    assert {name: row.cells[name] for name in ("run_id", "attempt", "state", "error_code")} == {
        "run_id": str(attempt.id.run),
        "attempt": 1,
        "state": "failed",
        "error_code": "http_status",
    }
    assert row.cells["ended_at"] == 1_795_244_405_000_000
    assert row.cells["reason"] is None
    assert record["explanation"] == "Attempt 1 of 1."
    assert "lease_key" not in record


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"state": "hibernated"}, id="state-of-a-later-release"),
        pytest.param({"state": {"kind": "hibernated"}}, id="map-for-a-state"),
        pytest.param({"state": None}, id="no-state"),
        pytest.param({"fence": 2**70}, id="number-beyond-a-cell"),
        pytest.param({"shares": frozenset({1})}, id="attribute-of-a-later-release"),
    ],
)
def test_an_ended_record_that_says_something_odd_is_archived(
    stores: Stores, fields: dict[str, Any]
) -> None:
    """By the instant of its end; the whole record tells what it says."""
    odd, _ = stores.add(ended(5)), stores.add(ended(6, name="b"))
    key, table = attempt_key(TENANT, odd.id), stores.runs._table  # type: ignore[attr-defined]
    stores.engine.write(Update(table=table, key=key, fields=fields, where={}))
    found = {str(row.cells["run_id"]): row for row in rows(stores, ArchivedTable.RUNS)}
    content = ParquetFiles().encode(RecordKind.ATTEMPTS, list(found.values()))
    row = found[str(odd.id.run)]
    told = json.loads(str(row.cells["record"]))

    assert len(found) == ParquetFiles().count(content) == 2
    assert row.day == "2026-11-21"
    assert all(told.get(name) == as_json(value) for name, value in fields.items())


@pytest.mark.parametrize("state", [RunState.WAITING, RunState.QUEUED, RunState.RUNNING])
def test_an_attempt_that_goes_on_is_not_archived(stores: Stores, state: RunState) -> None:
    """Its record may have the instant of an end."""
    odd = stores.add(ended(5))
    key, table = attempt_key(TENANT, odd.id), stores.runs._table  # type: ignore[attr-defined]
    stores.engine.write(Update(table=table, key=key, fields={"state": state}, where={}))

    assert rows(stores, ArchivedTable.RUNS) == []


@pytest.mark.parametrize("origin", [Origin.SCHEDULE, Origin.NOTIFICATION, Origin.TASK])
def test_runs_of_each_origin_are_archived(stores: Stores, origin: Origin) -> None:
    """Notifications and tasks lie under other sort keys."""
    about = "x" if origin is not Origin.SCHEDULE else ""
    attempt = ended(5, origin=origin)
    attempt = replace(attempt, id=replace(attempt.id, run=replace(attempt.id.run, about=about)))
    stores.add(attempt)

    assert [row.cells["run_id"] for row in rows(stores, ArchivedTable.RUNS)] == [
        str(attempt.id.run)
    ]


def test_gaps_and_changes_are_those_of_the_span(stores: Stores) -> None:
    """A gap by when it was recorded, a change by its stamp; jobs themselves are no rows."""
    job = stores.add_job()
    stores.jobs.update(job, job, gap=gap_factory(recorded_at=after(1)))
    late = gap_factory(first=after(60), last=after(120), recorded_at=after(DAY))
    stores.jobs.update(job, job, gap=late)
    with stores.trail.on_behalf_of(STAMP):
        stores.jobs.create(job_factory(job_id=job_id("b"), tenant=OTHER_TENANT))
    found = {row.kind: row for row in rows(stores, ArchivedTable.JOBS)}

    assert len(rows(stores, ArchivedTable.JOBS)) == 2
    assert found[RecordKind.GAPS].cells["instants"] == 10
    assert found[RecordKind.GAPS].tenant == TENANT
    assert found[RecordKind.AUDIT].cells["operation"] == "updateJob"
    assert found[RecordKind.AUDIT].cells["resource_id"] == job_id("b")
    assert found[RecordKind.AUDIT].tenant == OTHER_TENANT


@pytest.mark.parametrize(("at", "there"), [(-0.001, 0), (0, 1), (DAY - 0.001, 1), (DAY, 0)])
def test_a_creation_that_its_job_tells_of_is_a_change(
    stores: Stores, at: float, there: int
) -> None:
    """The row is the one that the entry would have as an item of its own."""
    created = after(MIDNIGHT + at)
    job = job_factory(
        job_id=job_id("once"),
        created_at=created,
        schedule=Schedule(kind=ScheduleKind.AT, at=created),
        next_run_at=None,
        runs_planned=1,
        untallied=True,
    )
    once = attempt_factory(id=attempt_id(job=job.job_id, scheduled_at=created), final=True)
    with stores.trail.on_behalf_of(replace(STAMP, operation="createJob", at=created)):
        assert stores.runs.create_job(job, [once], limit=None)
    found = rows(stores, ArchivedTable.JOBS)

    assert stores.jobs.get(TENANT, job.job_id).creation is not None
    assert [(row.kind, row.tenant) for row in found] == [(RecordKind.AUDIT, TENANT)] * there
    for row in found:
        record = json.loads(str(row.cells["record"]))
        assert row.cells["position"] == record["sk"]
        assert row.cells["resource_id"] == job.job_id
        assert (row.cells["subject"], row.cells["operation"]) == ("ci", "createJob")
        assert record["changes"] == row.cells["changes"]
        assert ["status", None, "active"] in json.loads(record["changes"])


def test_an_unreadable_creation_is_archived(stores: Stores) -> None:
    """The archive keeps the text as it is."""
    job = stores.add_job(creation="no JSON", created_at=after(1))
    (row,) = rows(stores, ArchivedTable.JOBS)

    assert (row.kind, row.cells["resource_id"]) == (RecordKind.AUDIT, job.job_id)
    assert row.cells["changes"] == "no JSON"
