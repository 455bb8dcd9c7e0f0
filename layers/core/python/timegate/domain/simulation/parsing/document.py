"""The scenario as it is written down: a document as YAML and JSON hold it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from timegate.domain.calendars.calendar_rule import CalendarRule
from timegate.domain.jobs.job import Job
from timegate.domain.simulation.expectation import Expectation, read_expectation
from timegate.domain.simulation.parsing.event_fields import (
    read_event_triggers,
    read_events,
    read_waits,
)
from timegate.domain.simulation.parsing.fields import (
    Fields,
    instant,
    many,
    number,
    seconds,
    table,
    text,
    whole,
)
from timegate.domain.simulation.parsing.job_fields import (
    JOB_FIELDS,
    read_job_id,
    read_schedule,
    read_span,
)
from timegate.domain.simulation.parsing.notice_fields import read_rules
from timegate.domain.simulation.parsing.tenant_fields import read_calendars, read_freezes
from timegate.domain.simulation.scenario import Scenario, SimulatedJob
from timegate.domain.simulation.standing import (
    NOTHING_STANDS,
    StandingRecords,
    taken_up,
    taken_up_at,
)
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import JobId, job_id_from

#: Their names are columns of a table that people read.
MAX_JOBS = 10
_MAX_NAME = 64
_MAX_LOOK_AHEAD = 900
_RULES = "calendar_rules"
#: A job of the scenario, and what is expected of it.
_Read = tuple[SimulatedJob, Expectation]


@dataclass(frozen=True, kw_only=True, slots=True)
class _Basis:
    """Records that the jobs of a document build on."""

    start: datetime
    stored: StandingRecords
    #: The names of all calendars there are.
    calendars: frozenset[str]


@dataclass(frozen=True, kw_only=True, slots=True)
class ScenarioDocument:
    """A scenario and its expectations."""

    scenario: Scenario
    #: Of all jobs together under ``None``, and of each by its name.
    expectations: Mapping[str | None, Expectation]


def jobs_wanted(value: object) -> dict[JobId, str]:
    """The jobs whose definitions a document builds on, and where it names them.

    They are named by ``job_id`` where there is no schedule. Raises ``InvalidInput``.
    """
    given = Fields(value)
    if "jobs" not in given.given():
        return _wanted(given)
    found: dict[JobId, str] = {}
    for each in given.required("jobs", many(_as_fields)):
        found |= _wanted(each)
    return found


def calendars_wanted(value: object) -> frozenset[str]:
    """The calendars that a document's jobs name and it does not define itself.

    Raises ``InvalidInput``.
    """
    given = Fields(value)
    jobs = [given]
    if "jobs" in given.given():
        jobs += given.required("jobs", many(_as_fields))
    defined = given.peek("calendars", table(_as_it_is)) if "calendars" in given.given() else {}
    named = {
        rule.calendar
        for each in jobs
        if _RULES in each.given()
        for rule in each.peek(_RULES, JOB_FIELDS[_RULES])
    }
    return frozenset(named - defined.keys())


def read_document(value: object, stored: StandingRecords = NOTHING_STANDS) -> ScenarioDocument:
    """Read a scenario; raises ``InvalidInput`` naming the first field that cannot be accepted.

    ``stored`` has the jobs that ``jobs_wanted`` names and the calendars of ``calendars_wanted``, as
    far as they are there. Whether the scenario's parts go together is for ``simulate`` to say.
    """
    given = Fields(value)
    start = given.required("from", instant)
    end = given.required("to", instant)
    total = given.optional("expect", read_expectation, Expectation())
    calendars = given.optional("calendars", partial(read_calendars, start=start), ())
    own = {calendar.name: calendar for calendar, _ in calendars}
    known = {calendar.name: calendar for calendar in stored.calendars} | own
    jobs = _jobs(given, _Basis(start=start, stored=stored, calendars=frozenset(known)))
    planner = Fields(given.optional("planner", _as_it_is, {}), "planner")
    executor = Fields(given.optional("executor", _as_it_is, {}), "executor")
    scenario = Scenario(
        start=start,
        end=end,
        jobs=tuple(job for job, _ in jobs),
        calendars=tuple(known.values()),
        calendar_edits=tuple(edit for _, edits in calendars for edit in edits),
        **_of_tenant(given, [job for job, _ in jobs], stored, start=start),
        planner_outages=planner.optional("outages", many(read_span), ()),
        tick_offset_seconds=planner.optional(
            "tick_offset_seconds", seconds(number(0, 59.999)), 0.0
        ),
        look_ahead_seconds=planner.optional(
            "look_ahead_seconds", seconds(whole(180, _MAX_LOOK_AHEAD)), 600
        ),
        executor_outages=executor.optional("outages", many(read_span), ()),
    )
    for read in (planner, executor, given):
        read.done()
    # The only job of a scenario has no name, and nothing is expected of it apart from the total.
    expectations = {job.name: expected for job, expected in jobs} | {None: total}
    return ScenarioDocument(scenario=scenario, expectations=expectations)


def _of_tenant(
    given: Fields, jobs: Sequence[SimulatedJob], stored: StandingRecords, *, start: datetime
) -> dict[str, Any]:
    """Read freezes, rules and events, which name jobs of the scenario."""
    rules = partial(read_rules, created_at=min(job.created_at for job in jobs))
    return {
        "freezes": given.optional("freezes", partial(read_freezes, jobs=jobs), stored.freezes),
        "rules": given.optional("rules", rules, stored.rules),
        "events": given.optional("events", read_events, ()),
        "event_triggers": given.optional(
            "event_triggers", partial(read_event_triggers, jobs=jobs), ()
        ),
        "waits": given.optional("waits", partial(read_waits, start=start), ()),
    }


def _jobs(given: Fields, basis: _Basis) -> tuple[_Read, ...]:
    """One whose fields are the scenario's own, or those of a list, each with a name."""
    if "jobs" not in given.given():
        return ((_job(given, basis, name=None), Expectation()),)
    listed = given.required("jobs", many(partial(_listed_job, basis=basis)))
    if not 1 <= len(listed) <= MAX_JOBS:
        code = "too_long" if listed else "too_short"
        raise InvalidInput("jobs", code, f"It may have 1 to {MAX_JOBS} jobs.")
    return listed


def _listed_job(value: object, path: str, *, basis: _Basis) -> _Read:
    given = Fields(value, path)
    name = given.required("name", _name)
    expected = given.optional("expect", read_expectation, Expectation())
    job = _job(given, basis, name=name)
    given.done()
    return job, expected


def _job(given: Fields, basis: _Basis, *, name: str | None) -> SimulatedJob:
    stored = basis.stored.jobs.get(next(iter(_wanted(given)), JobId("")))
    begin = _new if stored is None else partial(_existing, stored)
    fields, options = begin(given, basis.start), _options(given)
    _refuse_unknown(options.get(_RULES, ()), given.path(_RULES), basis.calendars)
    fields |= options
    if name is not None:
        fields.setdefault("job_id", job_id_from(f"simulation {name}".encode()))
    return SimulatedJob(name=name, path=given.path("")[: -1 if name is None else None], **fields)


def _refuse_unknown(rules: Sequence[CalendarRule], path: str, known: frozenset[str]) -> None:
    """Refuse unknown calendars, as when a job is created."""
    for at, rule in enumerate(rules):
        if rule.calendar not in known:
            detail = f"There is no calendar {rule.calendar}."
            raise InvalidInput(f"{path}.{at}.calendar", "unknown_calendar", detail)


def _new(given: Fields, start: datetime) -> dict[str, Any]:
    """A job that begins with the scenario."""
    created_at = given.optional("created_at", instant, start)
    return {
        "schedule": given.required("schedule", read_schedule),
        "created_at": created_at,
        "anchored_at": given.optional("anchored_at", instant, created_at),
    }


def _existing(job: Job, given: Fields, start: datetime) -> dict[str, Any]:
    """A job that exists."""
    if "anchored_at" in given.given():
        raise InvalidInput(given.path("anchored_at"), "not_for_this_job", "The job has its own.")
    taken_at = taken_up_at(job, start, named_by=given.path("job_id"))
    created_at = given.optional("created_at", instant, taken_at)
    return {"created_at": created_at, **taken_up(job, created_at=created_at)}


def _options(given: Fields) -> dict[str, Any]:
    """Return the fields with defaults: the scenario's own, or the stored job's."""
    there = given.given()
    return {name: given.required(name, read) for name, read in JOB_FIELDS.items() if name in there}


def _wanted(given: Fields) -> dict[JobId, str]:
    if "job_id" not in given.given() or "schedule" in given.given():
        return {}
    path = given.path("job_id")
    return {given.peek("job_id", read_job_id): path}


def _name(value: object, path: str) -> str:
    name = text(value, path)
    if not 1 <= len(name) <= _MAX_NAME or not name.isprintable():
        detail = f"It has 1 to {_MAX_NAME} characters that can be printed."
        raise InvalidInput(path, "invalid_format", detail)
    return name


def _as_fields(value: object, path: str) -> Fields:
    return Fields(value, path)


def _as_it_is(value: object, _: str) -> object:
    return value
