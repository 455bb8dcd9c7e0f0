"""Jobs and their keys as items: indexes and what writes compare; the codec has the rest."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import islice

from timegate.adapters.dynamo.pools.offer_items import offer_from_fields, offer_to_fields
from timegate.adapters.dynamo.tables.codec import Part
from timegate.adapters.dynamo.tables.engine import Engine, Query, rows
from timegate.adapters.dynamo.tables.indexes import INDEXES
from timegate.adapters.dynamo.tables.keys import Key, bucket, job_key, job_of, listed_at
from timegate.adapters.dynamo.tables.reading import reader_of, text, written
from timegate.adapters.dynamo.tables.values import Plain
from timegate.adapters.dynamo.tables.writes import Compared, Put, Update
from timegate.domain.dispatch.shards import Placement
from timegate.domain.jobs.definition import PLANNED, PlanDefinition, WorkDefinition
from timegate.domain.jobs.job import Job, JobStatus, Timing
from timegate.domain.values.errors import Malformed
from timegate.domain.values.identity import JobId, JobKey
from timegate.domain.values.instants import compact
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import DamagedJob

Fields = Mapping[str, Plain]

#: Attributes of their own, for writes compare and change them.
_STATE_NAMES = (
    *("tenant", "version", "status", "created_at", "anchored_at"),
    *("next_run_at", "runs_planned", "decided_until", "full"),
)
_STATE = Part(Timing, only=_STATE_NAMES, always=("runs_planned",))
#: The rest of the state, in one attribute: an index projects twenty at most.
_STANDING = Part(Timing, without=(*PLANNED, *_STATE_NAMES, "job_id", "offer"), within="standing")
#: The definition, in two attributes: the index ``due`` projects the one.
_PLAN = Part(PlanDefinition, within="plan")
#: Those that the index ``by_tenant`` shows to searches are attributes of their own.
_LISTED = INDEXES["by_tenant"].projected
_WORK = Part(WorkDefinition, without=_LISTED, within="work")
_OTHERS = Part(
    Job,
    only=(
        *(*_LISTED, "payload", "updated_at", "request_hash", "last_operation", "pause_reason"),
        *("resumed_at", "creation"),
    ),
)


#: The item that says which job has a key, in a partition of its own. It is claimed and given up in
#: the transaction of its job: no read decides who has a key.
KEY_SK = "job-key"
#: Items beside it: a job that gave the key up, for as long as keys of triggers are remembered.
FORMER_PREFIX = "former#"
#: Jobs that had a key last: the others are not looked at.
MOST_FORMER = 20
#: All that an item says which bars a creator.
_BARRED = "barred"


def job_to_fields(job: Job, *, shards: Placement) -> dict[str, Plain]:
    """The whole item of a job, index attributes included."""
    key = job_key(job.tenant, job.job_id)
    timing = job.timing
    return {
        "pk": key.pk,
        "sk": key.sk,
        **_STATE.fields(timing),
        **place_fields(timing),
        **_PLAN.fields(timing),
        **offer_to_fields(timing.offer),
        **due_fields(timing, shards=shards, at=job.updated_at),
        "tenant_key": job.tenant,
        "listed_at": listed_at(timing.created_at, job.job_id),
        # Its standing says so as well: conditions and recounts compare what lies flat.
        "untallied": timing.untallied or None,
        "told_at": None,
        **_WORK.fields(job),
        **_OTHERS.fields(job),
        **(creation_fields(timing, job.creation) if job.creation is not None else {}),
    }


def creation_fields(timing: Timing, creation: str) -> dict[str, Plain]:
    """Build the fields by which a job's record tells of its creation.

    The archive looks for what is told by its instant, which is that of the creation.
    """
    return {"told_at": compact(timing.created_at), **_OTHERS.field("creation", creation)}


def awaited_fields(since: datetime) -> dict[str, Plain]:
    """Build the field of a job that is awaited from an instant on."""
    return dict(_OTHERS.field("resumed_at", since))


def due_fields(timing: Timing, *, shards: Placement, at: datetime) -> dict[str, Plain]:
    """Build the ``due`` index fields of a job written at ``at``: only if it waits for a fire.

    Not before ``at``: planners have seen the buckets of the past empty and do not come back.
    """
    # Executors place no job.
    from timegate.domain.planning.places import shown_from  # noqa: PLC0415

    shown_at = shown_from(timing, at)
    if shown_at is None:
        return {"due_bucket": None, "due_at": None}
    return {
        "due_bucket": bucket(shown_at, timing.job_id, shards),
        "due_at": compact(shown_at),
    }


def place_fields(timing: Timing) -> dict[str, Plain]:
    """Build the fields of a job's standing: places of ``max_runs``, pauses, dropped rolls."""
    return {**standing_fields(timing), **_STATE.field("full", timing.full)}


def standing_fields(timing: Timing) -> dict[str, Plain]:
    """Build the attribute of a job's standing alone; what it announces is part of that."""
    return _STANDING.fields(timing)


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
    return Job(
        timing=timing_from_fields(fields),
        **_WORK.arguments(fields),
        **_OTHERS.arguments(fields),
    )


def barring(table: str, tenant: TenantId, job_id: JobId) -> Update:
    """Return the write that bars the creator of a job; refused where the job exists."""
    key = job_key(tenant, job_id)
    return Update(
        table=table, key=key, fields={_BARRED: True}, where={"version": None}, creates=True
    )


def is_barred(fields: Fields) -> bool:
    """Tell if an item stands in the place of a job that will never be."""
    return _BARRED in fields


def job_or_damage(tenant: TenantId, job_id: JobId, fields: Fields) -> Job | DamagedJob:
    """Read the job of an item, or what is wrong with it."""
    try:
        return job_from_fields(fields)
    except Malformed as malformed:
        return DamagedJob(tenant=tenant, job_id=job_id, reason=str(malformed))


@reader_of("job")
def timing_from_fields(fields: Fields) -> Timing:
    """Read the part that the ``due`` index projects; raises ``Malformed``."""
    return Timing(
        # The index shows the table's key anyhow.
        job_id=job_of(text(fields["pk"])),
        **_STATE.arguments(fields),
        **_STANDING.arguments(fields),
        **_PLAN.arguments(fields),
        offer=offer_from_fields(fields),
    )


def watch_writes(table: str, before: Job | None, after: Job) -> Sequence[Put]:
    """Return the write of the watch over a job that says within which span it is to succeed."""
    if not any(each.awaits_success for each in (before, after) if each is not None):
        return ()
    # Few jobs have one.
    from timegate.adapters.dynamo.jobs.absence_items import absence_writes  # noqa: PLC0415

    return absence_writes(table, before, after)


def key_writes(table: str, before: Job | None, after: Job) -> list[Update | Put]:
    """Return the writes that claim a job's new key and give up its old one.

    A job that keeps its key, or has none, has none of them. Each is refused where another job has
    the key, and is the same when it is repeated.
    """
    held, wanted = _held(before), _held(after)
    if held == wanted:
        return []
    writes: list[Update | Put] = []
    if wanted is not None:
        claimed = {"job": after.job_id, "expires_at": None}
        writes.append(_update(table, after, wanted, claimed))
    if held is not None:
        # Functions delete nothing: the table forgets it, unless another job claims it first.
        given_up = {"job": None, "expires_at": int(after.updated_at.timestamp())}
        writes.append(_update(table, after, held, given_up))
        writes.append(_former(table, after, held))
    return writes


def read_key(engine: Engine, table: str, tenant: TenantId, key: JobKey) -> JobId | None:
    """Read which job has a key, strongly consistent; ``None``: no job has it."""
    found = engine.get(table, _place(tenant, key))
    job = found.get("job") if found is not None else None
    return JobId(text(job)) if job is not None else None


def read_former(
    engine: Engine, table: str, tenant: TenantId, key: JobKey, *, now: datetime
) -> list[JobId]:
    """Read which jobs gave a key up lately, strongly consistent, the latest first."""
    wanted = Query(
        table=table,
        of=_place(tenant, key).pk,
        prefix=FORMER_PREFIX,
        latest_first=True,
        limit=MOST_FORMER,
        as_of=now,
        consistent=True,
    )
    found = islice(rows(engine, wanted), MOST_FORMER)
    return list(dict.fromkeys(JobId(text(each["job"])) for each in found))


def _held(job: Job | None) -> JobKey | None:
    """The key that a job has: a cancelled one has given it up."""
    return None if job is None or job.timing.status is JobStatus.CANCELLED else job.key


def _update(table: str, job: Job, key: JobKey, fields: Fields) -> Update:
    is_free_or_own = Compared(equal=job.job_id, or_missing=True)
    return Update(
        table=table,
        key=_place(job.tenant, key),
        fields=fields,
        where={"job": is_free_or_own},
        creates=True,
    )


def _place(tenant: TenantId, key: JobKey) -> Key:
    return Key(pk=f"{tenant}#job-key#{key}", sk=KEY_SK)


def _former(table: str, job: Job, key: JobKey) -> Put:
    """A repeated event meets the run of the job that had the key when it came first."""
    # Keys move seldom.
    from timegate.domain.execution.triggers import KEY_KEPT  # noqa: PLC0415

    expires_at = job.updated_at + KEY_KEPT
    fields: Fields = {
        "pk": _place(job.tenant, key).pk,
        "sk": f"{FORMER_PREFIX}{compact(job.updated_at)}#{job.job_id}",
        "job": job.job_id,
        "expires_at": int(expires_at.timestamp()),
    }
    return Put(table=table, fields=fields)
