"""Scenarios of one job, told by what they are about."""

from dataclasses import fields, replace
from typing import Any

from timegate.domain.simulation import (
    JobLedger,
    Scenario,
    Simulated,
    SimulatedJob,
    simulate,
)

_OF_JOB = {field.name for field in fields(SimulatedJob)}


def one_job(**given: Any) -> Scenario:  # noqa: ANN401 - the dataclasses check them
    """A scenario with these fields, and a job with the others."""
    job = SimulatedJob(**{name: value for name, value in given.items() if name in _OF_JOB})
    others = {name: value for name, value in given.items() if name not in _OF_JOB}
    return Scenario(jobs=(job,), **others)


def changed(scenario: Scenario, **changes: Any) -> Scenario:  # noqa: ANN401 - as above
    """Other fields of the scenario, or of its only job."""
    (job,) = scenario.jobs
    of_job = {name: value for name, value in changes.items() if name in _OF_JOB}
    others = {name: value for name, value in changes.items() if name not in _OF_JOB}
    return replace(scenario, jobs=(replace(job, **of_job),), **others)


def simulated(scenario: Scenario) -> JobLedger:
    """Simulate a scenario and return the ledger of its only job."""
    return only(simulate(scenario))


def only(found: Simulated) -> JobLedger:
    """The ledger of the only job."""
    (ledger,) = found.ledgers
    return ledger
