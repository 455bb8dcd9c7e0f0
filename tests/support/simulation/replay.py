"""A scenario, lived through by the use cases on tables in memory."""

import json
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from enum import IntEnum
from functools import partial
from heapq import heappop, heappush
from itertools import count
from threading import Event
from typing import Any

from tests.support.api import api_services
from tests.support.factories import TENANT
from tests.support.simulation.staged import Stage, StagedCallRunner
from tests.support.world import World, delivery
from timegate.domain.actions.kinds.webhook import WebhookAction
from timegate.domain.execution.call import Call
from timegate.domain.execution.triggers import Trigger
from timegate.domain.jobs.definition import JobChanges, JobDefinition
from timegate.domain.jobs.demands import Priority, ResourceClass
from timegate.domain.jobs.job import Job
from timegate.domain.jobs.retry import Failure
from timegate.domain.recurrence.schedule import Schedule
from timegate.domain.restrictions.freeze import Freeze
from timegate.domain.runs.gate import claim_at
from timegate.domain.runs.run import TERMINAL
from timegate.domain.simulation import CalendarEdit, Pause, Scenario, SimulatedJob, TimeSpan
from timegate.domain.values.errors import CalendarNotFound, Conflict
from timegate.domain.values.identity import AttemptId, JobId
from timegate.domain.values.instants import rfc3339
from timegate.usecases.jobs.cancel_job import cancel_job
from timegate.usecases.jobs.change_job import JobRef
from timegate.usecases.jobs.create_job import CreateJobRequest, create_job
from timegate.usecases.jobs.pause_job import pause_job
from timegate.usecases.jobs.resume_job import resume_job
from timegate.usecases.jobs.trigger_job import Triggering, trigger_job
from timegate.usecases.jobs.update_job import update_job
from timegate.usecases.services.execution_services import Delivery

MINUTE = timedelta(minutes=1)
#: When a message was due, and whose it is.
Order = tuple[datetime, AttemptId] | tuple[()]


class Turn(IntEnum):
    """Order of events in the same millisecond."""

    RESTRICT = -1
    RESUME = 0
    EDIT = 1
    PAUSE = 2
    CANCEL = 3
    TRIGGER = 4
    TICK = 5
    SWEEP = 6
    CLAIM = 7
    WORK = 8
    LOOK = 9


class Replay:
    """Ticks, calls and messages by turns; nothing here knows why something is due."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.world = World(now=scenario.start)
        self.stage = Stage(scenario.start)
        self.world.clock = self.stage
        self.world.call_runner = StagedCallRunner(self.stage, self._takes, self._fails)  # type: ignore[assignment]
        # Messages that an outage holds back are in their queue.
        self.world.backlog.busy = {"normal-long"}
        self.services = api_services(self.world)
        self.refused: list[tuple[str, str]] = []
        self._jobs: dict[JobId, SimulatedJob] = {}
        self._started: Counter[JobId] = Counter()
        self._agenda: list[tuple[datetime, Turn, Order, int, Callable[[datetime], None]]] = []
        self._numbers = count()

    def run(self) -> World:
        """Live through it; the world as it is then."""
        scenario, clock = self.scenario, self.world.clock
        clock.set(scenario.start - MINUTE)
        self.world.tick()
        self.world.sweep()
        clock.set(scenario.start)
        self._enter_restrictions()
        for job in scenario.jobs:
            created = self._create(job)
            self._jobs[created.job_id] = job
            self._enter_changes(job, JobRef(tenant=TENANT, job_id=created.job_id))
        self._carry(scenario.start)
        self._enter_ticks()
        while self._agenda:
            now, _, _, _, act = heappop(self._agenda)
            clock.set(now)
            act(now)
        return self.world

    def _at(
        self, at: datetime, turn: Turn, act: Callable[[datetime], None], *, order: Order = ()
    ) -> None:
        heappush(self._agenda, (at, turn, order, next(self._numbers), act))

    # --- callers

    def _create(self, job: SimulatedJob) -> Job:
        definition = JobDefinition(
            name=job.title,
            schedule=job.schedule,
            action=WebhookAction(url="https://hooks.example.com/report"),
            precision=job.precision,
            catch_up=job.catch_up,
            overlap=job.overlap,
            payload=None if job.payload is None else json.dumps(job.payload),
            collapse=job.collapse,
            start_within_seconds=job.start_within_seconds,
            calendars=job.calendar_rules,
            tags=job.tags,
            resource_class=ResourceClass.LONG,
            timeout_seconds=840,
            **self._told(job),
        )
        request = CreateJobRequest(tenant=TENANT, hash="a1b2c3")
        return create_job(request, definition, self.services, now=self.scenario.start).job

    def _told(self, job: SimulatedJob) -> dict[str, Any]:
        """The fields of the job that say what is told of it; none for most."""
        return {}

    def _fails(self, call: Call) -> Failure | None:
        """Return the failure of a call; ``None``: it succeeds."""
        return None

    def _enter_restrictions(self) -> None:
        """Calendars are there; freezes are made, and lifted, as time goes by."""
        store = self.world.restrictions
        for calendar in self.scenario.calendars:
            store.put_calendar(TENANT, calendar, expected_version=None)
        for edit in self.scenario.calendar_edits:
            self._at(edit.at, Turn.RESTRICT, partial(self._edit_calendar, edit))
        for freeze in self.scenario.freezes:
            made = replace(freeze, tenant=TENANT, lifted_at=None)
            self._at(freeze.created_at, Turn.RESTRICT, partial(self._freeze, made))
            if freeze.lifted_at is not None:
                self._at(freeze.lifted_at, Turn.RESTRICT, partial(self._lift, made))

    def _edit_calendar(self, edit: CalendarEdit, now: datetime) -> None:
        store = self.world.restrictions
        if edit.calendar is not None:
            store.put_calendar(TENANT, edit.calendar, expected_version=None)
            return
        with suppress(CalendarNotFound):
            store.delete_calendar(TENANT, edit.name, expected_version=None, now=now)

    def _freeze(self, freeze: Freeze, now: datetime) -> None:
        self.world.restrictions.put_freeze(TENANT, freeze, now=now)

    def _lift(self, freeze: Freeze, now: datetime) -> None:
        self.world.restrictions.lift_freeze(TENANT, freeze.freeze_id, now=now)

    def _enter_changes(self, job: SimulatedJob, ref: JobRef) -> None:
        services = self.services
        for pause in job.pauses:
            self._call(pause.start, Turn.PAUSE, lambda now: pause_job(ref, services, now=now))
            if pause.end is not None:
                self._call(pause.end, Turn.RESUME, partial(self._resume, ref, pause))
        for edit in job.edits:
            self._call(edit.at, Turn.EDIT, partial(self._edit, ref, edit.schedule))
        if job.cancelled_at is not None:
            self._call(
                job.cancelled_at, Turn.CANCEL, lambda now: cancel_job(ref, services, now=now)
            )
        for trigger in job.triggers:
            asked = Triggering(
                tenant=TENANT,
                job_id=ref.job_id,
                # It says something, so that two of one instant are two runs.
                trigger=Trigger(
                    collapse_key=trigger.key,
                    concurrency_key=trigger.concurrency_key,
                    priority=Priority.NORMAL,
                ),
            )
            for at in (at for at in trigger.instants if at < self.scenario.end):
                self._call(at, Turn.TRIGGER, partial(self._trigger, asked))

    def _trigger(self, asked: Triggering, now: datetime) -> object:
        return trigger_job(asked, self.services, now=now)

    def _resume(self, ref: JobRef, pause: Pause, now: datetime) -> Job:
        return resume_job(ref, self.services, now=now, catch_up=pause.catch_up)

    def _edit(self, ref: JobRef, schedule: Schedule, now: datetime) -> Job:
        return update_job(ref, JobChanges(schedule=schedule), self.services, now=now)

    def _call(self, at: datetime, turn: Turn, request: Callable[[datetime], object]) -> None:
        def act(now: datetime) -> None:
            try:
                request(now)
            except Conflict as error:
                self.refused.append((rfc3339(now), error.code))
            self._carry(now)

        self._at(at, turn, act)

    # --- planner and sweeper

    def _enter_ticks(self) -> None:
        tick = self.scenario.start.replace(second=0)
        tick += timedelta(seconds=self.scenario.tick_offset_seconds)
        tick += MINUTE if tick < self.scenario.start else timedelta(0)
        self._at(tick, Turn.SWEEP, self._sweep)
        while tick < self.scenario.end:
            if not _within(tick, self.scenario.planner_outages):
                self._at(tick, Turn.TICK, self._tick)
            tick += MINUTE

    def _tick(self, now: datetime) -> None:
        self.world.tick()
        self._carry(now)

    def _sweep(self, now: datetime) -> None:
        """Each minute, as long as there is anything to come."""
        self.world.sweep()
        self._carry(now)
        if self._agenda or any(a.state not in TERMINAL for a in self.world.attempts()):
            self._at(now + MINUTE, Turn.SWEEP, self._sweep)

    # --- queue and executors

    def _carry(self, now: datetime) -> None:
        """The stream to the queue, and the queue's delays.

        Readers of the stream write records that are in it as well.
        """
        while self.world.read_images < len(self.world.tables.images):
            self.world.stream()
        sent, self.world.publisher.sent = self.world.publisher.sent, []
        for number, message in enumerate(sent):
            received = delivery(message, number)
            arrives = now + timedelta(seconds=message.delay_seconds)
            at = max(arrives, claim_at(message.message.due_at))
            while held := [s.end for s in self.scenario.executor_outages if s.start <= at < s.end]:
                at = max(held)
            self._at(at, Turn.CLAIM, partial(self._execute, received), order=_order(received))

    def _execute(self, received: Delivery, now: datetime) -> None:
        paused = self.stage.perform(lambda: self.world.execute([received]))
        self._go_on(paused, received, now)

    def _go_on(
        self, paused: tuple[datetime, Event] | None, received: Delivery, now: datetime
    ) -> None:
        """Let a waiting process go on at its instant; carry the stream's records meanwhile."""
        if paused is not None:
            at, resume = paused
            self._at(
                at,
                Turn.WORK,
                lambda then: self._go_on(self.stage.resume(resume), received, then),
                order=_order(received),
            )
        self._carry(now)

    def _takes(self, call: Call) -> timedelta:
        job_id = call.attempt.run.job_id
        durations = self._jobs[job_id].run_seconds
        self._started[job_id] += 1
        return timedelta(seconds=durations[min(self._started[job_id], len(durations)) - 1])


def _order(received: Delivery) -> Order:
    return received.message.due_at, received.message.attempt


def _within(at: datetime, spans: tuple[TimeSpan, ...]) -> bool:
    return any(span.start <= at < span.end for span in spans)
