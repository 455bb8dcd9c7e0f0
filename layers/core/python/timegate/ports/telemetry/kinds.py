"""Kinds of telemetry: a definition is its name, and says who emits it and what it means."""

from typing import Final, Self

#: The only dimension of each metric: the physical name of the emitting function.
DIMENSION: Final = "service"

API: Final = "api"
WORKERS: Final = "workers"
PLANNER: Final = "planner"
RELAY: Final = "relay"
SWEEPER: Final = "sweeper"
AUDITOR: Final = "auditor"
OUTCOMES: Final = "outcomes"
DAG_RUNS: Final = "dag_runs"
OPERATIONS: Final = "operations"
DEAD_LETTER: Final = "dead_letter"
#: Deployed where the stage has a bus of events.
CLOUD_EVENTS: Final = "cloud_events"
#: One function per queue: ``executor-<queue>``.
EXECUTOR: Final = "executor"

FUNCTIONS: Final = (
    *(API, WORKERS, PLANNER, RELAY, SWEEPER, AUDITOR),
    *(OUTCOMES, DAG_RUNS, OPERATIONS, DEAD_LETTER, CLOUD_EVENTS, EXECUTOR),
)


class Definition(str):
    """A registered name of telemetry."""

    __slots__ = ("by", "meaning")

    #: Functions that emit it, of ``FUNCTIONS``.
    by: tuple[str, ...]
    #: One sentence for operators.
    meaning: str

    def __new__(cls, name: str, meaning: str, *by: str) -> Self:
        """Define it; only the register does."""
        made = super().__new__(cls, name)
        made.by = by
        made.meaning = meaning
        return made


class LogEvent(Definition):
    """A log event: one decision."""

    __slots__ = ()


class Metric(Definition):
    """A metric of CloudWatch, with the one dimension ``service``."""

    __slots__ = ()

    #: CloudWatch's name of the unit.
    unit: str


class CounterMetric(Metric):
    """A counter, summed over a batch."""

    __slots__ = ()

    unit = "Count"


class DurationMetric(Metric):
    """A distribution of durations."""

    __slots__ = ()

    unit = "Milliseconds"
