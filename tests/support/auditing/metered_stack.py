"""The meter of a deployed stack: counted at once, and held against the records themselves."""

from dataclasses import replace
from datetime import UTC, datetime

from tests.support.deployed.stack import Stack, wait_until
from timegate.adapters.dynamo.auditing.meter_store import DynamoMeterStore
from timegate.adapters.dynamo.tables.boto_engine import BotoEngine
from timegate.domain.metering.tally import CostTally


def meter_of(stack: Stack) -> DynamoMeterStore:
    """The meter's records of a stack."""
    return DynamoMeterStore(
        BotoEngine(stack.aws("dynamodb")),
        jobs_table=stack.outputs["JobsTableName"],
        runs_table=stack.outputs["RunsTableName"],
    )


def counted_now(stack: Stack) -> datetime:
    """Let the meter count what has ended until now: by itself it waits five minutes for writers.

    Returns the instant up to which ends are counted.
    """
    meter = meter_of(stack)

    def begun() -> bool | None:
        stored = meter.read_round()
        next_round = replace(stored, until=datetime.now(UTC), position=None, pages=0)
        # A tick of the stack's own may be counting.
        return (stored.until is None and meter.move(stored, next_round, {})) or None

    wait_until(begun, seconds=60)

    def counted() -> datetime | None:
        # A tick counts nothing on a stack of which no shard is open yet.
        stack.invoke("AuditorFunctionName", {"shards": [0]})
        stored = meter.read_round()
        return stored.since if stored.until is None else None

    return wait_until(counted, seconds=120, pause=1)


def on_record(stack: Stack, *, since: datetime, until: datetime) -> CostTally:
    """Add up all attempts that ended within an interval, of whatever tenant, without a round."""
    meter, found, position = meter_of(stack), CostTally(), None
    while True:
        page = meter.read_page(position)
        found += CostTally.of(each for each in page.attempts if each.ended_within(since, until))
        position = page.position
        if position is None:
            return found
