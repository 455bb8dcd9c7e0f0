"""The definition of a job: one list of fields, from which every other one follows."""

from dataclasses import fields

import pytest
from hypothesis import given

from tests.support.factories import job_factory
from tests.unit.adapters.dynamo.job_strategies import jobs
from timegate.domain.actions.kinds.worker import WorkerAction
from timegate.domain.actions.pool import Offer
from timegate.domain.jobs.definition import (
    DEFINED,
    PLANNED,
    JobChanges,
    JobDefinition,
    PlanDefinition,
    WorkDefinition,
    defaults,
    part_of_definition,
)
from timegate.domain.jobs.job import Job, Timing
from timegate.domain.values.payload import Payload


def names(kind: type[PlanDefinition | WorkDefinition]) -> set[str]:
    """The names of the fields of a class."""
    return {each.name for each in fields(kind)}


def test_every_field_stands_in_one_part() -> None:
    """A field that two parts have could say two things."""
    plan, work = names(PlanDefinition), names(WorkDefinition)

    assert plan & work == set()
    assert plan | work | {"payload"} == set(DEFINED) == names(JobDefinition)
    assert plan <= names(Timing)
    assert work <= names(Job)


def test_changes_name_fields_of_the_definition_alone() -> None:
    """A change of anything else is a mistake of the code that makes it."""
    assert JobChanges(name="x", payload=None).given == {"name": "x", "payload": None}
    with pytest.raises(TypeError, match="no field status"):
        JobChanges(name="x", status="paused")


@given(job=jobs, other=jobs)
def test_a_job_that_is_redefined_says_what_is_given_and_nothing_else_changes(
    job: Job, other: Job
) -> None:
    """Fields of its timing and its own alike; its state stays."""
    given = {name: other.defined(name) for name in DEFINED - {"payload"}}

    redefined = job.redefined(given)

    assert {name: redefined.defined(name) for name in given} == given
    assert redefined.payload == job.payload
    assert part_of_definition(PlanDefinition, redefined.timing).keys() == PLANNED
    assert [redefined.timing.version, redefined.updated_at] == [job.timing.version, job.updated_at]


def test_an_action_takes_its_offer_with_it() -> None:
    """The planner reads the offer, and not the action."""
    job = job_factory()

    offered = job.redefined({"action": WorkerAction(pool="p", handler="h")})

    assert offered.timing.offer == Offer(pool="p", handler="h")
    assert offered.redefined({"action": job.action}).timing.offer is None


@given(job=jobs)
def test_a_reduced_job_keeps_what_is_named_and_nothing_else(job: Job) -> None:
    """Everything that is not named has its default: a new field is not taken over."""
    kept = {"name", "action", "schedule", "tags"}

    reduced = job.reduced(kept, {"timeout_seconds": 7})

    expected = defaults() | {name: job.defined(name) for name in kept} | {"timeout_seconds": 7}
    assert {name: reduced.defined(name) for name in DEFINED} == expected | {"payload": Payload()}


def test_a_field_without_a_default_is_kept_or_given() -> None:
    """A job without an action does not exist."""
    with pytest.raises(TypeError, match="no default of action"):
        job_factory().reduced({"name", "schedule"}, {})
