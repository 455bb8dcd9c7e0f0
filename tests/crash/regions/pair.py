"""A stage in two regions, whose functions live in one and then in the other.

Each region has tables, queues and containers of its own. Only one of a pair acts, so that the other
one's functions are left out until they may: what they do before is to read that.
"""

from collections.abc import Collection
from datetime import datetime, timedelta

import pytest
from botocore.config import Config
from ministack.services import dynamodb  # type: ignore[import-untyped]

from infra.admin.regions import PairAccess
from tests.crash.faults import NO_PROCESS, Fault
from tests.crash.regions.replicas import REPLICATED, Replica
from tests.crash.services.cloud import Cloud
from tests.crash.services.queueing.queue import Message
from tests.crash.services.streams import JOBS, readers
from tests.crash.services.tables import Tables
from tests.support.regions.operator import OPERATOR
from tests.support.regions.replication import Replication
from tests.support.stores.dynamodb_inside import REGION, client_inside
from tests.support.stores.table_descriptions import jobs_table
from timegate.adapters.dynamo.auditing.takeover_walks import DynamoTakeoverWalks
from timegate.adapters.dynamo.dispatch.region_store import DynamoRegionStore, PeerRegionStore
from timegate.adapters.dynamo.tables.boto_engine import BotoEngine
from timegate.runtime.wiring.parts import region as region_wiring

HOME, OTHER = REGION, "eu-central-1"
RECORDS = "timegate-test-region"
#: A region's time: how long it acts by one promise.
LENGTH = timedelta(seconds=300)


class RegionDown(Exception):
    """The region that acts has died, with all that was under way in it."""


class Pair:
    """Both regions, and what goes over between them."""

    def __init__(self, cloud: Cloud, patch: pytest.MonkeyPatch) -> None:
        self.cloud = cloud
        self._patch = patch
        self._tables = {HOME: cloud.region.tables, OTHER: Tables(OTHER)}
        self._messages: dict[str, dict[str, list[Message]]] = {}
        self._at = HOME
        #: The region dies when a fault has struck one of its processes.
        self.dies = False
        self.replication = self._replicated()
        for name, text in {"HOME_REGION": HOME, "REGION_TABLE": RECORDS}.items():
            patch.setenv(name, text)
        patch.setenv("REGION_SECONDS", str(int(LENGTH.total_seconds())))

    @property
    def now(self) -> datetime:
        """The time in both regions."""
        return self.cloud.now

    def begin(self, faults: Collection[Fault], *, lag: timedelta, dies: bool) -> None:
        """A new story: both regions have the same items, and neither has a record."""
        self._messages.clear()
        self.enter(HOME)
        self.cloud.begin(faults)
        region = self.cloud.region
        # Items of the other region arrive with instants of before.
        region.entries.look = lambda *_, **__: None  # type: ignore[method-assign]
        region.unreached.clear()
        for tables in self._tables.values():
            tables.make(jobs_table(RECORDS))
        # The same calls of another story had the same tokens.
        dynamodb._txn_idempotency.clear()
        self._copy()
        self.replication = self._replicated()
        self.replication.lag = lag
        self.dies = dies
        self.cloud.watch = self._look

    def end(self, tenant: str) -> None:
        """Leave no trace of a story's tenant."""
        self.cloud.watch = lambda: None
        self.enter(HOME)
        for tables in self._tables.values():
            tables.forget(tenant)

    def enter(self, name: str) -> None:
        """Let functions live in a region from now on; what was under way elsewhere is gone."""
        cloud, region = self.cloud, self.cloud.region
        region.injector.current = NO_PROCESS
        for actor, _ in cloud.actors:
            region.injector.current = actor.process
            actor.abandon()
        region.injector.current = NO_PROCESS
        cloud.actors.clear()
        cloud.ticks.waiting.clear()
        self._messages[self._at] = {n: each.messages for n, each in cloud.queues.queues.items()}
        left = self._messages.get(name, {})
        for queue in cloud.queues.queues.values():
            queue.messages = left.get(queue.name, [])
        for source in cloud.sources:
            source.at_work = 0
        self._at, region.tables = name, self._tables[name]
        self.replication.step()
        cloud.readers = readers(cloud.queues.rejected)
        for reader in cloud.readers:
            reader.begin(region.tables.begin_stream(reader.table))
        region.cool()
        for variable in ("AWS_REGION", "AWS_DEFAULT_REGION"):
            self._patch.setenv(variable, name)
        for variable in ("PEER_REGION", "TARGET_REGIONS"):
            self._patch.setenv(variable, OTHER if name == HOME else HOME)
        region_wiring.known_region.cache_clear()

    def cut(self) -> None:
        """Nothing goes over any more, neither items nor calls."""
        self.replication.is_cut = True
        self.cloud.region.unreached = {OTHER if self._at == HOME else HOME}

    def heal(self) -> None:
        """Everything goes over again."""
        self.replication.is_cut = False
        self.cloud.region.unreached.clear()

    def operator(self, name: str) -> PairAccess:
        """The operator's commands, given in a region."""
        peer = OTHER if name == HOME else HOME
        own, other = (BotoEngine(client_inside(Config(), each)) for each in (name, peer))
        return PairAccess(
            stage="test",
            region=name,
            peer=peer,
            own=DynamoRegionStore(own, table=RECORDS),
            other=PeerRegionStore(DynamoRegionStore(other, table=RECORDS)),
            walks={
                each: DynamoTakeoverWalks(engine, table=RECORDS, jobs_table=JOBS)
                for each, engine in ((name, own), (peer, other))
            },
            engine=own,
            peer_engine=other,
            jobs_table=JOBS,
            now=self.now,
            by=OPERATOR,
        )

    def _look(self) -> None:
        """After each invocation; raises ``RegionDown``."""
        self.replication.step()
        if self.dies and not self.cloud.region.injector.ahead:
            self.dies = False
            raise RegionDown

    def _replicated(self) -> Replication:
        replicas = {name: Replica(tables) for name, tables in self._tables.items()}
        return Replication(replicas, lambda: self.now)  # type: ignore[arg-type]

    def _copy(self) -> None:
        """Have the second region know what the first one does."""
        for table in REPLICATED:
            for item in self._tables[OTHER].items(table):
                self._tables[OTHER].remove(table, {name: item[name] for name in ("pk", "sk")})
            for item in self._tables[HOME].items(table):
                self._tables[OTHER].put(table, item)
