"""Follow-ups while records come twice, in any order, and their readers die."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.execution.chaining import add, followers, then
from tests.support.execution.following import interrupted
from tests.support.execution.overlapping import Script, crash, throttle
from tests.support.execution.telling import run_all
from tests.support.factories import after, attempt_factory, attempt_id, job_id
from tests.support.world import World
from timegate.domain.jobs.follow_up import Ending
from timegate.domain.jobs.notification import Occasion
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.usecases.outcomes.follow_ends import follow_ends

#: Occasions that their claims wrote down.
HEARD = (Occasion.SUCCEEDED, Occasion.FAILED)
#: An end that both jobs follow, a failure that is tried again, its second attempt, which one
#: follows, and an end without a listener.
ENDS = [
    (0, 1, RunState.FAILED, Reason.PERMANENT),
    (60, 1, RunState.FAILED, Reason.RETRIED),
    (60, 2, RunState.SUCCEEDED, None),
    (120, 1, RunState.SKIPPED, Reason.PAUSED),
]
RECORDS = [
    attempt_factory(
        id=attempt_id(number, job=job_id("bill"), scheduled_at=after(seconds)),
        state=state,
        reason=reason,
        started_at=after(seconds),
        ended_at=after(seconds + number),
        watch_at=None,
        notify=HEARD,
    )
    for seconds, number, state, reason in ENDS
]
#: Instant, attempt and follower.
WANTED = {(after(0), 1, "any"), (after(0), 1, "repair"), (after(60), 2, "any")}


def chained() -> World:
    """A job that two follow, one of them only what failed."""
    world = World(now=after(200))
    add(world, "bill", then("any", Ending.FINISHED), then("repair", Ending.FAILED))
    add(world, "any")
    add(world, "repair")
    return world


@settings(deadline=None)
@given(
    batches=st.lists(
        st.tuples(
            st.lists(st.sampled_from(RECORDS), max_size=6),
            st.integers(0, 16),
            st.sampled_from([crash, throttle]),
        ),
        max_size=3,
    ),
    last=st.permutations(RECORDS),
    runs_between=st.booleans(),
)
def test_each_end_triggers_each_follower_once(
    batches: list[tuple[list[Attempt], int, object]], last: list[Attempt], *, runs_between: bool
) -> None:
    """However often, in whatever order, and after whatever deaths it is read.

    Also when what it triggered has run before the record comes again.
    """
    world = chained()
    for batch, moment, event in batches:
        interrupted(world, batch, Script(moment, event))  # type: ignore[arg-type]
        if runs_between:
            run_all(world)
    follow_ends(last, world.followers, now=world.clock.now())
    run_all(world)
    made = followers(world)
    names = {job_id(name): name for name in ("any", "repair")}
    parents = [run.parent for run in made if run.parent is not None]
    found = [
        (parent.attempt.run.scheduled_at, parent.attempt.number, names[run.id.run.job_id])
        for run, parent in zip(made, parents, strict=True)
    ]

    assert set(found) == WANTED
    assert len(found) == len(WANTED)
    assert {(run.id.number, run.state) for run in made} == {(1, RunState.SUCCEEDED)}
    assert len(world.target.calls) == len(WANTED)


def test_what_an_end_costs() -> None:
    """A read of its job, and for what follows a read of each job and a write of each run."""
    script = Script(10_000, crash)
    interrupted(chained(), [RECORDS[0]], script)
    quiet = Script(10_000, crash)
    interrupted(chained(), [replace(RECORDS[0], notify=())], quiet)

    # Before and after each call; the writes of one end are one call of the store.
    assert script.moments == 2 * (1 + 2 + 1)
    assert quiet.moments == 0
