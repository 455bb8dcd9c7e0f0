"""Conditions judged: what is asked before a run begins, and what its answer means."""

from dataclasses import replace
from datetime import datetime, timedelta

from timegate.domain.actions.kinds.webhook import WebhookAction
from timegate.domain.execution.restriction_check import PutOff, put_off
from timegate.domain.execution.run_document import as_text, run_document
from timegate.domain.jobs.condition import Checks, Condition
from timegate.domain.jobs.job import Job
from timegate.domain.jobs.retry import Failure, FailureKind
from timegate.domain.runs.run import Attempt, Reason
from timegate.domain.values.instants import rfc3339
from timegate.value_classes import dataclass

#: Version of the sent document; it grows when a field changes its meaning or goes.
VERSION = 1
#: They speak of a state that passes, though the same request would fail again at once.
_NOT_NOW = frozenset({"http_409", "http_423"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Go:
    """It may begin."""


@dataclass(frozen=True, kw_only=True, slots=True)
class NotNow:
    """It is asked again later: the attempt as it waits for that."""

    waiting: Attempt


@dataclass(frozen=True, kw_only=True, slots=True)
class Never:
    """It does not begin."""

    explanation: str


Verdict = Go | NotNow | Never


def question(
    condition: Condition, job: Job, attempt: Attempt, *, now: datetime
) -> tuple[WebhookAction, str]:
    """Return the address and body of a condition's question (docs/guides/hooks.md)."""
    document = {
        "version": VERSION,
        "type": "run.before",
        "at": rfc3339(now),
        "job": {"job_id": job.job_id, "name": job.name},
        "run": run_document(attempt, started_at=None),
        "refused": attempt.checks.refused if attempt.checks is not None else 0,
    }
    action = WebhookAction(url=condition.url, signing_secret=condition.signing_secret)
    return action, as_text(document)


def judge(
    condition: Condition, attempt: Attempt, failure: Failure | None, *, now: datetime
) -> Verdict:
    """Judge an answer: a success is a "go"; a passing failure is a "not now", any other a "no".

    An address that asks to be left alone for longer is, as long as the run is not given up by then.
    """
    if failure is None:
        return Go()
    passes = failure.kind is not FailureKind.PERMANENT or failure.code in _NOT_NOW
    if not passes:
        return Never(explanation=f"Its condition said no: {failure.code}: {failure.message}")
    before = attempt.checks or Checks(since=attempt.due_at)
    checks = replace(before, refused=before.refused + 1, said=failure.code)
    wait = max(condition.every_seconds, failure.retry_after_seconds or 0)
    due_at = now + timedelta(seconds=wait)
    if due_at > checks.since + timedelta(seconds=condition.give_up_after_seconds):
        times = "once" if checks.refused == 1 else f"{checks.refused} times"
        said = f"Its condition said not now {times} since {rfc3339(checks.since)}"
        return Never(explanation=f"{said}, the last time by {failure.code}: {failure.message}")
    waiting = put_off(attempt, PutOff(due_at=due_at, reason=Reason.CONDITION), now=now)
    return NotNow(waiting=replace(waiting, checks=checks))


def cleared(attempt: Attempt) -> Attempt:
    """The attempt, knowing that it may begin."""
    before = attempt.checks or Checks(since=attempt.due_at)
    return replace(attempt, checks=replace(before, cleared=True))
