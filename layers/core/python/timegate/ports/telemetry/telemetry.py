"""Telemetry: kinds of definitions, each a name with its emitters and its meaning; and its port."""

from collections import defaultdict
from typing import TYPE_CHECKING, Final, Protocol, Self

from timegate.domain.jobs.notification import trace_id

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from timegate.domain.dag_runs.progress import DagRun
    from timegate.domain.dispatch.message import RunMessage
    from timegate.domain.runs.run import Attempt

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
ARCHIVER: Final = "archiver"
#: Deployed where the stage has a bus of events.
CLOUD_EVENTS: Final = "cloud_events"
#: One function per queue: ``executor-<queue>``.
EXECUTOR: Final = "executor"

#: Fields of a line of ends, beside the list of its attempts.
_OF_AN_END: Final = ("number", "state", "reason", "fence", "error_code", "explanation")

FUNCTIONS: Final = (
    *(API, WORKERS, PLANNER, RELAY, SWEEPER, AUDITOR),
    *(OUTCOMES, DAG_RUNS, OPERATIONS, DEAD_LETTER, ARCHIVER, CLOUD_EVENTS, EXECUTOR),
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


class Telemetry(Protocol):
    """One structured event per decision, and metrics flushed once per batch."""

    def event(self, name: LogEvent, **fields: object) -> None:
        """Log a decision. Tenants belong here, never in a metric's dimensions."""

    def count(self, metric: CounterMetric, value: int = 1) -> None:
        """Add to a counter of this batch."""

    def measure(self, metric: DurationMetric, milliseconds: float) -> None:
        """Add one duration to a distribution of this batch."""


class HeldTelemetry:
    """Telemetry of an answer that may not be sent: it is told once the answer is."""

    __slots__ = ("_to", "_told")

    def __init__(self, to: Telemetry) -> None:
        self._to = to
        self._told: list[Callable[[], None]] = []

    def event(self, name: LogEvent, **fields: object) -> None:
        """Keep a decision."""
        self._told.append(lambda: self._to.event(name, **fields))

    def count(self, metric: CounterMetric, value: int = 1) -> None:
        """Keep what is added to a counter."""
        self._told.append(lambda: self._to.count(metric, value))

    def measure(self, metric: DurationMetric, milliseconds: float) -> None:
        """Keep a duration."""
        self._told.append(lambda: self._to.measure(metric, milliseconds))

    def drop(self) -> None:
        """Forget what was kept."""
        self._told.clear()

    def release(self) -> None:
        """Tell what was kept, in its order."""
        for tell in self._told:
            tell()
        self.drop()


def of_run(attempt: "Attempt") -> dict[str, object]:
    """Name an attempt and its trace: fields of each log line about it.

    The attempt's id begins with its run's.
    """
    return {
        "tenant_id": attempt.tenant,
        "attempt_id": str(attempt.id),
        "trace_id": attempt.trace_id,
    }


def of_message(message: "RunMessage") -> dict[str, object]:
    """Name the attempt of a message and its trace, before its record is read."""
    return {
        "tenant_id": message.tenant,
        "attempt_id": str(message.attempt),
        "trace_id": message.trace_id,
    }


def lines_of_ends(ended: "Iterable[Attempt]") -> "Iterator[dict[str, object]]":
    """Name attempts whose ends were stored together: a line for all that ended alike.

    Ordinary successes of a batch are one line. Its fields hold for each attempt in ``ends``.
    """
    alike: defaultdict[tuple[object, ...], list[dict[str, object]]] = defaultdict(list)
    for each in ended:
        code = each.error.code if each.error else None
        end = (each.id.number, each.state, each.reason, each.fence, code, each.explanation)
        alike[end].append(of_run(each))
    for shared, ends in alike.items():
        yield dict(zip(_OF_AN_END, shared, strict=True)) | {"ends": ends}


def of_dag_run(run: "DagRun") -> dict[str, object]:
    """Name a DAG run and its trace, likewise."""
    return {
        "tenant_id": run.tenant,
        "dag_run_id": run.dag_run_id,
        "trace_id": trace_id(run.any_trace),
    }
