"""A filter names failed runs by error, job and tags."""

import pytest

from tests.support.factories import JOB_ID, attempt_id, job_id
from tests.support.operations.burying import dead_factory
from timegate.domain.runs.run import Attempt, Reason, RunError, RunState
from timegate.domain.runs.run_filter import FailureFilter
from timegate.domain.values.identity import DagRunId, Origin

GONE = RunError(code="http_404", type="HttpStatus", message="gone")
FAILED = dead_factory(state=RunState.FAILED, reason=Reason.PERMANENT, error=GONE)
TASK = dead_factory(id=attempt_id(job=JOB_ID, origin=Origin.TASK))


@pytest.mark.parametrize(
    ("wanted", "attempt", "is_one"),
    [
        (FailureFilter(), FAILED, True),
        (FailureFilter(), dead_factory(state=RunState.SUCCEEDED, reason=None), False),
        (FailureFilter(), dead_factory(state=RunState.SKIPPED, reason=Reason.PAUSED), False),
        (FailureFilter(states=(RunState.FAILED,)), FAILED, True),
        (FailureFilter(states=(RunState.TIMED_OUT,)), FAILED, False),
        (FailureFilter(reason=Reason.PERMANENT), FAILED, True),
        (FailureFilter(reason=Reason.LATE), FAILED, False),
        (FailureFilter(error_code="http_404"), FAILED, True),
        (FailureFilter(error_code="http_40"), FAILED, False),
        (FailureFilter(error_code="http_404"), dead_factory(error=None), False),
        (FailureFilter(job_id=JOB_ID), FAILED, True),
        (FailureFilter(job_id=job_id("other")), FAILED, False),
        (FailureFilter(dag_run_id=DagRunId(JOB_ID)), TASK, True),
        (FailureFilter(dag_run_id=DagRunId(JOB_ID)), FAILED, False),
        (FailureFilter(dag_run_id=DagRunId("x")), dead_factory(dag_run=DagRunId("x")), True),
        (FailureFilter(dag_run_id=DagRunId("x")), TASK, False),
    ],
)
def test_a_criterion_names_runs(wanted: FailureFilter, attempt: Attempt, *, is_one: bool) -> None:
    """Each with a run that it names, and one that it leaves out."""
    assert wanted.matches(attempt) == is_one


@pytest.mark.parametrize(
    ("name", "of_job", "is_one"),
    [
        (None, "nightly report", True),
        ("nightly report", "nightly report", True),
        ("nightly", "nightly report", False),
        ("nightly*", "nightly report", True),
        ("nightly*", "nightly", True),
        ("nightly*", "the nightly report", False),
        ("*", "anything", True),
    ],
)
def test_a_name_is_whole_or_a_beginning(name: str | None, of_job: str, *, is_one: bool) -> None:
    """A star at its end stands for the rest."""
    assert FailureFilter(name=name).suits(of_job, {}) == is_one


def test_each_tag_has_to_be_there() -> None:
    """With its value."""
    wanted = FailureFilter(tags=(("team", "a"), ("env", "prod")))

    assert wanted.suits("job", {"team": "a", "env": "prod", "more": "x"})
    assert not wanted.suits("job", {"team": "a"})
    assert not wanted.suits("job", {"team": "a", "env": "dev"})
