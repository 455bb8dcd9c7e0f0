"""A pair of regions on two local clouds: their tables, their streams, a lag and a cut."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.config import Config

from infra.local.cloud import REGION, LocalCloud
from tests.support.factories import NOW, job_id
from tests.support.moving.moves import minutes
from tests.support.regions.cloud_engine import CloudEngine
from tests.support.regions.operator import OPERATOR, operating
from tests.support.regions.pair import HOME, LENGTH, OTHER, RECORDS, Region, TwoRegions
from tests.support.stores.table_descriptions import jobs_table
from tests.support.world import delivery
from timegate.adapters.dynamo.dispatch.region_store import DynamoRegionStore
from timegate.adapters.dynamo.tables.boto_engine import BotoEngine
from timegate.domain.jobs.catch_up import CatchUp, CatchUpPolicy
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.regions.region_errors import RegionUnreached
from timegate.domain.runs.run import Reason, RunState
from timegate.usecases.regions.promote_region import promote_region
from timegate.usecases.regions.renew_region import Renewal

pytestmark = pytest.mark.wide

#: Each step reads both clouds' streams: fewer are enough.
STEP = 10
JOB = job_id("minutely")


def client_of(cloud: LocalCloud, service: str) -> Any:  # noqa: ANN401 - of any service
    """Build a client that does not wait for a cloud that is gone."""
    options: dict[str, Any] = {
        "region_name": REGION,
        "endpoint_url": cloud.endpoint,
        "aws_access_key_id": "test",
        "aws_secret_access_key": "test",
    }
    once = Config(retries={"total_max_attempts": 1})
    return boto3.client(service, config=once, **options)  # type: ignore[call-overload]


def engine_of(cloud: LocalCloud) -> CloudEngine:
    """Make the tables of a region in a cloud."""
    return CloudEngine(client_of(cloud, "dynamodb"), client_of(cloud, "dynamodbstreams"))


def records_of(cloud: LocalCloud) -> BotoEngine:
    """Make the table of a region's record in a cloud."""
    client = client_of(cloud, "dynamodb")
    client.create_table(**jobs_table(RECORDS))
    return BotoEngine(client)


@pytest.fixture
def pair(cloud: LocalCloud, tmp_path: Path) -> Iterator[TwoRegions]:
    """Two regions, each a cloud of its own; the records of regions are in none of the tables."""
    peer, home = LocalCloud.start(tmp_path), engine_of(cloud)
    try:
        yield TwoRegions(step=STEP, engines={HOME: home, OTHER: engine_of(peer)})
    finally:
        peer.stop()
        home.drop()


def add_job(region: Region) -> None:
    """A job of each minute, whose instants are all caught up."""
    region.add_job(
        job_id=JOB,
        schedule=Schedule(kind=ScheduleKind.RATE, every_seconds=60),
        anchored_at=NOW,
        next_run_at=minutes(2),
        catch_up=CatchUp(policy=CatchUpPolicy.ALL, limit=100),
    )


def in_doubt(region: Region) -> set[datetime]:
    """Instants of runs that the other region may have begun."""
    return {
        each.id.run.scheduled_at
        for each in region.attempts()
        if (each.state, each.reason) == (RunState.DEAD_LETTERED, Reason.REGION_LOST)
    }


def test_nothing_fires_twice_between_two_clouds(pair: TwoRegions) -> None:
    """Replicated by their streams; cut, promoted and healed."""
    pair.replication.lag = timedelta(seconds=5)
    pair.run_until(minutes(1))
    add_job(pair.home)
    pair.run_until(minutes(4))
    pair.replication.is_cut = True
    promote_region(OTHER, pair.other.records, fenced=None, now=pair.now)
    pair.run_until(minutes(12))
    pair.replication.is_cut = False
    pair.run_until(minutes(15))
    here, there = (
        {call.attempt.run.scheduled_at for call in each.target.calls} for each in pair.regions
    )
    doubted = in_doubt(pair.other)
    last = [why for _, name, why in pair.renewals if name == OTHER][-1]

    assert max(pair.fired().values()) == 1
    assert here | there | doubted >= {minutes(number) for number in range(2, 15)}
    assert max(here) < minutes(9) <= min(there)
    assert doubted >= here & {minutes(number) for number in range(5, 9)}
    assert last is Renewal.RENEWED
    assert isinstance(pair.other.records, DynamoRegionStore)


@pytest.fixture
def dying(cloud: LocalCloud, tmp_path: Path) -> Iterator[tuple[TwoRegions, LocalCloud]]:
    """A pair whose records lie in both clouds as well, and the cloud of its first region."""
    lost = LocalCloud.start(tmp_path)
    engines = {HOME: engine_of(lost), OTHER: engine_of(cloud)}
    try:
        records: dict[str, Any] = {HOME: records_of(lost), OTHER: records_of(cloud)}
        yield TwoRegions(step=STEP, engines=engines, record_engines=records), lost
    finally:
        lost.stop()
        engines[OTHER].drop()


def test_a_region_that_dies_mid_run_is_taken_over(dying: tuple[TwoRegions, LocalCloud]) -> None:
    """Its tables answer nothing more; what it had begun is on record as that."""
    pair, cloud = dying
    pair.run_until(minutes(1))
    add_job(pair.home)
    pair.run_until(minutes(3) + timedelta(seconds=50))
    due = [delivery(each, n) for n, each in enumerate(pair.home.publisher.sent)]
    pair.home.clock.set(minutes(4))
    pair.home.publisher.sent = []
    pair.home.hold(due)
    under_way = {claimed.attempt.id.run.scheduled_at for claimed, _ in pair.home.held}
    cloud.stop()
    pair.home.is_down, pair.replication.lost = True, {HOME}
    with pytest.raises(RegionUnreached):
        operating(pair, OTHER).promote(unreachable=False, is_off=False, dry_run=False)
    command = operating(pair, OTHER)
    record = command.promote(unreachable=True, is_off=False, dry_run=False)
    pair.run_until(record.acts_from + timedelta(minutes=3))
    here, there = (
        {call.attempt.run.scheduled_at for call in each.target.calls} for each in pair.regions
    )
    doubted, (step,) = in_doubt(pair.other), pair.other.records.steps()
    ended = record.lost_until
    assert ended is not None

    assert under_way == {minutes(4)}
    assert under_way <= doubted
    assert max(pair.fired().values()) == 1
    assert here | there | doubted >= {minutes(number) for number in range(2, 12)}
    assert max(here) < minutes(4) < ended <= min(there)
    # Recovery point: what had ended a minute before its death is on record as it ended.
    assert min(doubted) >= minutes(3)
    # Recovery time: the promise was made a minute ago at most, and margins are ninety seconds.
    assert record.acts_from <= minutes(4) + LENGTH + timedelta(seconds=90)
    assert (step.by, step.record) == (OPERATOR, record)
