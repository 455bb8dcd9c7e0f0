"""Costs of work in DynamoDB: calls by operation, and the write units that they are billed."""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

WRITES = ("PutItem", "UpdateItem", "TransactWriteItems")


@dataclass
class Consumption:
    """Added up over all threads."""

    calls: Counter[str] = field(default_factory=Counter)
    #: By table and index, as DynamoDB reports them.
    write_units: Counter[str] = field(default_factory=Counter)

    def per_job(self, jobs: int) -> dict[str, Any]:
        """Return the shares of a job, for a report."""
        return {
            "calls_per_job": _shares(self.calls, jobs),
            "write_units_per_job": _shares(self.write_units, jobs),
            "write_units_per_job_in_all": round(self.write_units.total() / jobs, 3),
        }


def _shares(counts: Mapping[str, float], jobs: int) -> dict[str, float]:
    return {name: round(count / jobs, 4) for name, count in sorted(counts.items())}


@contextmanager
def consumed(client: "DynamoDBClient") -> Iterator[Consumption]:
    """The client's calls while the block runs, each asked what it consumed."""
    total, lock = Consumption(), Lock()

    def ask(params: dict[str, Any], model: Any, **_: object) -> None:  # noqa: ANN401 - botocore's
        if model.name in WRITES:
            params["ReturnConsumedCapacity"] = "INDEXES"

    def note(parsed: dict[str, Any], model: Any, **_: object) -> None:  # noqa: ANN401 - botocore's
        answer = parsed.get("ConsumedCapacity", [])
        with lock:
            total.calls[model.name] += 1
            for table in answer if isinstance(answer, list) else [answer]:
                _add(total.write_units, table)

    events = client.meta.events
    events.register("provide-client-params.dynamodb", ask)
    events.register("after-call.dynamodb", note)
    try:
        yield total
    finally:
        events.unregister("provide-client-params.dynamodb", ask)
        events.unregister("after-call.dynamodb", note)


def _add(units: Counter[str], table: Mapping[str, Any]) -> None:
    kind = table["TableName"].partition("-")[0]
    indexes = table.get("GlobalSecondaryIndexes", {})
    for name, index in indexes.items():
        units[f"{kind}/{name}"] += index["CapacityUnits"]
    # The emulator leaves the table's own share out of a transaction's answer.
    units[kind] += table["CapacityUnits"] - sum(each["CapacityUnits"] for each in indexes.values())
