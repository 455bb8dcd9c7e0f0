"""After a promotion each retry of a message that did not arrive is made."""

from dataclasses import replace
from typing import Any
from unittest.mock import Mock

import pytest

from tests.support.execution.metered import MeteredEngine
from tests.support.factories import JOB_ID, TENANT, after, attempt_factory
from tests.support.ruling import put_rule
from tests.support.stores.records import Records
from tests.unit.usecases.planning.test_mend_jobs import LOST, Takeover, told
from timegate.domain.channels.webhook import WebhookChannel
from timegate.domain.execution.notices import RETRY, notice_id, notice_run, notices
from timegate.domain.jobs.hook import Subscription
from timegate.domain.jobs.notification import Occasion, RuleMark
from timegate.domain.jobs.retry import Failure, FailureKind
from timegate.domain.regions.doubt import is_in_doubt
from timegate.domain.runs.conclusion import Conclusion, fail
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.values.errors import Malformed
from timegate.domain.values.instants import to_milliseconds

HOOK = Subscription(channel=WebhookChannel(url="https://example.com"), on=(Occasion.SUCCEEDED,))
BUSY = Failure(kind=FailureKind.RETRYABLE, code="http_503", type="Busy", message="busy")


@pytest.fixture
def world() -> Takeover:
    """The region that takes over."""
    return Takeover()


def fails(world: Takeover, message: Attempt, *, at: float, asked: float = 0) -> Conclusion:
    """Store a message whose attempt failed, and not its retry; return what both would be."""
    running = replace(message, state=RunState.RUNNING, fence=1)
    failure = replace(BUSY, retry_after_seconds=asked or None)
    concluded = fail(running, failure, RETRY, started_at=after(at), now=after(at))
    world.tables.attempts[message.tenant, message.id] = concluded.ended
    return concluded


def message_of_job(world: Takeover) -> Attempt:
    """Make the message of the end of a run."""
    job = world.jobs.get(TENANT, JOB_ID)
    run = attempt_factory(state=RunState.SUCCEEDED, ended_at=after(100))
    (made,) = notices(job, run, Occasion.SUCCEEDED, at=after(100), now=after(100))
    return made


@pytest.mark.parametrize(("asked", "doubted"), [(0, True), (600, False)])
def test_a_message_about_a_run_gets_the_retry_that_did_not_arrive(
    world: Takeover, asked: float, doubted: bool
) -> None:
    """It is in doubt if it was due in the time of the region before."""
    world.plan(notifications=(HOOK,))
    expected = fails(world, message_of_job(world), at=150, asked=asked).retry
    assert expected is not None

    assert world.mend()
    first, second = world.runs.attempts(TENANT, expected.id.run)
    assert first.ended_at is not None
    assert (second.id, second.due_at) == (expected.id, to_milliseconds(expected.due_at))
    assert second.notice == expected.notice
    assert is_in_doubt(second, after(LOST)) is doubted
    assert [each["messages"] for each in told(world, "region_job_mended")] == [1]
    assert world.mend(3_000)
    assert len(world.runs.attempts(TENANT, expected.id.run)) == 2


def test_a_message_by_a_rule_gets_the_retry_that_did_not_arrive(world: Takeover) -> None:
    """The walk meets the watch over its tenant's rules in the table."""
    put_rule(world)
    at_hand = world.rules.rules_at_hand(TENANT)
    assert at_hand is not None
    (rule,) = at_hand.rules
    mark = RuleMark(message="m" * 16, hook=rule.channels[0].id)
    named = notice_id(rule.rule_id, mark, scheduled_at=after(150))
    message = notice_run(TENANT, named, "{}", job_version=1, at=after(150), now=after(150))
    expected = fails(world, message, at=151, asked=600).retry
    assert expected is not None

    assert world.mend()
    assert world.runs.attempts(TENANT, named)[1].due_at == to_milliseconds(expected.due_at)
    assert [each["retries"] for each in told(world, "region_rule_mended")] == [1]
    assert world.mend(3_000)
    assert len(told(world, "region_rule_mended")) == 1


@pytest.mark.parametrize(("hooks", "queries"), [((), 0), ((HOOK,), 1)], ids=["none", "one"])
def test_messages_of_a_job_without_channels_cost_nothing(
    hooks: tuple[Any, ...], queries: int
) -> None:
    """Only a job that has channels may have sent one."""
    engine = MeteredEngine()
    world = Takeover(Records(engine))
    world.plan()
    world.mend()
    engine.reset()
    world.mend(3_000)
    plain = engine.calls["Query"]
    job = world.jobs.get(TENANT, JOB_ID)
    world.jobs.update(job, replace(job, notifications=hooks, timing=replace(job.timing, version=2)))
    engine.reset()
    world.mend(4_000)

    assert engine.calls["Query"] == plain + queries


def test_rules_that_cannot_be_read_hold_up_no_walk(
    world: Takeover, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The look at all other jobs goes on."""
    put_rule(world)
    monkeypatch.setattr(world.rules, "rules_at_hand", Mock(side_effect=Malformed("damaged")))

    assert world.mend()
    assert [each["item"] for each in told(world, "job_unreadable")] == [f"{TENANT} rules"]
