"""From a scenario as it is asked for to the one that is simulated."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from itertools import chain
from typing import Any

from timegate.contracts.restrictions import TagScope, TenantScope
from timegate.contracts.simulation.events import (
    SimulatedEventTriggerContract,
    SimulatedStartsJob,
)
from timegate.contracts.simulation.jobs import NamedJobContract, SimulatedJobOptions
from timegate.contracts.simulation.restrictions import SimulatedFreezeContract, SimulatedJobScope
from timegate.contracts.simulation.scenario import ScenarioContract
from timegate.contracts.values.refused_values import read_value, within
from timegate.domain.jobs.job import Job
from timegate.domain.restrictions.freeze import Freeze, FreezeKind, FreezeScope
from timegate.domain.simulation import (
    AskedScenario,
    Expectation,
    Scenario,
    ScenarioDocument,
    SimulatedJob,
    StandingRecords,
)
from timegate.domain.simulation.events.definitions import SimulatedEventTrigger
from timegate.domain.simulation.standing import NOTHING_STANDS, taken_up, taken_up_at
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import JobId, job_id_from
from timegate.value_classes import dataclass

#: Fields of a job that a scenario of several jobs has as well.
_OF_BOTH = frozenset({"expect"})
_OWN = "calendar_rules"


@dataclass(frozen=True, slots=True)
class _Placed:
    """A job that is asked for, and where."""

    asked: SimulatedJobOptions
    #: ``jobs.0``; empty: the scenario is about one job.
    place: str = ""

    @property
    def name(self) -> str | None:
        return self.asked.name if isinstance(self.asked, NamedJobContract) else None

    @property
    def prefix(self) -> str:
        return f"{self.place}." if self.place else ""

    def field(self, name: str) -> str:
        return f"{self.prefix}{name}"

    @property
    def stored_id(self) -> JobId | None:
        """The job of the stage that it is; ``None``: it brings its schedule."""
        named = self.asked.job_id if self.asked.schedule is None else None
        return None if named is None else JobId(named)


def asked_scenario(given: ScenarioContract) -> AskedScenario:
    """Return the scenario that waits for what its stage has; raises ``InvalidInput``."""
    jobs = _placed(given)
    rules = chain.from_iterable(each.asked.calendar_rules for each in jobs)
    return AskedScenario(
        jobs={each.stored_id: each.field("job_id") for each in jobs if each.stored_id},
        calendars=frozenset(rule.calendar for rule in rules) - given.calendars.keys(),
        with_records=partial(_document, given, jobs),
    )


def read_document(value: object) -> ScenarioDocument:
    """Read a scenario of a file, which has no stage.

    Raises ``InvalidInput`` naming the first field that cannot be accepted. ``simulate`` says if
    the scenario's parts go together.
    """
    given: ScenarioContract = read_value(ScenarioContract, value, called="scenario")
    return asked_scenario(given).with_records(NOTHING_STANDS)


def _placed(given: ScenarioContract) -> list[_Placed]:
    if given.jobs is None:
        return [_Placed(given)]
    of_a_job = SimulatedJobOptions.model_fields.keys() - _OF_BOTH
    for name in sorted(of_a_job & given.model_fields_set):
        raise InvalidInput(name, "unknown_field", "With jobs, it is a field of theirs.")
    return [_Placed(each, f"jobs.{number}") for number, each in enumerate(given.jobs)]


def _document(
    given: ScenarioContract, placed: Sequence[_Placed], stored: StandingRecords
) -> ScenarioDocument:
    start = given.start
    own = {name: each.begun(name, start=start) for name, each in given.calendars.items()}
    known = {each.name: each for each in stored.calendars} | own
    jobs = tuple(_job(each, stored.jobs, start) for each in placed)
    for each in placed:
        _refuse_unknown(each, known)
    scenario = Scenario(
        start=start,
        end=given.end,
        jobs=jobs,
        calendars=tuple(known.values()),
        calendar_edits=tuple(
            chain.from_iterable(each.edited(name) for name, each in given.calendars.items())
        ),
        **_of_tenant(given, jobs, stored),
        planner_outages=tuple(each.to_domain() for each in given.planner.outages),
        tick_offset_seconds=given.planner.tick_offset_seconds,
        look_ahead_seconds=given.planner.look_ahead_seconds,
        executor_outages=tuple(each.to_domain() for each in given.executor.outages),
    )
    return ScenarioDocument(scenario=scenario, expectations=_expectations(given, placed))


def _of_tenant(
    given: ScenarioContract, jobs: Sequence[SimulatedJob], stored: StandingRecords
) -> dict[str, Any]:
    """Read freezes, rules and events, which name jobs of the scenario."""
    earliest = min(job.created_at for job in jobs)
    freezes = [
        _freeze(each, f"freezes.{number}.scope", jobs, earliest)
        for number, each in enumerate(given.freezes or ())
    ]
    rules = (given.rules or {}).items()
    return {
        "freezes": stored.freezes if given.freezes is None else tuple(freezes),
        "rules": stored.rules
        if given.rules is None
        else tuple(each.rule(name, created_at=earliest) for name, each in rules),
        "events": tuple(
            chain.from_iterable(
                each.events(f"events.{number}") for number, each in enumerate(given.events)
            )
        ),
        # Events are compared with triggers in the order of their names.
        "event_triggers": tuple(
            _trigger(name, each, jobs) for name, each in sorted(given.event_triggers.items())
        ),
        "waits": tuple(each.wait(name, start=given.start) for name, each in given.waits.items()),
    }


def _job(placed: _Placed, stored: Mapping[JobId, Job], start: datetime) -> SimulatedJob:
    job = stored.get(placed.stored_id or JobId(""))
    fields = _new(placed, start) if job is None else _existing(job, placed, start)
    if not placed.place:
        fields |= placed.asked.given_options()
    else:
        with within(placed.place):
            fields |= placed.asked.given_options()
        fields.setdefault("job_id", job_id_from(f"simulation {placed.name}".encode()))
    return SimulatedJob(name=placed.name, path=placed.prefix, **fields)


def _new(placed: _Placed, start: datetime) -> dict[str, Any]:
    """A job that begins with the scenario."""
    asked = placed.asked
    if asked.schedule is None:
        raise InvalidInput(placed.field("schedule"), "missing", "It is required.")
    created_at = asked.created_at or start
    try:
        schedule = asked.schedule.to_domain()
    except InvalidInput as refused:
        field = placed.field(refused.field)
        raise InvalidInput(field, refused.code, refused.detail) from refused
    return {
        "schedule": schedule,
        "created_at": created_at,
        "anchored_at": asked.anchored_at or created_at,
    }


def _existing(job: Job, placed: _Placed, start: datetime) -> dict[str, Any]:
    """A job that exists."""
    if placed.asked.anchored_at is not None:
        field = placed.field("anchored_at")
        raise InvalidInput(field, "not_for_this_job", "The job has its own.")
    taken_at = taken_up_at(job, start, named_by=placed.field("job_id"))
    created_at = placed.asked.created_at or taken_at
    return {"created_at": created_at, **taken_up(job, created_at=created_at)}


def _refuse_unknown(placed: _Placed, known: Mapping[str, object]) -> None:
    """Refuse unknown calendars, as when a job is created."""
    for number, rule in enumerate(placed.asked.calendar_rules):
        if rule.calendar not in known:
            field = placed.field(f"{_OWN}.{number}.calendar")
            detail = f"There is no calendar {rule.calendar}."
            raise InvalidInput(field, "unknown_calendar", detail)


def _freeze(
    given: SimulatedFreezeContract, place: str, jobs: Sequence[SimulatedJob], earliest: datetime
) -> Freeze:
    scope: TenantScope | TagScope | SimulatedJobScope = given.scope
    chosen = (
        FreezeScope(kind=FreezeKind.JOB, value=_named(scope, place, jobs).job_id)
        if isinstance(scope, SimulatedJobScope)
        else scope.to_domain()
    )
    return given.freeze(chosen, earliest=earliest)


def _trigger(
    name: str, given: SimulatedEventTriggerContract, jobs: Sequence[SimulatedJob]
) -> SimulatedEventTrigger:
    starts = given.starts
    if not isinstance(starts, SimulatedStartsJob):
        return given.trigger(name, None)
    return given.trigger(name, _named(starts, f"event_triggers.{name}.starts", jobs).job_id)


def _named(
    given: SimulatedJobScope | SimulatedStartsJob, place: str, jobs: Sequence[SimulatedJob]
) -> SimulatedJob:
    """One of the scenario's jobs, by its name or its id; the only one needs neither."""
    if given.job is not None:
        field, found = "job", [job for job in jobs if job.name == given.job]
    elif given.job_id is not None:
        field, found = "job_id", [job for job in jobs if job.job_id == given.job_id]
    elif len(jobs) == 1:
        return jobs[0]
    else:
        raise InvalidInput(f"{place}.job", "missing", "Which of the jobs?")
    if not found:
        raise InvalidInput(f"{place}.{field}", "unknown_job", "The scenario has no such job.")
    return found[0]


def _expectations(
    given: ScenarioContract, placed: Sequence[_Placed]
) -> dict[str | None, Expectation]:
    """Expectations of each job by its name; those of the only one are the total."""
    each = {one.name: one.asked.expect for one in placed} | {None: given.expect}
    return {
        name: Expectation() if expected is None else expected.to_domain()
        for name, expected in each.items()
    }
