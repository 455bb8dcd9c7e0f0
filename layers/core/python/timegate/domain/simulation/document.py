"""The scenario as it is written down: a document as YAML and JSON hold it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from types import MappingProxyType
from typing import Any

from timegate.domain.errors import InvalidInput
from timegate.domain.identity import JobId, parse_job_id
from timegate.domain.job import CatchUp, CatchUpPolicy, Job, Precision
from timegate.domain.schedule import FoldPolicy, GapPolicy, Schedule, ScheduleKind
from timegate.domain.simulation.expectation import Expectation, read_expectation
from timegate.domain.simulation.fields import (
    Fields,
    Read,
    flag,
    instant,
    many,
    number,
    one_of,
    text,
    whole,
)
from timegate.domain.simulation.scenario import Edit, Pause, Scenario, Span
from timegate.domain.simulation.standing import taken_up, taken_up_at

#: Ten years.
_MAX_SECONDS = 315_360_000
_MAX_RUNS = 1_000_000_000
_MAX_LOOK_AHEAD = 900
_CATCH_UP = CatchUp()
_NO_JOBS: Mapping[JobId, Job] = MappingProxyType({})

_SCHEDULE: dict[str, Read[Any]] = {
    "at": instant,
    "delay_seconds": number(0, _MAX_SECONDS),
    "cron": text,
    "timezone": text,
    "every_seconds": whole(1, _MAX_SECONDS),
    "starts_at": instant,
    "ends_at": instant,
    "max_runs": whole(1, _MAX_RUNS),
    "gap": one_of(GapPolicy),
    "fold": one_of(FoldPolicy),
    "jitter_seconds": whole(0, 86_400),
}
#: What a catch-up policy does not use contradicts it.
_UNUSED = {
    CatchUpPolicy.SKIP: ("limit", "window_seconds"),
    CatchUpPolicy.LATEST: ("limit",),
    CatchUpPolicy.ALL: (),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Document:
    """What to simulate, and what must come of it."""

    scenario: Scenario
    expectation: Expectation


def job_wanted(value: object) -> JobId | None:
    """The job whose definition a document builds on: it names one, and no schedule of its own."""
    given = Fields(value)
    if "job_id" not in given.given() or "schedule" in given.given():
        return None
    return given.required("job_id", _job_id)


def read_document(value: object, stored: Mapping[JobId, Job] = _NO_JOBS) -> Document:
    """Read a scenario; raises ``InvalidInput`` naming the first field that cannot be accepted.

    ``stored`` has the job that ``job_wanted`` names, if it is there. Whether the scenario's parts
    go together is for ``simulate`` to say.
    """
    given = Fields(value)
    start = given.required("from", instant)
    wanted = job_wanted(value)
    basis = _new_job if wanted is None or wanted not in stored else partial(_job, stored[wanted])
    planner = Fields(given.optional("planner", _as_it_is, {}), "planner")
    executor = Fields(given.optional("executor", _as_it_is, {}), "executor")
    expectation = given.optional("expect", read_expectation, Expectation())
    scenario = Scenario(
        start=start,
        end=given.required("to", instant),
        **(basis(given, start) | _options(given)),
        planner_outages=planner.optional("outages", many(_span), ()),
        tick_offset_seconds=planner.optional("tick_offset_seconds", number(0, 59.999), 0.0),
        look_ahead_seconds=planner.optional("look_ahead_seconds", whole(180, _MAX_LOOK_AHEAD), 600),
        executor_outages=executor.optional("outages", many(_span), ()),
    )
    for read in (planner, executor, given):
        read.done()
    return Document(scenario=scenario, expectation=expectation)


def _new_job(given: Fields, start: datetime) -> dict[str, Any]:
    """A job that begins with the scenario."""
    created_at = given.optional("created_at", instant, start)
    return {
        "schedule": given.required("schedule", _schedule),
        "created_at": created_at,
        "anchored_at": given.optional("anchored_at", instant, created_at),
    }


def _job(job: Job, given: Fields, start: datetime) -> dict[str, Any]:
    """A job that exists."""
    if "anchored_at" in given.given():
        raise InvalidInput("anchored_at", "not_for_this_job", "The job has its own.")
    created_at = given.optional("created_at", instant, taken_up_at(job, start))
    return {"created_at": created_at, **taken_up(job, created_at=created_at)}


def _options(given: Fields) -> dict[str, Any]:
    """What has a default: the scenario's own."""
    readers: dict[str, Read[Any]] = {
        "catch_up": _catch_up,
        "start_within_seconds": whole(1, _MAX_SECONDS),
        "precision": one_of(Precision),
        "job_id": _job_id,
        "pauses": many(_pause),
        "edits": many(_edit),
        "cancelled_at": instant,
        "run_seconds": _run_seconds,
    }
    there = given.given()
    return {name: given.required(name, read) for name, read in readers.items() if name in there}


def _schedule(value: object, path: str) -> Schedule:
    given = Fields(value, path)
    kind = given.required("kind", one_of(ScheduleKind))
    there = given.given()
    options = {n: given.required(n, read) for n, read in _SCHEDULE.items() if n in there}
    given.done()
    return Schedule(kind=kind, **options)


def _catch_up(value: object, path: str) -> CatchUp:
    given = Fields(value, path)
    policy = given.required("policy", one_of(CatchUpPolicy))
    for name in _UNUSED[policy]:
        if name in given.given():
            detail = f"The policy {policy} does not use it."
            raise InvalidInput(given.path(name), "not_for_this_policy", detail)
    catch_up = CatchUp(
        policy=policy,
        limit=given.optional("limit", whole(1, _MAX_RUNS), _CATCH_UP.limit),
        window_seconds=given.optional(
            "window_seconds", whole(1, _MAX_SECONDS), _CATCH_UP.window_seconds
        ),
    )
    given.done()
    return catch_up


def _span(value: object, path: str) -> Span:
    given = Fields(value, path)
    span = Span(start=given.required("from", instant), end=given.required("to", instant))
    given.done()
    return span


def _pause(value: object, path: str) -> Pause:
    given = Fields(value, path)
    end: datetime | None = given.optional("to", instant, None)
    if end is None and "catch_up" in given.given():
        detail = "A pause without to is never resumed."
        raise InvalidInput(given.path("catch_up"), "not_resumed", detail)
    pause = Pause(
        start=given.required("from", instant),
        end=end,
        catch_up=given.optional("catch_up", flag, default=False),
    )
    given.done()
    return pause


def _edit(value: object, path: str) -> Edit:
    given = Fields(value, path)
    edit = Edit(at=given.required("at", instant), schedule=given.required("schedule", _schedule))
    given.done()
    return edit


def _run_seconds(value: object, path: str) -> tuple[float, ...]:
    takes = number(0, _MAX_SECONDS)
    return many(takes)(value, path) if isinstance(value, list) else (takes(value, path),)


def _job_id(value: object, path: str) -> JobId:
    job_id = parse_job_id(text(value, path))
    if job_id is None:
        raise InvalidInput(path, "invalid_format", "It has not the shape of a job's id.")
    return job_id


def _as_it_is(value: object, _: str) -> object:
    return value
