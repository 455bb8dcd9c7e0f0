"""The course of a scenario's events, by the functions that receive deployed ones."""

import json
from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from functools import partial
from typing import Any

from timegate.domain.dags.evaluation import Budget
from timegate.domain.event_triggers.event_trigger import StartsJob
from timegate.domain.event_triggers.projections import budget_of_event, sent_on
from timegate.domain.events.event import KEPT, ReceivedEvent
from timegate.domain.events.matching import StepBudget, matches
from timegate.domain.execution.triggers import KEY_KEPT
from timegate.domain.simulation.agenda import Agenda, EventOrder
from timegate.domain.simulation.events.definitions import (
    EventRow,
    MetTrigger,
    SimulatedEvent,
    SimulatedEventTrigger,
    SimulatedWait,
    WaitRow,
    with_earlier,
)
from timegate.domain.simulation.events.triggered import TriggeredCourse
from timegate.domain.simulation.scenario import Scenario
from timegate.domain.values.errors import TimegateError
from timegate.domain.values.identity import JobId, RunId
from timegate.domain.values.payload import merged
from timegate.value_classes import dataclass


@dataclass(kw_only=True, slots=True)
class EventCourse:
    """Everything that a scenario's events meet."""

    scenario: Scenario
    agenda: Agenda
    courses: Mapping[JobId, TriggeredCourse]
    rows: list[EventRow] = field(default_factory=list)
    #: Runs that events started, and when, by the trigger and the identity of the event.
    started: dict[tuple[str, str], tuple[datetime, RunId]] = field(default_factory=dict)

    def begin(self) -> None:
        """Enter the events."""
        for event in self.scenario.events:
            self.agenda.at(event.at, EventOrder.TRIGGER, partial(self._arrive, event))

    def waits(self) -> tuple[WaitRow, ...]:
        """Return each wait with the earliest event that counts."""
        # A repeated event is the one that was received first.
        events = (each for each, earlier in with_earlier(self.scenario.events) if earlier is None)
        known = [(event, event.received) for event in events] if self.scenario.waits else []
        return tuple(
            WaitRow(wait=wait, event=next((e for e, got in known if _ends(got, wait)), None))
            for wait in self.scenario.waits
        )

    def _arrive(self, event: SimulatedEvent, now: datetime) -> None:
        budgets = StepBudget(), budget_of_event()
        tried = (self._try(each, event, budgets, now) for each in self.scenario.event_triggers)
        met = tuple(each for each in tried if each is not None)
        self.rows.append(EventRow(event=event, triggers=met))

    def _try(
        self,
        trigger: SimulatedEventTrigger,
        event: SimulatedEvent,
        budgets: tuple[StepBudget, Budget],
        now: datetime,
    ) -> MetTrigger | None:
        course = None if trigger.job_id is None else self.courses[trigger.job_id]
        job = None if course is None else course.job.name
        try:
            if not matches(json.loads(trigger.pattern), event.document, budgets[0]):
                return None
            payload = None if course is None else course.job.payload
            sent = _sent(trigger, event, payload, budgets[1])
            run = None if course is None else self._run(course, trigger, event, sent, now)
        except TimegateError as error:
            return MetTrigger(name=trigger.name, job=job, error=error)
        return MetTrigger(name=trigger.name, job=job, run=run)

    def _run(
        self,
        course: TriggeredCourse,
        trigger: SimulatedEventTrigger,
        event: SimulatedEvent,
        sent: Any,  # noqa: ANN401 - any JSON
        now: datetime,
    ) -> RunId:
        """Trigger a job; a repeated event names the run that it started."""
        key = trigger.name, event.received.event.digest
        started = self.started.get(key)
        if started is None or now >= started[0] + KEY_KEPT:
            started = self.started[key] = now, course.trigger_with(sent, now)
        return started[1]


def _sent(
    trigger: SimulatedEventTrigger,
    event: SimulatedEvent,
    payload: Any,  # noqa: ANN401 - any JSON
    budget: Budget,
) -> Any:  # noqa: ANN401 - as above
    """Return the data that a trigger sends on; raises as ``sent_on``."""
    starts, data = trigger.starts, sent_on(trigger.starts, event.document, budget)
    is_patch = isinstance(starts, StartsJob) and starts.payload_patch is not None
    return merged(payload, data) if is_patch else data


def _ends(received: ReceivedEvent, wait: SimulatedWait) -> bool:
    is_kept = received.received_at >= wait.begun_at - KEPT
    return (
        is_kept
        and received.event.correlation == wait.correlation
        and wait.awaited.counts(received, begun_at=wait.begun_at, until=wait.until)
    )
