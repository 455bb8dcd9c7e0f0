"""Simulation: the ledger that the production code would write, on a clock that needs no time."""

from timegate.domain.simulation.course import simulate
from timegate.domain.simulation.document import Document, job_wanted, read_document
from timegate.domain.simulation.expectation import Expectation, Unmet
from timegate.domain.simulation.fields import MAX_LIST
from timegate.domain.simulation.fields import instant as read_instant
from timegate.domain.simulation.ledger_rows import Refused, Simulated
from timegate.domain.simulation.report import report
from timegate.domain.simulation.scenario import MAX_INSTANTS, Edit, Pause, Scenario, Span

__all__ = [
    "MAX_INSTANTS",
    "MAX_LIST",
    "Document",
    "Edit",
    "Expectation",
    "Pause",
    "Refused",
    "Scenario",
    "Simulated",
    "Span",
    "Unmet",
    "job_wanted",
    "read_document",
    "read_instant",
    "report",
    "simulate",
]
