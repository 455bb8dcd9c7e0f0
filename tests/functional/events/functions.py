"""The functions that events drive: what each is told, and its handler at work."""

import json
from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

from tests.support.api import Context
from tests.support.auditing.heartbeats import MemoryHeartbeat
from tests.support.dag_runs.dag_world import DagWorld
from tests.support.execution.placing import first_shards
from tests.support.ruling import looking
from tests.support.world import LEASE, VISIBILITY, World
from timegate.adapters.memory.rejects import MemoryRejects
from timegate.domain.limits.quotas import Quotas
from timegate.usecases.metering.meter_runs import meter_runs
from timegate.usecases.metering.metering_services import Metering
from timegate.usecases.rules.make_looks import make_looks
from timegate.usecases.services.tenants_at_hand import TenantsAtHand

Event = dict[str, Any]

EVENTS = Path(__file__).resolve().parents[3] / "events"
#: The sample of each function.
SAMPLES = {
    "planner": "planner_tick",
    "sweeper": "sweeper_tick",
    "auditor": "auditor_tick",
    "relay": "relay_stream",
    "outcomes": "outcomes_stream",
    "dag_runs": "dag_runs_step",
    "operations": "operations_stream",
    "executor": "executor_messages",
    "dead_letter": "dead_letter_messages",
    "cloud_events": "cloud_events_stream",
}
#: Message of a queue to the sweeper between its ticks; replayed in ``test_looks.py``.
LOOKS = "sweeper_looks"
#: Event of a rule for the function of steps; replayed in ``test_dag_events.py``.
DAG_EVENT = "dag_runs_event"
#: Messages of its queue for the function of events; replayed in ``test_cloud_events.py``.
MESSAGES = "cloud_events_messages"
OTHERS = (DAG_EVENT, LOOKS, MESSAGES)

_QUEUES = "https://sqs.us-east-1.amazonaws.com/111122223333"
_TABLES = ("JOBS_TABLE", "RUNS_TABLE", "SHARDS", "RUN_RETENTION_DAYS")
#: The stack's variables for functions; the names are those of no real resource.
VARIABLES = {
    "JOBS_TABLE": "jobs",
    "RUNS_TABLE": "runs",
    "BLOB_BUCKET": "blobs",
    "SHARDS": "1",
    "RUN_RETENTION_DAYS": "30",
    "AUDIT_RETENTION_DAYS": "400",
    "LOOK_AHEAD_SECONDS": "600",
    "HOLD_LEAD_SECONDS": "1",
    "QUEUE_URLS": json.dumps({"normal-short": f"{_QUEUES}/normal-short"}),
    "QUEUE_KEY": "normal-short",
    "QUEUE_URL": f"{_QUEUES}/normal-short",
    "QUEUE_VISIBILITY_SECONDS": "90",
    "API_URL": "https://api.example.com",
    "TARGETS_ROLE_ARN": "arn:aws:iam::000000000000:role/targets",
    "TRACE_PERCENT": "100",
    "LEASE_SECONDS": "60",
    "RUNS_AT_ONCE": "100",
    "REJECTED_QUEUE_URL": f"{_QUEUES}/rejected",
    "LOOKS_QUEUE_URL": f"{_QUEUES}/looks",
    "DAG_MACHINE_ARN": "arn:aws:states:us-east-1:111122223333:stateMachine:timegate-dag-runs",
    "STAGE": "prod",
    "CLOUD_EVENTS_QUEUE_URL": f"{_QUEUES}/cloud-events",
    "CLOUD_EVENTS_BUS": "timegate-prod-events",
}
#: Variables that each needs.
NEEDS = {
    "planner": (*_TABLES, "QUEUE_URLS", "LOOK_AHEAD_SECONDS", "HOLD_LEAD_SECONDS"),
    "sweeper": (*_TABLES, "QUEUE_URLS", "LOOKS_QUEUE_URL"),
    "auditor": _TABLES,
    "relay": ("QUEUE_URLS", "HOLD_LEAD_SECONDS", "REJECTED_QUEUE_URL"),
    "outcomes": (
        *_TABLES,
        *("QUEUE_URLS", "LOOK_AHEAD_SECONDS", "HOLD_LEAD_SECONDS", "REJECTED_QUEUE_URL"),
        *("BLOB_BUCKET", "DAG_MACHINE_ARN", "AUDIT_RETENTION_DAYS"),
    ),
    "dag_runs": (*_TABLES, "BLOB_BUCKET", "DAG_MACHINE_ARN"),
    "operations": (
        *_TABLES,
        *("QUEUE_URLS", "LOOK_AHEAD_SECONDS", "HOLD_LEAD_SECONDS", "REJECTED_QUEUE_URL"),
        "AUDIT_RETENTION_DAYS",
    ),
    "executor": (
        *_TABLES,
        *("BLOB_BUCKET", "QUEUE_KEY", "QUEUE_URL", "QUEUE_VISIBILITY_SECONDS", "LEASE_SECONDS"),
        "RUNS_AT_ONCE",
        *("API_URL", "TARGETS_ROLE_ARN", "TRACE_PERCENT"),
    ),
    "dead_letter": (*_TABLES, "REJECTED_QUEUE_URL"),
    "cloud_events": (
        "STAGE",
        "CLOUD_EVENTS_QUEUE_URL",
        "CLOUD_EVENTS_BUS",
        "REJECTED_QUEUE_URL",
        "TRACE_PERCENT",
    ),
}


def sample(function: str) -> Event:
    """A function's sample event; the caller's own copy."""
    event: Event = json.loads((EVENTS / f"{SAMPLES[function]}.json").read_text())
    return event


def with_record(event: Event, record: object) -> Event:
    """The event with one more record, between its first and its second."""
    changed = deepcopy(event)
    changed["Records"].insert(1, record)
    return changed


def failed(response: Mapping[str, Any]) -> list[str]:
    """Return the items that a batch response wants delivered again."""
    return [each["itemIdentifier"] for each in response["batchItemFailures"]]


@dataclass
class Functions:
    """Every handler, working on one world."""

    handlers: Mapping[str, ModuleType]
    world: World = field(default_factory=World)
    rejects: MemoryRejects = field(default_factory=MemoryRejects)
    heartbeat: MemoryHeartbeat = field(default_factory=MemoryHeartbeat)

    @property
    def audits(self) -> dict[str, Any]:
        """Parts of the auditor."""
        world = self.world
        audited = {"auditing": world.auditing, "shards": world.shards}
        return {**audited, "heartbeat": self.heartbeat, "meter_runs": self._meter_runs}

    def _meter_runs(self, now: datetime) -> int:
        world = self.world
        metering = Metering(store=world.meter, clock=world.clock, telemetry=world.telemetry)
        return meter_runs(metering, now=now)

    @property
    def looks(self) -> dict[str, Any]:
        """Looks at notification rules, which operations makes."""
        return {"look": partial(make_looks, looking=looking(self.world))}

    @property
    def events(self) -> dict[str, Any]:
        """Parts of the function that starts DAG runs because of events."""
        refused = lambda: self.rejects  # noqa: E731 - as the wiring has it
        return {"works": self.dags.works, "tenants": self.tenants, "refused": refused}

    def __post_init__(self) -> None:
        self.dags = DagWorld(world=self.world)
        self.tenants = TenantsAtHand(self.world.tenants, Quotas())
        self.world.shards.replace(None, first_shards(2, at=self.world.now))

    def send(self, function: str, event: Event) -> Any:  # noqa: ANN401 - as each answers
        """Invoke a function."""
        return self.handlers[function].handle(event, Context())

    def twins(self, function: str) -> dict[str, Any]:
        """Return the function's services in memory; the rest stays as its wiring built it."""
        world = self.world
        ours: dict[str, Any] = {"clock": world.clock, "telemetry": world.telemetry}
        execution = {
            "runs": world.runs,
            "slots": world.slots,
            "blobs": world.blobs,
            "inbox": world.inbox,
            "call_runner": world.call_runner,
            "lease_length": LEASE,
            "visibility": VISIBILITY,
        }
        own: dict[str, dict[str, Any]] = {
            "planner": {
                "scheduling": world.scheduling,
                "cursors": world.cursors,
                "shards": world.shards,
                "wanted_shards": 2,
            },
            "sweeper": {"sweeping": world.sweeping, "looks": world.looks, "shards": world.shards},
            "auditor": self.audits,
            "relay": {"publisher": world.publisher, "rejects": self.rejects},
            "dag_runs": self.events,
            "outcomes": {
                "dag_works": self.dags.works,
                "scheduling": world.scheduling,
                "jobs": world.jobs,
                "runs": world.runs,
                "operations": world.operations,
                "rejects": self.rejects,
            },
            "operations": {"operating": world.operating, **self.looks, "rejects": self.rejects},
            "executor": execution,
            "dead_letter": {"runs": world.runs, "rejects": self.rejects},
            "cloud_events": {"rejects": self.rejects},
        }
        # A function that works on a world has its clock with it.
        known = {} if function in {"operations", "dag_runs", "cloud_events"} else ours
        return {"telemetry": world.telemetry, **known, **own[function]}

    def services(self, functions: Iterable[str]) -> Iterable[tuple[ModuleType, Any]]:
        """Each handler's module, with services in this world."""
        for function in functions:
            module = self.handlers[function]
            yield module, replace(module.services, **self.twins(function))
