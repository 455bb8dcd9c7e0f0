"""Updating a job: the fields that are given replace the stored ones, as a new version."""

from dataclasses import replace
from datetime import datetime
from typing import Any

from timegate.domain.actions.kinds.dag import DagAction
from timegate.domain.jobs.definition import JobChanges
from timegate.domain.jobs.job import Job, JobStatus, Timing
from timegate.domain.jobs.rules.call_rules import (
    check_addresses,
    check_own_fit,
    check_payload,
    check_question,
)
from timegate.domain.jobs.rules.job_rules import check_limits
from timegate.domain.jobs.rules.policy_rules import Policies, check_policies
from timegate.domain.ledger.gap_parts import Cut
from timegate.domain.ledger.ledger import Gap, is_readable
from timegate.domain.planning.left_behind import with_dropped_rolls
from timegate.domain.planning.transitions import rescheduled, with_unrecorded
from timegate.domain.recurrence.schedule import Schedule
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import DagId, own_job_id
from timegate.ports.telemetry import service_events
from timegate.usecases.jobs.chained_jobs import refuse_broken_chains
from timegate.usecases.jobs.change_job import ChangedJob, JobRef, change_job, refuse_cancelled
from timegate.usecases.jobs.end_left_behind import end_left_behind
from timegate.usecases.jobs.unknown_dags import refuse_unknown_dag
from timegate.usecases.ledger.count_places import places_of
from timegate.usecases.planning.cut_gaps import cuts_of, finish_cutting
from timegate.usecases.planning.materialise import materialise_past
from timegate.usecases.restrictions.unknown_calendars import refuse_unknown_calendars
from timegate.usecases.runs.store_payload import load_payload, read_keys, store_payload
from timegate.usecases.services.api_services import ApiServices

#: They take more than replacing.
_NOT_MERGED = frozenset({"schedule", "payload"})
#: Fields that a DAG sets in its own job.
_OF_THE_DAG = (
    *("action", "name", "schedule", "notifications", "then"),
    *("late_after_seconds", "absent_after_seconds", "finish_by"),
)


def update_job(
    ref: JobRef,
    changes: JobChanges,
    services: ApiServices,
    *,
    now: datetime,
) -> Job:
    """Replace what is given; giving what is stored already changes nothing.

    A new schedule counts from ``now``: it never fires the past again, and revives a completed job.
    Instants that the old one named by then, and the planner has not planned, are settled first by
    the job's catch-up policy. Raises ``InvalidInput``, ``JobIsCancelled``, ``QuotaExceeded``, and
    as ``change_job``.
    """

    def update(job: Job, at: datetime) -> ChangedJob | None:
        refuse_governed(job, changes)
        return redefined_job(job, changes, services, at)

    return change_job(
        ref,
        service_events.JOB_UPDATED,
        update,
        services,
        now=now,
    )


def refuse_governed(job: Job, changes: JobChanges) -> None:
    """Refuse to change what a DAG says of its own job; raises ``InvalidInput``."""
    dag_id = job.action.dag_id if isinstance(job.action, DagAction) else None
    if dag_id is None or job.job_id != own_job_id(job.tenant, DagId(dag_id)):
        return
    for name in _OF_THE_DAG:
        if name in changes.given and changes.given[name] != job.defined(name):
            detail = f"DAG {dag_id} says it: change it there."
            raise InvalidInput(name, "governed_by_dag", detail)


def updated_job(
    job: Job, changes: JobChanges, services: ApiServices, now: datetime
) -> tuple[Job, Gap | None]:
    """The job as the changes would make it, with its old payload, and the gap that they leave.

    Writes nothing. Raises ``InvalidInput`` and ``JobIsCancelled``.
    """
    refuse_cancelled(job)
    merged = {name: each for name, each in changes.given.items() if name not in _NOT_MERGED}
    updated = _redefined(job, merged, services, now)
    _check_targets(job, updated, services)
    if updated.timing.calendars != job.timing.calendars:
        refuse_unknown_calendars(job.tenant, updated.timing.calendars, services)
    gap: Gap | None = None
    schedule = changes.given.get("schedule", job.timing.schedule)
    if schedule != job.timing.schedule:
        _refuse_used_up(job.timing, schedule, services)
        timing = _as_it_waited(updated.timing, services, now)
        transition = rescheduled(timing, schedule, now=now)
        updated, gap = replace(updated, timing=transition.timing), transition.gap
    # The updated job is checked: a schedule may not go with the precision that stays.
    check_limits(updated)
    check_policies(Policies.of(updated), before=Policies.of(job))
    _check_payload(job, updated, changes, services)
    _check_fit(job, updated, changes, services, now)
    if updated.then != job.then:
        refuse_broken_chains(updated, services)
    return updated, gap


def _as_it_waited(timing: Timing, services: ApiServices, now: datetime) -> Timing:
    """Return a job that used up its ``max_runs`` as it was before it completed.

    Instants that passed since then have no record: the change leaves them behind.
    """
    if timing.status is not JobStatus.COMPLETED or not timing.full:
        return timing
    # Imported here: few completed jobs are given a schedule.
    from timegate.usecases.ledger.last_recorded import last_recorded  # noqa: PLC0415

    return with_unrecorded(timing, last_recorded(timing, services, now=now))


def _redefined(job: Job, given: dict[str, Any], services: ApiServices, now: datetime) -> Job:
    updated, look_ahead = job.redefined(given), services.scheduling.look_ahead
    timing = with_dropped_rolls(job.timing, updated.timing, now=now, look_ahead=look_ahead)
    return replace(updated, timing=timing)


def redefined_job(
    job: Job, changes: JobChanges, services: ApiServices, now: datetime
) -> ChangedJob | None:
    """Decide about a job that is redefined, and settle what its old schedule answers for.

    Raises ``InvalidInput`` and ``JobIsCancelled``.
    """
    updated, gap = updated_job(job, changes, services, now)
    cuts: tuple[Cut, ...] = ()
    # No clock tells instants of a zone that was withdrawn: none is settled, and none is on record.
    names_instants = is_readable(job.timing)
    if "schedule" in changes.given and names_instants:
        look_ahead = services.scheduling.look_ahead
        finish_cutting(job.timing, services.jobs, look_ahead=look_ahead)
    if updated.timing.schedule != job.timing.schedule and names_instants:
        # The old schedule answers for the instants up to now. This stores runs and moves the job,
        # and the change is decided again about the job as it is then: the write is refused.
        has_moved = materialise_past(job.timing, services.scheduling, now=now)
        end_left_behind(job.timing, updated.timing, services, now=now)
        if not has_moved:
            # A gap that the move has left out ahead may end where this change's gap does: one
            # transaction cannot write both.
            cuts = cuts_of(job.timing, updated.timing, services.jobs, now=now)
    if "payload" in changes.given:
        text, pointers = changes.given["payload"], updated.key_pointers
        payload = store_payload(text, job.tenant, job.job_id, services.blobs, pointers=pointers)
        updated = replace(updated, payload=payload)
    elif updated.key_pointers != job.key_pointers:
        payload = read_keys(job.payload, updated.key_pointers, services.blobs)
        updated = replace(updated, payload=payload)
    if updated == job:
        return None
    limit = services.tenants_at_hand.quotas(job.tenant, now=now).jobs
    # It may run for long from now on.
    updated = replace(updated, timing=replace(updated.timing, untallied=False))
    return ChangedJob(job=updated, gap=gap, cuts=cuts, limit=limit)


def _refuse_used_up(timing: Timing, schedule: Schedule, services: ApiServices) -> None:
    """Refuse a ``max_runs`` that the job's runs have reached; the planner may not know it yet."""
    places = places_of(timing, services.runs) if schedule.max_runs is not None else None
    if places is not None and places.begun >= (schedule.max_runs or 0):
        detail = f"{places.begun} runs have begun: its max_runs allow no other. Raise max_runs."
        raise InvalidInput("schedule", "never_fires", detail)


def _check_targets(job: Job, updated: Job, services: ApiServices) -> None:
    """Check the targets that the update changes."""
    if updated.action != job.action:
        updated.action.check(services.target_rules, job.tenant)
        refuse_unknown_dag(job.tenant, updated.action, services)
    if updated.notifications != job.notifications:
        check_addresses(updated.notifications, services.target_rules, job.tenant)
    if updated.before != job.before:
        check_question(updated.before, services.target_rules, job.tenant)


def _check_payload(job: Job, updated: Job, changes: JobChanges, services: ApiServices) -> None:
    """Check the payload where the update changes it, its action, or the wish for marks."""
    action, marks = updated.action, updated.payload_marks
    if "payload" in changes.given:
        check_payload(action, changes.given["payload"], marks)
        return
    is_read = action.reads_payload or marks is not None
    if is_read and (action, marks) != (job.action, job.payload_marks):
        check_payload(action, load_payload(job.payload, services.blobs), marks)
    else:
        action.check_size(job.payload.size_bytes)


def _check_fit(
    job: Job, updated: Job, changes: JobChanges, services: ApiServices, now: datetime
) -> None:
    """Hold the payload to the schema where the update changes one of both, or what fills it."""
    if updated.payload_schema is None:
        return
    if "payload" in changes.given:
        check_own_fit(updated, changes.given["payload"], now=now)
    elif _asked_of_payload(updated) != _asked_of_payload(job):
        check_own_fit(updated, load_payload(job.payload, services.blobs), now=now)


def _asked_of_payload(job: Job) -> tuple[object, ...]:
    return job.payload_schema, job.payload_marks, job.timing.schedule.is_manual
