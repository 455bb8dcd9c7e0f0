"""A pool is paused before its worker comes, and resumed: by a caller, or by itself."""

from functools import partial

from tests.crash.flows.continued_flows import POOL, come, work
from tests.crash.story import Flow, Story

#: The worker comes for the first time, and then every 25 seconds; it comes meanwhile.
_COMES_AT, _RESUMED_AT = 5, 70


def _begin_paused(story: Story) -> str:
    """An operator pauses the pool, and resumes it; the worker comes meanwhile, and later."""
    _pause(story)
    story.cloud.at(_RESUMED_AT, partial(story.send, "POST", f"/v1/pools/{POOL}/resume"))
    return _create(story)


def _begin_paused_until(story: Story) -> str:
    """No caller resumes the pool."""
    _pause(story, until=story.instant(_RESUMED_AT))
    return _create(story)


def _pause(story: Story, **terms: str) -> None:
    story.send("POST", f"/v1/pools/{POOL}/pause", {"reason": "The warehouse moves.", **terms})


def _create(story: Story) -> str:
    job_id = story.create(
        action={"type": "worker", "pool": POOL, "handler": "sales"}, timeout_seconds=600
    )
    story.cloud.at(_COMES_AT, partial(come, story, 1, work))
    return job_id


def _began_after_the_pause(story: Story, job_id: str) -> None:
    """No run began before, and in the end each is done, although calls were lost."""
    ends = story.ends(job_id)
    assert ends[-1] == ("succeeded", None)
    assert story.status(job_id) == "completed"
    assert 1 <= len(story.effects) <= 1 + len(story.faults)
    assert min(effect.at for effect in story.effects) >= story.at(_RESUMED_AT)


PAUSED_POOLS = (
    Flow("pool pause", _begin_paused, _began_after_the_pause),
    Flow("pool pause that ends", _begin_paused_until, _began_after_the_pause),
)
