"""Runs with a deadline: hooks are told that it will be missed, and that it was, once each."""

from datetime import datetime, timedelta

from tests.crash.services.streams import RUNS
from tests.crash.story import Flow, Story
from tests.support.factories import attempt_factory, attempt_id
from timegate.adapters.dynamo.runs.items.attempt_items import attempt_to_fields
from timegate.adapters.dynamo.tables.values import to_item
from timegate.domain.dispatch.shards import ONE_SHARD
from timegate.domain.runs.finishing import FEWEST_RUNS
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.values.identity import JobId
from timegate.domain.values.tenant import TenantId

#: No server is there; it is the address that counts.
_ADDRESS = "https://93.184.216.34/runs"
#: When the run is due: its history is on record by then, faults or none.
_DUE = 30
#: Its second try begins later, and no queue can hold it that long.
_RETRIED_AFTER = 910
_WITHIN = 850
#: Recent runs took longer: the first worker knows.
_USUAL = timedelta(seconds=_WITHIN + 10)


def _begin(story: Story) -> str:
    """A job whose runs take longer than they may, and fail."""
    # All the while there is nothing to plan, and each tick would be lived through.
    story.cloud.ticks.silent_until["planner"] = story.at(_RETRIED_AFTER)
    job_id = story.create(
        function="fails",
        schedule={"kind": "delay", "delay_seconds": _DUE},
        finish_by={"within_seconds": _WITHIN},
        notifications=[{"url": _ADDRESS, "on": ["will_be_late", "missed_deadline"]}],
        retry={
            "backoff": "fixed",
            "jitter": False,
            "breaker": None,
            "max_attempts": 2,
            "initial_delay_seconds": _RETRIED_AFTER,
            "max_delay_seconds": _RETRIED_AFTER,
        },
    )
    for number in range(1, FEWEST_RUNS + 1):
        _put_on_record(story, _earlier_run(story, job_id, number))
    return job_id


def _earlier_run(story: Story, job_id: str, number: int) -> Attempt:
    """One that succeeded so many hours before the story, and took as long as usual."""
    begun_at = story.at(-3600 * number)
    return attempt_factory(
        tenant=TenantId(story.tenant),
        id=attempt_id(job=JobId(job_id), scheduled_at=begun_at),
        state=RunState.SUCCEEDED,
        due_at=begun_at,
        started_at=begun_at,
        ended_at=begun_at + _USUAL,
        watch_at=None,
    )


def _put_on_record(story: Story, attempt: Attempt) -> None:
    fields = attempt_to_fields(attempt, shards=ONE_SHARD, retention=timedelta(days=1))
    item = to_item(fields)
    story.earlier.add((item["pk"]["S"], item["sk"]["S"]))
    story.cloud.region.tables.put(RUNS, item)


def _is_told_before_and_after(story: Story, job_id: str) -> None:
    """One notice of each, which succeeds; the one that warns arrives before the deadline."""
    notices = [row for row in story.rows if row.run.startswith("n#")]
    tries = [row for row in story.rows if row not in notices]
    assert [row.reason for row in tries] == ["retried", "retries_exhausted"], tries
    assert tries[-1].state == "dead_lettered"
    ends = [(row.state, row.reason) for row in notices if row.reason != "retried"]
    assert ends == [("succeeded", None)] * 2, ends
    arrived: dict[str, datetime] = {}
    for effect in story.effects:
        if isinstance(effect.payload, dict) and "type" in effect.payload:
            arrived.setdefault(effect.payload["type"], effect.at)
    by = story.at(_DUE + _WITHIN)
    assert arrived.keys() == {"run.will_be_late", "run.missed_deadline"}
    assert arrived["run.will_be_late"] < by < arrived["run.missed_deadline"], arrived
    assert story.status(job_id) == "completed"
    story.assert_called()


DEADLINES = (Flow("deadline", _begin, _is_told_before_and_after, most=24),)
