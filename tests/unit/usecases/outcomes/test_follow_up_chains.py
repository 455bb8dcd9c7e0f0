"""Chains of follow-ups: refused where they would have no end, cut where they have none."""

import pytest

from tests.support.api import api_services
from tests.support.execution.chaining import add, begin, followers, then
from tests.support.execution.telling import run_all
from tests.support.factories import (
    NOW,
    OTHER_TENANT,
    TENANT,
    after,
    job_id,
)
from tests.support.world import World
from timegate.domain.jobs.definition import JobChanges
from timegate.domain.jobs.follow_up import MAX_DEPTH, Ending
from timegate.domain.jobs.job import JobStatus
from timegate.domain.runs.run import Reason, RunState
from timegate.domain.values.errors import InvalidInput
from timegate.usecases.jobs.change_job import JobRef
from timegate.usecases.jobs.update_job import update_job
from timegate.usecases.runs.read_triggered import read_triggered

FINISHED = (Ending.FINISHED,)


def ref(name: str) -> JobRef:
    """A job to change."""
    return JobRef(tenant=TENANT, job_id=job_id(name))


def test_a_cycle_that_came_about_ends(world: World) -> None:
    """Two jobs that were changed at the same moment: the record says where it was cut."""
    add(world, "a", then("b", *FINISHED))
    add(world, "b", then("a", *FINISHED))
    begin(world, "a")
    run_all(world)
    runs = followers(world)
    reasons = [run.reason for run in runs if run.state is RunState.SKIPPED]

    assert len(runs) == MAX_DEPTH + 1
    assert reasons == [Reason.CHAIN_TOO_LONG]
    assert len(world.target.calls) == MAX_DEPTH + 1


def test_a_cycle_is_refused_when_it_would_be_closed(world: World) -> None:
    """By the job that closes it, and named; a change of something else is none of its business."""
    services = api_services(world)
    add(world, "a", then("b"))
    add(world, "b")
    with pytest.raises(InvalidInput) as refused:
        update_job(ref("b"), JobChanges(then=(then("a"),)), services, now=NOW)
    around = " → ".join([job_id("b"), job_id("a"), job_id("b")])

    assert (refused.value.field, refused.value.code) == ("then.0.job_id", "cycle")
    assert around in refused.value.detail
    assert update_job(ref("a"), JobChanges(name="A"), services, now=NOW).name == "A"


@pytest.mark.parametrize("case", ["unknown", "anothers", "cancelled"])
def test_what_could_never_run_cannot_follow(world: World, case: str) -> None:
    """Another tenant's job is as unknown as one of no tenant."""
    add(world, "a")
    if case == "anothers":
        add(world, "b", tenant=OTHER_TENANT)
    if case == "cancelled":
        add(world, "b", status=JobStatus.CANCELLED)
    with pytest.raises(InvalidInput) as refused:
        update_job(ref("a"), JobChanges(then=(then("b"),)), api_services(world), now=NOW)
    code = "job_cancelled" if case == "cancelled" else "unknown_job"

    assert (refused.value.field, refused.value.code) == ("then.0.job_id", code)


def test_what_followed_is_found_after_the_job_was_changed(world: World) -> None:
    """The run was claimed under a definition that is on record."""
    add(world, "bill", then("report"))
    add(world, "report")
    parent = begin(world, "bill")
    run_all(world)
    update_job(ref("bill"), JobChanges(then=()), api_services(world), now=after(1))
    found = read_triggered(world.runs.attempts(TENANT, parent.id.run), api_services(world))

    assert [run.id.run.job_id for run in found] == [job_id("report")]


def test_a_change_counts_for_ends_that_come_after_it(world: World) -> None:
    """The claim records that the job has followers; the followers are looked up at the end."""
    add(world, "bill", then("report"))
    add(world, "report")
    add(world, "audit")
    begin(world, "bill")
    world.stream()
    world.execute(world.receive())
    changes = JobChanges(then=(then("audit"),))
    update_job(ref("bill"), changes, api_services(world), now=after(1))
    run_all(world)

    assert {run.id.run.job_id for run in followers(world)} == {job_id("audit")}
