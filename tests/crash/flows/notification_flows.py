"""Runs that a web hook is told of: that they end, begin late, or wait beyond their time."""

import json
from collections import Counter
from collections.abc import Sequence

from tests.crash.judges.transition_judge import assert_told_of
from tests.crash.story import Flow, Story

#: No server is there; it is the address that counts.
_ADDRESS = "https://93.184.216.34/runs"
#: Seconds after which a rule has told of everything, faults or none.
_RULED_UNTIL = 900
#: Seconds after which the channel of a job that does not succeed was told so.
_TOLD_UNTIL = 1_200
#: Faults of it that are tried each time.
_MOST = 16


def _begin_told(story: Story) -> str:
    return story.create(notifications=[{"url": _ADDRESS, "on": ["succeeded"]}])


def _begin_told_late(story: Story) -> str:
    """No planner comes until it is too late."""
    story.cloud.ticks.silent_until["planner"] = story.at(310)
    return story.create(
        schedule={"kind": "at", "at": story.instant(160)},
        notifications=[{"url": _ADDRESS, "on": ["late", "succeeded"]}],
        late_after_seconds=60,
    )


def _begin_held_back(story: Story) -> str:
    """A freeze holds the run back for longer than its job takes for timely."""
    job_id = story.create(
        schedule={"kind": "at", "at": story.instant(60)},
        notifications=[{"url": _ADDRESS, "on": ["late", "succeeded"]}],
        late_after_seconds=120,
    )
    story.send("POST", "/v1/freezes", {"scope": {"kind": "tenant"}, "ends_at": story.instant(600)})
    return job_id


def _begin_failing(story: Story) -> str:
    return story.create(function="fails", retry={"max_attempts": 2})


def _begin_ruled(story: Story) -> str:
    """Three runs fail, a minute apart, under a rule that a caller deletes when all is told.

    A tenant with a rule is looked at each minute, for ever: nothing else is left then.
    """
    rule = {
        "when": {"failures_in_a_row": 2, "recovered": True},
        "channels": [{"url": _ADDRESS}],
    }
    story.send("PUT", "/v1/notification-rules/failures", rule)
    schedule = {"kind": "rate", "every_seconds": 60, "starts_at": story.instant(170)}
    job_id = story.create(
        function="fails",
        schedule=schedule | {"ends_at": story.instant(300)},
        retry={"max_attempts": 1},
    )
    story.cloud.live_until(story.at(_RULED_UNTIL))
    story.send("DELETE", "/v1/notification-rules/failures")
    return job_id


def _begin_awaited(story: Story) -> str:
    """No run succeeds within ten minutes; the job is cancelled when all is told."""
    job_id = story.create(
        schedule={"kind": "manual"},
        absent_after_seconds=600,
        notifications=[{"url": _ADDRESS, "on": ["absent"]}],
    )
    story.cloud.live_until(story.at(_TOLD_UNTIL))
    story.send("DELETE", f"/v1/jobs/{job_id}")
    return job_id


def _is_told_of_absence_once(story: Story, job_id: str) -> None:
    """One run tells of it, and nothing looks at the job any more."""
    ends = story.ends(job_id)
    assert [each for each in ends if each[1] != "retried"] == [("succeeded", None)], ends
    told = [e for e in story.effects if isinstance(e.payload, dict) and "type" in e.payload]
    assert {e.payload["type"] for e in told} == {"job.absent"}  # type: ignore[index]
    assert len({e.run for e in told}) == 1
    (watch,) = (item for item in story.jobs if item["sk"]["S"] == "absence-watch")
    assert "due_at" not in watch, watch


def _begin_marked(story: Story) -> str:
    """A freeze holds a run back for longer than a rule allows, which a caller ends then."""
    rule = {"when": {"late_after_seconds": 120}, "channels": [{"url": _ADDRESS}]}
    story.send("PUT", "/v1/notification-rules/late", rule)
    job_id = story.create(schedule={"kind": "at", "at": story.instant(60)})
    story.send("POST", "/v1/freezes", {"scope": {"kind": "tenant"}, "ends_at": story.instant(600)})
    story.cloud.live_until(story.at(_RULED_UNTIL))
    story.send("PUT", "/v1/notification-rules/late", {**rule, "enabled": False})
    return job_id


def _is_marked_and_told_once(story: Story, job_id: str) -> None:
    """One message with one event, whichever of sweeper and claim marked the run."""
    if story.stood_still("api"):
        return
    story.assert_succeeded(job_id)
    documents = [
        effect.payload
        for effect in story.effects
        if isinstance(effect.payload, dict) and effect.payload.get("type") == "rule.told"
    ]
    (events,) = {json.dumps(document["events"], sort_keys=True) for document in documents}
    (event,) = json.loads(events)
    assert (event["type"], event["job"]["job_id"]) == ("late", job_id)


def _is_told_once_by_a_rule(story: Story, job_id: str) -> None:
    """One message with one event, however many runs failed after the second."""
    messages = [row for row in story.rows if row.run.startswith("n#")]
    ends = [(row.state, row.reason) for row in messages if row.reason != "retried"]
    assert ends == [("succeeded", None)], ends
    documents = [
        effect.payload
        for effect in story.effects
        if isinstance(effect.payload, dict) and effect.payload.get("type") == "rule.told"
    ]
    (events,) = {json.dumps(document["events"], sort_keys=True) for document in documents}
    (event,) = json.loads(events)
    assert (event["type"], event["job"]["job_id"]) == ("failures", job_id)
    streaks = [item for item in story.jobs if item["pk"]["S"].endswith("#rules#streaks")]
    assert [item["revision"]["N"] for item in streaks] == ["1"], streaks
    (watch,) = (item for item in story.jobs if item["sk"]["S"] == "rule-watch")
    assert "due_at" not in watch, watch


def _are_told(story: Story, job_id: str, occasions: Sequence[str]) -> None:
    """Each occasion is one run, which succeeds; it may be told twice only by what a fault met."""
    story.assert_succeeded(job_id, runs=1 + len(occasions))
    told = [e for e in story.effects if isinstance(e.payload, dict) and "type" in e.payload]
    assert Counter({e.payload["type"]: e.run for e in told}.keys()) == Counter(occasions)  # type: ignore[index]
    assert len({effect.run for effect in told}) == len(occasions)


def _is_told(story: Story, job_id: str) -> None:
    _are_told(story, job_id, ["run.succeeded"])


def _is_told_twice(story: Story, job_id: str) -> None:
    _are_told(story, job_id, ["run.late", "run.succeeded"])


def _is_told_while_it_waits(story: Story, job_id: str) -> None:
    """The freeze came in time unless the caller stood still: then the run was never late."""
    if story.stood_still("api"):
        return
    _are_told(story, job_id, ["run.late", "run.succeeded"])
    (late,) = {str(e.payload) for e in story.effects if "run.late" in str(e.payload)}
    assert "waits for that to end" in late


TOLD = (
    Flow("notification", _begin_told, _is_told),
    Flow("late notice", _begin_told_late, _is_told_twice),
    Flow("late while frozen", _begin_held_back, _is_told_while_it_waits),
    Flow("absence told of", _begin_awaited, _is_told_of_absence_once, most=_MOST),
    Flow("late under a rule", _begin_marked, _is_marked_and_told_once, most=_MOST),
    Flow("failures under a rule", _begin_ruled, _is_told_once_by_a_rule, most=_MOST),
    Flow(
        "transitions told of",
        _begin_failing,
        assert_told_of,
        most=_MOST,
        function="cloud_events",
        tells=True,
    ),
)
