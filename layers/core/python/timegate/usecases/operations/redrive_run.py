"""Redriving one run: its payload, if it is corrected, is stored before anything else."""

from dataclasses import replace
from datetime import datetime

from timegate.domain.jobs.definition import Unset
from timegate.domain.jobs.rules.call_rules import check_fit, check_payload, filled_now
from timegate.domain.runs.run import Attempt
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import JobId, Origin
from timegate.domain.values.payload import Payload
from timegate.domain.values.tenant import TenantId
from timegate.usecases.operations.settle_dead_letter import SettleRequest, settle_dead_letter
from timegate.usecases.runs.store_payload import store_run_payload
from timegate.usecases.services.api_services import ApiServices
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Redriven:
    """The attempts at the run as they are now."""

    attempts: tuple[Attempt, ...]
    #: An earlier request with the same key had redriven it.
    replayed: bool


def redrive_run(
    wish: SettleRequest, corrected: str | Unset | None, services: ApiServices, *, now: datetime
) -> Redriven:
    """Try a failed run again, with a corrected payload for this run alone if one is given.

    A request that comes again is answered with what became of the run. Raises as
    ``settle_dead_letter``, ``IdempotencyConflict``, and ``InvalidInput`` for a payload that the
    target does not take.
    """
    attempts = services.runs.attempts(wish.tenant, wish.run)
    if wish.was_carried_out(attempts):
        return Redriven(attempts=attempts, replayed=True)
    if not isinstance(corrected, Unset):
        if wish.run.origin is Origin.NOTIFICATION:
            detail = "A notification has the text of its occasion."
            raise InvalidInput("payload", "not_for_this_kind", detail)
        # A payload is stored for a run that can be redriven, as far as can be told by now.
        wish.attempt_of(attempts)
        payload = store_correction(wish.tenant, wish.run.job_id, corrected, services, now=now)
        wish = replace(wish, payload=payload)
    return Redriven(attempts=settle_dead_letter(wish, services, now=now), replayed=False)


def store_correction(
    tenant: TenantId,
    job_id: JobId,
    corrected: str | None,
    services: ApiServices,
    *,
    now: datetime,
) -> Payload:
    """Put a payload for runs of a job where it belongs.

    Raises ``JobNotFound``, ``InvalidInput`` and, by the job's schema, ``PayloadMismatch``.
    """
    job = services.jobs.get(tenant, job_id)
    marks, pointers = job.payload_marks, job.key_pointers
    check_payload(job.action, corrected, marks)
    check_fit(job, corrected, filled_now(job, now=now))
    return store_run_payload(
        corrected, tenant, job_id, services.blobs, pointers=pointers, marks=marks is not None
    )
