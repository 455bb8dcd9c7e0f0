"""Runs that kill their workers, among those of another tenant: only the killers are given up."""

from typing import Any

from tests.crash.story import Flow, Story

#: Everything is due at the same instant, so that one batch holds it.
_DUE = 30
_NEIGHBOURS = 6

Jobs = tuple[list[str], list[str]]


def _begin(story: Story, killers: int, **fields: Any) -> Jobs:  # noqa: ANN401 - a job's own
    fields["schedule"] = {"kind": "at", "at": story.instant(_DUE)}
    own = [story.create(f"killer-{n}", function="kills", **fields) for n in range(killers)]
    others = [
        story.create(f"neighbour-{n}", by=story.neighbour, **fields) for n in range(_NEIGHBOURS)
    ]
    return own, others


def _begin_one(story: Story) -> Jobs:
    return _begin(story, 1)


def _begin_two(story: Story) -> Jobs:
    return _begin(story, 2)


def _only_killers_are_buried(story: Story, jobs: Jobs) -> None:
    """Each neighbour ends as its target answered, once; each killer is given up by itself."""
    killers, others = jobs
    for job_id in others:
        ends = story.ends(job_id)
        assert ends.count(("succeeded", None)) == 1, ends
        assert len(ends) <= 1 + story.tried_again, ends
        assert story.status(job_id) == "completed"
    for job_id in killers:
        # The sweeper may take an attempt whose worker died for one that is overdue.
        *_, end = story.ends(job_id)
        assert end in {("dead_lettered", "kills_workers"), ("dead_lettered", "poison_message")}
        assert story.status(job_id) == "completed"


def _begin_killer(story: Story) -> str:
    return story.create(function="kills", resource_class="long", timeout_seconds=840)


def _is_buried(story: Story, job_id: str) -> None:
    *tried, end = story.ends()
    # An attempt that STS gave no session called nothing, and failed by itself.
    unable = sum(fault.call.operation == "AssumeRole" for fault in story.faults)
    assert tried in ([], [("failed", "retried")] * unable)
    assert end in {("dead_lettered", "kills_workers"), ("dead_lettered", "poison_message")}
    assert story.status(job_id) == "completed"
    # One that a fault killed before its call counts among the dead as well.
    assert 4 - len(story.faults) <= len(story.effects) <= 5 * (1 + len(tried))


KILLERS = (
    Flow("killer", _begin_killer, _is_buried),
    Flow("killer in a batch", _begin_one, _only_killers_are_buried, most=12),
    Flow("killers in a batch", _begin_two, _only_killers_are_buried, most=12),
)
