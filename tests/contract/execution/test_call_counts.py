"""A piece of work costs a known number of calls, counted on the adapters' own client."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import islice
from typing import TYPE_CHECKING, Any

import pytest

from tests.contract.conftest import NewStores
from tests.contract.planning.planner import scheduling_of
from tests.support.factories import (
    NOW,
    TENANT,
    after,
    attempt_factory,
    attempt_id,
    job_factory,
    job_id,
    lease_factory,
    running,
)
from tests.support.stores.contract_stores import Stores
from tests.support.stores.recorder import Calls, recorded
from tests.support.stores.sound import sound_gaps, sound_runs
from timegate.adapters.dynamo.jobs.job_items import job_to_fields
from timegate.adapters.dynamo.tables.values import Item, to_item
from timegate.adapters.memory.backlog import MemoryBacklog
from timegate.adapters.memory.clock import MemoryClock
from timegate.adapters.memory.telemetry import MemoryTelemetry
from timegate.domain.dispatch.shards import ONE_SHARD, ShardTurn
from timegate.domain.jobs.catch_up import CatchUp, CatchUpPolicy
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.runs.conclusion import Conclusion, end, next_attempt
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.ports.runs.claims import LeaseClaim
from timegate.ports.stores import AttemptRef
from timegate.usecases.planning.materialise import materialise
from timegate.usecases.planning.plan_shard import TickCounts, plan_shard
from timegate.usecases.runs.store_conclusion import store_conclusion
from timegate.usecases.sweeping.sweep_shard import sweep_shard
from timegate.usecases.sweeping.sweeper_services import Sweeping

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

TURN = ShardTurn(shard=0, opened_at=NOW)
WEEKS = 3 * 7 * 86_400


def idle_jobs(count: int) -> Iterator[Item]:
    """Jobs that fire tomorrow, spread over its first hours: items differ where an index looks."""
    plain = to_item(job_to_fields(job_factory(), shards=ONE_SHARD))
    for number in range(count):
        each, at = job_id(f"idle {number}"), after(86_400 + number)
        own = job_to_fields(job_factory(job_id=each, next_run_at=at), shards=ONE_SHARD)
        names = ("pk", "due_bucket", "due_at", "next_run_at", "listed_at")
        yield {**plain, **to_item({name: own[name] for name in names})}


def fill(client: "DynamoDBClient", table: str, items: Iterator[Item]) -> None:
    """Store items, as many in a call as DynamoDB takes: 25."""
    while batch := list(islice(items, 25)):
        puts: Any = [{"PutRequest": {"Item": item}} for item in batch]
        client.batch_write_item(RequestItems={table: puts})


def tick(stores: Stores, *, now: datetime = NOW) -> TickCounts | None:
    """One planner tick over the only shard."""
    scheduling, clock = scheduling_of(stores), MemoryClock(now)
    return plan_shard(TURN, scheduling, stores.cursors, clock, owner="planner-1")


def table_of(stores: Stores) -> str:
    """Return the name of the jobs' table."""
    name: str = stores.jobs._table  # type: ignore[attr-defined]
    return name


def cost_of_a_tick(
    client: "DynamoDBClient", new_stores: NewStores, *, idle: int, due: int
) -> tuple[Calls, int]:
    """The calls of a tick beside so many idle jobs, and the jobs it advanced."""
    stores = new_stores(shards=1)
    fill(client, table_of(stores), idle_jobs(idle))
    for number in range(due):
        stores.add_job(job_id=job_id(f"due {number}"), next_run_at=after(number))
    with recorded(client) as calls:
        done = tick(stores)
    assert done is not None
    return calls, done.jobs


def test_idle_jobs_cost_a_tick_nothing(
    dynamodb: "DynamoDBClient", new_dynamo_stores: NewStores
) -> None:
    """A tick over ten thousand idle jobs makes as many calls as one over ten (N1)."""
    few = cost_of_a_tick(dynamodb, new_dynamo_stores, idle=10, due=3)
    many = cost_of_a_tick(dynamodb, new_dynamo_stores, idle=10_000, due=3)

    assert few == many
    assert few[1] == 3
    assert few[0]["Scan"] == 0


def test_an_idle_tick_is_a_lease_and_a_look_into_each_minute(
    dynamodb: "DynamoDBClient", new_dynamo_stores: NewStores
) -> None:
    """The look-ahead and the margin behind it: a bucket a minute, an hour back on the first."""
    stores = new_dynamo_stores(shards=1)
    tick(stores)
    with recorded(dynamodb) as calls:
        tick(stores)

    assert calls == {"UpdateItem": 2, "Query": 13}


@pytest.mark.parametrize(
    ("runs", "transactions"), [pytest.param(1, 1, id="once"), pytest.param(10, 3, id="minutely")]
)
def test_jobs_that_are_planned_together_share_transactions(
    dynamodb: "DynamoDBClient", new_dynamo_stores: NewStores, runs: int, transactions: int
) -> None:
    """Twenty-five jobs a step: as many to a transaction as a hundred writes allow."""
    stores = new_dynamo_stores(shards=1)
    timings = [stores.add_job(job_id=job_id(str(n))).timing for n in range(25)]
    window = timedelta(seconds=(runs - 1) * 60)
    with recorded(dynamodb) as calls:
        done = materialise(timings, scheduling_of(stores, look_ahead=window), now=NOW)

    assert done.runs_created == 25 * runs
    assert calls == {"BatchGetItem": 1, "TransactWriteItems": transactions}


@pytest.mark.parametrize(
    ("policy", "runs", "transactions"),
    [
        pytest.param(CatchUpPolicy.SKIP, 0, [2, 1], id="skip"),
        pytest.param(CatchUpPolicy.LATEST, 1, [2, 1], id="latest"),
        pytest.param(CatchUpPolicy.ALL, 300, [5, 1], id="all"),
    ],
)
def test_an_outage_of_three_weeks_costs_a_minutely_job_a_few_writes(
    dynamodb: "DynamoDBClient",
    new_dynamo_stores: NewStores,
    policy: CatchUpPolicy,
    runs: int,
    transactions: list[int],
) -> None:
    """One for the gap of 30,000 instants, and one per hundred runs; the next tick knows nothing.

    A settlement with a gap reads once; planning without one reads no runs.
    """
    stores = new_dynamo_stores(shards=1)
    catch_up = CatchUp(policy=policy, limit=300, window_seconds=WEEKS, grace_seconds=59)
    began = after(-WEEKS)
    job = stores.add_job(anchored_at=began, next_run_at=after(60 - WEEKS), catch_up=catch_up)
    scheduling = scheduling_of(stores)
    spent = []
    for later in (0, 60):
        timing = stores.jobs.get(TENANT, job.job_id).timing
        with recorded(dynamodb) as calls:
            materialise([timing], scheduling, now=after(later))
        spent.append(calls["TransactWriteItems"])
        # The runs on record are read once, where something is left out.
        looks = {"Query": 1} if later == 0 else {}
        assert calls == {"BatchGetItem": 1, "TransactWriteItems": spent[-1], **looks}
    (gap,) = sound_gaps(stores.jobs.gaps(TENANT, job.job_id, since=began, limit=9))
    missed = WEEKS // 60 - 1
    ran = stores.runs.history(TENANT, job.job_id, start=began, end=after(-60), limit=999)

    assert spent == transactions
    assert (gap.first, gap.last) == (after(60 - WEEKS), after(-60 * (runs + 1)))
    assert (gap.count, gap.reason) == (missed - runs, Reason.MISSED_WINDOW)
    assert [attempt.due_at for attempt in sound_runs(ran)] == [
        after(-60 * n) for n in range(runs, 0, -1)
    ]


def test_after_an_outage_the_present_is_planned_in_one_tick(
    dynamodb: "DynamoDBClient", new_dynamo_stores: NewStores
) -> None:
    """A look into each minute of the outage, and no more writes than jobs: others are on time."""
    hours = 4
    stores = new_dynamo_stores(shards=1)
    tick(stores, now=after(-hours * 3600))
    overdue = {job_id(f"overdue {n}") for n in range(3)}
    for each in overdue:
        catch_up = CatchUp(policy=CatchUpPolicy.LATEST)
        stores.add_job(job_id=each, next_run_at=after(60 - hours * 3600), catch_up=catch_up)
    once = Schedule(kind=ScheduleKind.AT, at=after(300))
    other = stores.add_job(job_id=job_id("other"), schedule=once, next_run_at=after(300))
    with recorded(dynamodb) as calls:
        tick(stores)

    assert sound_runs(stores.runs.history(TENANT, other.job_id, start=NOW, end=after(300), limit=9))
    # The other's; a gap for each that is overdue; and the runs of those together.
    assert calls["TransactWriteItems"] == 1 + len(overdue) + 1
    # Each overdue job costs one, for the runs on record in its gap.
    assert calls["Query"] == 13 + hours * 60 + len(overdue)
    assert calls["UpdateItem"] == 2


def test_runs_that_need_no_look_cost_a_sweep_nothing(
    dynamodb: "DynamoDBClient", new_dynamo_stores: NewStores
) -> None:
    """However much history there is: what has ended is in no bucket."""
    costs: list[Mapping[str, int]] = []
    for count in (10, 1000):
        stores = new_dynamo_stores(shards=1)
        ended = [of_job(n, state=RunState.SUCCEEDED, watch_at=None) for n in range(count)]
        stores.runs.insert_all(ended)
        sweeping = Sweeping(
            runs=stores.runs,
            slots=stores.slots,
            cursors=stores.cursors,
            operations=stores.operations,
            rules=stores.rules,
            dag_runs=stores.dag_runs,
            backlog=MemoryBacklog(),
            pools=stores.pools,
            telemetry=MemoryTelemetry(),
        )
        with recorded(dynamodb) as calls:
            sweep_shard(TURN, sweeping, MemoryClock(after(300)), owner="sweeper-1")
        costs.append(calls)

    assert costs[0] == costs[1]


def of_job(number: int, **fields: object) -> Attempt:
    """The attempt of one job of many."""
    return attempt_factory(id=attempt_id(job=job_id(str(number))), **fields)


def test_ten_short_runs_are_read_claimed_and_ended_by_three_calls(
    dynamodb: "DynamoDBClient", new_dynamo_stores: NewStores
) -> None:
    """One each for a whole batch of messages."""
    stores = new_dynamo_stores()
    attempts = [of_job(number) for number in range(10)]
    stores.runs.insert_all(attempts)
    with recorded(dynamodb) as calls:
        stores.runs.load_all([AttemptRef(tenant=TENANT, id=each.id) for each in attempts])
        stores.runs.claim_all(
            [LeaseClaim(attempt=each, job_version=1, lease=lease_factory()) for each in attempts]
        )
        running = [claimed_and_done(each) for each in attempts]
        stores.runs.finish_all(running)

    assert calls == {"BatchGetItem": 1, "BatchExecuteStatement": 2}


def claimed_and_done(attempt: Attempt) -> Attempt:
    """The attempt, claimed and done."""
    lease = lease_factory()
    held = attempt_factory(id=attempt.id, state=RunState.RUNNING, lease=lease, fence=1)
    return end(held, RunState.SUCCEEDED, now=after(1))


@pytest.mark.parametrize("is_cancelled", [False, True], ids=["retried", "called-off"])
def test_an_end_with_a_retry_is_one_call(
    dynamodb: "DynamoDBClient", new_dynamo_stores: NewStores, *, is_cancelled: bool
) -> None:
    """Only a cancel that came since the last heartbeat costs a second one."""
    stores = new_dynamo_stores()
    read = running(attempt_factory())
    stores.add(replace(read, cancel_requested=is_cancelled))
    ended = end(read, RunState.FAILED, now=after(1), reason=Reason.RETRIED)
    retry = next_attempt(read, after(3), after(1))
    conclusion = Conclusion(ended=ended, retry=retry, explanation="")
    with recorded(dynamodb) as calls:
        stored = store_conclusion(conclusion, stores.runs)
    second = {"BatchExecuteStatement": 1} if is_cancelled else {}

    assert stored is not None
    assert (stored.retry is None) is is_cancelled
    assert calls == {"TransactWriteItems": 1, **second}


def test_a_page_of_jobs_is_two_calls(
    dynamodb: "DynamoDBClient", new_dynamo_stores: NewStores
) -> None:
    """The index for their keys, the table for what they are now."""
    stores = new_dynamo_stores()
    for number in range(30):
        stores.add_job(job_id=job_id(str(number)), created_at=after(number))
    with recorded(dynamodb) as calls:
        page = stores.jobs.list_jobs(TENANT, limit=20, cursor=None)

    assert len(page.rows) == 20
    assert calls == {"Query": 1, "BatchGetItem": 1}
