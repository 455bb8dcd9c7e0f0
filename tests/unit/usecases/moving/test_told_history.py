"""An import is no transition: streams of the new stage show its records, and readers tell none."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from infra.admin.moving import export_stage, import_stage
from tests.support.execution.placing import placed
from tests.support.factories import NOW, TENANT, after, attempt_factory, job_factory
from tests.support.moving.stages import opened, reached
from tests.support.stores.records import JOBS_TABLE
from tests.support.tenants.sample_tenant import inhabit
from tests.support.world import World
from timegate.adapters.dynamo.audit_trail.creation_entries import creation_text
from timegate.adapters.dynamo.dispatch.change_images import (
    event_of_job_change,
    event_of_run_change,
)
from timegate.adapters.dynamo.jobs.job_items import job_to_fields
from timegate.adapters.dynamo.runs.items.attempt_items import attempt_to_fields
from timegate.adapters.dynamo.tables.values import to_item
from timegate.domain.cloud_events.cloud_event import STORED_WITHIN, CloudEvent
from timegate.domain.jobs.job import JobStatus
from timegate.domain.runs.run import RunState
from timegate.domain.tenants.audit_trail import (
    AuditEntry,
    Resource,
    ResourceKind,
    Stamp,
    changed_fields,
)
from timegate.domain.values.errors import Malformed

MILLISECOND = timedelta(milliseconds=1)
PLACES = placed(4)


def told(world: World, written_at: datetime) -> Iterator[CloudEvent]:
    """Read both streams of a stage from their beginning, as the functions' patterns let them."""
    for change in world.tables.engine.changes:
        if change.after is None:
            continue
        after = to_item(change.after)
        before = to_item(change.before) if change.before is not None else None
        try:
            event = (
                event_of_job_change(after, is_new=before is None, written_at=written_at)
                if change.table == JOBS_TABLE
                else event_of_run_change(before, after, written_at=written_at)
            )
        except Malformed:
            # No pattern matches it: it is no run, no job and no entry.
            continue
        if event is not None:
            yield event


def test_an_import_of_history_tells_nothing(tmp_path: Path) -> None:
    """Runs, DAG runs, entries of the trail and creations of the stage that they come from."""
    old, new = opened(), opened()
    inhabit(old, TENANT)
    assert len(list(told(old, NOW))) > 10
    export_stage(reached(old), tmp_path / "file", tenant=TENANT, history=True, now=NOW)
    import_stage(reached(new), tmp_path / "file", now=NOW + timedelta(days=1))

    assert list(told(new, NOW + timedelta(days=1))) == []


@pytest.mark.parametrize("late", [timedelta(), MILLISECOND])
def test_an_attempt_that_is_stored_ended_is_told_while_its_writer_may_live(
    late: timedelta,
) -> None:
    """A planner stores skipped runs so; a step of an attempt that is there is always told."""
    ended = attempt_factory(state=RunState.SKIPPED, ended_at=NOW)
    image = to_item(attempt_to_fields(ended, shards=PLACES, retention=timedelta(days=30)))
    written_at = NOW + STORED_WITHIN + late
    new = event_of_run_change(None, image, written_at=written_at)
    step = event_of_run_change({"state": {"S": "queued"}}, image, written_at=written_at)

    assert (new is None) is (late > timedelta())
    assert step is not None


def test_an_attempt_that_is_to_run_is_always_told() -> None:
    """A retry that a promotion makes good names the instant of its end, hours ago."""
    waiting = attempt_factory(state=RunState.WAITING, created_at=after(-86_400))
    image = to_item(attempt_to_fields(waiting, shards=PLACES, retention=timedelta(days=30)))
    event = event_of_run_change(None, image, written_at=NOW)

    assert event is not None
    assert event.type.name == "io.timegate.run.planned"


@pytest.mark.parametrize("is_new", [True, False])
def test_a_job_that_is_stored_completed_has_completed_elsewhere(*, is_new: bool) -> None:
    """Its record has the entry of its creation, which is as old as the job."""
    entry = creation(NOW)
    job = job_factory(status=JobStatus.COMPLETED, next_run_at=None, creation=creation_text(entry))
    image: dict[str, Any] = to_item(job_to_fields(job, shards=PLACES))
    event = event_of_job_change(image, is_new=is_new, written_at=NOW + timedelta(days=1))

    assert (event is None) is is_new


def creation(at: datetime) -> AuditEntry:
    """The entry of a job's creation."""
    job = job_factory()
    return AuditEntry(
        tenant=TENANT,
        resource=Resource(kind=ResourceKind.JOB, id=job.job_id),
        stamp=Stamp(subject="ci", operation="createJob", request_id="r1", at=at),
        changes=changed_fields(None, job),
        version=1,
    )
