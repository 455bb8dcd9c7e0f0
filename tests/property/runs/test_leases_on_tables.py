"""Leases on DynamoDB's rules: the machine plays with both kinds of store at once."""

from functools import cache
from typing import TYPE_CHECKING

from botocore.config import Config
from hypothesis import HealthCheck, settings

from tests.crash.services.streams import JOBS, RUNS
from tests.crash.services.tables import Tables
from tests.examples import some
from tests.property.runs.test_leases import Leases
from tests.support.execution.placing import placed
from tests.support.stores.dynamodb_inside import client_inside
from tests.support.stores.twinned import Twinned
from tests.support.world import World
from timegate.adapters.dynamo.jobs.job_store import DynamoJobStore
from timegate.adapters.dynamo.runs.run_store import DynamoRunStore
from timegate.adapters.dynamo.tables.boto_engine import BotoEngine

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


class LeasesOnTables(Leases):
    """All that ``Leases`` plays and checks; besides, both engines agree each time."""

    def new_world(self) -> World:
        """Put empty tables beside those in memory."""
        world = World()
        Tables()
        runs = DynamoRunStore(
            BotoEngine(_client()),
            table=RUNS,
            jobs_table=JOBS,
            shards=lambda: placed(1),
            retention_days=30,
        )
        jobs = DynamoJobStore(
            BotoEngine(_client()), table=JOBS, shards=lambda: placed(1), retention_days=30
        )
        world.runs = Twinned(world.runs, runs)
        world.jobs = Twinned(world.jobs, jobs)
        return world


@cache
def _client() -> "DynamoDBClient":
    return client_inside(Config())


TestLeasesOnTables = LeasesOnTables.TestCase
TestLeasesOnTables.settings = settings(
    max_examples=some(15),
    stateful_step_count=30,
    suppress_health_check=[HealthCheck.too_slow],
)
