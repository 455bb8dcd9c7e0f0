"""Triggering and cancelling runs while workers are at them; payloads; pages."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from tests.support.api import api_services
from tests.support.factories import (
    JOB_ID,
    NOW,
    TENANT,
    after,
    attempt_factory,
    job_id,
    lease_factory,
    running,
)
from tests.support.world import World
from timegate.domain.jobs.demands import Priority
from timegate.domain.jobs.job_filter import JobFilter
from timegate.domain.runs.conclusion import end
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.values.errors import Conflict, InvalidInput, RunIsFinished
from timegate.domain.values.payload import MAX_INLINE_BYTES, MAX_PAYLOAD_BYTES
from timegate.ports.dispatch.messaging import Delayed
from timegate.usecases.execution.cancel_run import MAX_TRIES, cancel_run
from timegate.usecases.jobs.read_jobs import list_jobs
from timegate.usecases.jobs.trigger_job import Triggering, trigger_job
from timegate.usecases.runs.store_payload import load_payload, store_payload
from timegate.usecases.services.matching_rows import MAX_PAGES_READ

QUEUED = attempt_factory()


def cancel_racing(
    world: World, monkeypatch: pytest.MonkeyPatch, *meanwhile: Attempt
) -> tuple[Attempt, ...]:
    """Cancel the run while a worker writes these images, one before each try."""
    world.tables.put_attempt(QUEUED)
    replace_in_store, images = world.runs.replace, list(meanwhile)

    def late(before: Attempt, after_it: Attempt) -> bool:
        if images:
            world.tables.put_attempt(images.pop(0))
        return replace_in_store(before, after_it)

    monkeypatch.setattr(world.runs, "replace", late)
    return cancel_run(TENANT, QUEUED.id.run, api_services(world), now=after(1))


def test_a_run_that_is_claimed_meanwhile_is_asked_to_stop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The worker's claim stands; its heartbeat brings the wish."""
    (attempt,) = cancel_racing(World(), monkeypatch, running(QUEUED))

    assert (attempt.state, attempt.cancel_requested) == (RunState.RUNNING, True)


def test_a_run_that_ends_meanwhile_keeps_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Success cannot be cancelled after the fact."""
    ended = end(running(QUEUED), RunState.SUCCEEDED, now=after(1))
    with pytest.raises(RunIsFinished, match="succeeded"):
        cancel_racing(World(), monkeypatch, ended)


def test_cancelling_gives_up_on_a_run_that_keeps_changing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A heartbeat before every try."""
    beats = [
        running(QUEUED, lease=lease_factory(expires_at=after(60 + n))) for n in range(MAX_TRIES)
    ]
    with pytest.raises(Conflict, match="keeps changing"):
        cancel_racing(World(), monkeypatch, *beats)


def test_only_the_last_attempt_of_a_run_is_cancelled() -> None:
    """The ones before it have ended, and stay as they ended."""
    world = World()
    failed = end(running(QUEUED), RunState.FAILED, now=after(1))
    retry = replace(QUEUED, id=QUEUED.id.next(), state=RunState.WAITING)
    world.tables.put_attempt(failed)
    world.tables.put_attempt(retry)
    attempts = cancel_run(TENANT, QUEUED.id.run, api_services(world), now=after(2))

    assert [attempt.state for attempt in attempts] == [RunState.FAILED, RunState.CANCELLED]
    assert world.states() == [RunState.FAILED, RunState.CANCELLED]


def test_a_trigger_is_stored_before_it_is_published(monkeypatch: pytest.MonkeyPatch) -> None:
    """A message without a record would be dropped; a record without a message is swept up."""
    world = World()
    world.add_job(next_run_at=after(3600))
    stored: list[int] = []

    def publish_all(messages: Sequence[Delayed]) -> list[bool]:
        stored.append(len(world.attempts()))
        return [True for _ in messages]

    monkeypatch.setattr(world.publisher, "publish_all", publish_all)
    asked = Triggering(tenant=TENANT, job_id=JOB_ID)
    (attempt,) = trigger_job(asked, api_services(world), now=NOW).attempts

    assert stored == [1]
    assert attempt.watch_at is not None


@pytest.mark.parametrize(
    ("size", "inline"),
    [
        (2, True),
        (MAX_INLINE_BYTES, True),
        (MAX_INLINE_BYTES + 1, False),
        (MAX_PAYLOAD_BYTES, False),
    ],
)
def test_a_payload_goes_where_its_size_belongs_and_comes_back(size: int, *, inline: bool) -> None:
    """A payload of any size is read back as the same text."""
    world = World()
    text = f'"{"x" * (size - 2)}"'
    payload = store_payload(text, TENANT, JOB_ID, world.blobs)

    assert (payload.inline is not None, payload.blob is None) == (inline, inline)
    assert load_payload(payload, world.blobs) == text


def test_a_payload_beyond_the_limit_is_not_stored() -> None:
    """One byte is enough."""
    world = World()
    with pytest.raises(InvalidInput, match="262145 bytes"):
        store_payload("x" * (MAX_PAYLOAD_BYTES + 1), TENANT, JOB_ID, world.blobs)

    assert world.blobs.blobs == {}


def test_the_same_large_payload_is_stored_once() -> None:
    """Repeating a request leaves no litter; another text leaves the first one readable."""
    world = World()
    first, again, other = (
        store_payload(text * 3000, TENANT, JOB_ID, world.blobs) for text in "aab"
    )

    assert first == again != other
    assert load_payload(first, world.blobs) == "a" * 3000


def test_a_listing_reads_no_more_pages_than_it_may() -> None:
    """A filter that nothing matches does not read a tenant's every job in one request."""
    world = World()
    for number in range(MAX_PAGES_READ * 2 + 1):
        world.add_job(job_id=job_id(f"job {number}"), created_at=after(-number))
    services = api_services(world)
    low = JobFilter(priority=Priority.LOW)
    cursor, requests = None, 0
    while requests == 0 or cursor is not None:
        page = list_jobs(TENANT, low, services, limit=1, cursor=cursor)
        cursor, requests = page.cursor, requests + 1

    assert requests == 3
