"""Jobs with two places whose runs end before they begin: each place goes to a later instant."""

from typing import Any

from tests.crash.judges.checker import OPEN
from tests.crash.story import Flow, Story

_PLACES = 2
_FIRST, _EVERY = 20, 30
#: A run works for so long, and meets the next instants.
_WORKS, _WORKS_LONG = 70, 140
#: A run that waits for so long starts no more: other instants have passed unplanned meanwhile.
_WAITS = 40
#: The last place is taken by then, whether outcomes gives it or a tick does.
_TAKEN = 200


def _begin(story: Story, works: int, **fields: Any) -> str:  # noqa: ANN401 - a job's own
    story.judges.append(lambda: _no_place_is_given_twice(story))
    return story.create(
        function=f"works-{works}",
        resource_class="long",
        timeout_seconds=300,
        schedule={
            "kind": "rate",
            "every_seconds": _EVERY,
            "starts_at": story.instant(_FIRST),
            "max_runs": _PLACES,
        },
        **fields,
    )


def _begin_skipping(story: Story) -> str:
    """A run is skipped at its instant: outcomes plans the next one."""
    return _begin(story, _WORKS, overlap={"policy": "forbid"})


def _begin_waiting(story: Story) -> str:
    """A run is skipped after its instant: outcomes leaves out what has passed, and plans."""
    return _begin(
        story,
        _WORKS_LONG,
        overlap={"policy": "queue"},
        start_within_seconds=_WAITS,
        catch_up={"policy": "skip", "grace_seconds": 0},
    )


def _no_place_is_given_twice(story: Story) -> None:
    """At every moment: runs that began, and those that still may, are no more than places."""
    held = {row.run for row in story.rows if row.fence > 0 or row.state in OPEN}
    assert len(held) <= _PLACES, f"{sorted(held)} hold {_PLACES} places"


def _both_places_are_used(story: Story, job_id: str) -> None:
    """Two runs began and succeeded, at any death; the others say why they did not begin.

    A run that began, and comes back after its worker was struck, may find another one at work.
    """
    begun = {row.run for row in story.rows if row.fence > 0}
    begun_ends = [end for end, row in zip(story.ends(job_id), story.rows, strict=True) if row.fence]
    ends = [end for end in begun_ends if end[1] != "retried"]
    stopped = ends.count(("cancelled", "overlap"))
    assert len(begun) == len(ends) == _PLACES, story.ends(job_id)
    assert ends.count(("succeeded", None)) == _PLACES - stopped, ends
    assert stopped <= len(story.struck("executor"))
    assert len(begun_ends) - len(ends) <= story.tried_again
    skipped = {(row.state, row.reason) for row in story.rows if row.run not in begun}
    assert skipped <= {("skipped", "overlap"), ("skipped", "late")}
    assert skipped or not _meet_at_once(story)
    assert story.status(job_id) == "completed"
    assert {effect.run.rpartition(".s")[2] for effect in story.effects} <= {
        run.partition("#")[0] for run in begun
    }


def _meet_at_once(story: Story) -> bool:
    """Tell if runs meet at their instants: a crowded lane begins one when another has ended."""
    return not story.faults and not story.cloud.service.is_crowded


def _and_at_once(story: Story, job_id: str) -> None:
    """Within a minute, where only outcomes was struck: a tick gives the place."""
    _both_places_are_used(story, job_id)
    struck = {fault.call.function for fault in story.faults}
    if struck <= {"outcomes"} and not story.cloud.service.is_crowded:
        assert max(effect.at for effect in story.effects) <= story.at(_TAKEN)


def _and_what_passed_is_on_record(story: Story, job_id: str) -> None:
    _both_places_are_used(story, job_id)
    gaps = [item for item in story.jobs if item["sk"]["S"].startswith("gap#")]
    assert {gap["reason"]["S"] for gap in gaps} <= {"missed_window"}
    assert gaps or not _meet_at_once(story)


PLACES = (
    Flow("place given back", _begin_skipping, _and_at_once, function="outcomes"),
    Flow("place given back late", _begin_waiting, _and_what_passed_is_on_record),
)
