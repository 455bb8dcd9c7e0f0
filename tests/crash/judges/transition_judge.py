"""Every transition is told of on a stage that tells of them, and none twice."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from tests.crash.judges.checker import Row
from tests.crash.services.functions import Telemetry
from tests.crash.story import Story

_PREFIX = "io.timegate."


def _told(story: Story) -> dict[str, dict[str, Any]]:
    """Return events by their ids: those on the bus, in the log, and those that SQS lost.

    The same event may come again, and says the same then.
    """
    region = story.cloud.region
    lost = [json.loads(text) for text in region.queues.lost_events]
    known: dict[str, dict[str, Any]] = {}
    for event in [*region.bus.events, *Telemetry.unqueued, *lost]:
        assert known.setdefault(event["id"], event) == event, (known[event["id"]], event)
    return known


def _owed(rows: Iterable[Row]) -> Iterator[str]:
    """Yield what is to be told of attempts, by what is on record of them in the end.

    A worker that takes over the lease of another begins nothing: the attempt goes on.
    """
    for row in rows:
        yield from ("run.planned", "run.started")
        yield "run.retried" if row.reason == "retried" else f"run.{row.state}"


def assert_told_of(story: Story, job_id: str) -> None:
    """Assert events by their types: of the job, and of each attempt as often as it changed.

    Records that Lambda gives up are told of by nothing; the queue of rejects has their places.
    """
    assert {row.state for row in story.rows} <= {"failed", "timed_out", "dead_lettered"}
    assert story.status(job_id) == "completed"
    events = _told(story).values()
    owed = Counter(["job.created", "job.completed"])
    owed += Counter(_owed(story.rows))
    owed += Counter({name: len(story.strays) for name in ("run.planned", "run.skipped")})
    told = Counter(each["type"].removeprefix(_PREFIX) for each in events)
    # An executor that stands still may hand its run back: each lease that ends so is followed by
    # the next one, whose start is told as well.
    handed_back = told["run.released"]
    owed += Counter({"run.released": handed_back, "run.started": handed_back})
    if any(reader.given_up for reader in story.cloud.readers):
        assert told < owed, (told, owed)
    else:
        assert told == owed, (told, owed)
    assert {each["tenant"] for each in events} == {story.tenant}
