"""The job that governs a run; a notification rule governs its messages, as one job each."""

from timegate.domain.jobs.job import Job
from timegate.domain.jobs.notification import parse_rule_mark
from timegate.domain.runs.run import Attempt
from timegate.ports.stores import AttemptRef, JobStore, RunStore


def governing_job(attempt: Attempt, jobs: JobStore, runs: RunStore) -> Job:
    """Return the job; raises ``JobNotFound``, and ``RuleNotFound`` for a rule that was deleted."""
    run = attempt.id.run
    if parse_rule_mark(run.about) is None:
        return jobs.get(attempt.tenant, run.job_id)
    (loaded,) = runs.load_all([AttemptRef(tenant=attempt.tenant, id=attempt.id)])
    if loaded.job is None:
        # Imported here: few dead letters are messages of rules.
        from timegate.domain.rules.errors import RuleNotFound  # noqa: PLC0415

        raise RuleNotFound(run.job_id)
    return loaded.job
