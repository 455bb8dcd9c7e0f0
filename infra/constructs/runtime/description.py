"""Descriptions of functions: name, time, memory, variables, rights and alarms, as data."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from aws_cdk import aws_sqs as sqs
from constructs import Construct

from infra.constructs.data.stores import Stores
from infra.constructs.observability.alerts import Concern
from infra.constructs.observability.runbook import Runbook
from infra.stage.settings import StageSettings
from timegate.ports.telemetry.telemetry import Metric


@dataclass(frozen=True, kw_only=True)
class Given:
    """Resources of a stage, as the functions of one stack see them."""

    #: A construct of the functions' stack: what lies in other stacks is imported into it.
    reader: Construct
    settings: StageSettings
    stores: Stores
    #: The queue of messages and records that cannot be read; ``None`` in a stack without one.
    rejected: sqs.IQueue | None = None
    #: The state machine of DAG runs.
    machine_arn: str | None = None
    #: The key that signs seals of the archive; ``None``: the stage seals nothing.
    seal_key_arn: str | None = None

    def rejects(self) -> sqs.IQueue:
        """Return the queue of what cannot be read; raises ``ValueError`` where there is none."""
        if self.rejected is None:
            message = "The stack has no queue of rejected messages."
            raise ValueError(message)
        return self.rejected

    def machine(self) -> str:
        """Return the state machine's ARN; raises ``ValueError`` where there is none."""
        if self.machine_arn is None:
            message = "The stack has no state machine."
            raise ValueError(message)
        return self.machine_arn


#: Resources that a right is on, as ARNs.
Place = Callable[[Given], Sequence[str]]


@dataclass(frozen=True, kw_only=True)
class Right:
    """Actions on exactly these resources."""

    actions: tuple[str, ...]
    places: tuple[Place, ...]
    #: Only on items whose partition keys match the pattern.
    partitions: str | None = None


def allow(actions: Sequence[str], *places: Place) -> Right:
    """Grant actions on places."""
    return Right(actions=tuple(actions), places=places)


def allow_partitions(actions: Sequence[str], place: Place, partitions: str) -> Right:
    """Grant actions on the items of a table whose partition keys match a pattern."""
    return Right(actions=tuple(actions), places=(place,), partitions=partitions)


def always(number: int) -> Callable[[StageSettings], int]:
    """Return a number that no setting changes."""
    return lambda _: number


def ticks(settings: StageSettings) -> int:
    """Return the seconds that a tick may take."""
    return settings.tick_timeout_seconds


@dataclass(frozen=True, kw_only=True)
class KeepOff:
    """No write to these items of a table, whatever else is granted."""

    place: Place
    partitions: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class KeepFields:
    """No write that names these fields of a table's items, whatever else is granted.

    An update leaves alone what it does not name; who may put no item there takes none away.
    """

    place: Place
    fields: tuple[str, ...]
    #: Partitions in which they may be named.
    but_in: str


@dataclass(frozen=True, kw_only=True)
class TellMissing:
    """Objects under these prefixes that are not there are answered as missing."""

    prefixes: tuple[str, ...]
    #: Tell if it is the archive, and not the blobs.
    is_archive: bool = False


#: Statement of a function's role.
Rule: TypeAlias = Right | KeepOff | KeepFields | TellMissing


@dataclass(frozen=True, kw_only=True)
class Alarm:
    """An alarm on a metric of the function's own."""

    #: The end of the alarm's name: ``records-lost``.
    name: str
    meaning: str
    metric: Metric
    statistic: str = "Sum"
    threshold: Callable[[StageSettings], float]
    periods: int = 1
    #: Minutes between two measurements while the cause lasts. The alarm stays on between them, and
    #: ends when twice as many have passed without a bad one.
    every_minutes: int = 1
    concern: Concern = Concern.OUTAGE
    runbook: Runbook


@dataclass(frozen=True, kw_only=True)
class Silence:
    """No tick has reached the function for so many minutes."""

    minutes: int
    meaning: str
    concern: Concern = Concern.OUTAGE
    runbook: Runbook = Runbook.PLANNER_SILENCE
    #: Tells if a stage of these settings ticks at all.
    is_ticking: Callable[[StageSettings], bool] = lambda _: True


@dataclass(frozen=True, kw_only=True)
class StreamAge:
    """The function reads its stream so late, for so many minutes."""

    threshold_ms: int
    periods: int
    meaning: str


@dataclass(frozen=True, kw_only=True)
class Seldom:
    """Failures in a row, and not within a minute, of a function that is seldom invoked."""

    #: Minutes between two invocations: of its tick, or of a message that comes again.
    every_minutes: int
    #: Failed or refused invocations that ring.
    failures: int = 1

    @property
    def window_minutes(self) -> int:
        """Half of the minutes within which they are counted."""
        return self.every_minutes * max(1, self.failures - 1)


@dataclass(frozen=True, kw_only=True)
class Description:
    """One function of the stage: constructs are derived from it."""

    name: str
    #: Folder of its handler; ``None``: its name. Executors share one.
    folder: str | None = None
    timeout_seconds: Callable[[StageSettings], int]
    memory_mb: int = 512
    #: Names of ``VARIABLES``.
    variables: tuple[str, ...]
    rights: tuple[Rule, ...]
    #: An alarm for errors and one for throttles; executors share theirs.
    alarms_on_failures: bool = True
    #: A function that is seldom invoked rings by few failures. ``None``: so many a minute do.
    seldom: "Seldom | None" = None
    #: An alarm for records that cannot be read.
    alarms_on_damage: bool = False
    silence: Silence | None = None
    stream_age: StreamAge | None = None
    #: X-Ray records its invocations. Ticks are not traced: there are more of them than of anything
    #: else in an idle stage, each like the others, and their metrics say how long they took.
    is_traced: bool = True
    alarms: tuple[Alarm, ...] = ()

    def is_recorded(self, settings: StageSettings) -> bool:
        """Tell if X-Ray records invocations; at which rate is Lambda's own choice."""
        return self.is_traced and settings.trace_percent > 0

    def environment(self, given: Given, own: Mapping[str, str]) -> dict[str, str]:
        """Return the variables, beside those that only this function has."""
        return {**{name: VARIABLES[name](given) for name in self.variables}, **own}


#: Variables of functions, each computed here alone.
VARIABLES: Mapping[str, Callable[[Given], str]] = {
    "JOBS_TABLE": lambda given: given.stores.jobs.name,
    "RUNS_TABLE": lambda given: given.stores.runs.name,
    "BLOB_BUCKET": lambda given: given.stores.blobs.name,
    "ARCHIVE_BUCKET": lambda given: given.stores.archive.name,
    "SEAL_KEY": lambda given: given.seal_key_arn or "",
    "SHARDS": lambda given: str(given.settings.shards),
    "RUN_RETENTION_DAYS": lambda given: str(given.settings.run_retention_days),
    "AUDIT_RETENTION_DAYS": lambda given: str(given.settings.audit_retention_days),
    "LOOK_AHEAD_SECONDS": lambda given: str(given.settings.look_ahead_seconds),
    "HOLD_LEAD_SECONDS": lambda given: str(given.settings.hold_lead_seconds),
    "WORKER_LEASE_SECONDS": lambda given: str(given.settings.worker_lease_seconds),
    # Whole percents have no decimals.
    "TRACE_PERCENT": lambda given: f"{given.settings.trace_percent:g}",
    "HEARTBEAT_URL": lambda given: given.settings.heartbeat_url,
    "STAGE_QUOTAS": lambda given: given.settings.quotas.environment(),
    "TENANT_CLAIM": lambda given: given.settings.tenant_claim,
    "SCOPE_PREFIX": lambda given: given.settings.scope_prefix,
    "QUEUE_URLS": lambda given: given.stores.queues.urls(given.reader),
    "REJECTED_QUEUE_URL": lambda given: given.rejects().queue_url,
    "DAG_MACHINE_ARN": lambda given: given.machine(),
}
#: Variables of each function that reads or writes records.
TABLES = ("JOBS_TABLE", "RUNS_TABLE", "SHARDS", "RUN_RETENTION_DAYS")
