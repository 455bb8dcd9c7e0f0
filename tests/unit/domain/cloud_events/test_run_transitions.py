"""Transitions of attempts as events: which writes are one, and what an event says."""

from dataclasses import replace

import pytest

from tests.support.factories import NOW, TENANT, after, attempt_factory, attempt_id, run_id
from timegate.domain.cloud_events.cloud_event import CloudEvent, source_of
from timegate.domain.cloud_events.event_types import RUN_ENDS
from timegate.domain.cloud_events.run_transitions import PENDING, run_transition
from timegate.domain.dag_runs.run_identity import TaskRunMark
from timegate.domain.jobs.notification import own_trace
from timegate.domain.runs.run import Attempt, RunError
from timegate.domain.runs.run_states import TERMINAL, TRANSITIONS, Reason, RunState
from timegate.domain.values.identity import AttemptId, DagRunId, Origin, TaskKey
from timegate.domain.values.tenant import TenantId

QUEUED = attempt_factory(state=RunState.QUEUED)
RUNNING = replace(QUEUED, state=RunState.RUNNING, started_at=after(1), fence=1)
ENDED = replace(RUNNING, state=RunState.SUCCEEDED, ended_at=after(2), watch_at=None)


def told(before: RunState | None, attempt: Attempt) -> CloudEvent:
    """The event of a write that is a transition."""
    event = run_transition(before, attempt, written_at=after(60))
    assert event is not None
    return event


def type_of(before: RunState | None, state: RunState) -> str | None:
    """The type of a step, without what all types begin with."""
    event = run_transition(before, replace(RUNNING, state=state), written_at=NOW)
    return event.type.name.removeprefix("io.timegate.run.") if event is not None else None


def test_each_step_of_the_table_has_one_type() -> None:
    """The name of an end is its state; steps between waiting and queued tell nothing."""
    steps = {(before, state) for before, states in TRANSITIONS.items() for state in states}

    assert {step: type_of(*step) for step in steps} == {
        (before, state): (
            state.value
            if state in TERMINAL
            else "started"
            if state is RunState.RUNNING
            else None
            if before in PENDING
            else "released"
        )
        for before, state in steps
    }
    assert set(RUN_ENDS) == TERMINAL


@pytest.mark.parametrize("state", [*sorted(TERMINAL), RunState.QUEUED, RunState.WAITING])
def test_a_new_attempt_is_planned_or_has_ended(state: RunState) -> None:
    """An instant that is skipped at once was never planned."""
    assert type_of(None, state) == (state.value if state in TERMINAL else "planned")


@pytest.mark.parametrize("state", list(RunState))
def test_a_write_that_keeps_the_state_is_no_transition(state: RunState) -> None:
    """Heartbeats, looks, and ends that are shown to outcomes again."""
    assert type_of(state, state) is None


def test_an_end_that_another_attempt_follows_is_retried() -> None:
    """Its run has not failed."""
    failed = replace(ENDED, state=RunState.FAILED, reason=Reason.RETRIED)

    assert told(RunState.RUNNING, failed).type.name == "io.timegate.run.retried"


def test_notifications_have_no_events() -> None:
    """A rule that sends a notification would tell of itself."""
    run = replace(run_id(), origin=Origin.NOTIFICATION, about="1-succeeded-0")
    notice = AttemptId(run=run, number=1)

    assert run_transition(None, replace(QUEUED, id=notice), written_at=NOW) is None


def test_times_are_those_of_the_record_and_not_of_its_write() -> None:
    """A record that is written late tells of the instant at which it happened."""
    released = replace(RUNNING, state=RunState.QUEUED)

    assert told(None, QUEUED).time == QUEUED.created_at
    assert told(RunState.QUEUED, RUNNING).time == after(1)
    assert told(RunState.RUNNING, ENDED).time == after(2)
    assert told(RunState.RUNNING, released).time == after(60)


def test_the_same_transition_has_the_same_id() -> None:
    """Also where its record is read, or written, at another time."""
    shown_again = replace(ENDED, watch_at=after(300))
    again = run_transition(RunState.RUNNING, shown_again, written_at=after(900))

    assert again is not None
    assert told(RunState.RUNNING, ENDED).id == again.id


def test_other_transitions_have_other_ids() -> None:
    """Another attempt, lease, type, run or tenant gives another id."""
    events = [
        told(RunState.RUNNING, ENDED),
        told(RunState.QUEUED, RUNNING),
        told(RunState.QUEUED, replace(RUNNING, fence=2)),
        told(RunState.RUNNING, replace(ENDED, id=attempt_id(number=2))),
        told(RunState.RUNNING, replace(ENDED, id=attempt_id(scheduled_at=after(60)))),
        told(RunState.RUNNING, replace(ENDED, tenant=TenantId("globex"))),
    ]

    assert len({each.id for each in events}) == len(events)


def test_an_event_carries_references_and_codes_alone() -> None:
    """The message of an error, the answer and its explanation stay behind the API."""
    secret = "what the target said"
    failed = replace(
        ENDED,
        state=RunState.FAILED,
        reason=Reason.PERMANENT,
        error=RunError(code="http_404", type="HttpError", message=secret),
        result=secret,
        explanation=secret,
    )
    document = told(RunState.RUNNING, failed).document("prod")

    assert document["data"]["error_code"] == "http_404"
    assert document["data"]["reason"] == "permanent"
    assert secret not in str(document)


def test_a_task_is_named_with_its_dag_run() -> None:
    """It has no job."""
    dag_run = DagRunId(QUEUED.id.run.job_id)
    mark = TaskRunMark(dag_run_id=dag_run, key=TaskKey("load"), round=1)
    task = replace(QUEUED, id=AttemptId(run=mark.run_id(NOW), number=1))
    data = told(None, task).data

    assert (data["dag_run_id"], data["task_key"]) == (dag_run, "load")
    assert data["origin"] == "task"
    assert "job_id" not in data


def test_events_of_a_run_are_in_its_trace() -> None:
    """That which its targets are called with; each event is a span of its own."""
    documents = [
        told(None, QUEUED).document("prod"),
        told(RunState.RUNNING, ENDED).document("prod"),
    ]
    parts = [each["traceparent"].split("-") for each in documents]

    assert {part[1] for part in parts} == {own_trace(TENANT, QUEUED.id.run)}
    assert parts[0][2] != parts[1][2]


@pytest.mark.parametrize(
    ("tenant", "source"),
    [("acme", "/timegate/prod/acme"), ("a|b@c:d", "/timegate/prod/a%7Cb@c:d")],
)
def test_a_source_names_stage_and_tenant(tenant: str, source: str) -> None:
    """It is a URI reference, whatever the tenant is called."""
    document = told(None, replace(QUEUED, tenant=TenantId(tenant))).document("prod")

    assert document["source"] == source
    assert document["tenant"] == tenant


@pytest.mark.parametrize("bars", [80, 81, 127])
def test_a_source_fits_into_an_event_of_eventbridge(bars: int) -> None:
    """Each escape takes three characters; a name that takes too many ends in a hash of it."""
    names = [TenantId("a" + "|" * bars + end) for end in ("", "b")][: 128 - bars]
    sources = [source_of("prod", name) for name in names]

    assert len(set(sources)) == len(names)
    assert all(len(source) <= 256 for source in sources)
    assert sources[0].startswith("/timegate/prod/_h" if bars > 80 else "/timegate/prod/a%7C")
