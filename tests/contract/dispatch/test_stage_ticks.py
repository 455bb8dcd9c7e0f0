"""``StageTicks``: the progress of every open shard, from the records that ticks keep."""

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.contract.conftest import NewStores
from tests.support.factories import NOW, after
from tests.support.stores.contract_stores import Stores
from tests.support.stores.recorder import recorded
from timegate.domain.auditing.audit_finding import AuditVerdict
from timegate.domain.auditing.stage_health import ShardTicks
from timegate.domain.dispatch.buckets import BucketProgress
from timegate.domain.dispatch.shards import OpenShards
from timegate.ports.dispatch.cursors import Watcher

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

SHARDS = OpenShards.first(2, at=after(-3600), key=b"k" * 32)


def tick(stores: Stores, watcher: Watcher, shard: int, *, seconds: float) -> None:
    """A tick that came so far."""
    cursor = stores.cursors.acquire(watcher, shard, owner="one", now=NOW, until=after(55))
    assert cursor is not None
    stores.cursors.release(cursor, BucketProgress(watermark=after(seconds), sealed=after(seconds)))


def test_a_shard_without_a_tick_has_no_progress(stores: Stores) -> None:
    """It is known since when it is open."""
    assert stores.stage_ticks.open_shards() is None
    assert stores.stage_ticks.read(SHARDS) == tuple(
        ShardTicks(shard=shard, opened_at=after(-3600)) for shard in range(2)
    )


def test_each_shard_shows_how_far_its_ticks_came(stores: Stores) -> None:
    """Planner, sweeper and auditor each by their own record; another number of shares is old."""
    assert stores.open_shards.replace(None, SHARDS)
    tick(stores, Watcher.PLANNER, 0, seconds=-120)
    tick(stores, Watcher.SWEEPER, 1, seconds=-240)
    for shard, of in ((1, 2), (0, 4)):
        walk = stores.audit_cursors.acquire(shard, of, owner="one", now=NOW, until=after(240))
        assert walk is not None
        verdict = AuditVerdict.of(at=after(-30), instants=4, unaccounted=0, lost=1)
        stores.audit_cursors.release(replace(walk, verdict=verdict))

    assert stores.stage_ticks.open_shards() == SHARDS
    assert stores.stage_ticks.read(SHARDS) == (
        ShardTicks(shard=0, opened_at=after(-3600), planned_to=after(-120)),
        ShardTicks(
            shard=1,
            opened_at=after(-3600),
            swept_to=after(-240),
            audit_began_at=NOW,
            audited=AuditVerdict(
                at=after(-30), instants=4, found_at=after(-30), unaccounted=0, lost=1
            ),
        ),
    )


def test_a_verdict_is_kept_while_the_next_audit_runs(stores: Stores) -> None:
    """The next holder of the share is given it, to follow."""
    walk = stores.audit_cursors.acquire(0, 1, owner="one", now=NOW, until=after(240))
    assert walk is not None
    assert walk.verdict is None
    verdict = AuditVerdict.of(at=NOW, instants=4, unaccounted=1, lost=0)
    stores.audit_cursors.release(replace(walk, verdict=verdict))
    again = stores.audit_cursors.acquire(0, 1, owner="two", now=after(1), until=after(241))

    assert again is not None
    assert again.verdict == verdict


@pytest.mark.parametrize(("shards", "requests"), [(1, 1), (33, 1), (34, 2), (128, 4)])
def test_a_request_reads_a_hundred_items(
    new_dynamo_stores: NewStores, dynamodb: "DynamoDBClient", shards: int, requests: int
) -> None:
    """Three of each shard: the cost of a health check is bounded by the number of shards."""
    stores = new_dynamo_stores()
    opened = OpenShards.first(shards, at=NOW, key=b"k" * 32)
    with recorded(dynamodb) as calls:
        found = stores.stage_ticks.read(opened)

    assert len(found) == shards
    assert calls == {"BatchGetItem": requests}
