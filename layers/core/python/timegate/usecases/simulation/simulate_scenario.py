"""Simulating for a caller: one of his jobs may be meant, and an answer has its limits."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from datetime import timedelta

from timegate.domain.jobs.job import Job
from timegate.domain.restrictions.restrictions import NOTHING_IN_FORCE
from timegate.domain.rules.rule import Rule
from timegate.domain.simulation import (
    AskedScenario,
    Expectations,
    Scenario,
    Simulated,
    StandingRecords,
    simulate,
)
from timegate.domain.values.errors import InvalidInput, JobNotFound
from timegate.domain.values.identity import JobId
from timegate.domain.values.tenant import TenantId
from timegate.ports.telemetry import service_events
from timegate.usecases.restrictions.named_calendars import named_calendars
from timegate.usecases.services.api_services import ApiServices
from timegate.value_classes import dataclass

#: An answer fits into what a function may return, and is computed while it may run; 5,000 instants
#: are 1.6 MB and take two seconds. Offline there is room for more.
MAX_INSTANTS = 5_000
MAX_DAYS = 366


@dataclass(frozen=True, kw_only=True, slots=True)
class SimulationOutcome:
    """Result of a scenario, and its expectations."""

    simulated: Simulated
    expectations: Expectations


def simulate_scenario(
    tenant: TenantId, asked: AskedScenario, services: ApiServices
) -> SimulationOutcome:
    """Simulate a scenario with the tenant's records that it names; nothing is written.

    Raises ``InvalidInput`` naming the field, also when the tenant has no job as it names.
    """
    stored = {job_id: _job(tenant, job_id, field, services) for job_id, field in asked.jobs.items()}
    document = asked.with_records(_standing(tenant, stored, asked.calendars, services))
    scenario = document.scenario
    if scenario.end - scenario.start > timedelta(days=MAX_DAYS):
        raise InvalidInput("to", "range_too_long", f"A range may have {MAX_DAYS} days.")
    simulated = _simulate(scenario, frozenset(asked.jobs.values()))
    services.telemetry.event(
        service_events.SCENARIO_SIMULATED,
        tenant_id=tenant,
        jobs=len(scenario.jobs),
        stored_jobs=len(stored),
    )
    return SimulationOutcome(simulated=simulated, expectations=document.expectations)


def _standing(
    tenant: TenantId, jobs: Mapping[JobId, Job], named: AbstractSet[str], services: ApiServices
) -> StandingRecords:
    """The jobs, and what keeps them from running; without any, the calendars that are named."""
    names = named | {rule.calendar for job in jobs.values() for rule in job.timing.calendars}
    if not names and not jobs:
        return StandingRecords()
    in_force = services.restrictions.in_force([tenant]).get(tenant, NOTHING_IN_FORCE)
    return StandingRecords(
        jobs=jobs,
        calendars=tuple(named_calendars(tenant, names, in_force, services).values()),
        freezes=in_force.freezes if jobs else (),
        rules=_rules(tenant, services) if jobs else (),
    )


def _rules(tenant: TenantId, services: ApiServices) -> tuple[Rule, ...]:
    at_hand = services.rules.rules_at_hand(tenant)
    return () if at_hand is None else tuple(at_hand.rules)


def _job(tenant: TenantId, job_id: JobId, field: str, services: ApiServices) -> Job:
    try:
        return services.jobs.get(tenant, job_id)
    except JobNotFound as error:
        raise InvalidInput(field, "unknown_job", str(error)) from error


def _simulate(scenario: Scenario, named_by: frozenset[str]) -> Simulated:
    """``named_by``: the fields that name stored jobs."""
    try:
        return simulate(scenario, most_instants=MAX_INSTANTS)
    except InvalidInput as error:
        before, found, _ = error.field.rpartition("schedule")
        if found and f"{before}job_id" in named_by:
            # The document has no such field: what does not go with its range is the job's own.
            raise InvalidInput(f"{before}job_id", error.code, error.detail) from error
        raise
