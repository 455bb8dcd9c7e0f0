"""A scenario, lived through by the use cases on the memory twins."""

from collections.abc import Callable
from datetime import datetime, timedelta
from enum import IntEnum
from functools import partial
from heapq import heappop, heappush
from itertools import count

from tests.support.api import api_services
from tests.support.factories import TENANT
from tests.support.world import World, delivery
from timegate.domain.action import WebhookAction
from timegate.domain.errors import Conflict
from timegate.domain.gate import claim_at
from timegate.domain.instants import rfc3339
from timegate.domain.job import Job
from timegate.domain.schedule import Schedule
from timegate.domain.simulation import Scenario, Span
from timegate.usecases.cancel_job import cancel_job
from timegate.usecases.change_job import JobRef
from timegate.usecases.create_job import Request, create_job
from timegate.usecases.definition import JobChanges, JobDefinition
from timegate.usecases.execution import Delivery
from timegate.usecases.pause_job import pause_job
from timegate.usecases.resume_job import resume_job
from timegate.usecases.update_job import update_job

MINUTE = timedelta(minutes=1)


class Turn(IntEnum):
    """Who comes first in the same millisecond."""

    RESUME = 0
    EDIT = 1
    PAUSE = 2
    CANCEL = 3
    TICK = 4
    CLAIM = 5
    END = 6


class Replay:
    """Ticks, calls and messages by turns; nothing here knows why something is due."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.world = World(now=scenario.created_at)
        self.services = api_services(self.world)
        self.refused: list[tuple[str, str]] = []
        self._agenda: list[tuple[datetime, Turn, int, Callable[[datetime], None]]] = []
        self._numbers = count()
        self._ref: JobRef

    def run(self) -> World:
        """Live through it; the world as it is then."""
        scenario, clock = self.scenario, self.world.clock
        clock.set(scenario.created_at - MINUTE)
        self.world.tick()
        clock.set(scenario.created_at)
        job = self._create()
        self._ref = JobRef(tenant=TENANT, job_id=job.job_id)
        self._carry(scenario.created_at)
        self._enter_changes()
        self._enter_ticks()
        while self._agenda:
            now, _, _, act = heappop(self._agenda)
            clock.set(now)
            act(now)
        return self.world

    def _at(self, instant: datetime, turn: Turn, act: Callable[[datetime], None]) -> None:
        heappush(self._agenda, (instant, turn, next(self._numbers), act))

    def _create(self) -> Job:
        definition = JobDefinition(
            name="replayed",
            schedule=self.scenario.schedule,
            action=WebhookAction(url="https://hooks.example.com/report"),
            precision=self.scenario.precision,
            catch_up=self.scenario.catch_up,
            start_within_seconds=self.scenario.start_within_seconds,
        )
        request = Request(tenant=TENANT, hash="a1b2c3")
        created = create_job(request, definition, self.services, now=self.scenario.created_at)
        return created.job

    def _enter_changes(self) -> None:
        for pause in self.scenario.pauses:
            self._at(pause.start, Turn.PAUSE, self._pause)
            if pause.end is not None:
                self._at(pause.end, Turn.RESUME, self._resume(catch_up=pause.catch_up))
        for edit in self.scenario.edits:
            self._at(edit.at, Turn.EDIT, self._edit(edit.schedule))
        if self.scenario.cancelled_at is not None:
            self._at(self.scenario.cancelled_at, Turn.CANCEL, self._cancel)

    def _enter_ticks(self) -> None:
        tick = self.scenario.created_at.replace(second=0)
        tick += timedelta(seconds=self.scenario.tick_offset_seconds)
        while tick < self.scenario.end:
            if tick >= self.scenario.created_at and not _within(
                tick, self.scenario.planner_outages
            ):
                self._at(tick, Turn.TICK, self._tick)
            tick += MINUTE

    def _tick(self, now: datetime) -> None:
        self.world.tick()
        self._carry(now)

    def _pause(self, now: datetime) -> None:
        self._call(now, lambda: pause_job(self._ref, self.services, now=now))

    def _resume(self, *, catch_up: bool) -> Callable[[datetime], None]:
        return lambda now: self._call(
            now, lambda: resume_job(self._ref, self.services, now=now, catch_up=catch_up)
        )

    def _edit(self, schedule: Schedule) -> Callable[[datetime], None]:
        changes = JobChanges(schedule=schedule)
        return lambda now: self._call(
            now, lambda: update_job(self._ref, changes, self.services, now=now)
        )

    def _cancel(self, now: datetime) -> None:
        self._call(now, lambda: cancel_job(self._ref, self.services, now=now))

    def _call(self, now: datetime, request: Callable[[], Job]) -> None:
        try:
            request()
        except Conflict as error:
            self.refused.append((rfc3339(now), error.code))
        self._carry(now)

    def _carry(self, now: datetime) -> None:
        """The stream to the queue, and the queue's delays."""
        self.world.stream()
        sent, self.world.publisher.sent = self.world.publisher.sent, []
        for number, message in enumerate(sent):
            received = delivery(message, number)
            arrives = now + timedelta(seconds=message.delay_seconds)
            at = max(arrives, claim_at(message.message.due_at))
            while held := [s.end for s in self.scenario.executor_outages if s.start <= at < s.end]:
                at = max(held)
            self._at(at, Turn.CLAIM, partial(self._execute, received))

    def _execute(self, received: Delivery, _: datetime) -> None:
        self.world.execute([received])
        # The outcome is in the stream once the run has ended, not when it is claimed.
        self._at(self.world.clock.now(), Turn.END, self._carry)


def _within(at: datetime, spans: tuple[Span, ...]) -> bool:
    return any(span.start <= at < span.end for span in spans)
