"""Job completion: the end of a job's last run is the end of the job."""

from collections.abc import Sequence
from datetime import datetime

from timegate.domain.run import Attempt
from timegate.ports.stores import JobStore
from timegate.ports.surroundings import Telemetry


def complete_jobs(
    ended: Sequence[Attempt], jobs: JobStore, telemetry: Telemetry, *, now: datetime
) -> None:
    """Complete the jobs whose last run these attempts end.

    Conditional on the job being active with nothing left to fire: a job that was edited
    meanwhile has a new last run, and a replayed record changes nothing.
    """
    for attempt in ended:
        if attempt.completes_job:
            job_id = attempt.id.run.job_id
            done = jobs.complete(attempt.tenant, job_id, now=now)
            telemetry.event("job_completed", tenant_id=attempt.tenant, job_id=job_id, changed=done)
