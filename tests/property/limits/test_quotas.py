"""A quota of jobs, whatever happens to jobs: never one too many, never room that is lost."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING
from unittest.mock import Mock

from botocore.config import Config
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.crash.faults import Died
from tests.crash.services.streams import JOBS, RUNS
from tests.crash.services.tables import Tables
from tests.examples import some
from tests.support.execution.placing import placed
from tests.support.factories import NOW, TENANT, after, job_factory, job_id
from tests.support.stores.dynamodb_inside import client_inside
from timegate.adapters.dynamo.auditing.usage_store import DynamoUsageStore
from timegate.adapters.dynamo.jobs.job_store import DynamoJobStore
from timegate.adapters.dynamo.runs.run_store import DynamoRunStore
from timegate.adapters.dynamo.tables.boto_engine import BotoEngine
from timegate.domain.execution.quota_usage import QuotaExceeded, job_counts
from timegate.domain.jobs.job import Job, JobStatus
from timegate.domain.planning.plan import Plan
from timegate.domain.values.errors import JobChanged, JobNotFound
from timegate.ports.stores import Advance

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

NAMES = "abcde"
CHANGES = ("create", "pause", "cancel", "revive", "complete", "plan", "die before", "die after")
#: Which job, what becomes of it, and how many the tenant may have by then.
STEPS = st.tuples(st.sampled_from(NAMES), st.sampled_from(CHANGES), st.integers(0, 4))


@given(steps=st.lists(STEPS, min_size=1, max_size=20))
@settings(max_examples=some(25))
def test_the_count_is_that_of_what_is_there(steps: list[tuple[str, str, int]]) -> None:
    """After every change, also one whose writer died before or after it was stored: what is
    counted is what is there, and what was let in found room.
    """
    world = World()
    for name, change, limit in steps:
        before = world.counting()
        world.apply(name, change, limit)
        now = world.counting()

        assert world.usage.usage(TENANT).jobs == now
        assert now <= max(before, limit)


class World:
    """One tenant's jobs, as the store has them."""

    def __init__(self) -> None:
        Tables()
        self.jobs = DynamoJobStore(
            BotoEngine(_client()), table=JOBS, shards=lambda: placed(1), retention_days=30
        )
        self.runs = DynamoRunStore(
            BotoEngine(_client()),
            table=RUNS,
            jobs_table=JOBS,
            shards=lambda: placed(1),
            retention_days=30,
        )
        self.usage = DynamoUsageStore(BotoEngine(_client()), table=JOBS)

    def counting(self) -> int:
        """Jobs that may still run, one by one."""
        rows = self.jobs.list_jobs(TENANT, limit=10, cursor=None).rows
        return sum(job_counts(job.timing.status) for job in rows)

    def apply(self, name: str, change: str, limit: int) -> None:
        """One change, as far as it is possible."""
        try:
            if change.startswith("die"):
                with death(before=change == "die before"):
                    self._create(name, limit)
            elif change == "create":
                self._create(name, limit)
            else:
                self._change(self.jobs.get(TENANT, job_id(name)), change, limit)
        except (QuotaExceeded, JobNotFound, JobChanged, Died):
            return

    def _create(self, name: str, limit: int) -> None:
        self.jobs.create(job_factory(job_id=job_id(name), next_run_at=None), limit=limit)

    def _change(self, job: Job, change: str, limit: int) -> None:
        match change:
            case "complete":
                self.jobs.complete(TENANT, job.job_id, now=NOW)
            case "plan":
                plan = Plan(attempts=(), next_run_at=None, runs_planned=0)
                self.runs.plan_all([Advance(timing=job.timing, plan=plan, at=NOW)])
            case "pause":
                self._move(job, JobStatus.PAUSED, limit)
            case "cancel":
                self._move(job, JobStatus.CANCELLED, limit)
            case _:
                self._move(job, JobStatus.ACTIVE, limit)

    def _move(self, job: Job, status: JobStatus, limit: int) -> None:
        timing = replace(job.timing, status=status, version=job.timing.version + 1)
        moved = replace(job, timing=timing, updated_at=after(job.timing.version))
        self.jobs.update(job, moved, limit=limit)


@contextmanager
def death(*, before: bool) -> Iterator[None]:
    """The next transaction is not sent, or its answer is lost."""
    event = "before-call" if before else "after-call"
    name = f"{event}.dynamodb.TransactWriteItems"

    _client().meta.events.register(name, Mock(side_effect=Died))
    try:
        yield
    finally:
        _client().meta.events.unregister(name, Mock(side_effect=Died))


@cache
def _client() -> "DynamoDBClient":
    return client_inside(Config(retries={"total_max_attempts": 1}))
