"""A tenant that may begin two runs a day, and has three."""

from tests.crash.services.streams import JOBS
from tests.crash.story import Flow, Story

#: Runs on a day of its tenant.
_LIMIT = 2


def _begin_beyond_the_day(story: Story) -> list[str]:
    story.cloud.region.tables.put(
        JOBS,
        {
            "pk": {"S": "tenants"},
            "sk": {"S": story.tenant},
            "tenant": {"S": story.tenant},
            "quotas": {"M": {"runs_per_day": {"N": str(_LIMIT)}}},
            "version": {"N": "1"},
        },
    )
    story.judges.append(lambda: _counted_is_begun(story))
    return [story.create(name) for name in ("first", "second", "third")]


def _counted_is_begun(story: Story) -> None:
    """At every moment: what was counted began, what began was counted, and it is no more."""
    begun = {(row.key[0], row.run) for row in story.rows if row.fence > 0}
    counted = sum(int(item["counted"]["N"]) for item in story.runs if "counted" in item)
    own = {run for run in begun if run[0].startswith(f"{story.tenant}#")}
    assert len(own) == counted <= _LIMIT, f"{own} began, {counted} were counted"


def _two_of_three_have_run(story: Story, jobs: list[str]) -> None:
    ends = story.ends()
    assert ends.count(("succeeded", None)) == _LIMIT, ends
    assert ends.count(("skipped", "quota")) == len(jobs) - _LIMIT, ends
    # STS that cannot be reached costs each run of the batch a try.
    assert len(ends) <= len(jobs) + _LIMIT * story.tried_again, ends
    assert [story.status(job_id) for job_id in jobs] == ["completed"] * len(jobs)
    assert len({effect.run for effect in story.effects}) == _LIMIT


QUOTAS = (Flow("quota of the day", _begin_beyond_the_day, _two_of_three_have_run, most=12),)
