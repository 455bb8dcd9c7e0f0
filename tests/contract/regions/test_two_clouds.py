"""A pair of regions on two local clouds: their tables, their streams, a lag and a cut."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import boto3
import pytest

from infra.local.cloud import REGION, LocalCloud
from tests.support.factories import NOW, job_id
from tests.support.moving.moves import minutes
from tests.support.regions.cloud_engine import CloudEngine
from tests.support.regions.pair import HOME, OTHER, TwoRegions
from timegate.adapters.dynamo.dispatch.region_store import DynamoRegionStore
from timegate.domain.jobs.catch_up import CatchUp, CatchUpPolicy
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.runs.run import Reason, RunState
from timegate.usecases.regions.promote_region import promote_region
from timegate.usecases.regions.renew_region import Renewal

#: Each step reads both clouds' streams: fewer are enough.
STEP = 10
JOB = job_id("minutely")


def engine_of(cloud: LocalCloud) -> CloudEngine:
    """Tables of a cloud."""
    options: dict[str, Any] = {
        "region_name": REGION,
        "endpoint_url": cloud.endpoint,
        "aws_access_key_id": "test",
        "aws_secret_access_key": "test",
    }
    return CloudEngine(
        boto3.client("dynamodb", **options), boto3.client("dynamodbstreams", **options)
    )


@pytest.fixture
def pair(cloud: LocalCloud, tmp_path: Path) -> Iterator[TwoRegions]:
    """Two regions, each a cloud of its own; the records of regions are in none of the tables."""
    peer = LocalCloud.start(tmp_path)
    try:
        yield TwoRegions(step=STEP, engines={HOME: engine_of(cloud), OTHER: engine_of(peer)})
    finally:
        peer.stop()


def test_nothing_fires_twice_between_two_clouds(pair: TwoRegions) -> None:
    """Replicated by their streams; cut, promoted and healed."""
    pair.replication.lag = timedelta(seconds=5)
    pair.run_until(minutes(1))
    pair.home.add_job(
        job_id=JOB,
        schedule=Schedule(kind=ScheduleKind.RATE, every_seconds=60),
        anchored_at=NOW,
        next_run_at=minutes(2),
        catch_up=CatchUp(policy=CatchUpPolicy.ALL, limit=100),
    )
    pair.run_until(minutes(4))
    pair.replication.is_cut = True
    promote_region(OTHER, pair.other.records, fenced=None, now=pair.now)
    pair.run_until(minutes(12))
    pair.replication.is_cut = False
    pair.run_until(minutes(15))
    here, there = (
        {call.attempt.run.scheduled_at for call in each.target.calls} for each in pair.regions
    )
    doubted = {
        each.id.run.scheduled_at
        for each in pair.other.attempts()
        if (each.state, each.reason) == (RunState.DEAD_LETTERED, Reason.REGION_LOST)
    }
    last = [why for _, name, why in pair.renewals if name == OTHER][-1]

    assert max(pair.fired().values()) == 1
    assert here | there | doubted >= {minutes(number) for number in range(2, 15)}
    assert max(here) < minutes(9) <= min(there)
    assert doubted >= here & {minutes(number) for number in range(5, 9)}
    assert last is Renewal.RENEWED
    assert isinstance(pair.other.records, DynamoRegionStore)
