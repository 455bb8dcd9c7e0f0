"""One-shots with an instant of their own: a request that is repeated names the same run."""

from functools import partial

from tests.crash.story import Flow, Story


def _begin(seconds: float, story: Story) -> str:
    return story.create(schedule={"kind": "at", "at": story.instant(seconds)})


def _succeeds_on_time(seconds: float, story: Story, job_id: str) -> None:
    story.assert_succeeded(job_id)
    assert all(effect.at >= story.at(seconds) for effect in story.effects)


ONCE = (
    # Too far away for its creator: planner, relay, queue and executor in turn.
    Flow("plan and relay", partial(_begin, 200), partial(_succeeds_on_time, 200)),
    # Its creator stores the run, and then the job; the relay publishes.
    Flow("create soon", partial(_begin, 100), partial(_succeeds_on_time, 100)),
)
