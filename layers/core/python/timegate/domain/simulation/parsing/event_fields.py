"""Events, event triggers and waits in a document."""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from enum import StrEnum
from functools import partial
from typing import Any

from timegate.domain.dags.evaluation import Budget
from timegate.domain.dags.references import InputError, resolve
from timegate.domain.event_triggers.event_trigger import (
    EVENT_TRIGGER_NAME,
    MAX_EVENT_TRIGGERS,
    Starts,
    StartsDagRun,
    StartsJob,
)
from timegate.domain.event_triggers.projections import check_templates
from timegate.domain.events.awaited_event import (
    MAX_LOOKBACK_SECONDS,
    AwaitedEvent,
    awaited_problems,
    correlation_text,
)
from timegate.domain.events.event import MAX_NAME
from timegate.domain.events.patterns import check_pattern
from timegate.domain.simulation.events.definitions import (
    SimulatedEvent,
    SimulatedEventTrigger,
    SimulatedWait,
)
from timegate.domain.simulation.parsing.fields import (
    MAX_LIST,
    Fields,
    instant,
    many,
    number,
    one_of,
    seconds,
    table,
    text,
    whole,
)
from timegate.domain.simulation.parsing.tenant_fields import job_named
from timegate.domain.simulation.parsing.trigger_fields import read_json, refuse_once
from timegate.domain.simulation.scenario import SimulatedJob
from timegate.domain.values.durations import MAX_SECONDS
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import DagId, JobId, parse_dag_id
from timegate.domain.values.instants import rfc3339
from timegate.domain.values.payload import json_text

_SOURCE = "scenario"


class StartKind(StrEnum):
    """Kinds of work that an event starts."""

    JOB = "job"
    DAG_RUN = "dag_run"


def read_events(value: object, path: str) -> tuple[SimulatedEvent, ...]:
    """Events by their instants, each as often as it comes."""
    return tuple(each for group in many(_events)(value, path) for each in group)


def _events(value: object, path: str) -> tuple[SimulatedEvent, ...]:
    given = Fields(value, path)
    at, times = given.required("at", instant), given.optional("times", whole(1, MAX_LIST), 1)
    every = 0.0
    if times > 1:
        every = given.required("every_seconds", seconds(number(0.001, MAX_SECONDS)))
    else:
        refuse_once(given)
    document: dict[str, Any] = {
        "specversion": "1.0",
        "id": given.optional("id", _name, path),
        "source": given.optional("source", _name, _SOURCE),
        "type": given.required("type", _name),
        **{n: given.required(n, _name) for n in ("subject", "correlationid") if n in given.given()},
        **({"data": given.required("data", read_json)} if "data" in given.given() else {}),
    }
    given.done()
    first = SimulatedEvent(
        at=at,
        id=document["id"],
        source=document["source"],
        type=document["type"],
        document=document | {"time": rfc3339(at)},
    )
    if times == 1:
        return (first,)
    step = timedelta(milliseconds=round(every * 1000))
    return tuple(_repeated(first, number, first.at + number * step) for number in range(times))


def _repeated(event: SimulatedEvent, number: int, at: datetime) -> SimulatedEvent:
    its_id = f"{event.id}.{number}"
    document = {**event.document, "id": its_id, "time": rfc3339(at)}
    return replace(event, at=at, id=its_id, document=document)


def read_event_triggers(
    value: object, path: str, *, jobs: Sequence[SimulatedJob]
) -> tuple[SimulatedEventTrigger, ...]:
    """Triggers by their names, in the order of these, as events are compared with them."""
    read = table(partial(_trigger, jobs=jobs), most=MAX_EVENT_TRIGGERS)
    return tuple(each for _, each in sorted(read(value, path).items()))


def _trigger(value: object, path: str, *, jobs: Sequence[SimulatedJob]) -> SimulatedEventTrigger:
    name = path.rpartition(".")[2]
    if not EVENT_TRIGGER_NAME.fullmatch(name):
        detail = "An event trigger's name has 1 to 64 letters a to z, digits and dashes."
        raise InvalidInput(path, "invalid_format", detail)
    given = Fields(value, path)
    pattern: Any = given.optional("pattern", read_json, {})
    check_pattern(pattern, given.path("pattern"))
    starts, job_id = given.required("starts", partial(_starts, jobs=jobs))
    given.done()
    return SimulatedEventTrigger(
        name=name, pattern=json.dumps(pattern), starts=starts, job_id=job_id
    )


def _starts(
    value: object, path: str, *, jobs: Sequence[SimulatedJob]
) -> tuple[Starts, JobId | None]:
    given = Fields(value, path)
    starts: Starts
    if given.required("type", one_of(StartKind)) is StartKind.JOB:
        job_id: JobId | None = job_named(given, jobs).job_id
        starts = StartsJob(
            job_id=job_id or "",
            payload=given.optional("payload", _json, None),
            payload_patch=given.optional("payload_patch", _json, None),
        )
    else:
        job_id = None
        starts = StartsDagRun(
            dag_id=given.required("dag_id", _dag_id),
            parameters=given.optional("parameters", _json, None),
        )
    given.done()
    try:
        check_templates(starts)
    except InvalidInput as refused:
        inner = refused.field.removeprefix("starts")
        raise InvalidInput(f"{path}{inner}", refused.code, refused.detail) from refused
    return starts, job_id


def read_waits(value: object, path: str, *, start: datetime) -> tuple[SimulatedWait, ...]:
    """Waits of tasks by their names."""
    return tuple(table(partial(_wait, start=start))(value, path).values())


def _wait(value: object, path: str, *, start: datetime) -> SimulatedWait:
    given = Fields(value, path)
    parameters: Any = given.optional("parameters", read_json, {})
    begun_at: datetime = given.optional("from", instant, start)
    until: datetime | None = given.optional("to", instant, None)
    awaited = given.required("event", _awaited)
    given.done()
    if until is not None and until <= begun_at:
        raise InvalidInput(given.path("to"), "ends_before_start", "It is not later than from.")
    return SimulatedWait(
        name=path.rpartition(".")[2],
        begun_at=begun_at,
        until=until,
        awaited=awaited,
        correlation=_correlation(awaited, parameters, f"{path}.event.correlation"),
    )


def _awaited(value: object, path: str) -> AwaitedEvent:
    given = Fields(value, path)
    awaited = AwaitedEvent(
        type=given.required("type", _name),
        correlation=given.required("correlation", _json),
        source=given.optional("source", _name, None),
        match=given.optional("match", _json, None),
        lookback_seconds=given.optional(
            "lookback_seconds", seconds(whole(0, MAX_LOOKBACK_SECONDS)), 0
        ),
    )
    given.done()
    for problem in awaited_problems(awaited, path):
        raise problem
    return awaited


def _correlation(awaited: AwaitedEvent, parameters: object, path: str) -> str:
    try:
        found = resolve(awaited.correlation, {"parameters": parameters}, Budget())
        return correlation_text(json.loads(found))
    except InputError as error:
        raise InvalidInput(path, error.code, error.detail) from error
    except InvalidInput as error:
        raise InvalidInput(path, error.code, error.detail) from error


def _dag_id(value: object, path: str) -> DagId:
    dag_id = parse_dag_id(text(value, path))
    if dag_id is None:
        raise InvalidInput(path, "invalid_format", "It has not the shape of a DAG's id.")
    return dag_id


def _name(value: object, path: str) -> str:
    name = text(value, path)
    if not 1 <= len(name) <= MAX_NAME:
        code = "too_long" if name else "too_short"
        raise InvalidInput(path, code, f"It has 1 to {MAX_NAME} characters.")
    return name


def _json(value: object, path: str) -> str:
    return json_text(read_json(value, path))
