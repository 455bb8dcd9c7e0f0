"""An operator of a pair of regions, whose commands reach both of them."""

from collections.abc import Callable
from typing import Any

from infra.admin.regions import PairAccess
from tests.support.factories import NOW
from tests.support.regions.pair import RECORDS, Peer, TwoRegions
from tests.support.stores.records import JOBS_TABLE
from timegate.adapters.dynamo.dispatch.region_store import DynamoRegionStore, PeerRegionStore
from timegate.adapters.dynamo.dispatch.shard_store import DynamoShardStore
from timegate.domain.dispatch.shards import KEY_BYTES, OpenShards

OPERATOR = "arn:aws:sts::111122223333:assumed-role/on-call/ada"
#: Puts something around the engine of a region's record.
Around = Callable[[str, Any], Any]


def with_open_shards(pair: TwoRegions) -> TwoRegions:
    """The same pair; its record of open shards is replicated like all others."""
    shards = OpenShards.first(1, at=NOW, key=bytes(KEY_BYTES))
    DynamoShardStore(pair.home.tables.engine, table=JOBS_TABLE).replace(None, shards)
    return pair


def operating(pair: TwoRegions, name: str, around: Around = lambda _, engine: engine) -> PairAccess:
    """Reach both regions from one; ``around``: what a command's process is made of."""
    own, other = sorted(pair.regions, key=lambda each: each.name != name)
    here, there = (
        DynamoRegionStore(around(each.name, pair.record_engines[each.name]), table=RECORDS)
        for each in (own, other)
    )
    return PairAccess(
        stage="prod",
        region=own.name,
        peer=other.name,
        own=here,
        other=Peer(PeerRegionStore(there), pair),
        walks={each.name: each.walks for each in pair.regions},
        engine=own.tables.engine,
        peer_engine=other.tables.engine,
        jobs_table=JOBS_TABLE,
        now=pair.now,
        by=OPERATOR,
    )
