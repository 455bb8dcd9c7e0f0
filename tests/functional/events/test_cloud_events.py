"""Events of transitions: told beside the work on ends, queued, and sent one by one."""

import json
from copy import deepcopy
from dataclasses import replace
from typing import Any
from unittest.mock import Mock

import pytest

from infra.constructs.functions.change_patterns import JOB_CHANGES
from tests.functional.events.functions import (
    EVENTS,
    MESSAGES,
    Event,
    Functions,
    failed,
    sample,
    with_record,
)
from tests.infra.dispatch.test_sources import passes
from tests.support.execution.placing import placed
from tests.support.factories import NOW, TENANT, after, attempt_factory, job_factory, job_id
from timegate.adapters.dynamo.audit_trail.creation_entries import creation_text
from timegate.adapters.dynamo.jobs.job_items import job_to_fields
from timegate.adapters.dynamo.runs.items.attempt_items import attempt_to_fields
from timegate.adapters.dynamo.tables.values import to_item
from timegate.adapters.memory.cloud_events import MemoryEventBus, MemoryEventQueue
from timegate.domain.cloud_events.job_changes import job_change
from timegate.domain.cloud_events.sampling import Sampling
from timegate.domain.jobs.job import JobStatus
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.tenants.audit_trail import (
    AuditEntry,
    Resource,
    ResourceKind,
    Stamp,
    changed_fields,
)
from timegate.domain.values.errors import Throttled
from timegate.domain.values.instants import rfc3339
from timegate.runtime.wiring.parts.telling import Telling
from timegate.usecases.cloud_events.queue_events import EventServices

QUEUED = attempt_factory(state=RunState.QUEUED, job_version=1)
RUNNING = replace(QUEUED, state=RunState.RUNNING, started_at=after(1), fence=1)


@pytest.fixture
def queue() -> MemoryEventQueue:
    """The queue of events."""
    return MemoryEventQueue()


@pytest.fixture
def telling(
    functions: Functions, queue: MemoryEventQueue, monkeypatch: pytest.MonkeyPatch
) -> Functions:
    """The functions of a stage with a bus."""
    events = EventServices(
        queue=queue,
        sampling=Sampling(),
        stage="prod",
        trace_percent=100,
        telemetry=functions.world.telemetry,
    )
    module = functions.handlers["outcomes"]
    told = replace(module.services, telling=Telling(events=events, rejects=functions.rejects))
    monkeypatch.setattr(module, "services", told)
    sender = functions.handlers["cloud_events"]
    monkeypatch.setattr(sender, "services", replace(sender.services, events=events))
    return functions


def image(attempt: Attempt) -> dict[str, Any]:
    """An attempt as the stream shows it."""
    return to_item(attempt_to_fields(attempt, shards=placed(4), retention=after(1) - NOW))


def record(before: Attempt | None, attempt: Attempt, number: int = 7) -> dict[str, Any]:
    """A record of the stream."""
    shown = {"NewImage": image(attempt), "SequenceNumber": str(number)}
    old = {"OldImage": image(before)} if before is not None else {}
    return {
        "eventName": "MODIFY" if before else "INSERT",
        "eventSource": "aws:dynamodb",
        "dynamodb": {**shown, **old, "ApproximateCreationDateTime": NOW.timestamp()},
    }


def types(queue: MemoryEventQueue) -> list[str]:
    """The types of what was queued."""
    return [each["type"].removeprefix("io.timegate.") for each in queue.kept]


def test_outcomes_tells_of_all_and_works_on_ends(
    telling: Functions, queue: MemoryEventQueue
) -> None:
    """A claim is told of and not followed; the ends of the batch complete their jobs."""
    telling.world.add_job(job_id=job_id("once"), next_run_at=None)
    ends = sample("outcomes")
    batch = {"Records": [record(None, QUEUED), record(QUEUED, RUNNING), *ends["Records"]]}
    for each in batch["Records"][2:]:
        each["dynamodb"]["OldImage"] = image(RUNNING)
    response = telling.send("outcomes", batch)
    job = telling.world.jobs.get(TENANT, job_id("once"))

    assert failed(response) == []
    assert types(queue)[:2] == ["run.planned", "run.started"]
    assert len(queue.kept) == len(batch["Records"])
    assert job.timing.status is JobStatus.COMPLETED


def test_a_stage_without_a_bus_tells_nothing(functions: Functions) -> None:
    """Its function has not even built what would tell."""
    assert functions.handlers["outcomes"].services.telling is None


def test_a_batch_that_is_read_again_gives_the_same_ids(
    telling: Functions, queue: MemoryEventQueue
) -> None:
    """A consumer that remembers ids sees each transition once."""
    batch = {"Records": [record(None, QUEUED), record(QUEUED, RUNNING)]}
    for _ in range(3):
        telling.send("outcomes", deepcopy(batch))

    assert len(queue.kept) == 6
    assert len({each["id"] for each in queue.kept}) == 2


def test_ends_that_cannot_be_followed_are_told_of(
    telling: Functions, queue: MemoryEventQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The batch fails as without events, and comes again."""

    monkeypatch.setattr(telling.world.jobs, "complete_all", Mock(side_effect=Throttled))
    (end, *_) = sample("outcomes")["Records"]
    end["dynamodb"]["OldImage"] = image(RUNNING)
    with pytest.raises(Throttled):
        telling.send("outcomes", {"Records": [record(None, QUEUED), end]})

    assert types(queue) == ["run.planned", "run.succeeded"]


def test_a_queue_that_refuses_fails_no_batch(telling: Functions, queue: MemoryEventQueue) -> None:
    """Ends are followed; each event is in the log, whole, and an alarm counts it."""
    queue.is_refusing = True
    response = telling.send("outcomes", {"Records": [record(None, QUEUED)]})
    telemetry = telling.world.telemetry
    (lost,) = [each for each in telemetry.events if each.name == "cloud_event_not_queued"]

    assert failed(response) == []
    assert "io.timegate.run.planned" in str(lost.fields["cloud_event"])
    assert telemetry.counts["CloudEventsNotQueued"] == 1


def test_what_sampling_leaves_out_is_not_queued(
    telling: Functions, queue: MemoryEventQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It costs no message, and is counted."""
    module = telling.handlers["outcomes"]
    told = module.services.telling
    rules = Sampling.parse('[{"types": ["io.timegate.run.planned"], "percent": 0}]')
    sampled = replace(told, events=replace(told.events, sampling=rules))
    monkeypatch.setattr(module, "services", replace(module.services, telling=sampled))
    telling.send("outcomes", {"Records": [record(None, QUEUED), record(QUEUED, RUNNING)]})

    assert types(queue) == ["run.started"]
    assert telling.world.telemetry.counts["CloudEventsLeftOut"] == 1


def test_a_record_that_cannot_be_read_is_parked(
    telling: Functions, queue: MemoryEventQueue
) -> None:
    """Its neighbours are told of."""
    damaged = record(QUEUED, RUNNING)
    damaged["dynamodb"]["OldImage"] = {"state": {"S": "exploded"}}
    batch = with_record({"Records": [record(None, QUEUED), record(QUEUED, RUNNING)]}, damaged)

    assert failed(telling.send("outcomes", batch)) == []
    assert types(queue) == ["run.planned", "run.started"]
    assert [each.source for each in telling.rejects.parked] == ["cloud_events stream"]


def test_changes_of_jobs_are_queued(telling: Functions, queue: MemoryEventQueue) -> None:
    """Each entry of the trail about a job, and a job that has completed."""
    response = telling.send("cloud_events", sample("cloud_events"))

    assert failed(response) == []
    assert types(queue) == ["job.created", "job.paused", "job.completed"]


def test_a_creation_that_its_job_tells_of_is_queued(
    telling: Functions, queue: MemoryEventQueue
) -> None:
    """The event is that of an entry of its own; the record of a job without one is no event."""
    job = job_factory(job_id=job_id("once"), created_at=NOW)
    stamp = Stamp(subject="ci", operation="createJob", request_id="r1", at=NOW)
    entry = AuditEntry(
        tenant=TENANT,
        resource=Resource(kind=ResourceKind.JOB, id=job.job_id),
        stamp=stamp,
        changes=changed_fields(None, job),
        version=1,
    )
    told = replace(job, creation=creation_text(entry))
    images = [to_item(job_to_fields(each, shards=placed(4))) for each in (told, job)]
    shown = {"eventName": "INSERT", "eventSource": "aws:dynamodb"}
    at = {"ApproximateCreationDateTime": NOW.timestamp()}
    records: list[dict[str, Any]] = [
        {**shown, "dynamodb": {"NewImage": each, "SequenceNumber": str(number), **at}}
        for number, each in enumerate(images)
    ]
    matching = [[passes(pattern, each) for pattern in JOB_CHANGES] for each in records]
    expected = job_change(entry)
    assert expected is not None
    response = telling.send("cloud_events", {"Records": records[:1]})

    assert [sum(each) for each in matching] == [1, 0]
    assert failed(response) == []
    assert types(queue) == ["job.created"]
    assert queue.kept[0]["data"] == expected.data
    assert queue.kept[0]["time"] == rfc3339(NOW)


def test_the_stream_of_jobs_waits_for_the_queue(
    telling: Functions, queue: MemoryEventQueue
) -> None:
    """Nothing else is read there: the batch comes again, from its first record on."""
    queue.is_refusing = True
    batch = sample("cloud_events")
    first = batch["Records"][0]["dynamodb"]["SequenceNumber"]

    assert failed(telling.send("cloud_events", batch)) == [first]


def test_each_message_is_sent_on_its_own_account(
    telling: Functions, messages: Event, bus: MemoryEventBus
) -> None:
    """One that the bus refuses comes again alone, as does one that holds no event."""
    refused = messages["Records"][0]
    bus.refusing = {"730c9af0ecea370d4b4dc30effcadffa"}
    unreadable = {**refused, "messageId": "none", "body": "[]"}
    response = telling.send("cloud_events", with_record(messages, unreadable))

    assert failed(response) == [refused["messageId"], "none"]
    assert [each["type"] for each in bus.sent] == ["io.timegate.job.created"]
    counts = telling.world.telemetry.counts
    assert (counts["CloudEventsSent"], counts["CloudEventsNotSent"]) == (1, 1)


@pytest.fixture
def messages() -> Event:
    """A batch of the queue."""
    batch: Event = json.loads((EVENTS / f"{MESSAGES}.json").read_text())
    return batch


@pytest.fixture
def bus(telling: Functions, monkeypatch: pytest.MonkeyPatch) -> MemoryEventBus:
    """The bus of the stage."""
    bus = MemoryEventBus()
    sender = telling.handlers["cloud_events"]
    monkeypatch.setattr(sender, "services", replace(sender.services, bus=bus))
    return bus
