"""Simulating for a caller: one of his jobs may be meant, and an answer has its limits."""

from dataclasses import dataclass
from datetime import timedelta

from timegate.domain.errors import InvalidInput, JobNotFound
from timegate.domain.identity import JobId
from timegate.domain.job import Job
from timegate.domain.simulation import (
    Expectation,
    Scenario,
    Simulated,
    job_wanted,
    read_document,
    simulate,
)
from timegate.domain.tenant import TenantId
from timegate.usecases.services import ApiServices

#: An answer fits into what a function may return, and is computed while it may run; 5,000 instants
#: are 1.6 MB and take two seconds. Offline there is room for more.
MAX_INSTANTS = 5_000
MAX_DAYS = 366


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcome:
    """What a scenario comes to, and what it was to come to."""

    simulated: Simulated
    expectation: Expectation


def simulate_scenario(tenant: TenantId, value: object, services: ApiServices) -> Outcome:
    """Simulate a document, as JSON holds it; nothing is written.

    Raises ``InvalidInput`` naming the field, also when the tenant has no job as it names.
    """
    wanted = job_wanted(value)
    stored = {} if wanted is None else {wanted: _job(tenant, wanted, services)}
    document = read_document(value, stored)
    scenario = document.scenario
    if scenario.end - scenario.start > timedelta(days=MAX_DAYS):
        raise InvalidInput("to", "range_too_long", f"A range may have {MAX_DAYS} days.")
    simulated = _simulate(scenario, names_job=wanted is not None)
    services.telemetry.event("scenario_simulated", tenant_id=tenant, rows=len(simulated.rows))
    return Outcome(simulated=simulated, expectation=document.expectation)


def _job(tenant: TenantId, job_id: JobId, services: ApiServices) -> Job:
    try:
        return services.jobs.get(tenant, job_id)
    except JobNotFound as error:
        raise InvalidInput("job_id", "unknown_job", str(error)) from error


def _simulate(scenario: Scenario, *, names_job: bool) -> Simulated:
    try:
        return simulate(scenario, most_instants=MAX_INSTANTS)
    except InvalidInput as error:
        if names_job and error.field.partition(".")[0] == "schedule":
            # The document has no such field: what does not go with its range is the job's own.
            raise InvalidInput("job_id", error.code, error.detail) from error
        raise
