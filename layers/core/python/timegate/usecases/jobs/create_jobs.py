"""Creating many jobs: each by itself, as if it were the only one."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime

from timegate.domain.jobs.definition import JobDefinition
from timegate.domain.values.errors import TimegateError
from timegate.usecases.jobs.create_job import Created, CreateJobRequest, create_job
from timegate.usecases.services.api_services import ApiServices
from timegate.value_classes import dataclass

#: Jobs that are created at once: each is a call or two that mostly wait.
SIDE_BY_SIDE = 8


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """One job of many."""

    request: CreateJobRequest
    definition: JobDefinition


def create_jobs(
    asked: Sequence[Asked], services: ApiServices, *, now: datetime
) -> list[Created | TimegateError]:
    """Create jobs, in the order asked: a refusal of one stops no other."""

    def create(one: Asked) -> Created | TimegateError:
        try:
            return create_job(one.request, one.definition, services, now=now)
        except TimegateError as error:
            return error

    with ThreadPoolExecutor(max_workers=SIDE_BY_SIDE) as pool:
        return list(pool.map(create, asked))
