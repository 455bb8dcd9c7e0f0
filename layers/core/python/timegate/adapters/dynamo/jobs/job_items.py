"""Jobs as items."""

from collections.abc import Mapping
from datetime import datetime

from timegate.adapters.dynamo.jobs.action_items import action_from_fields, action_to_fields
from timegate.adapters.dynamo.jobs.calendar_rules import (
    calendar_rules_from_fields,
    calendar_rules_to_fields,
)
from timegate.adapters.dynamo.jobs.condition_items import condition_from_field, condition_to_field
from timegate.adapters.dynamo.jobs.delivery_items import delivery_from_field, delivery_to_field
from timegate.adapters.dynamo.jobs.finish_items import finish_by_from_field, finish_by_to_field
from timegate.adapters.dynamo.jobs.follow_up_items import follow_ups_from_field, follow_ups_to_field
from timegate.adapters.dynamo.jobs.notification_items import hooks_from_field, hooks_to_field
from timegate.adapters.dynamo.jobs.retry_items import retry_from_fields, retry_to_fields
from timegate.adapters.dynamo.jobs.slice_items import long_run_from_field, long_run_to_field
from timegate.adapters.dynamo.limits.rate_items import rate_limit_from_field, rate_limit_to_field
from timegate.adapters.dynamo.pools.offer_items import offer_from_fields, offer_to_fields
from timegate.adapters.dynamo.recurrence.schedule_items import (
    catch_up_from_fields,
    catch_up_to_fields,
    mapping,
    number,
    optional_number,
    overlap_from_fields,
    overlap_to_fields,
    payload_from_fields,
    payload_to_fields,
    schedule_from_fields,
    schedule_to_fields,
    text,
    texts,
)
from timegate.adapters.dynamo.tables.keys import bucket, job_key, job_of, listed_at
from timegate.adapters.dynamo.tables.reading import reader_of
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.dispatch.shards import Placement
from timegate.domain.jobs.definition import Precision, Priority, ResourceClass
from timegate.domain.jobs.job import Job, JobStatus, Timing
from timegate.domain.planning.places import shown_from
from timegate.domain.values.identity import OperationId
from timegate.domain.values.instants import compact, from_compact
from timegate.domain.values.tenant import TenantId

Fields = Mapping[str, Plain]


def job_to_fields(job: Job, *, shards: Placement) -> dict[str, Plain]:
    """The whole item of a job, index attributes included."""
    key = job_key(job.tenant, job.job_id)
    return {
        "pk": key.pk,
        "sk": key.sk,
        **_timing_to_fields(job.timing),
        **due_fields(job.timing, shards=shards, at=job.updated_at),
        "tenant_key": job.tenant,
        "listed_at": listed_at(job.timing.created_at, job.job_id),
        "name": job.name,
        "description": job.description or None,
        "action": action_to_fields(job.action),
        "payload": payload_to_fields(job.payload),
        "timeout_seconds": job.timeout_seconds,
        "retry": retry_to_fields(job.retry),
        "metadata": dict(job.metadata),
        "overlap": overlap_to_fields(job.overlap),
        "delivery": delivery_to_field(job.delivery),
        "long_run": long_run_to_field(job.long_run),
        "notifications": hooks_to_field(job.notifications),
        "late_after_seconds": job.late_after_seconds,
        "finish_by": finish_by_to_field(job.finish_by),
        "then": follow_ups_to_field(job.then),
        "rate_limit": rate_limit_to_field(job.rate_limit),
        "before": condition_to_field(job.before),
        "updated_at": compact(job.updated_at),
        "request_hash": job.request_hash,
        "last_operation": job.last_operation,
    }


def due_fields(timing: Timing, *, shards: Placement, at: datetime) -> dict[str, Plain]:
    """Build the ``due`` index fields of a job written at ``at``: only if it waits for a fire.

    Not before ``at``: planners have seen the buckets of the past empty and do not come back.
    """
    shown_at = shown_from(timing, at)
    if shown_at is None:
        return {"due_bucket": None, "due_at": None}
    return {
        "due_bucket": bucket(shown_at, timing.job_id, shards),
        "due_at": compact(shown_at),
    }


def place_fields(timing: Timing) -> dict[str, Plain]:
    """Build the fields of a job's standing: places of ``max_runs``, pauses, and dropped rolls.

    One attribute holds six values, for an index projects twenty attributes at most.
    """
    standing = {
        "runs_begun": timing.runs_begun or None,
        "counted_until": written(timing.counted_until),
        "held_at": written(timing.held_at),
        "paused_at": written(timing.paused_at),
        "reopens_from": written(timing.reopens_from),
        "rolled_until": written(timing.rolled_until),
    }
    known: dict[str, Plain] = {name: each for name, each in standing.items() if each is not None}
    return {"standing": known or None, "full": timing.full or None}


def as_read(timing: Timing) -> dict[str, Plain]:
    """Build the condition of an unchanged job: each write of a job changes one of these fields."""
    return {
        "version": timing.version,
        "next_run_at": written(timing.next_run_at),
        "runs_planned": timing.runs_planned,
        "decided_until": written(timing.decided_until),
    }


@reader_of("job")
def job_from_fields(fields: Fields) -> Job:
    """Read a job back; raises ``Malformed``."""
    last = fields.get("last_operation")
    return Job(
        timing=timing_from_fields(fields),
        name=text(fields["name"]),
        description=text(fields.get("description", "")),
        action=action_from_fields(mapping(fields["action"])),
        payload=payload_from_fields(mapping(fields.get("payload"))),
        timeout_seconds=number(fields["timeout_seconds"]),
        retry=retry_from_fields(mapping(fields["retry"])),
        metadata=texts(fields.get("metadata")),
        overlap=overlap_from_fields(mapping(fields.get("overlap"))),
        delivery=delivery_from_field(fields.get("delivery")),
        long_run=long_run_from_field(fields.get("long_run")),
        notifications=hooks_from_field(fields.get("notifications")),
        late_after_seconds=optional_number(fields.get("late_after_seconds")),
        finish_by=finish_by_from_field(fields.get("finish_by")),
        then=follow_ups_from_field(fields.get("then")),
        rate_limit=rate_limit_from_field(fields.get("rate_limit")),
        before=condition_from_field(fields.get("before")),
        updated_at=from_compact(text(fields["updated_at"])),
        request_hash=text(fields["request_hash"]),
        last_operation=OperationId(text(last)) if last is not None else None,
    )


@reader_of("job")
def timing_from_fields(fields: Fields) -> Timing:
    """Read the part that the ``due`` index projects; raises ``Malformed``."""
    standing = mapping(fields.get("standing"))
    return Timing(
        tenant=TenantId(text(fields["tenant"])),
        # The index shows the table's key anyhow.
        job_id=job_of(text(fields["pk"])),
        version=number(fields["version"]),
        status=JobStatus(text(fields["status"])),
        schedule=schedule_from_fields(mapping(fields["schedule"])),
        priority=Priority(text(fields["priority"])),
        resource_class=ResourceClass(text(fields["resource_class"])),
        precision=Precision(text(fields["precision"])),
        created_at=from_compact(text(fields["created_at"])),
        anchored_at=from_compact(text(fields["anchored_at"])),
        next_run_at=optional_instant(fields.get("next_run_at")),
        runs_planned=number(fields.get("runs_planned", 0)),
        runs_begun=number(standing.get("runs_begun", 0)),
        counted_until=optional_instant(standing.get("counted_until")),
        full=fields.get("full") is True,
        catch_up=catch_up_from_fields(mapping(fields.get("catch_up"))),
        start_within_seconds=optional_number(fields.get("start_within_seconds")),
        decided_until=optional_instant(fields.get("decided_until")),
        held_at=optional_instant(standing.get("held_at")),
        paused_at=optional_instant(standing.get("paused_at")),
        reopens_from=optional_instant(standing.get("reopens_from")),
        rolled_until=optional_instant(standing.get("rolled_until")),
        calendars=calendar_rules_from_fields(fields.get("calendars")),
        offer=offer_from_fields(fields),
        tags=texts(fields.get("tags")),
    )


def optional_instant(value: Plain) -> datetime | None:
    """An instant that may be absent."""
    return from_compact(text(value)) if value is not None else None


def written(instant: datetime | None) -> str | None:
    """An instant that may be absent, as it is stored."""
    return compact(instant) if instant is not None else None


def _timing_to_fields(timing: Timing) -> dict[str, Plain]:
    return {
        "tenant": timing.tenant,
        "job_id": timing.job_id,
        "version": timing.version,
        "status": timing.status,
        "schedule": schedule_to_fields(timing.schedule),
        "priority": timing.priority,
        "resource_class": timing.resource_class,
        "precision": timing.precision,
        "created_at": compact(timing.created_at),
        "anchored_at": compact(timing.anchored_at),
        "next_run_at": written(timing.next_run_at),
        "runs_planned": timing.runs_planned,
        **place_fields(timing),
        "catch_up": catch_up_to_fields(timing.catch_up),
        "start_within_seconds": timing.start_within_seconds,
        "decided_until": written(timing.decided_until),
        "calendars": calendar_rules_to_fields(timing.calendars),
        **offer_to_fields(timing.offer),
        "tags": dict(timing.tags),
    }
