"""Items that no reader understands: told from their neighbours, and moved out of their way."""

import pytest

from tests.support.factories import JOB_ID, NOW, TENANT, after, attempt_factory, attempt_id
from tests.support.stores.contract_stores import MINUTE, SHARD, Stores
from tests.support.stores.corrupt_record import damage, repair
from timegate.adapters.dynamo.tables.writes import Put
from timegate.domain.dag_runs.run_identity import DagRunRef
from timegate.domain.limits.overlap import Overlap, OverlapPolicy
from timegate.domain.values.instants import minute_of
from timegate.domain.values.payload import Payload
from timegate.ports.stores import AttemptRef, Loaded, Unreadable

LATER = after(1200)


def test_a_damaged_job_is_shown_as_such(stores: Stores) -> None:
    """The row names place and reason; its neighbour in the bucket is read."""
    damaged = stores.add_job()
    neighbour = stores.add_job(tenant="other", next_run_at=after(1))
    damage(stores, damaged)
    first, second = stores.jobs.due(MINUTE, SHARD)

    assert isinstance(first, Unreadable)
    assert TENANT in first.pk
    assert first.reason != ""
    assert second == neighbour.timing


@pytest.mark.parametrize("is_damaged", [True, False], ids=["damaged", "readable"])
def test_a_job_that_cannot_be_planned_is_put_off(stores: Stores, *, is_damaged: bool) -> None:
    """Out of its bucket into a later one of its shard; nothing else of it changes."""
    job = stores.add_job()
    if is_damaged:
        damage(stores, job)
    (found,) = stores.jobs.due(MINUTE, SHARD)
    done = [stores.jobs.put_off(found, minute=MINUTE, shard=SHARD, until=LATER) for _ in range(2)]
    repair(stores, job)

    assert done == [True, False]
    assert stores.due(MINUTE, SHARD) == []
    assert stores.due(minute_of(LATER), SHARD) == [job.timing]
    assert stores.jobs.get(TENANT, JOB_ID) == job


def test_a_damaged_attempt_hides_none_of_its_batch(stores: Stores) -> None:
    """It is there and cannot be read; so is one whose job is damaged."""
    job = stores.add_job()
    damaged, sound = stores.add(attempt_factory()), stores.add(attempt_factory(id=attempt_id(2)))
    damage(stores, damaged)
    refs = [AttemptRef(tenant=TENANT, id=each.id) for each in (damaged, sound)]
    first, second = stores.runs.load_all(refs)
    damage(stores, job)
    _, third = stores.runs.load_all(refs)

    assert (first.attempt, first.job) == (None, job)
    assert first.unreadable
    assert second == Loaded(attempt=sound, job=job)
    assert (third.attempt, third.job) == (sound, None)
    assert third.unreadable


@pytest.mark.parametrize("text", ['{"k":1e999}', '{"k":', "\x00"], ids=["number", "cut", "none"])
def test_a_payload_whose_key_cannot_be_read_hides_none_of_its_batch(
    stores: Stores, text: str
) -> None:
    """The run is unreadable, as one with a damaged job is; its neighbour has its own key."""
    stores.add_job(overlap=Overlap(policy=OverlapPolicy.QUEUE, key_from="/k"))
    damaged = stores.add(attempt_factory(payload=Payload(inline=text)))
    sound = stores.add(attempt_factory(id=attempt_id(2), payload=Payload(inline='{"k":"a"}')))
    refs = [AttemptRef(tenant=TENANT, id=each.id) for each in (damaged, sound)]
    first, second = stores.runs.load_all(refs)

    assert (first.attempt, first.job) == (damaged, None)
    assert first.unreadable
    assert second.unreadable is None
    assert second.job is not None
    assert second.job.run_keys.slots == "a"


def test_an_attempt_that_cannot_be_judged_is_put_off(stores: Stores) -> None:
    """It is looked at again later, and its move publishes nothing."""
    attempt = stores.add(attempt_factory(watch_at=NOW))
    damage(stores, attempt)
    (found,) = stores.runs.overdue(MINUTE, SHARD, until=NOW)
    assert not isinstance(found, DagRunRef)
    done = [stores.runs.put_off(found, minute=MINUTE, shard=SHARD, until=LATER) for _ in range(2)]
    repair(stores, attempt)

    assert done == [True, False]
    assert stores.overdue(MINUTE, SHARD, until=after(60)) == []
    assert stores.overdue(minute_of(LATER), SHARD, until=LATER) == [
        AttemptRef(tenant=TENANT, id=attempt.id)
    ]
    assert stores.stored(attempt).direct


def test_what_lies_under_no_attempts_key_is_put_off(stores: Stores) -> None:
    """A foreign item in the index."""
    table = stores.runs._table  # type: ignore[attr-defined]
    fields = {
        "pk": "something",
        "sk": "else",
        "watch_bucket": f"{MINUTE}#{SHARD}",
        "watch_at": "20261121T070000000Z",
    }
    stores.engine.put_all(table, [Put(table=table, fields=fields)])
    (found,) = stores.runs.overdue(MINUTE, SHARD, until=NOW)

    assert isinstance(found, Unreadable)
    assert (found.pk, found.sk) == ("something", "else")
    assert stores.runs.put_off(found, minute=MINUTE, shard=SHARD, until=LATER)
    assert stores.overdue(MINUTE, SHARD, until=after(60)) == []
