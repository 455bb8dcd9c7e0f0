"""Looks cost a known number of calls, and runs pay for none."""

from typing import TYPE_CHECKING

from tests.contract.conftest import NewStores
from tests.support.factories import NOW, TENANT, after, attempt_factory, attempt_id, job_factory
from tests.support.ruling import looking_on, rule_factory
from tests.support.stores.contract_stores import Stores
from tests.support.stores.recorder import Calls, recorded
from timegate.adapters.memory.clock import MemoryClock
from timegate.adapters.memory.telemetry import MemoryTelemetry
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.rules.rule import Rule, RuleName, When
from timegate.domain.runs.run import RunState
from timegate.usecases.rules.look_at_rules import look_at_rules
from timegate.usecases.sweeping.wake_overdue import wake_rules

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

DAILY = Schedule(kind=ScheduleKind.RATE, every_seconds=86_400)


def look(stores: Stores, *, at: float) -> bool:
    """Make a look."""
    looking = looking_on(stores, MemoryTelemetry(), MemoryClock(after(at)))
    return look_at_rules([TENANT], looking) == [True]


def ruled(stores: Stores, when: When) -> Rule:
    """A rule, and a job that recurs."""
    stores.jobs.create(job_factory(schedule=DAILY))
    return stores.rules.put_rule(rule_factory(when=when), expected_version=0, now=NOW)


def add_failure(stores: Stores, seconds: float) -> None:
    """A run that failed so long after the beginning."""
    failed = attempt_factory(
        id=attempt_id(scheduled_at=after(seconds)),
        state=RunState.FAILED,
        ended_at=after(seconds),
        watch_at=None,
    )
    stores.add(failed)


def test_a_stage_without_rules_pays_one_query_a_minute(
    dynamodb: "DynamoDBClient", new_dynamo_stores: NewStores
) -> None:
    """The sweeper asks who is due."""
    stores = new_dynamo_stores(shards=1)
    with recorded(dynamodb) as calls:
        wake_rules(stores.rules, MemoryTelemetry(), now=NOW)

    assert calls == Calls({"Query": 1})


def test_a_quiet_tenant_pays_one_write_and_six_queries(
    dynamodb: "DynamoDBClient", new_dynamo_stores: NewStores
) -> None:
    """The write is the sweeper's; the look writes nothing."""
    stores = new_dynamo_stores(shards=1)
    ruled(stores, When(failures_in_a_row=3, recovered=True))
    with recorded(dynamodb) as woken:
        wake_rules(stores.rules, MemoryTelemetry(), now=NOW)
    with recorded(dynamodb) as looked:
        assert look(stores, at=60)

    assert woken == Calls({"Query": 1, "UpdateItem": 1})
    assert looked == Calls({"Query": 6})


def test_a_lateness_rule_costs_four_queries_a_look_and_none_for_a_job(
    dynamodb: "DynamoDBClient", new_dynamo_stores: NewStores
) -> None:
    """However many jobs it selects; a rule that asks for other things costs what it did."""
    stores = new_dynamo_stores(shards=1)
    with recorded(dynamodb) as stored:
        ruled(stores, When(late_after_seconds=600))
    with recorded(dynamodb) as looked:
        assert look(stores, at=60)
    with recorded(dynamodb) as other:
        stores.rules.put_rule(
            rule_factory(name=RuleName("other"), when=When(dead_letter=True)),
            expected_version=0,
            now=NOW,
        )

    assert looked == Calls({"Query": 10})
    assert (stored["GetItem"], other["GetItem"]) == (1, 1)


def test_a_streak_costs_a_transaction(
    dynamodb: "DynamoDBClient", new_dynamo_stores: NewStores
) -> None:
    """Failures with jobs, streaks, and the job's runs are a read each."""
    stores = new_dynamo_stores(shards=1)
    ruled(stores, When(failures_in_a_row=2))
    for seconds in (10, 20):
        add_failure(stores, seconds)
    with recorded(dynamodb) as told:
        assert look(stores, at=60)
    with recorded(dynamodb) as seen_again:
        assert look(stores, at=120)

    assert told == Calls({"Query": 7, "BatchGetItem": 2, "TransactWriteItems": 1, "UpdateItem": 1})
    # One query more: has the job recovered?
    assert seen_again == Calls({"Query": 7, "BatchGetItem": 2, "UpdateItem": 1})
