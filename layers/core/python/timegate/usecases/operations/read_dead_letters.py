"""Reading dead letters: which there are, and everything that is known of one."""

from dataclasses import replace

from timegate.domain.execution.notices import as_governed
from timegate.domain.jobs.job import Job
from timegate.domain.jobs.notification import parse_rule_mark
from timegate.domain.runs.run import Attempt
from timegate.domain.values.errors import DeadLetterNotFound
from timegate.domain.values.identity import RunId
from timegate.domain.values.payload import Payload
from timegate.domain.values.tenant import TenantId
from timegate.usecases.operations.settle_dead_letter import governing_job
from timegate.usecases.runs.store_payload import load_kept_payload
from timegate.usecases.services.api_services import ApiServices
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class DeadLetter:
    """A run that was given up, and what it was to do."""

    attempts: tuple[Attempt, ...]
    #: Definition when the run was given up.
    defined: Job
    #: JSON text of the payload that the last attempt was given; ``None``: it had none.
    payload: str | None
    #: Present definition.
    job: Job


def read_dead_letter(tenant: TenantId, run: RunId, services: ApiServices) -> DeadLetter:
    """One of them; raises ``RunNotFound``, and ``DeadLetterNotFound`` for a run that is none."""
    attempts = services.runs.attempts(tenant, run)
    last = attempts[-1]
    if not last.is_dead_letter:
        settled = last.resolution.settled if last.resolution is not None else last.state
        raise DeadLetterNotFound(str(run), settled)
    job = governing_job(last, services.jobs, services.runs)
    of_rule = parse_rule_mark(run.about) is not None
    if of_rule:
        # It is shown with the job that calls the channel. A rule has one version.
        job = as_governed(job, last) or replace(job, notifications=())
    version = last.job_version
    defined = job if of_rule else services.jobs.definition(tenant, run.job_id, version=version)
    # A version that changed nothing of the definition is shown as the one that ran.
    defined = replace(defined, timing=replace(defined.timing, version=version))
    payload = defined.payload if last.payload is None else last.payload
    return DeadLetter(attempts=attempts, defined=defined, payload=_text(payload, services), job=job)


def _text(payload: Payload, services: ApiServices) -> str | None:
    return load_kept_payload(payload, services.blobs)
