"""Triggering in a batch: many runs of one job, each decided by itself.

The ids of the runs are computed from the key of the batch, the instant of its first request and
their places. A repetition meets the runs that exist, and creates the others.
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime
from itertools import chain
from threading import Lock

from timegate.domain.execution.day_quota import DayIsFull, DayQuota, day_of, day_quota
from timegate.domain.execution.triggers import Trigger, TriggerKey, mark_in_batch
from timegate.domain.jobs.job import Job
from timegate.domain.runs.run import Attempt
from timegate.domain.runs.watch import is_unsure
from timegate.domain.values.errors import IdempotencyConflict, TimegateError
from timegate.domain.values.identity import AttemptId, JobId, Origin, RunId
from timegate.domain.values.instants import to_milliseconds
from timegate.domain.values.payload import Payload
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import AttemptRef
from timegate.ports.telemetry import service_events
from timegate.usecases.dispatch.publish_created import publish_created
from timegate.usecases.jobs.change_job import refuse_cancelled
from timegate.usecases.limits.quota_refusals import refusals_told
from timegate.usecases.runs.attempt_of_trigger import attempt_of_trigger
from timegate.usecases.runs.collapse_batch import BatchMember, collapse_group, groups_of
from timegate.usecases.runs.collapse_trigger import to_collapse
from timegate.usecases.runs.like_run import like_run
from timegate.usecases.runs.store_payload import load_kept_payload
from timegate.usecases.services.api_services import ApiServices
from timegate.value_classes import dataclass

#: Payloads that are stored at once: each is a call that mostly waits.
SIDE_BY_SIDE = 8


@dataclass(frozen=True, kw_only=True, slots=True)
class TriggerBatch:
    """A job, and triggers of it by their places in the request."""

    tenant: TenantId
    job_id: JobId
    triggers: Sequence[tuple[int, Trigger]]
    #: By which the request is known when it comes again; ``None``: it is not.
    key: TriggerKey | None = None
    #: The caller's trace, to which the runs belong; ``None``: each has one of its own.
    trace: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class InBatch:
    """A run of a batch."""

    run: RunId
    #: An earlier request with the same key had triggered it.
    replayed: bool = False
    #: The run that stands for it; ``None``: it is this one.
    into: RunId | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class _Begun:
    """A batch whose job and instants are known."""

    batch: TriggerBatch
    job: Job
    #: The instant of the first request with its key.
    at: datetime
    seed: str

    def run(self, index: int, trigger: Trigger) -> RunId:
        """Compute the id of a run; raises ``InvalidInput`` for an instant that none may have."""
        return RunId(
            job_id=self.job.job_id,
            origin=Origin.TRIGGER,
            scheduled_at=trigger.due_at(self.at),
            about=mark_in_batch(self.seed, index),
        )


def trigger_many(
    batch: TriggerBatch, services: ApiServices, *, now: datetime
) -> list[InBatch | TimegateError]:
    """Create runs and publish those that are due now: what became of each, in their order.

    Raises ``JobNotFound``, ``JobIsCancelled``, and ``IdempotencyConflict`` for a key that was used
    with another request. Each refusal of a trigger alone is its own result. A repeated batch of a
    job that was cancelled meanwhile meets its runs, and makes no other.
    """
    job = services.jobs.get(batch.tenant, batch.job_id)
    if batch.key is None:
        refuse_cancelled(job)
    begun = _begun(batch, job, services, now)
    known = _known(begun, services) if begun.at != now else {}
    if not known:
        refuse_cancelled(job)
    publish_created([each for each in known.values() if is_unsure(each)], services.scheduling)
    places = _DayPlaces(batch.tenant, services, now)
    made = _with_collapsed(_attempts(begun, known, places, services, now), places, services, now)
    new = [each for each in made if isinstance(each, Attempt)]
    stored = dict(zip(new, services.runs.insert_all(new), strict=True))
    direct = [each for each in new if each.direct and stored[each]]
    publish_created(direct, services.scheduling)
    services.telemetry.event(
        service_events.JOB_TRIGGERED_IN_BATCH,
        tenant_id=batch.tenant,
        job_id=batch.job_id,
        runs=sum(stored.values()),
    )
    return [
        InBatch(run=each.id.run, replayed=not stored[each]) if isinstance(each, Attempt) else each
        for each in made
    ]


def _begun(batch: TriggerBatch, job: Job, services: ApiServices, now: datetime) -> _Begun:
    if batch.key is None:
        return _Begun(batch=batch, job=job, at=now, seed=services.new_seed().hex())
    at = services.runs.keep_batch(batch.tenant, batch.job_id, batch.key, at=now)
    if at is None:
        raise IdempotencyConflict
    return _Begun(batch=batch, job=job, at=at, seed=batch.key.digest)


def _known(begun: _Begun, services: ApiServices) -> dict[RunId, Attempt]:
    """The first attempts of the runs of a repeated batch that exist."""
    runs = []
    for index, trigger in begun.batch.triggers:
        try:
            runs.append(begun.run(index, trigger))
        except TimegateError:
            continue
    refs = [AttemptRef(tenant=begun.batch.tenant, id=AttemptId(run=run, number=1)) for run in runs]
    found = (each.attempt for each in services.runs.load_all(refs))
    return {each.id.run: each for each in found if each is not None}


def _attempts(
    begun: _Begun,
    known: dict[RunId, Attempt],
    places: "_DayPlaces",
    services: ApiServices,
    now: datetime,
) -> list[Attempt | InBatch | BatchMember | TimegateError]:
    """Return the run that each trigger asks for, with its payload stored."""
    job = _with_inline_payload(begun, services)

    def make(place: tuple[int, Trigger]) -> Attempt | InBatch | BatchMember | TimegateError:
        index, trigger = place
        try:
            run, rule = begun.run(index, trigger), trigger.rule(job.collapse)
            if run in known and rule is None:
                return InBatch(run=run, replayed=True)
            if run not in known:
                refuse_cancelled(job)
            trigger = like_run(trigger, job, services)
            if rule is not None:
                wanted = to_collapse(trigger, run, job, rule, services.blobs)
                wanted = replace(wanted, trace=begun.batch.trace)
                return BatchMember(wanted=wanted, stored=known.get(run))
            places.take(run.scheduled_at)
            attempt = attempt_of_trigger(trigger, run, job, services.blobs, now=now)
            return replace(attempt, trace=begun.batch.trace)
        except TimegateError as error:
            return error

    with ThreadPoolExecutor(max_workers=SIDE_BY_SIDE) as pool:
        return list(pool.map(make, begun.batch.triggers))


def _with_collapsed(
    made: list[Attempt | InBatch | BatchMember | TimegateError],
    places: "_DayPlaces",
    services: ApiServices,
    now: datetime,
) -> list[Attempt | InBatch | TimegateError]:
    """Store the runs of triggers that collapse, and publish those that are due now."""
    members = [each for each in made if isinstance(each, BatchMember)]
    if not members:
        return [each for each in made if not isinstance(each, BatchMember)]
    at = to_milliseconds(now)

    def decide(group: list[BatchMember]) -> dict[RunId, Attempt | TimegateError]:
        try:
            return {**collapse_group(group, services.runs, now=at, admit=places.take)}
        except TimegateError as error:
            return dict.fromkeys((each.wanted.run for each in group), error)

    with ThreadPoolExecutor(max_workers=SIDE_BY_SIDE) as pool:
        decided = dict(chain.from_iterable(d.items() for d in pool.map(decide, groups_of(members))))
    new = [each for each in decided.values() if isinstance(each, Attempt) and each.direct]
    publish_created(new, services.scheduling)
    return [_in_batch(each, decided) if isinstance(each, BatchMember) else each for each in made]


def _in_batch(
    member: BatchMember, decided: Mapping[RunId, Attempt | TimegateError]
) -> InBatch | TimegateError:
    run = member.wanted.run
    attempt = member.stored or decided[run]
    if isinstance(attempt, TimegateError):
        return attempt
    into = attempt.collapse.into if attempt.collapse is not None else None
    return InBatch(run=run, replayed=member.stored is not None, into=into)


def _with_inline_payload(begun: _Begun, services: ApiServices) -> Job:
    """The job with its payload at hand, where several patches need it: it is read once."""
    payload = begun.job.payload
    patched = any(each.payload_patch is not None for _, each in begun.batch.triggers)
    if payload.blob is None or not patched:
        return begun.job
    text = load_kept_payload(payload, services.blobs)
    if text is None:
        # It is lost: triggers that need it are refused, and no others.
        return begun.job
    return replace(begun.job, payload=Payload(inline=text, size_bytes=payload.size_bytes))


class _DayPlaces:
    """Runs that may still begin on the day, read once; claims decide about the last places."""

    def __init__(self, tenant: TenantId, services: ApiServices, now: datetime) -> None:
        self._services, self._tenant, self._now = services, tenant, now
        quotas = services.tenants_at_hand.quotas(tenant, now=now)
        self._quota: DayQuota | None = day_quota(quotas, now)
        used = services.runs.begun(tenant, self._quota.day) if self._quota is not None else 0
        self._lock, self._used = Lock(), used

    def take(self, due: datetime) -> None:
        """Take a place for a run; raises ``DayIsFull``."""
        quota = self._quota
        if quota is None or day_of(due) != quota.day:
            return
        with self._lock, refusals_told(self._tenant, self._services.telemetry):
            if self._used >= quota.limit:
                raise DayIsFull(limit=quota.limit, used=self._used, now=self._now)
            self._used += 1
