"""Filling places: a run that ends before it begins gives its place of ``max_runs`` to the next."""

from collections.abc import Sequence
from datetime import datetime

from timegate.domain.runs.run import Attempt
from timegate.domain.values.corrupt_record import DAMAGE
from timegate.domain.values.errors import JobDamaged, JobNotFound
from timegate.usecases.planning.materialise import materialise
from timegate.usecases.services.planner_services import Scheduling

_NOT_PLANNED: tuple[type[Exception], ...] = (JobDamaged, JobNotFound, *DAMAGE)


def fill_places(ended: Sequence[Attempt], scheduling: Scheduling, *, now: datetime) -> None:
    """Plan full jobs whose runs ended before they began; raises ``Throttled``.

    A tick does the same within a minute, should this fail. The move of the job is conditional, so
    a record that comes twice, or a tick at the same time, plans nothing twice.
    """
    freed = dict.fromkeys((e.tenant, e.id.run.job_id) for e in ended if e.frees_place)
    for tenant, job_id in freed:
        try:
            timing = scheduling.jobs.get(tenant, job_id).timing
            if timing.full:
                materialise([timing], scheduling, now=now)
        except _NOT_PLANNED:
            # A tick meets the job as well, and reports it.
            continue
