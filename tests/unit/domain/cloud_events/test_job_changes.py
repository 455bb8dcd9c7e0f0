"""Changes of jobs as events, read off entries of the audit trail."""

import pytest

from tests.support.factories import JOB_ID, NOW, TENANT, after
from timegate.domain.cloud_events.cloud_event import CloudEvent
from timegate.domain.cloud_events.job_changes import job_change, job_completed
from timegate.domain.tenants.audit_trail import (
    AuditEntry,
    FieldChange,
    Resource,
    ResourceKind,
    Stamp,
)


def entry(
    *changes: FieldChange, kind: ResourceKind = ResourceKind.JOB, version: int = 2
) -> AuditEntry:
    """An entry about a thing."""
    stamp = Stamp(subject="ada", operation="updateJob", request_id="r-1", at=NOW)
    resource = Resource(kind=kind, id=JOB_ID)
    return AuditEntry(
        tenant=TENANT, resource=resource, stamp=stamp, changes=changes, version=version
    )


def status(before: str | None, after: str) -> FieldChange:
    """A change of a status."""
    return FieldChange(field="status", before=before, after=after)


def told(of: AuditEntry) -> CloudEvent:
    """The event of an entry about a job."""
    event = job_change(of)
    assert event is not None
    return event


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ([status(None, "active")], "created"),
        ([FieldChange(field="schedule", before=1, after=2)], "updated"),
        ([status("active", "paused")], "paused"),
        ([status("paused", "active")], "resumed"),
        ([status("active", "cancelled")], "cancelled"),
        ([status("active", "completed")], "completed"),
        ([status("completed", "active")], "updated"),
    ],
)
def test_a_change_is_named_by_what_became_of_the_job(changes: list[FieldChange], name: str) -> None:
    """Another schedule revives a completed job: no caller has resumed it."""
    assert told(entry(*changes)).type.name == f"io.timegate.job.{name}"


@pytest.mark.parametrize("kind", [kind for kind in ResourceKind if kind is not ResourceKind.JOB])
def test_entries_about_other_things_have_no_event(kind: ResourceKind) -> None:
    """Runs and DAG runs tell of themselves."""
    assert job_change(entry(status("active", "paused"), kind=kind)) is None


def test_an_update_names_fields_without_their_values() -> None:
    """Values may be anything that a tenant defined, and so may the caller's name."""
    event = told(entry(FieldChange(field="url", before="https://a", after="https://b")))

    assert event.data["changed_fields"] == ["url"]
    assert not {"https://a", "https://b", "ada"} & set(str(event.document("prod")).split("'"))


def test_a_job_that_completes_has_one_id() -> None:
    """Its record and the trail may both say so, and the record more than once."""
    by_trail = told(entry(status("active", "completed"), version=3))
    by_record = job_completed(TENANT, JOB_ID, 3, written_at=after(5))
    later = job_completed(TENANT, JOB_ID, 4, written_at=after(5))

    assert by_trail.id == by_record.id
    assert later.id != by_record.id
