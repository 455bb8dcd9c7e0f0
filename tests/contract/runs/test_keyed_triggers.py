"""``RunStore``: a run and the key that names it are stored together, or neither is."""

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.contract.conftest import NewStores
from tests.contract.tenants.test_audit_trail import STAMP
from tests.support.factories import (
    JOB_ID,
    NOW,
    OTHER_TENANT,
    TENANT,
    after,
    attempt_factory,
    job_id,
)
from tests.support.stores.contract_stores import Stores
from tests.support.stores.recorder import recorded
from timegate.domain.execution.triggers import KEY_KEPT, KeyedRun, TriggerKey, mark_in_batch
from timegate.domain.jobs.demands import Priority
from timegate.domain.runs.parent import MatchedEvent
from timegate.domain.runs.run import Attempt, TriggerTerms
from timegate.domain.values.identity import AttemptId, Origin, RunId
from timegate.domain.values.payload import Payload

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

KEY = TriggerKey.of(TENANT, JOB_ID, "one", request_hash="hash")


def triggered(seconds: float = 0, *, key: TriggerKey = KEY) -> Attempt:
    """An attempt at a run that a key names."""
    run = RunId(job_id=JOB_ID, origin=Origin.TRIGGER, scheduled_at=after(seconds), about=key.mark)
    return attempt_factory(
        id=AttemptId(run=run, number=1),
        payload=Payload(inline="[1]", size_bytes=3),
        terms=TriggerTerms(
            tags=(("a", "b"), ("c", "d")),
            priority=Priority.HIGH,
            event=MatchedEvent(event_trigger="paid", source="shop", id="e1"),
        ),
    )


def test_a_run_is_found_by_its_key(stores: Stores) -> None:
    """With the fingerprint of the request; the run is read back as it was stored."""
    run = triggered()

    assert stores.runs.keyed_run(TENANT, JOB_ID, KEY, now=NOW) is None
    assert stores.runs.insert_keyed(run, KEY)
    assert stores.runs.keyed_run(TENANT, JOB_ID, KEY, now=NOW) == KeyedRun(
        run=run.id.run, request_hash="hash"
    )
    assert stores.stored(run) == run


def test_a_key_names_one_run(stores: Stores) -> None:
    """A later run under it is not stored, and the first one stays its own."""
    first, second = triggered(), triggered(60)
    stores.runs.insert_keyed(first, KEY)

    assert not stores.runs.insert_keyed(second, KEY)
    assert not stores.runs.insert_keyed(first, KEY)
    found = stores.runs.keyed_run(TENANT, JOB_ID, KEY, now=NOW)
    assert found is not None
    assert found.run == first.id.run
    assert stores.runs.list_runs(TENANT, JOB_ID, limit=9, cursor=None).rows == (first,)


def test_a_run_that_exists_keeps_its_key_from_being_stored(stores: Stores) -> None:
    """Neither is written."""
    stores.add(triggered())
    other = replace(KEY, digest="z" * 26)

    assert not stores.runs.insert_keyed(triggered(), other)
    assert stores.runs.keyed_run(TENANT, JOB_ID, other, now=NOW) is None


@pytest.mark.parametrize(("seconds", "is_kept"), [(-1, True), (0, False), (1, False)])
def test_a_key_names_its_run_until_it_expires(
    stores: Stores, seconds: float, *, is_kept: bool
) -> None:
    """DynamoDB deletes it within days: until then it stands there, and names nothing."""
    first, now = triggered(), NOW + KEY_KEPT + timedelta(seconds=seconds)
    stores.runs.insert_keyed(first, KEY)
    second = replace(triggered((now - NOW).total_seconds()), created_at=now)

    assert (stores.runs.keyed_run(TENANT, JOB_ID, KEY, now=now) is not None) == is_kept
    assert stores.runs.knows_key(TENANT, JOB_ID, KEY, now=now) == is_kept
    assert stores.runs.insert_keyed(second, KEY) != is_kept
    found = stores.runs.keyed_run(TENANT, JOB_ID, KEY, now=NOW)
    assert found is not None
    assert found.run == (first if is_kept else second).id.run


@pytest.mark.parametrize(("seconds", "is_kept"), [(-1, True), (0, False)])
def test_the_key_of_a_batch_has_its_instant_until_it_expires(
    stores: Stores, seconds: float, *, is_kept: bool
) -> None:
    """Then the same batch has runs of its own."""
    later = NOW + KEY_KEPT + timedelta(seconds=seconds)
    stores.runs.keep_batch(TENANT, JOB_ID, KEY, at=NOW)

    assert stores.runs.keep_batch(TENANT, JOB_ID, KEY, at=later) == (NOW if is_kept else later)


def test_a_key_is_of_one_job(stores: Stores) -> None:
    """Neither another tenant's nor another job's."""
    stores.runs.insert_keyed(triggered(), KEY)

    assert stores.runs.keyed_run(OTHER_TENANT, JOB_ID, KEY, now=NOW) is None
    assert stores.runs.keyed_run(TENANT, job_id("other"), KEY, now=NOW) is None


def test_a_batch_counts_from_its_first_request(stores: Stores) -> None:
    """A repetition is given that instant; another request with the key is given none."""
    again, other = replace(KEY), replace(KEY, request_hash="other")

    assert stores.runs.keep_batch(TENANT, JOB_ID, KEY, at=after(0.001)) == after(0.001)
    assert stores.runs.keep_batch(TENANT, JOB_ID, again, at=after(5)) == after(0.001)
    assert stores.runs.keep_batch(TENANT, JOB_ID, other, at=after(5)) is None
    assert stores.runs.keep_batch(TENANT, job_id("other"), other, at=after(6)) == after(6)
    assert stores.runs.keep_batch(OTHER_TENANT, JOB_ID, other, at=after(7)) == after(7)


@pytest.mark.parametrize("count", [1, 49, 101])
def test_many_are_stored_each_once(stores: Stores, count: int) -> None:
    """One that exists keeps none of the others from being stored."""
    runs = [in_batch(number) for number in range(count)]
    stores.add(runs[count // 2])
    expected = [number != count // 2 for number in range(count)]

    assert stores.runs.insert_all(runs) == expected
    assert stores.runs.insert_all(runs) == [False] * count
    assert all(stores.exists(each) for each in runs)


@pytest.mark.parametrize(("count", "calls"), [(1, 1), (50, 1), (51, 2), (1000, 20)])
def test_fifty_triggers_are_one_call(
    new_dynamo_stores: NewStores, dynamodb: "DynamoDBClient", count: int, calls: int
) -> None:
    """Each run and its entry of the audit trail are two of a hundred members."""
    stores = new_dynamo_stores()
    runs = [in_batch(number) for number in range(count)]
    with stores.trail.on_behalf_of(STAMP), recorded(dynamodb) as made:
        stores.runs.insert_all(runs)

    assert made == {"TransactWriteItems": calls}


def in_batch(number: int) -> Attempt:
    """A run of a place in a batch."""
    run = triggered()
    mark = mark_in_batch("seed", number)
    return replace(run, id=replace(run.id, run=replace(run.id.run, about=mark)))
