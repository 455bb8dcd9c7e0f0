"""Runs of a day: each is counted by the write that begins it, and nothing else is."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from typing import TYPE_CHECKING

import pytest

from tests.contract.conftest import NewStores
from tests.contract.dag_runs.dag_run_factories import run_of
from tests.support.factories import (
    OTHER_TENANT,
    TENANT,
    after,
    attempt_factory,
    attempt_id,
    job_id,
    lease_factory,
)
from tests.support.stores.contract_stores import Stores, race
from tests.support.stores.recorder import recorded
from tests.unit.domain.dags.definitions import ACME
from timegate.domain.execution.day_quota import MOST_PARTS, PART, Counted, DayIsFull, DayQuota
from timegate.domain.limits.quotas import Quotas
from timegate.domain.runs.run import Attempt, RunState
from timegate.ports.runs.claims import LeaseClaim
from timegate.ports.stores import AttemptRef

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

DAY = date(2026, 11, 21)
HELD, LOST, BEYOND = Counted.HELD, Counted.LOST, Counted.BEYOND


def runs_of(stores: Stores, *numbers: int) -> list[Attempt]:
    """Runs of jobs of their own, stored."""
    return [
        stores.add(attempt_factory(id=attempt_id(job=job_id(str(number))))) for number in numbers
    ]


def claim(attempt: Attempt, owner: str = "worker-1") -> LeaseClaim:
    lease = lease_factory(owner=owner, fence=attempt.fence + 1)
    return LeaseClaim(attempt=attempt, job_version=1, lease=lease)


def begin(
    stores: Stores, attempts: Sequence[Attempt], *, limit: int, owner: str = "worker-1"
) -> list[Counted]:
    quota = DayQuota(day=DAY, limit=limit)
    return stores.runs.claim_within(TENANT, quota, [claim(each, owner) for each in attempts])


def test_a_batch_begins_as_many_as_there_is_room_for(stores: Stores) -> None:
    """In the order given; what is beyond the quota stays as it was, and is not counted."""
    attempts = runs_of(stores, 1, 2, 3, 4)
    first = begin(stores, attempts[:1], limit=3)
    rest = begin(stores, attempts[1:], limit=3)
    states = [stores.stored(each).state for each in attempts]

    assert first + rest == [HELD, HELD, HELD, BEYOND]
    assert states == [RunState.RUNNING] * 3 + [RunState.QUEUED]
    assert stores.runs.begun(TENANT, DAY) == 3
    assert stores.runs.is_known_full(TENANT, DayQuota(day=DAY, limit=3))
    assert not stores.runs.is_known_full(TENANT, DayQuota(day=DAY, limit=4))


def test_a_claim_that_is_repeated_counts_once(stores: Stores) -> None:
    """Its own, whose answer was lost, is held; another's is lost. Neither needs room."""
    attempts = runs_of(stores, 1)
    outcomes = [
        begin(stores, attempts, limit=2),
        begin(stores, attempts, limit=2),
        begin(stores, attempts, limit=2, owner="worker-2"),
        begin(stores, [*attempts, *attempts], limit=2),
    ]

    assert outcomes == [[HELD], [HELD], [LOST], [HELD, LOST]]
    assert stores.runs.begun(TENANT, DAY) == 1


def test_a_claim_that_is_lost_costs_its_neighbours_nothing(stores: Stores) -> None:
    """The others of its batch begin, and the place that it did not take is had by the next."""
    attempts = runs_of(stores, *range(5))
    begin(stores, attempts[2:3], limit=4, owner="worker-2")
    counted = begin(stores, attempts, limit=4)

    assert counted == [HELD, HELD, LOST, HELD, BEYOND]
    assert stores.runs.begun(TENANT, DAY) == 4


def test_days_and_tenants_have_counts_of_their_own(stores: Stores) -> None:
    """A full day says nothing of the next, nor of another tenant."""
    first, second = runs_of(stores, 1, 2)
    begin(stores, [first], limit=1)
    next_day = DayQuota(day=date(2026, 11, 22), limit=1)

    assert not stores.runs.is_known_full(TENANT, next_day)
    assert stores.runs.claim_within(TENANT, next_day, [claim(second)]) == [HELD]
    assert stores.runs.begun(OTHER_TENANT, DAY) == 0


def test_nothing_begins_under_a_quota_of_none(stores: Stores) -> None:
    """Nor is anything counted."""
    assert begin(stores, runs_of(stores, 1), limit=0) == [BEYOND]
    assert stores.runs.begun(TENANT, DAY) == 0


def test_a_large_quota_is_counted_in_parts_and_kept_exactly(
    stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twelve workers at once, seven places in four records: all are had, and no more."""
    monkeypatch.setattr("timegate.domain.execution.day_quota.PART", 2)
    attempts = runs_of(stores, *range(24))
    batches = [attempts[at : at + 2] for at in range(0, 24, 2)]
    begun = race(*(partial(begin, stores, batch, limit=7) for batch in batches))
    outcomes = [outcome for batch in begun for outcome in batch]

    assert (outcomes.count(HELD), outcomes.count(BEYOND)) == (7, 17)
    assert stores.runs.begun(TENANT, DAY) == 7


@pytest.mark.parametrize(
    ("limit", "parts"),
    [(0, 1), (1, 1), (PART, 1), (PART + 1, 2), (1_000 * PART, MOST_PARTS)],
)
def test_shares_are_the_quota(limit: int, parts: int) -> None:
    """Together, and as even as can be."""
    shares = DayQuota(day=DAY, limit=limit).shares

    assert (len(shares), sum(shares)) == (parts, limit)
    assert max(shares) - min(shares) <= 1


def test_a_dag_run_is_counted_with_its_record(stores: Stores) -> None:
    """Once; a repetition needs no room, and what is refused is not stored."""
    quota = DayQuota(day=DAY, limit=1)
    first = stores.dag_runs.create(run_of("first"), within=quota)
    again = stores.dag_runs.create(run_of("first", created_at=after(5)), within=quota)
    refused = []
    for _ in range(2):
        with pytest.raises(DayIsFull) as full:
            stores.dag_runs.create(run_of("second"), within=quota)
        refused.append((full.value.limit, full.value.used))
    still = stores.dag_runs.create(run_of("first", created_at=after(9)), within=quota)

    assert first == again == still
    assert refused == [(1, 1)] * 2
    assert stores.runs.begun(ACME, DAY) == 1


def test_a_run_comes_with_its_tenants_quota(stores: Stores) -> None:
    """In the read that loads it."""
    attempt = stores.add(attempt_factory())
    stores.add_job()
    before = stores.tenants.get(TENANT)
    stores.tenants.put(TENANT, before, replace(before, quotas=Quotas(runs_per_day=7)))
    (loaded,) = stores.runs.load_all([AttemptRef(tenant=TENANT, id=attempt.id)])

    assert loaded.job is not None
    assert (loaded.job.tenant_runs, loaded.job.tenant_day_runs) == (None, 7)


def test_what_it_costs(dynamodb: "DynamoDBClient", new_dynamo_stores: NewStores) -> None:
    """A batch is one call, as without a quota; a process that knows a full day makes none.

    The batch that meets the end of the quota takes one more to begin what there is room for.
    """
    stores = new_dynamo_stores()
    attempts = runs_of(stores, *range(22))
    with recorded(dynamodb) as ten:
        begin(stores, attempts[:10], limit=15)
    with recorded(dynamodb) as last:
        counted = begin(stores, attempts[10:20], limit=15)
    with recorded(dynamodb) as full:
        assert begin(stores, attempts[20:], limit=15) == [BEYOND, BEYOND]

    assert ten == {"TransactWriteItems": 1}
    assert last == {"TransactWriteItems": 2}
    assert counted == [HELD] * 5 + [BEYOND] * 5
    assert full == {}


def test_a_count_is_forgotten(dynamodb: "DynamoDBClient", new_dynamo_stores: NewStores) -> None:
    """Two days after its own, when no claim counts on that any more."""
    stores = new_dynamo_stores()
    begin(stores, runs_of(stores, 1), limit=15)
    table = stores.runs._table  # type: ignore[attr-defined]
    key = {"pk": {"S": f"{TENANT}#days"}, "sk": {"S": f"{DAY}#00"}}
    item = dynamodb.get_item(TableName=table, Key=key)["Item"]

    assert item["counted"] == {"N": "1"}
    assert item["expires_at"] == {"N": "1795478400"}
