"""Trace contexts: one trace for each run, a span for each call, none of them stored."""

import re
from dataclasses import replace

import pytest

from tests.support.factories import OTHER_TENANT, attempt_id
from tests.unit.adapters.targets.calls import call_factory
from timegate.domain.execution.call import Call, Resume
from timegate.domain.execution.trace_context import traceparent
from timegate.domain.values.identity import AttemptId, Origin, RunId

RUN = attempt_id().run


def trace_and_span(call: Call) -> tuple[str, str]:
    """The two ids of a call."""
    match = re.fullmatch(r"00-([0-9a-f]{32})-([0-9a-f]{16})-01", traceparent(call))
    assert match is not None
    return match[1], match[2]


def notice_of(mark: str) -> Call:
    """The call of a notification about a run of the tests' job and instant."""
    run = RunId(
        job_id=RUN.job_id,
        origin=Origin.NOTIFICATION,
        scheduled_at=RUN.scheduled_at,
        about=f"{mark}2-failed-k3jx52mq",
    )
    return call_factory(attempt=AttemptId(run=run, number=1))


def test_a_call_has_a_trace_and_a_span() -> None:
    """Version 00, sampled, neither id of zeros alone, as the recommendation asks."""
    trace, span = trace_and_span(call_factory())

    assert set(trace) != {"0"}
    assert set(span) != {"0"}


@pytest.mark.parametrize(
    "other",
    [
        call_factory(attempt=attempt_id(3)),
        call_factory(fence=4),
        call_factory(resume=Resume(slice=2)),
        call_factory(purpose="before"),
        call_factory(purpose="before", refused=1),
    ],
    ids=["attempt", "lease", "slice", "question", "another-question"],
)
def test_each_call_is_a_span_of_its_runs_trace(other: Call) -> None:
    """Retries, take-overs, slices and questions belong to one run."""
    trace, span = trace_and_span(call_factory())

    assert trace_and_span(other)[0] == trace
    assert trace_and_span(other)[1] != span


def test_the_same_call_has_the_same_span() -> None:
    """Computed, so that an executor needs to read and write nothing."""
    assert traceparent(call_factory()) == traceparent(call_factory())


@pytest.mark.parametrize(
    "other",
    [
        call_factory(tenant=OTHER_TENANT),
        call_factory(attempt=replace(attempt_id(2), run=replace(RUN, origin=Origin.TRIGGER))),
    ],
    ids=["tenant", "run"],
)
def test_other_runs_have_other_traces(other: Call) -> None:
    """Also those of another tenant under the same id."""
    assert trace_and_span(other)[0] != trace_and_span(call_factory())[0]


def test_a_notification_is_in_the_trace_of_its_run() -> None:
    """A receiver of failures finds the calls that failed."""
    trace, span = trace_and_span(call_factory())
    followed = replace(RUN, origin=Origin.FOLLOW_UP, about="k3jx52mqk3jx52mq")
    follow_up = call_factory(attempt=AttemptId(run=followed, number=1))

    assert trace_and_span(notice_of("s"))[0] == trace
    assert trace_and_span(notice_of("s"))[1] != span
    assert trace_and_span(notice_of("t"))[0] != trace
    assert trace_and_span(notice_of("fk3jx52mqk3jx52mq"))[0] == trace_and_span(follow_up)[0]
