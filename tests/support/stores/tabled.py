"""A world on the real adapters: DynamoDB inside this process, and every call counted."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING, Any

from ministack.services import dynamodb  # type: ignore[import-untyped]

from tests.support.api import HeardTelemetry
from tests.support.stores.contract_stores import dynamo_stores
from tests.support.world import World
from timegate.adapters.archive.memory_files import MemoryArchiveFiles
from timegate.adapters.dynamo.audit_trail.audit_writes import AuditWrites
from timegate.adapters.dynamo.dags.dag_store import DynamoDagStore
from timegate.adapters.dynamo.tables.boto_engine import BotoEngine
from timegate.adapters.memory.blob_store import MemoryBlobStore
from timegate.ports.tenants.audit_trail import AuditStore

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

_NUMBERS = count(1)

#: Stores of a world, by its own names.
_STORES = (
    *("jobs", "runs", "restrictions", "operations", "dead_letters", "failures"),
    *("slots", "rates", "pools", "logs", "dag_runs", "events", "approvals"),
    *("event_triggers", "listed_runs", "rules", "rule_messages", "absences", "usage"),
    *("stage_ticks", "meter", "audits", "trail", "tenants", "api_keys"),
)


class CountedBlobs(MemoryBlobStore):
    """Each call as the one of S3 that it stands for."""

    def __init__(self, calls: list[str]) -> None:
        super().__init__()
        self._calls = calls

    def put(self, path: str, text: str) -> None:
        """Store text under a path."""
        self._calls.append("PutObject")
        super().put(path, text)

    def get(self, path: str) -> str:
        """Read it back."""
        self._calls.append("GetObject")
        return super().get(path)


class CountedArchive(MemoryArchiveFiles):
    """The same, for the archive."""

    def __init__(self, calls: list[str]) -> None:
        super().__init__()
        self._calls = calls

    def read(self, path: str) -> bytes | None:
        """Return a file."""
        self._calls.append("GetObject")
        return super().read(path)

    def folders(self, prefix: str, *, since: str = "") -> list[str]:
        """Return the names of the folders below a folder."""
        self._calls.append("ListObjectsV2")
        return super().folders(prefix, since=since)

    def paths(self, prefix: str) -> list[str]:
        """Return the paths of all files below a folder."""
        self._calls.append("ListObjectsV2")
        return super().paths(prefix)


class TabledWorld(World):
    """All of Timegate on tables of its own."""

    audits: AuditStore

    def __init__(self, client: "DynamoDBClient") -> None:
        super().__init__(telemetry=HeardTelemetry())
        #: Every call since the world began, in order.
        self.calls: list[str] = []
        self.client = client
        name = f"tabled-{next(_NUMBERS)}"
        self._names = [f"jobs-{name}", f"runs-{name}"]
        stores: Any = dynamo_stores(client, name, shards=1)
        self.blobs = CountedBlobs(self.calls)
        self.archive_files = CountedArchive(self.calls)
        for kind in _STORES:
            setattr(self, kind, getattr(stores, kind))
        dags: Any = DynamoDagStore(
            BotoEngine(client),
            table=self._names[0],
            blobs=self.blobs,
            runs=stores.runs,
            audit=AuditWrites(stores.trail, table=self._names[0]),
        )
        self.dags = dags

    @contextmanager
    def counted(self) -> Iterator[list[str]]:
        """The calls that are made while the block runs, by operation."""
        before, sent = len(self.calls), len(self.publisher.sent)
        made: list[str] = []

        def note(model: Any, **_: object) -> None:  # noqa: ANN401 - botocore's own
            self.calls.append(model.name)

        self.client.meta.events.register("before-call.dynamodb", note)
        try:
            yield made
        finally:
            self.client.meta.events.unregister("before-call.dynamodb", note)
            made += self.calls[before:]
            # Ten messages a call, and here never more of one queue.
            made += ["SendMessageBatch"] * int(len(self.publisher.sent) > sent)

    def items(self, tenant: str) -> list[dict[str, Any]]:
        """Every item in a partition of the tenant's, as it is stored."""
        return [
            item
            for name in self._names
            for pk, rows in dynamodb._tables.get(name)["items"].items()
            for item in rows.values()
            if _owner(pk) == tenant
        ]


def _owner(pk: str) -> str:
    """Return the tenant of a partition; records of the system have ``#`` or none."""
    return pk.partition("#")[0]
