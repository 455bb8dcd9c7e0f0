"""Events of a scenario, what they start, and waits that they end."""

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Annotated, Any, Literal

from pydantic import Field

from timegate.contracts.dags.dag_tasks import AwaitedEventContract
from timegate.contracts.event_triggers import SentOn, StartsDagRunContract
from timegate.contracts.simulation.jobs import JOB_ID, EverySeconds, Times
from timegate.contracts.values.fields import Contract, Instant
from timegate.contracts.values.refused_values import within
from timegate.domain.dags.evaluation import Budget
from timegate.domain.dags.references import InputError, resolve
from timegate.domain.event_triggers.event_trigger import StartsJob
from timegate.domain.event_triggers.projections import check_templates
from timegate.domain.events.awaited_event import AwaitedEvent, awaited_problems, correlation_text
from timegate.domain.events.event import MAX_NAME
from timegate.domain.events.patterns import check_pattern
from timegate.domain.simulation.checks.scenario_rules import check_repeats
from timegate.domain.simulation.events.definitions import (
    SimulatedEvent,
    SimulatedEventTrigger,
    SimulatedWait,
)
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import JobId
from timegate.domain.values.instants import rfc3339

_EventName = Annotated[str, Field(min_length=1, max_length=MAX_NAME)]


class SimulatedEventContract(Contract):
    """An event that is received, as often as it comes."""

    at: Instant
    type: _EventName
    id: _EventName | None = Field(None, description="Unless given, its place in the scenario.")
    source: _EventName = "scenario"
    subject: _EventName | None = None
    correlationid: _EventName | None = None
    data: Any = None
    times: Times = 1
    every_seconds: EverySeconds | None = Field(None, description="Between two of several.")

    def events(self, place: str) -> Iterator[SimulatedEvent]:
        """Yield each, in order; ``place``: where the scenario has them."""
        check_repeats(self.times, self.every_seconds, place)
        name = self.id or place
        step = timedelta(milliseconds=round((self.every_seconds or 0.0) * 1000))
        for number in range(self.times):
            its_id = name if self.times == 1 else f"{name}.{number}"
            yield self._event(its_id, self.at + number * step)

    def _event(self, its_id: str, at: datetime) -> SimulatedEvent:
        named = {"subject": self.subject, "correlationid": self.correlationid}
        document: dict[str, Any] = {
            "specversion": "1.0",
            "id": its_id,
            "source": self.source,
            "type": self.type,
            **{name: value for name, value in named.items() if value is not None},
            **({"data": self.data} if "data" in self.model_fields_set else {}),
            "time": rfc3339(at),
        }
        return SimulatedEvent(
            at=at, id=its_id, source=self.source, type=self.type, document=document
        )


class SimulatedStartsJob(SentOn):
    """A matching event triggers a job of the scenario; the only one needs neither name nor id."""

    type: Literal["job"]
    job: Annotated[str, Field(max_length=64)] | None = Field(
        None, description="Its name in the scenario."
    )
    job_id: Annotated[str, Field(pattern=JOB_ID)] | None = None


class SimulatedEventTriggerContract(Contract):
    """A pattern over the scenario's events, and what a matching event starts."""

    pattern: dict[str, Any] = Field(default_factory=dict)
    starts: Annotated[SimulatedStartsJob | StartsDagRunContract, Field(discriminator="type")]

    def trigger(self, name: str, job_id: JobId | None) -> SimulatedEventTrigger:
        """Return the trigger, of a job unless a DAG is started; raises ``InvalidInput``."""
        place, starts = f"event_triggers.{name}", self.starts
        check_pattern(self.pattern, f"{place}.pattern")
        with within(place):
            started = (
                StartsJob(job_id=job_id or "", **starts.sent_on())
                if isinstance(starts, SimulatedStartsJob)
                else starts.to_domain()
            )
            check_templates(started)
        return SimulatedEventTrigger(
            name=name, pattern=json.dumps(self.pattern), starts=started, job_id=job_id
        )


class SimulatedWaitContract(Contract):
    """A task of a DAG that waits for an event."""

    start: Instant | None = Field(
        None, alias="from", description="Its DAG run begins then; the scenario, unless given."
    )
    end: Instant | None = Field(None, alias="to", description="It waits no longer.")
    parameters: dict[str, Any] = Field(
        default_factory=dict, description="Of the DAG run, for the correlation."
    )
    event: AwaitedEventContract

    def wait(self, name: str, *, start: datetime) -> SimulatedWait:
        """Return the wait of a scenario that begins at ``start``; raises ``InvalidInput``."""
        place, begun_at, awaited = f"waits.{name}", self.start or start, self.event.to_domain()
        for problem in awaited_problems(awaited, f"{place}.event"):
            raise problem
        if self.end is not None and self.end <= begun_at:
            raise InvalidInput(f"{place}.to", "ends_before_start", "It is not later than from.")
        return SimulatedWait(
            name=name,
            begun_at=begun_at,
            until=self.end,
            awaited=awaited,
            correlation=self._correlation(awaited, f"{place}.event.correlation"),
        )

    def _correlation(self, awaited: AwaitedEvent, field: str) -> str:
        try:
            found = resolve(awaited.correlation, {"parameters": self.parameters}, Budget())
            return correlation_text(json.loads(found))
        except (InputError, InvalidInput) as error:
            raise InvalidInput(field, error.code, error.detail) from error
