"""Settling a failed run: it is tried again, or an operator lets it rest; once, and on record."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Protocol

from timegate.domain.execution.notices import as_governed
from timegate.domain.jobs.job import Job
from timegate.domain.jobs.notification import parse_rule_mark
from timegate.domain.operations.dead_letter import (
    NotRedrivable,
    check_redrive,
    dead_letter_of,
    failed_attempt_of,
    overtaken_letter_of,
)
from timegate.domain.planning.plan import left_to_stream
from timegate.domain.planning.reopen import reopened
from timegate.domain.runs.resolution import AskedAs, Resolution, Settled
from timegate.domain.runs.run import Attempt
from timegate.domain.values.errors import IdempotencyConflict, NotDeadLettered
from timegate.domain.values.identity import OperationId, Origin, RunId
from timegate.domain.values.payload import Payload
from timegate.domain.values.tenant import TenantId
from timegate.ports.operations.dead_letters import DeadLetterStore
from timegate.ports.stores import AttemptRef, JobStore, RunStore
from timegate.ports.telemetry import service_events, service_metrics
from timegate.ports.telemetry.telemetry import of_run
from timegate.usecases.dispatch.publish_created import publish_created
from timegate.usecases.services.planner_services import Scheduling
from timegate.value_classes import dataclass


class SettlingServices(Protocol):
    """Services that settle dead letters, of the API and of operations."""

    @property
    def scheduling(self) -> Scheduling:
        """Jobs, runs, telemetry, and the publisher of what is due now."""

    @property
    def dead_letters(self) -> DeadLetterStore:
        """The dead letters that wait."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SettleRequest:
    """A request to settle a dead letter."""

    tenant: TenantId
    run: RunId
    settled: Settled
    #: Caller of the tenant.
    by: str
    note: str | None = None
    #: Payload of a redrive in place of the run's own; ``None``: no change. No notification has it.
    payload: Payload | None = None
    #: A redriven run begins anew, whatever its last checkpoint.
    fresh: bool = False
    #: It is for a dead letter alone; otherwise, for any run that failed.
    letters_only: bool = True
    #: On whose behalf, if it was not asked for this run alone.
    operation: OperationId | None = None
    #: How the request is known when it comes again; ``None``: it is not.
    request: AskedAs | None = None

    def attempt_of(self, attempts: tuple[Attempt, ...]) -> Attempt:
        """The attempt to settle; raises ``NotDeadLettered``, or as ``failed_attempt_of`` does.

        A letter that was overtaken can only be discarded: its run went on.
        """
        overtaken = overtaken_letter_of(attempts) if self.settled is Settled.DISCARDED else None
        if overtaken is not None:
            return overtaken
        wanted = dead_letter_of if self.letters_only else failed_attempt_of
        return wanted(self.run, attempts)

    def was_carried_out(self, attempts: Sequence[Attempt]) -> bool:
        """It has settled the run before: what that became since is another matter.

        Raises ``IdempotencyConflict`` where another request had the same key.
        """
        settled = [each.resolution for each in attempts if each.resolution is not None]
        if self.operation is not None:
            return any(resolution.operation == self.operation for resolution in settled)
        asked = [each.request for each in settled if each.request is not None]
        same_key = [each for each in asked if self.request and each.key == self.request.key]
        if any(each != self.request for each in same_key):
            raise IdempotencyConflict
        return bool(same_key)


def settle_dead_letter(
    wish: SettleRequest, services: SettlingServices, *, now: datetime
) -> tuple[Attempt, ...]:
    """Settle one; the attempts at its run as they are then.

    A redriven run is a new attempt, due at once, under its job's present version. One write stores
    it with the audit of the dead letter, so of several callers who ask at once, one gets it. Raises
    ``RunNotFound``, as ``Wish.attempt_of`` does, and of a redrive ``JobIsCancelled``,
    ``JobIsPaused``, and as ``governing_job`` does. An operation that asks again changes nothing,
    nor does a request.
    """
    scheduling = services.scheduling
    if wish.run.origin is Origin.NOTIFICATION:
        # Many are given their job's payload; its channels are told of the occasion all the same.
        wish = replace(wish, payload=None)
    attempts = scheduling.runs.attempts(wish.tenant, wish.run)
    if wish.was_carried_out(attempts):
        return attempts
    dead = wish.attempt_of(attempts)
    opened = _opened(dead, wish, scheduling, now) if wish.settled is Settled.REDRIVEN else None
    settled = replace(dead, resolution=_resolution(wish, opened, now))
    if not services.dead_letters.settle(dead, settled, opened=opened):
        refused = NotDeadLettered if wish.letters_only else NotRedrivable
        raise refused(str(wish.run), "settled by another caller")
    _report(settled, scheduling)
    if opened is not None and opened.direct:
        publish_created([opened], scheduling)
    now_settled = tuple(settled if each.id == dead.id else each for each in attempts)
    return (*now_settled, *([opened] if opened is not None else []))


def _opened(dead: Attempt, wish: SettleRequest, scheduling: Scheduling, now: datetime) -> Attempt:
    job = governing_job(dead, scheduling.jobs, scheduling.runs)
    timing = (as_governed(job, dead) or job).timing
    check_redrive(wish.run, timing)
    opened = reopened(dead, timing, now=now, fresh=wish.fresh)
    if wish.payload is not None:
        opened = replace(opened, payload=wish.payload)
    # A settlement of many leaves publishing to the stream.
    return opened if wish.operation is None else left_to_stream(opened, now=now)


def _resolution(wish: SettleRequest, opened: Attempt | None, now: datetime) -> Resolution:
    return Resolution(
        settled=wish.settled,
        by=wish.by,
        at=now,
        note=wish.note,
        operation=wish.operation,
        job_version=opened.job_version if opened is not None else None,
        payload_corrected=wish.payload is not None,
        fresh=wish.fresh,
        request=wish.request,
    )


def _report(settled: Attempt, scheduling: Scheduling) -> None:
    resolution = settled.resolution
    if resolution is None:
        return
    redriven = resolution.settled is Settled.REDRIVEN
    scheduling.telemetry.count(
        service_metrics.RUNS_REDRIVEN if redriven else service_metrics.DEAD_LETTERS_DISCARDED
    )
    scheduling.telemetry.event(
        service_events.RUN_REDRIVEN if redriven else service_events.DEAD_LETTER_DISCARDED,
        **of_run(settled),
        by=resolution.by,
        operation_id=resolution.operation,
        payload_corrected=resolution.payload_corrected,
        job_version=resolution.job_version,
    )


def governing_job(attempt: Attempt, jobs: JobStore, runs: RunStore) -> Job:
    """Return the job of a run; a rule governs its messages, as one job each.

    Raises ``JobNotFound``, and ``RuleNotFound`` for a rule that was deleted.
    """
    run = attempt.id.run
    if parse_rule_mark(run.about) is None:
        return jobs.get(attempt.tenant, run.job_id)
    (loaded,) = runs.load_all([AttemptRef(tenant=attempt.tenant, id=attempt.id)])
    if loaded.job is None:
        # Imported here: few dead letters are messages of rules.
        from timegate.domain.rules.errors import RuleNotFound  # noqa: PLC0415

        raise RuleNotFound(run.job_id)
    return loaded.job
