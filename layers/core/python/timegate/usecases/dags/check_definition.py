"""Checks of a DAG against its tenant's jobs and the stage's targets."""

from datetime import datetime

from timegate.domain.dags.definition import Dag, JobTask
from timegate.domain.dags.errors import InvalidDag
from timegate.domain.dags.limits import MAX_PROBLEMS
from timegate.domain.dags.validation import problems_of
from timegate.domain.jobs.job import JobStatus
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import JobId, parse_job_id
from timegate.usecases.dags.own_job import own_job_problems
from timegate.usecases.services.api_services import ApiServices


def definition_problems(
    dag: Dag, services: ApiServices, *, now: datetime | None = None, before: Dag | None = None
) -> tuple[InvalidInput, ...]:
    """List problems of a definition and of the jobs that it names; empty if it has none.

    ``now``: its schedule and what follows its ends are new as well. ``before``: the stored version,
    whose schedule is not new.
    """
    own = problems_of(dag, services.target_rules)
    job = own_job_problems(dag, services, now=now, before=before) if now is not None else ()
    return (*own, *_job_problems(dag, services), *job)[:MAX_PROBLEMS]


def check_definition(dag: Dag, services: ApiServices, *, now: datetime | None = None) -> None:
    """Refuse a definition that could not run as it says; raises ``InvalidDag`` with all of it."""
    problems = definition_problems(dag, services, now=now)
    if problems:
        raise InvalidDag(problems)


def _job_problems(dag: Dag, services: ApiServices) -> list[InvalidInput]:
    """Tasks whose job the tenant does not have, or which never runs again; one read for all.

    One may be cancelled later: the task fails then, and says why.
    """
    named = [
        (f"tasks.{number}.job_id", task.spec.job_id)
        for number, task in enumerate(dag.tasks)
        if isinstance(task.spec, JobTask)
    ]
    ids = {job_id for _, job_id in named if parse_job_id(job_id) is not None}
    found = services.dags.job_statuses(dag.tenant, ids) if ids else {}
    return [
        problem
        for field, job_id in named
        if (problem := _problem(field, job_id, found.get(job_id))) is not None
    ]


def _problem(field: str, job_id: JobId, status: JobStatus | None) -> InvalidInput | None:
    if status is None:
        return InvalidInput(field, "unknown_job", f"There is no job {job_id[:100]}.")
    if status is JobStatus.CANCELLED:
        return InvalidInput(field, "cancelled_job", f"Job {job_id} is cancelled and never runs.")
    return None
