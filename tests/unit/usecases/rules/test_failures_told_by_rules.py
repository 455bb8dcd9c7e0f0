"""Rules tell of a streak once, and of its end."""

import json
from typing import Any

import pytest

from tests.support.execution.failing import BUSY, GONE, a_world, run
from tests.support.execution.telling import run_all
from tests.support.factories import JOB_ID, NOW, TENANT, after, attempt_factory, attempt_id
from tests.support.ruling import look as look_once
from tests.support.ruling import looking, messages, put_rule, told
from tests.support.world import World
from timegate.domain.actions.kinds.webhook import WebhookAction
from timegate.domain.jobs.job_filter import Selection
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.rules.rule import RuleName, When
from timegate.domain.runs.run import Reason, RunState
from timegate.domain.values.identity import Origin, job_id_from
from timegate.usecases.rules.look_at_rules import look_at_rules

THREE = When(failures_in_a_row=3, recovered=True)


def a_ruled_world(when: When = THREE, **fields: Any) -> World:  # noqa: ANN401 - a rule's
    """A job that fails, under a rule."""
    world = a_world(pauses=None)
    put_rule(world, when=when, **fields)
    return world


def look(world: World) -> None:
    """Make a look, and deliver what it tells."""
    look_once(world)
    run_all(world)


def test_a_streak_is_told_of_once() -> None:
    """Neither at the second failure nor again at the fourth."""
    world = a_ruled_world()
    run(world, GONE, BUSY)
    look(world)

    assert told(world) == []

    run(world, GONE)
    look(world)

    assert told(world) == [["send the report: 3 runs in a row failed (http_410)."]]

    run(world, GONE)
    look(world)
    world.clock.advance(60)
    look(world)

    assert len(told(world)) == 1


def test_recovery_is_told_of_once_and_a_later_streak_anew() -> None:
    """The first success after a streak; a success without one is told by none."""
    world = a_ruled_world()
    run(world, GONE, GONE, GONE)
    look(world)
    run(world, None, None)
    look(world)
    look(world)

    assert told(world)[1:] == [["send the report: a run has succeeded again."]]

    run(world, GONE, GONE, GONE)
    look(world)

    assert told(world)[2:] == [["send the report: 3 runs in a row failed (http_410)."]]


def test_a_streak_that_ended_between_two_looks_is_told_of_by_none() -> None:
    """The last run succeeded: there is no streak any more."""
    world = a_ruled_world()
    run(world, GONE, GONE, GONE, None)
    look(world)

    assert told(world) == []


def test_a_look_that_is_repeated_tells_nothing_twice() -> None:
    """The stream may show the watch again at once."""
    world = a_ruled_world(When(failures_in_a_row=1, dead_letter=True))
    run(world, BUSY)
    looks = look_at_rules([TENANT] * 3, looking(world))
    look(world)

    assert looks == [True] * 3
    assert told(world) == [
        [
            "send the report: a run failed (http_503).",
            "send the report: a run was given up (http_503); it waits for a decision.",
        ]
    ]


def test_messages_are_delivered_as_notifications_are() -> None:
    """The channel is called with the document; what is told completes no job."""
    world = a_ruled_world(When(failures_in_a_row=1))
    run(world, GONE)
    look(world)
    run_all(world)
    (message,) = messages(world)
    call = world.target.calls[-1]
    document = json.loads(message.notice or "")

    assert message.state is RunState.SUCCEEDED
    assert call.action == WebhookAction(url="https://alerts.example.com/timegate")
    assert json.loads(call.payload or "") == document
    assert document["type"] == "rule.told"
    assert document["rule"] == {"name": "failures", "version": 1}
    assert document["notification_id"] == str(message.id.run)
    (event,) = document["events"]
    assert (event["type"], event["failures"]) == ("failures", 1)
    assert event["run"]["error"]["code"] == "http_410"


def test_a_rule_that_is_deleted_sends_nothing_any_more() -> None:
    """A message on its way is skipped, like that of a removed hook."""
    world = a_ruled_world(When(failures_in_a_row=1))
    run(world, GONE)
    look_once(world)
    world.rules.delete_rule(TENANT, "failures", expected_version=None, now=world.clock.now())
    run_all(world)

    assert [each.state for each in messages(world)] == [RunState.SKIPPED]


@pytest.mark.parametrize(
    ("selection", "is_told"),
    [
        pytest.param(Selection(name="send the report"), True, id="name"),
        pytest.param(Selection(name="send*"), True, id="beginning"),
        pytest.param(Selection(name="other*"), False, id="other name"),
        pytest.param(Selection(tags={"team": "ops"}), False, id="tag"),
        pytest.param(Selection(job_id=JOB_ID), True, id="id"),
    ],
)
def test_a_rule_is_about_the_jobs_that_it_selects(selection: Selection, is_told: bool) -> None:
    """All that is named must hold."""
    world = a_ruled_world(When(failures_in_a_row=1), jobs=selection)
    run(world, GONE)
    look(world)

    assert bool(told(world)) is is_told


def test_what_failed_before_a_rule_is_none_of_its() -> None:
    """It counts from when it was given."""
    world = a_world(pauses=None)
    run(world, GONE)
    world.clock.advance(1)
    put_rule(world)
    look(world)

    assert told(world) == []


@pytest.mark.parametrize("others", [0, 1])
def test_what_failed_while_a_rule_was_not_enabled_is_none_of_its(others: int) -> None:
    """Also of the last two minutes, which looks read again, and beside a rule that is enabled."""
    world = a_ruled_world(When(failures_in_a_row=1))
    for number in range(others):
        put_rule(world, name=RuleName(f"other-{number}"), when=THREE)
    put_rule(world, when=When(failures_in_a_row=1), enabled=False)
    run(world, GONE)
    look(world)
    world.clock.advance(30)
    put_rule(world, when=When(failures_in_a_row=1))
    look(world)

    assert told(world) == []

    put_rule(world, when=When(failures_in_a_row=1), description="An edit begins nothing anew.")
    run(world, GONE)
    put_rule(world, when=When(failures_in_a_row=1))
    look(world)

    assert told(world) == [["send the report: a run failed (http_410)."]]


def test_a_run_that_a_quota_refused_is_told_of() -> None:
    """It is no failure of its target: the condition is one of its own."""
    world = a_ruled_world(When(quota_refused=True))
    refused = attempt_factory(
        id=attempt_id(scheduled_at=after(60)),
        state=RunState.SKIPPED,
        reason=Reason.QUOTA,
        ended_at=after(60),
        watch_at=None,
    )
    world.runs.insert_all([refused])
    world.clock.advance(90)
    look(world)

    assert told(world) == [["send the report: a quota of the tenant refused a run."]]


@pytest.mark.parametrize(
    ("when", "texts"),
    [
        pytest.param(When(failures_in_a_row=1), ["a run failed."] * 3, id="failures"),
        pytest.param(
            When(dead_letter=True),
            ["a run was given up; it waits for a decision."] * 3,
            id="dead letters",
        ),
        pytest.param(THREE, ["3 runs in a row failed."], id="row"),
        pytest.param(
            When(quota_refused=True), ["a quota of the tenant refused a run."], id="refused"
        ),
    ],
)
def test_each_failure_of_a_job_that_runs_once_is_told_of(when: When, texts: list[str]) -> None:
    """Between two looks there may be several, and no run ends the streak of another."""
    world = World()
    world.add_job(schedule=Schedule(kind=ScheduleKind.AT, at=NOW), created_at=NOW)
    put_rule(world, when=when)
    world.clock.advance(60)
    for seconds in range(3):
        failed = attempt_factory(
            id=attempt_id(origin=Origin.TRIGGER, scheduled_at=after(seconds)),
            state=RunState.SKIPPED if when.quota_refused else RunState.DEAD_LETTERED,
            reason=Reason.QUOTA if when.quota_refused else Reason.PERMANENT,
            ended_at=after(seconds),
            watch_at=None,
        )
        world.runs.insert_all([failed])
    look(world)
    world.clock.advance(60)
    look(world)

    assert told(world) == [[f"send the report: {text}" for text in texts]]


@pytest.mark.parametrize(
    ("when", "text"),
    [
        pytest.param(When(failures_in_a_row=1, recovered=True), "a run failed", id="one"),
        pytest.param(THREE, "3 runs in a row failed", id="row"),
        pytest.param(
            When(dead_letter=True, recovered=True), "a run was given up", id="dead letters"
        ),
    ],
)
def test_a_streak_of_a_job_that_is_triggered_lasts_until_a_success(when: When, text: str) -> None:
    """Each failure told again, and no recovery was told: events and callers start its runs."""
    world = a_world(pauses=None, schedule=Schedule(kind=ScheduleKind.MANUAL), next_run_at=None)
    put_rule(world, when=when)
    counts = []
    for outcomes in ([BUSY] * 3, [BUSY], [BUSY], [None], [None], [BUSY] * 3):
        run(world, *outcomes)
        look(world)
        counts.append(len(told(world)))

    assert counts == [1, 1, 1, 2, 2, 3]
    assert told(world)[0][0].startswith(f"send the report: {text}")
    assert told(world)[1] == ["send the report: a run has succeeded again."]
    assert told(world)[2][0].startswith(f"send the report: {text}")


def test_a_quiet_look_writes_nothing() -> None:
    """No failure, no streak: one look is reads alone."""
    world = a_ruled_world()
    watch = world.rules.rules_at_hand(TENANT)
    look(world)

    assert world.rules.rules_at_hand(TENANT) == watch


def test_many_failures_are_read_by_several_looks() -> None:
    """Each failing job is told of, and no message has more than twenty events."""
    world = World()
    put_rule(world)
    world.clock.advance(60)
    for number in range(230):
        job_id = job_id_from(f"{number}".encode())
        world.add_job(job_id=job_id)
        failed = attempt_factory(
            id=attempt_id(job=job_id, origin=Origin.TRIGGER, scheduled_at=after(30)),
            state=RunState.FAILED,
            reason=Reason.PERMANENT,
            ended_at=after(30),
            watch_at=None,
        )
        world.runs.insert_all([failed])
    look(world)
    sent = told(world)

    assert sum(len(each) for each in sent) == 230
    assert max(len(each) for each in sent) == 20
