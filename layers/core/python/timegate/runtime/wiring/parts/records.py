"""Wiring of the records: how each store is given its tables, shards, retention and audit trail."""

from typing import TYPE_CHECKING, Protocol, Self, TypeVar

from timegate.adapters.dynamo.audit_trail.audit_writes import AuditWrites
from timegate.adapters.dynamo.dispatch.shard_store import DynamoShardStore
from timegate.adapters.dynamo.runs.run_store import DynamoRunStore
from timegate.adapters.dynamo.tables.engine import Engine
from timegate.adapters.system_clock import SystemClock
from timegate.ports.dispatch.shards import ShardPlacement
from timegate.ports.tenants.audit_trail import Trail
from timegate.runtime.settings import Tables
from timegate.usecases.planning.open_shards import ObedientSpread, OpeningSpread
from timegate.value_classes import dataclass

if TYPE_CHECKING:
    from timegate.usecases.tenants.keys_at_hand import KeysAtHand

Store_co = TypeVar("Store_co", covariant=True)


class Plain(Protocol[Store_co]):
    """A store whose items are in no shard."""

    def __call__(
        self, engine: Engine, *, table: str, retention_days: int, audit: AuditWrites
    ) -> Store_co:
        """Build the store."""
        ...


class Sharded(Protocol[Store_co]):
    """A store that spreads its items over shards."""

    def __call__(
        self,
        engine: Engine,
        *,
        table: str,
        shards: ShardPlacement,
        retention_days: int,
        audit: AuditWrites,
    ) -> Store_co:
        """Build the store."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class StoreMaker:
    """Builds the stores of one function. The function's wiring imports the ones it names."""

    tables: Tables
    engine: Engine
    spread: ShardPlacement
    #: The stores add an entry to each change, where a person or a client makes changes.
    trail: Trail | None = None

    @classmethod
    def obedient(cls, tables: Tables, engine: Engine, trail: Trail | None = None) -> Self:
        """Build the records of functions that change runs: they open no shards."""
        spread = ObedientSpread(tables.shards, DynamoShardStore(engine, table=tables.jobs))
        return cls(tables=tables, engine=engine, spread=spread, trail=trail)

    @classmethod
    def opening(cls, tables: Tables, engine: Engine, trail: Trail | None = None) -> Self:
        """Build the records of functions that create jobs or runs, which open shards first."""
        store = DynamoShardStore(engine, table=tables.jobs)
        spread = OpeningSpread(tables.shards, store, SystemClock())
        return cls(tables=tables, engine=engine, spread=spread, trail=trail)

    @property
    def audit(self) -> AuditWrites:
        """Entries of the trail are in the table of jobs."""
        return AuditWrites(self.trail, table=self.tables.jobs)

    def plain(self, store: Plain[Store_co]) -> Store_co:
        """Build a store over the table of jobs."""
        tables = self.tables
        return store(
            self.engine,
            table=tables.jobs,
            retention_days=tables.run_retention_days,
            audit=self.audit,
        )

    def sharded_jobs(self, store: Sharded[Store_co]) -> Store_co:
        """Build a store that spreads items over the table of jobs."""
        return self._sharded(store, self.tables.jobs)

    def sharded_runs(self, store: Sharded[Store_co]) -> Store_co:
        """Build a store that spreads items over the table of runs."""
        return self._sharded(store, self.tables.runs)

    def runs(self) -> DynamoRunStore:
        """Build the store of runs."""
        tables = self.tables
        return DynamoRunStore(
            self.engine,
            table=tables.runs,
            jobs_table=tables.jobs,
            shards=self.spread,
            retention_days=tables.run_retention_days,
            stage=tables.stage_quotas,
            audit=self.audit,
        )

    def _sharded(self, store: Sharded[Store_co], table: str) -> Store_co:
        return store(
            self.engine,
            table=table,
            shards=self.spread,
            retention_days=self.tables.run_retention_days,
            audit=self.audit,
        )

    def keys_at_hand(self) -> "KeysAtHand":
        """Build what a process remembers of API keys: imported when a request is about one."""
        from timegate.adapters.dynamo.tenants.api_key_store import (  # noqa: PLC0415
            DynamoApiKeyStore,
        )
        from timegate.usecases.tenants.keys_at_hand import KeysAtHand  # noqa: PLC0415

        return KeysAtHand(DynamoApiKeyStore(self.engine, table=self.tables.jobs, audit=self.audit))
