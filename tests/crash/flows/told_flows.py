"""Runs that somebody is told of: that they end, and that they begin late."""

from collections import Counter
from collections.abc import Sequence

from tests.crash.story import Flow, Story

#: Nobody is there; it is the address that counts.
_ADDRESS = "https://93.184.216.34/runs"


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


TOLD = (
    Flow("notification", _begin_told, _is_told),
    Flow("late notice", _begin_told_late, _is_told_twice),
)
