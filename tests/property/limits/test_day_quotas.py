"""A quota of runs per day, whatever happens to claims: never too many, and no place is lost."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import date
from functools import cache
from typing import TYPE_CHECKING
from unittest.mock import Mock, patch

from botocore.config import Config
from botocore.exceptions import EndpointConnectionError
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.crash.services.streams import JOBS, RUNS
from tests.crash.services.tables import Tables
from tests.examples import some
from tests.support.execution.placing import placed
from tests.support.factories import TENANT, attempt_factory, attempt_id, job_factory, job_id
from tests.support.stores.dynamodb_inside import client_inside
from tests.support.world import World, delivery
from timegate.adapters.dynamo.jobs.job_store import DynamoJobStore
from timegate.adapters.dynamo.runs.run_store import DynamoRunStore
from timegate.adapters.dynamo.tables.boto_engine import BotoEngine
from timegate.adapters.dynamo.tenants.tenant_store import DynamoTenantStore
from timegate.domain.dispatch.message import RunMessage
from timegate.domain.execution.day_quota import day_of
from timegate.domain.limits.quotas import Quotas
from timegate.domain.runs.run import Attempt, Reason
from timegate.ports.stores import AttemptRef
from timegate.usecases.execution.claims.claim_runs import claim_runs

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

RUNS_THERE = 8
#: Fate of each message of a batch, some of which come twice.
FATES = ("claimed", "claimed", "die before", "die after")
STEPS = st.tuples(
    st.lists(st.integers(0, RUNS_THERE - 1), min_size=1, max_size=5),
    st.sampled_from(FATES),
    #: Seconds that pass: leases expire, and days end.
    st.sampled_from([0, 0, 61, 7 * 3600]),
)


@given(limit=st.integers(0, 5), steps=st.lists(STEPS, min_size=1, max_size=12))
@settings(max_examples=some(25))
def test_as_many_begin_as_may_and_each_is_counted(
    limit: int, steps: list[tuple[list[int], str, int]]
) -> None:
    """After every step, also one whose worker died before or after its claim was stored: what was
    counted on a day is what began on it, and nothing was skipped while there was room.
    """
    with patch("timegate.domain.execution.day_quota.PART", 2):
        days = Days(limit)
        for messages, fate, seconds in steps:
            days.deliver(messages, fate)
            days.world.clock.advance(seconds)

            assert max(days.began_on.values(), default=0) <= limit
            assert {day: days.world.runs.begun(TENANT, day) for day in days.began_on} == (
                days.began_on
            )
            assert set(days.skipped_on) <= {
                day for day in days.skipped_on if days.began_on[day] == limit
            }


class Days:
    """One tenant's runs, each of a job of its own, as the store has them."""

    def __init__(self, limit: int) -> None:
        Tables()
        self.world = World()
        self.world.jobs = _jobs()
        self.world.runs = DynamoRunStore(
            BotoEngine(_client()),
            table=RUNS,
            jobs_table=JOBS,
            shards=lambda: placed(1),
            retention_days=30,
        )
        tenants = DynamoTenantStore(BotoEngine(_client()), table=JOBS, retention_days=30)
        before = tenants.get(TENANT)
        tenants.put(TENANT, before, replace(before, quotas=Quotas(runs_per_day=limit)))
        self.runs = [self._run(str(number)) for number in range(RUNS_THERE)]
        self._decided: set[int] = set()
        self.began_on: Counter[date] = Counter()
        self.skipped_on: Counter[date] = Counter()

    def deliver(self, numbers: list[int], fate: str) -> None:
        """Their messages in one batch, in this order; then note what began, and what never will."""
        messages = [delivery(RunMessage.of(self.runs[number])) for number in numbers]
        worker = self.world.execution(owner=f"worker {self.world.clock.now()} {numbers}")
        try:
            with death(fate):
                claim_runs(messages, worker)
        except EndpointConnectionError:
            pass
        today = day_of(self.world.clock.now())
        for number, run in enumerate(self._stored()):
            if number in self._decided:
                continue
            self.began_on[today] += run.fence > 0
            self.skipped_on[today] += run.reason is Reason.QUOTA
            if run.fence > 0 or run.reason is Reason.QUOTA:
                self._decided.add(number)
        self.skipped_on += Counter()

    def _stored(self) -> list[Attempt]:
        refs = [AttemptRef(tenant=TENANT, id=run.id) for run in self.runs]
        found = [loaded.attempt for loaded in self.world.runs.load_all(refs)]
        return [attempt for attempt in found if attempt is not None]

    def _run(self, name: str) -> Attempt:
        job = job_id(name)
        self.world.jobs.create(job_factory(job_id=job, next_run_at=None))
        attempt = attempt_factory(id=attempt_id(job=job))
        self.world.runs.insert_all([attempt])
        return attempt


@contextmanager
def death(fate: str) -> Iterator[None]:
    """The next transaction is not sent, or its answer is lost, as the fate says."""
    if fate == "claimed":
        yield
        return
    event = "before-call" if fate == "die before" else "after-call"
    name = f"{event}.dynamodb.TransactWriteItems"
    dies = Mock(side_effect=EndpointConnectionError(endpoint_url="nowhere"))
    _client().meta.events.register(name, dies)
    try:
        yield
    finally:
        _client().meta.events.unregister(name, dies)


def _jobs() -> DynamoJobStore:
    return DynamoJobStore(
        BotoEngine(_client()), table=JOBS, shards=lambda: placed(1), retention_days=30
    )


@cache
def _client() -> "DynamoDBClient":
    return client_inside(Config(retries={"total_max_attempts": 1}))
