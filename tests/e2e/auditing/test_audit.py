"""Proof by mutation on the deployed stack: the auditor reports each record that is lost.

Jobs of each kind run on a stack whose clock is set from tick to tick. Then each kind of record is
deleted from the tables themselves. Every loss is reported by its code within the time that
``docs/concepts/ledger.md`` states, and no finding names a job that is left alone.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from functools import partial
from itertools import product
from typing import Any

import pytest

from infra.local.clock import CloudClock
from infra.local.webhook_target import Recorder
from tests.support.deployed.deployed_losses import DeployedLosses
from tests.support.deployed.stack import Stack, deployed, switch_schedule, wait_until
from timegate.domain.auditing.audit_finding import FindingCode
from timegate.domain.recurrence.schedule import ScheduleKind
from timegate.domain.values.instants import rfc3339

pytestmark = pytest.mark.deep

SHARDS = [0, 1, 2, 3]
MINUTE = timedelta(minutes=1)
#: Between two ticks of the auditor.
TICK = 5 * MINUTE
#: The first instants pass before the first tick.
FIRST, DELETED = 3 * MINUTE, 4 * MINUTE
#: Paused jobs go on then.
RESUMED = 20 * MINUTE
#: A lost run, gap or job is reported so long after its instant.
REPORTED_WITHIN = 25 * MINUTE
#: A place in the index ``due`` is missed by the next round of the table: one tick here.
NOTICED_WITHIN = TICK


class Loss(StrEnum):
    """Deleted record."""

    NOTHING = "nothing"
    RUN = "run"
    GAP = "gap"
    INDEX = "index"
    JOB = "job"


CODES = {
    Loss.RUN: FindingCode.INSTANT_UNRECORDED,
    Loss.GAP: FindingCode.INSTANT_UNRECORDED,
    Loss.INDEX: FindingCode.JOB_NOT_INDEXED,
    Loss.JOB: FindingCode.JOB_MISSING,
}
#: A manual job names no instant that could be lost.
NAMING = [kind for kind in ScheduleKind if kind is not ScheduleKind.MANUAL]
#: Only these wait for an instant; an immediate job is planned when it is created.
WAITING = [kind for kind in NAMING if kind is not ScheduleKind.IMMEDIATE]
SETS: dict[Loss, Sequence[ScheduleKind]] = {
    Loss.RUN: NAMING,
    Loss.JOB: NAMING,
    Loss.GAP: WAITING,
    Loss.INDEX: WAITING,
}


def schedule_of(kind: ScheduleKind, loss: Loss, now: datetime) -> dict[str, object]:
    """A schedule that has such a record to lose: instants soon, during a pause, or far away."""
    far, held = loss is Loss.INDEX, loss is Loss.GAP
    first = 120 * MINUTE if far else 12 * MINUTE if held else FIRST
    every = 90 * 1440 * MINUTE if far else FIRST
    match kind:
        case ScheduleKind.IMMEDIATE | ScheduleKind.MANUAL:
            return {"kind": kind}
        case ScheduleKind.AT:
            return {"kind": "at", "at": rfc3339(now + first)}
        case ScheduleKind.DELAY:
            return {"kind": "delay", "delay_seconds": int(first.total_seconds())}
        case ScheduleKind.CRON:
            day = now - timedelta(days=2)
            return {
                "kind": "cron",
                "cron": f"0 9 {day.day} {day.month} *" if far else "*/3 * * * *",
            }
        case ScheduleKind.RATE | ScheduleKind.UNION:
            rate = {"kind": "rate", "every_seconds": int(every.total_seconds())}
            rarer = {"kind": "rate", "every_seconds": int(2 * every.total_seconds()) + 1}
            return rate if kind is ScheduleKind.RATE else {"kind": "union", "any_of": [rate, rarer]}
        case ScheduleKind.RRULE:
            rule = "FREQ=YEARLY" if far else "FREQ=MINUTELY;INTERVAL=3"
            return {"kind": "rrule", "rrule": rule, "starts_at": rfc3339(now + first)}


@dataclass(frozen=True)
class Subject:
    """A job, and what it is to lose."""

    job_id: str
    kind: ScheduleKind
    loss: Loss
    #: It has a record of that kind, and keeps it.
    is_sound: bool


@dataclass
class Course:
    """The jobs on the stack, and what the auditor reports of each."""

    stack: Stack
    clock: CloudClock
    recorder: Recorder
    subjects: list[Subject] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.working = self.recorder.hold("audited")
        # Rules of recurrence name whole seconds.
        self.began_at = self.clock.now().replace(microsecond=0)
        self.losses = DeployedLosses(self.stack)

    def create(self, kind: ScheduleKind, loss: Loss, *, is_sound: bool) -> None:
        """A job with such a record; one with a gap is paused from the beginning."""
        job = self.stack.create_job(
            name=f"{kind}-{loss}-{'sound' if is_sound else 'lossy'}",
            schedule=schedule_of(kind, loss, self.began_at),
            action={"type": "webhook", "url": self.recorder.url("audited")},
        )
        self.subjects.append(Subject(job["job_id"], kind, loss, is_sound))

    def of(self, loss: Loss, *, is_sound: bool = False) -> list[str]:
        """The jobs that lose such a record, or those that might and do not."""
        return [e.job_id for e in self.subjects if (e.loss, e.is_sound) == (loss, is_sound)]

    def post(self, action: str, jobs: Iterable[str]) -> None:
        """Pause or resume these jobs."""
        for job_id in jobs:
            answer = self.stack.api.post(f"/v1/jobs/{job_id}/{action}")
            assert answer.status_code == 200, answer.text

    def tick(self, after: timedelta) -> None:
        """Set the clock, and let planner and auditor look at all shards."""
        self.clock.jump_to(self.began_at + after)
        for function in ("PlannerFunctionName", "AuditorFunctionName"):
            wait_until(partial(self._is_done, function), seconds=300, pause=0.2)

    def _is_done(self, function: str) -> bool | None:
        done = self.stack.invoke(function, {"shards": SHARDS})
        return done["shards"] == len(SHARDS) or None

    def ran(self, job_id: str) -> dict[str, Any]:
        """The first run of a job, once it has succeeded."""
        return self.stack.wait_for_runs(job_id, 1, seconds=300)[-1]

    def findings(self) -> dict[str, dict[str, timedelta]]:
        """Return per job the codes of its findings, each with its first log time."""
        logs, found = self.stack.aws("logs"), defaultdict[str, dict[str, timedelta]](dict)
        pages = logs.get_paginator("filter_log_events").paginate(
            logGroupName=f"/aws/lambda/{self.stack.outputs['AuditorFunctionName']}"
        )
        for event in (event for page in pages for event in page["events"]):
            if "audit_finding" not in event["message"]:
                continue
            told = json.loads(event["message"])
            after = datetime.fromisoformat(told["timestamp"]) - self.began_at
            found[told["job_id"]].setdefault(told["code"], after)
        return found


@pytest.fixture
def no_job_outlives_its_test() -> None:
    """Replaces the fixture of the other stack, which is not needed here."""


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory, recorder: Recorder) -> Iterator[Course]:
    """All jobs, all losses, and the auditor's ticks of 50 minutes."""
    with deployed(tmp_path_factory.mktemp("audited"), auth=True, settable=True) as stack:
        assert stack.cloud.clock is not None
        # Ticks come when this course says so, and not while it deletes.
        switch_schedule(stack, "AuditorFunctionName", "DISABLED")
        course = Course(stack, stack.cloud.clock, recorder)
        for loss, kinds in SETS.items():
            for kind, is_sound in product(kinds, (True, False)):
                course.create(kind, loss, is_sound=is_sound)
        _live(course)
        yield course


def _live(course: Course) -> None:
    """Jobs run and are paused, records are deleted, and the auditor ticks for 45 minutes."""
    held = course.of(Loss.GAP) + course.of(Loss.GAP, is_sound=True)
    course.post("pause", held)
    course.tick(timedelta())
    # The auditor knows every job now, and has not checked one that ended before its loss.
    course.working.set()
    course.clock.jump_to(course.began_at + DELETED)
    _delete(course)
    for number in range(1, 4):
        course.tick(number * TICK)
    course.clock.jump_to(course.began_at + RESUMED)
    course.post("resume", held)
    for job_id in course.of(Loss.GAP):
        course.losses.lose_gaps(job_id)
    for number in range(4, 10):
        course.tick(number * TICK)


def _delete(course: Course) -> None:
    """Delete all records but gaps, of jobs that have run if they are to run so soon."""
    for run in [course.ran(job_id) for job_id in course.of(Loss.RUN)]:
        course.losses.lose_run(run)
    for run in [course.ran(job_id) for job_id in course.of(Loss.JOB)]:
        course.losses.lose_job(run["job_id"])
    for job_id in course.of(Loss.INDEX):
        course.losses.lose_index(job_id)


def _named(loss: Loss) -> list[tuple[Loss, ScheduleKind]]:
    return [(loss, kind) for kind in SETS[loss]]


@pytest.mark.parametrize(
    ("loss", "kind"), [case for loss in SETS for case in _named(loss)], ids=str
)
def test_a_lost_record_is_reported_in_time(course: Course, loss: Loss, kind: ScheduleKind) -> None:
    """By its code, and by no other."""
    (job_id,) = [
        each.job_id
        for each in course.subjects
        if (each.loss, each.kind, each.is_sound) == (loss, kind, False)
    ]
    found = course.findings().get(job_id, {})
    instant = RESUMED if loss is Loss.GAP else timedelta() if kind == "immediate" else FIRST
    latest = DELETED + NOTICED_WITHIN if loss is Loss.INDEX else instant + REPORTED_WITHIN

    assert list(found) == [CODES[loss]]
    # Half a minute for what the ticks themselves take.
    assert found[CODES[loss]] <= latest + MINUTE / 2


def test_no_finding_names_a_job_that_is_left_alone(course: Course) -> None:
    """Running, paused, waiting and ended jobs have the records that others lose."""
    sound = {each.job_id for each in course.subjects if each.is_sound}

    assert len(sound) == sum(len(kinds) for kinds in SETS.values())
    assert sound & course.findings().keys() == set()
