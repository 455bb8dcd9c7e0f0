"""A scenario whose jobs tell of their runs, lived through by the use cases."""

import json
from collections import Counter
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from tests.support.factories import TENANT
from tests.support.ruling import CHANNEL, look, looking
from tests.support.simulation.replay import MINUTE, Replay, Turn
from timegate.domain.channels.webhook import WebhookChannel
from timegate.domain.execution.call import Call
from timegate.domain.jobs.hook import Subscription
from timegate.domain.jobs.notification import Occasion
from timegate.domain.jobs.retry import Failure, FailureKind, RetryPolicy
from timegate.domain.simulation import Scenario, Simulated, SimulatedJob
from timegate.domain.simulation.scenario import RunOutcome
from timegate.domain.values.identity import AbsenceRef, JobId, Origin
from timegate.usecases.jobs.change_job import JobRef
from timegate.usecases.jobs.resume_job import resume_job
from timegate.usecases.rules.look_at_absences import look_at_absences

_KINDS = {
    RunOutcome.FAILED: FailureKind.PERMANENT,
    RunOutcome.DEAD_LETTERED: FailureKind.RETRYABLE,
}
#: When, what, by which rule, of which run, and in which words.
Told = tuple[str, str, str | None, str | None, str | None]


class ListeningReplay(Replay):
    """A replay with channels and rules; the sweeper's looks at both come each minute."""

    def __init__(self, scenario: Scenario) -> None:
        super().__init__(scenario)
        self._failed: Counter[JobId] = Counter()
        for rule in scenario.rules:
            stored = replace(rule, tenant=TENANT, channels=(CHANNEL,), version=0)
            self.world.rules.put_rule(stored, expected_version=None, now=scenario.start)

    def told(self) -> list[Told]:
        """Return everything that was told, in order."""
        documents = [
            json.loads(each.notice or "")
            for each in self.world.attempts()
            if each.id.run.origin is Origin.NOTIFICATION and each.id.number == 1
        ]
        return sorted((told for document in documents for told in _told(document)), key=str)

    def _told(self, job: SimulatedJob) -> dict[str, Any]:
        on = tuple(each for each in job.told_on if _may_be_told(job, each))
        channel = WebhookChannel(url="https://hooks.example.com/told")
        return {
            "notifications": (Subscription(channel=channel, on=on),),
            "late_after_seconds": job.late_after_seconds,
            "absent_after_seconds": job.absent_after_seconds,
            "pause_after_failures": job.pause_after_failures,
            "retry": RetryPolicy(max_attempts=1),
        }

    def _fails(self, call: Call) -> Failure | None:
        job_id = call.attempt.run.job_id
        if call.attempt.run.origin is Origin.NOTIFICATION or job_id not in self._jobs:
            return None
        outcomes = self._jobs[job_id].outcomes
        self._failed[job_id] += 1
        outcome = outcomes[min(self._failed[job_id], len(outcomes)) - 1]
        if outcome is RunOutcome.SUCCEEDED:
            return None
        message = "The scenario says so."
        return Failure(kind=_KINDS[outcome], code="simulated", type="Simulated", message=message)

    def _takes(self, call: Call) -> timedelta:
        is_own = call.attempt.run.origin is not Origin.NOTIFICATION
        return (
            super()._takes(call) if is_own and call.attempt.run.job_id in self._jobs else MINUTE * 0
        )

    def _enter_changes(self, job: SimulatedJob, ref: JobRef) -> None:
        super()._enter_changes(job, ref)
        for at in job.resumes:
            self._call(at, Turn.RESUME, lambda now: resume_job(ref, self.services, now=now))

    def _enter_ticks(self) -> None:
        super()._enter_ticks()
        tick = self.scenario.tick_from(self.scenario.start)
        while tick < self.scenario.end:
            self._at(tick, Turn.LOOK, self._look)
            tick += MINUTE

    def _look(self, now: datetime) -> None:
        refs = [AbsenceRef(tenant=TENANT, job_id=job_id) for job_id in self._jobs]
        assert all(look_at_absences(refs, looking(self.world)))
        if self.scenario.rules:
            assert look(self.world)
        self._carry(now)


def simulated_told(found: Simulated) -> list[Told]:
    """Return what a simulation tells, as a replay has it."""
    return sorted(
        (
            (
                each.at.isoformat(timespec="milliseconds"),
                each.type,
                each.rule,
                None if each.run is None else each.run.scheduled_at.isoformat(),
                each.text if each.rule is not None else None,
            )
            for each in found.notices
        ),
        key=str,
    )


def _may_be_told(job: SimulatedJob, occasion: Occasion) -> bool:
    """A job refuses occasions that it can never have."""
    asked = {
        Occasion.LATE: job.late_after_seconds,
        Occasion.ABSENT: job.absent_after_seconds,
        Occasion.PAUSED: job.pause_after_failures,
    }
    return asked.get(occasion, 0) is not None


def _told(document: dict[str, Any]) -> list[Told]:
    at = _instant(document["at"])
    if "events" in document:
        return [
            (at, event["type"], document["rule"]["name"], _run(event["run"]), event["text"])
            for event in document["events"]
        ]
    kind = document["type"].partition(".")[2]
    return [(at, kind, None, _run(document.get("run")), None)]


def _run(run: dict[str, Any] | None) -> str | None:
    return None if run is None else datetime.fromisoformat(run["scheduled_at"]).isoformat()


def _instant(text: str) -> str:
    return datetime.fromisoformat(text).isoformat(timespec="milliseconds")
