"""An attempt with its job, as far as they can be read."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from timegate.adapters.dynamo.jobs.job_items import is_barred, job_from_fields
from timegate.adapters.dynamo.restrictions.restriction_items import (
    in_force_at,
    in_force_key,
    stage_in_force_key,
)
from timegate.adapters.dynamo.runs.items.attempt_reading import attempt_from_fields
from timegate.adapters.dynamo.tables.engine import Engine
from timegate.adapters.dynamo.tables.keys import (
    Key,
    attempt_key,
    governor_key,
    is_rule,
    job_key,
    rule_key,
)
from timegate.adapters.dynamo.tables.values import Plain
from timegate.adapters.dynamo.tenants.tenant_items import tenant_from_fields, tenant_key
from timegate.domain.dag_runs.run_identity import task_run_mark
from timegate.domain.jobs.job import Job
from timegate.domain.jobs.notification import parse_rule_mark
from timegate.domain.limits.quotas import Quotas
from timegate.domain.restrictions.restrictions import (
    NOTHING_IN_FORCE,
    RestrictionsInForce,
    told_late_after,
)
from timegate.domain.runs.run import Attempt
from timegate.domain.values.corrupt_record import DAMAGE
from timegate.domain.values.errors import Malformed
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import AttemptRef, Loaded

Record = TypeVar("Record")
Fields = Mapping[str, Plain]


def load_all(
    engine: Engine,
    refs: Sequence[AttemptRef],
    *,
    runs: str,
    jobs: str,
    stage: Quotas,
) -> list[Loaded]:
    """Attempts with their jobs and what is in force, strongly consistent, in the order asked.

    Jobs say what their tenants' quotas leave them, ``stage`` being those of all other tenants, and
    after which spans their tenants' rules are told of late runs.
    """
    attempt_keys = [attempt_key(ref.tenant, ref.id) for ref in refs]
    governs = [_governor(ref) for ref in refs]
    job_keys = [key for key, is_task in governs if not is_task]
    task_keys = [key for key, is_task in governs if is_task]
    tenants = {ref.tenant: in_force_key(ref.tenant) for ref in refs}
    settings = {ref.tenant: tenant_key(ref.tenant) for ref in refs}
    of_stage = {stage_in_force_key(ref.tenant) for ref in refs[:1]}
    of_tenants = [*tenants.values(), *settings.values(), *of_stage]
    wanted = {runs: [*attempt_keys, *task_keys], jobs: [*job_keys, *of_tenants]}
    found = engine.get_all(wanted)
    attempts, others = found[runs], found[jobs]
    stage_freezes = next((others[key] for key in of_stage if key in others), None)
    in_force = {
        tenant: _in_force(tenant, others.get(key), stage_freezes) for tenant, key in tenants.items()
    }
    quotas = {tenant: _quotas(others.get(key), stage) for tenant, key in settings.items()}
    return [
        _loaded(
            attempts.get(a),
            (attempts if is_task else others).get(g),
            in_force[ref.tenant],
            quotas[ref.tenant],
        )
        for ref, a, (g, is_task) in zip(refs, attempt_keys, governs, strict=True)
    ]


def _in_force(
    tenant: TenantId, own: Fields | None, stage: Fields | None
) -> tuple[RestrictionsInForce | None, str | None]:
    try:
        return in_force_at(tenant, own, stage), None
    except Malformed as malformed:
        return None, str(malformed)


def _governor(ref: AttemptRef) -> tuple[Key, bool]:
    """Return the key of the job that governs a run, and if it is a task's."""
    run = ref.id.run
    mark = task_run_mark(run)
    if mark is None and parse_rule_mark(run.about) is not None:
        return rule_key(ref.tenant, run.job_id), False
    if mark is None:
        return job_key(ref.tenant, run.job_id), False
    return governor_key(ref.tenant, mark.dag_run_id, mark.key), True


def _governor_from_fields(fields: Fields) -> Job | None:
    """Read the job that governs a run; a rule governs its messages."""
    if not is_rule(fields):
        return job_from_fields(fields)
    # Imported here: few runs are messages of rules, and every function would pay for it.
    from timegate.adapters.dynamo.tenants.rules.rule_governors import governor_of  # noqa: PLC0415

    return governor_of(fields)


def _quotas(settings: Fields | None, stage: Quotas) -> Quotas:
    """Return the quotas of one tenant; a record that cannot be read leaves the stage's."""
    read, _ = _read(tenant_from_fields, settings)
    return stage if read is None else read.quotas.over(stage)


def _loaded(
    attempt: Fields | None,
    job: Fields | None,
    restrictions: tuple[RestrictionsInForce | None, str | None],
    quotas: Quotas,
) -> Loaded:
    """All as they are: a damaged one must not hide its neighbours in a batch."""
    read_attempt, no_attempt = _read(attempt_from_fields, attempt)
    in_force = restrictions[0] or NOTHING_IN_FORCE
    # They decide about attempts.
    no_restrictions = restrictions[1] if attempt is not None else None
    if job is not None and is_barred(job):
        job = None
    read_job, no_job = _read(_governor_from_fields, job)
    runs, of_day = quotas.concurrent_runs, quotas.runs_per_day
    if read_job is not None and (runs is not None or of_day is not None):
        read_job = replace(read_job, tenant_runs=runs, tenant_day_runs=of_day)
    if read_job is not None and in_force.late_bounds:
        read_job = replace(read_job, told_late_after=told_late_after(in_force, read_job))
    no_keys = None
    if read_job is not None and read_attempt is not None:
        read_job, no_keys = _keyed(read_job, read_attempt)
    return Loaded(
        attempt=read_attempt,
        job=read_job,
        in_force=in_force,
        unreadable=no_attempt or no_job or no_keys or no_restrictions,
        is_damaged=no_attempt is not None,
        damaged_key=_key_of(attempt) if no_attempt is not None else None,
    )


def _keyed(job: Job, attempt: Attempt) -> tuple[Job | None, str | None]:
    """Return the job with the keys of the run that it governs, or why they cannot be read."""
    if not job.key_pointers and (attempt.terms is None or attempt.terms.concurrency_key is None):
        return job, None
    # Imported here: few jobs have keys of runs, and every function would pay for it.
    from timegate.domain.execution.follow_ups import keyed  # noqa: PLC0415

    try:
        return keyed(job, attempt), None
    except DAMAGE as damage:
        return None, f"keys of the run: {damage!r}"


def _key_of(attempt: Fields | None) -> str | None:
    key = attempt.get("lease_key") if attempt is not None else None
    return key if isinstance(key, str) else None


def _read(
    reader: Callable[[Fields], Record], fields: Fields | None
) -> tuple[Record | None, str | None]:
    if fields is None:
        return None, None
    try:
        return reader(fields), None
    except Malformed as malformed:
        return None, str(malformed)
