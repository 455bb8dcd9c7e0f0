"""Simulation: the ledger that the production code would write, on a clock that needs no time."""

from timegate.domain.simulation.course import simulate
from timegate.domain.simulation.expectation import Expectation, Unmet
from timegate.domain.simulation.ledger_rows import JobLedger, RejectedChange, Row, Simulated
from timegate.domain.simulation.report import Expectations, report
from timegate.domain.simulation.scenario import (
    MAX_INSTANTS,
    MAX_JOBS,
    MAX_LIST,
    CalendarEdit,
    Edit,
    Pause,
    Scenario,
    SimulatedJob,
    TimeSpan,
)
from timegate.domain.simulation.standing import AskedScenario, ScenarioDocument, StandingRecords

__all__ = [
    "MAX_INSTANTS",
    "MAX_JOBS",
    "MAX_LIST",
    "AskedScenario",
    "CalendarEdit",
    "Edit",
    "Expectation",
    "Expectations",
    "JobLedger",
    "Pause",
    "RejectedChange",
    "Row",
    "Scenario",
    "ScenarioDocument",
    "Simulated",
    "SimulatedJob",
    "StandingRecords",
    "TimeSpan",
    "Unmet",
    "report",
    "simulate",
]
