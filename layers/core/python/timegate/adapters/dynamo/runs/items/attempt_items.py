"""Attempts as items: small, because every update bills the whole of one."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from timegate.adapters.dynamo.jobs.condition_items import checks_from_field, checks_to_field
from timegate.adapters.dynamo.jobs.delivery_items import (
    answer_from_fields,
    answer_to_fields,
    delivery_from_field,
    delivery_to_field,
)
from timegate.adapters.dynamo.jobs.finish_items import finish_from_field, finish_to_field
from timegate.adapters.dynamo.jobs.follow_up_items import parent_from_field, parent_to_field
from timegate.adapters.dynamo.jobs.job_items import optional_instant
from timegate.adapters.dynamo.jobs.notification_items import (
    notice_from_fields,
    notify_fields,
    occasions_from_fields,
)
from timegate.adapters.dynamo.jobs.slice_items import slices_from_fields, slices_to_fields
from timegate.adapters.dynamo.limits.rate_items import pace_from_field, pace_to_field
from timegate.adapters.dynamo.limits.slot_items import queueing_from_field, queueing_to_field
from timegate.adapters.dynamo.pools.offer_items import offer_from_fields, offer_to_fields
from timegate.adapters.dynamo.recurrence.schedule_items import listed, mapping, number, text
from timegate.adapters.dynamo.runs.items.checkpoint_items import (
    checkpoint_from_fields,
    checkpoint_to_fields,
    progress_from_fields,
    progress_to_fields,
)
from timegate.adapters.dynamo.runs.items.dead_letter_items import (
    correction_from_field,
    correction_to_field,
    dead_letter_fields,
    resolution_from_field,
    resolution_to_field,
)
from timegate.adapters.dynamo.runs.items.index_items import index_fields
from timegate.adapters.dynamo.runs.items.lease_items import lease_fields, lease_from_fields
from timegate.adapters.dynamo.runs.items.result_items import (
    stored_result_from_field,
    stored_result_to_field,
)
from timegate.adapters.dynamo.runs.items.watch_items import follow_field
from timegate.adapters.dynamo.tables.keys import attempt_key, parse_attempt_key
from timegate.adapters.dynamo.tables.reading import reader_of
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.dispatch.shards import Placement
from timegate.domain.jobs.definition import Precision, Priority, ResourceClass
from timegate.domain.runs.run import Attempt, Reason, RunError, RunState, reason_of_stop
from timegate.domain.values.identity import DagRunId, OperationId, RunId
from timegate.domain.values.instants import compact, from_compact

Fields = Mapping[str, Plain]


def attempt_to_fields(
    attempt: Attempt, *, shards: Placement, retention: timedelta
) -> dict[str, Plain]:
    """The whole item of an attempt, index attributes included."""
    key = attempt_key(attempt.tenant, attempt.id)
    return {
        "pk": key.pk,
        "sk": key.sk,
        "tenant": attempt.tenant,
        "job_version": attempt.job_version,
        "priority": attempt.priority,
        "resource_class": attempt.resource_class,
        "precision": attempt.precision,
        "due_at": compact(attempt.due_at),
        "created_at": compact(attempt.created_at),
        "final": attempt.final or None,
        # Always written: the relay's stream filter asks for ``false`` (docs/decisions/0011).
        "direct": attempt.direct,
        "fence": attempt.fence,
        "fenced_from": attempt.fenced_from or None,
        "failed_at": [compact(instant) for instant in attempt.failed_at] or None,
        "cancel_requested": attempt.cancel_requested or None,
        "opened_as": attempt.opened_as if attempt.opened_as > 1 else None,
        "opened_at": _written(attempt.opened_at),
        "delivery": delivery_to_field(attempt.delivery),
        **_leases(attempt),
        "duplicates_prevented": attempt.duplicates_prevented or None,
        **answer_to_fields(attempt.kept_answer),
        **_held_up_to_fields(attempt),
        **progress_to_fields(attempt.progress),
        **checkpoint_to_fields(attempt.checkpoint),
        **offer_to_fields(attempt.offer),
        "lease_key": attempt.lease_key,
        **slices_to_fields(attempt.slices),
        "payload": correction_to_field(attempt.payload),
        **_relations(attempt),
        **lease_fields(attempt.lease),
        **index_fields(attempt, shards=shards),
        **end_fields(attempt, retention=retention),
    }


def end_fields(attempt: Attempt, *, retention: timedelta) -> dict[str, Plain]:
    """The state, and what is known of how it ended."""
    return {
        "state": attempt.state,
        "started_at": _written(attempt.started_at),
        "ended_at": _written(attempt.ended_at),
        "reason": attempt.reason,
        "error": error_to_field(attempt.error),
        "result": attempt.result or None,
        "stored_result": stored_result_to_field(attempt.stored_result),
        "explanation": attempt.explanation or None,
        "follow": follow_field(attempt),
        "resolution": resolution_to_field(attempt.resolution),
        **dead_letter_fields(attempt),
        "expires_at": expiry(attempt, retention=retention),
        # Who ends it may know it, where its executor died before it could say so.
        **({"dag_run": attempt.dag_run} if attempt.dag_run is not None else {}),
    }


def expiry(attempt: Attempt, *, retention: timedelta) -> int | None:
    """Return the expiry in epoch seconds; a settlement keeps the attempt as long as its
    follow-ups.
    """
    settled, last = attempt.resolution, attempt.ended_at
    if last is not None and settled is not None:
        last = max(last, settled.at)
    return int((last + retention).timestamp()) if last is not None else None


@reader_of("attempt")
def attempt_from_fields(fields: Fields) -> Attempt:
    """Read an attempt back; raises ``Malformed``."""
    tenant, attempt_id = parse_attempt_key(text(fields["pk"]), text(fields["sk"]))
    return Attempt(
        tenant=tenant,
        id=attempt_id,
        state=RunState(text(fields["state"])),
        job_version=number(fields["job_version"]),
        priority=Priority(text(fields["priority"])),
        resource_class=ResourceClass(text(fields["resource_class"])),
        precision=Precision(text(fields["precision"])),
        due_at=from_compact(text(fields["due_at"])),
        created_at=from_compact(text(fields["created_at"])),
        watch_at=optional_instant(fields.get("watch_at")),
        final=fields.get("final") is True,
        direct=fields.get("direct") is True,
        fence=number(fields["fence"]),
        fenced_from=number(fields.get("fenced_from", 0)),
        delivery=delivery_from_field(fields.get("delivery")),
        releases=number(fields.get("releases", 0)),
        alone=number(fields.get("alone", 0)),
        duplicates_prevented=number(fields.get("duplicates_prevented", 0)),
        kept_answer=answer_from_fields(fields),
        failed_at=tuple(from_compact(text(at)) for at in listed(fields.get("failed_at"))),
        lease=lease_from_fields(fields),
        cancel_requested=fields.get("cancel_requested") is True,
        **_end(fields),
        opened_as=number(fields.get("opened_as", 1)),
        opened_at=optional_instant(fields.get("opened_at")),
        **_held_up(fields),
        progress=progress_from_fields(fields),
        checkpoint=checkpoint_from_fields(fields),
        offer=offer_from_fields(fields),
        lease_key=text(fields["lease_key"]) if "lease_key" in fields else None,
        slices=slices_from_fields(fields),
        payload=correction_from_field(fields.get("payload")),
        resolution=resolution_from_field(fields.get("resolution")),
        **_related(fields),
    )


def _leases(attempt: Attempt) -> dict[str, Plain]:
    """Build the counts of leases that were released, or taken alone."""
    return {"releases": attempt.releases or None, "alone": attempt.alone or None}


def _relations(attempt: Attempt) -> dict[str, Plain]:
    """Build the fields that relate the attempt to operations, hooks, parents and conditions."""
    return {
        "operation": attempt.operation,
        **notify_fields(attempt),
        "parent": parent_to_field(attempt.parent),
        "checks": checks_to_field(attempt.checks),
        "replaced_by": str(attempt.replaced_by) if attempt.replaced_by is not None else None,
        "finish": finish_to_field(attempt.finish),
    }


def _related(fields: Fields) -> dict[str, Any]:
    """Read the fields of ``_relations``."""
    return {
        "operation": OperationId(text(fields["operation"])) if "operation" in fields else None,
        "notify": occasions_from_fields(fields),
        "notice": notice_from_fields(fields),
        "parent": parent_from_field(fields.get("parent")),
        "checks": checks_from_field(fields.get("checks")),
        "finish": finish_from_field(fields.get("finish")),
        "dag_run": DagRunId(text(fields["dag_run"])) if "dag_run" in fields else None,
    }


def _end(fields: Fields) -> dict[str, Any]:
    """Read the fields that ``end_fields`` wrote, and who asked for the end."""
    replaced_by = RunId.parse(text(fields["replaced_by"])) if "replaced_by" in fields else None
    stored = fields.get("reason")
    reason = Reason(text(stored)) if stored is not None else None
    return {
        "started_at": optional_instant(fields.get("started_at")),
        "ended_at": optional_instant(fields.get("ended_at")),
        "reason": reason_of_stop(reason, replaced_by),
        "replaced_by": replaced_by,
        "error": error_from_field(fields.get("error")),
        "result": text(fields["result"]) if "result" in fields else None,
        "stored_result": stored_result_from_field(fields.get("stored_result")),
        "explanation": text(fields["explanation"]) if "explanation" in fields else None,
    }


def _held_up_to_fields(attempt: Attempt) -> dict[str, Plain]:
    """Build the fields of freezes, rates and slots that delayed the attempt."""
    return {
        "frozen_since": _written(attempt.frozen_since),
        "pace": pace_to_field(attempt.pace),
        "queueing": queueing_to_field(attempt.queueing),
    }


def _held_up(fields: Fields) -> dict[str, Any]:
    return {
        "frozen_since": optional_instant(fields.get("frozen_since")),
        "pace": pace_from_field(fields.get("pace")),
        "queueing": queueing_from_field(fields.get("queueing")),
    }


def error_to_field(error: RunError | None) -> Plain:
    """Build the field of an error."""
    if error is None:
        return None
    return {"code": error.code, "type": error.type, "message": error.message}


def error_from_field(value: Plain) -> RunError | None:
    """Read it back."""
    if value is None:
        return None
    fields = mapping(value)
    return RunError(
        code=text(fields["code"]), type=text(fields["type"]), message=text(fields["message"])
    )


def _written(instant: datetime | None) -> str | None:
    return compact(instant) if instant is not None else None
