"""The deployed functions: their own handlers and wiring, on clients that a fault can strike."""

import importlib
import json
import os
import sys
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import CodeType, ModuleType, SimpleNamespace
from typing import Any, ClassVar, TypeVar

import boto3
import pytest

from infra.stage.delivery import EVENT_TIMEOUT_SECONDS
from infra.stage.settings import STAGES
from tests.crash.services.queueing.queue import EVENTS
from tests.crash.services.queueing.queues import HOST, VISIBILITY, Queues
from tests.crash.services.streams import JOBS, RUNS, TOLD
from tests.support.services.request_limits import enforce
from tests.support.stores.dynamodb_inside import UNREAD, find_endpoint_once
from tests.support.values.tokens import TOKEN_RULES
from timegate.adapters.memory.telemetry import MemoryTelemetry
from timegate.ports.telemetry import run_events, service_events

Event = dict[str, Any]
Outcome = TypeVar("Outcome")
Given = TypeVar("Given")

_FUNCTIONS = Path(__file__).resolve().parents[3] / "functions"
#: Near enough that a tick asks for few buckets; it spans three ticks all the same.
LOOK_AHEAD_SECONDS = 180
LEASE_SECONDS = {name: own.lease_seconds for name, own in STAGES["prod"].classes.items()}

#: Seconds after which Lambda ends an invocation; ``tests/infra`` compares them with every stage.
TIMEOUT_SECONDS = {
    "api": 15,
    "workers": 29,
    # A tick serves four shards.
    "planner": 240,
    "sweeper": 240,
    "auditor": 240,
    "relay": 60,
    "outcomes": 60,
    "dag_runs": 60,
    "operations": 120,
    "executor short": 90,
    "executor long": 900,
    "dead_letter": 30,
    "archiver": 900,
    "cloud_events": EVENT_TIMEOUT_SECONDS,
}
#: Further variables of functions of a stage that tells of transitions.
_TELLING = {
    "STAGE": "test",
    "TRACE_PERCENT": "100",
    "CLOUD_EVENTS_QUEUE_URL": f"{HOST}/{EVENTS}",
    "CLOUD_EVENTS_BUS": "timegate-test-events",
}


def variables(queues: Queues) -> dict[str, str]:
    """Return the environment that the stack gives to functions."""
    functions = json.dumps({"lambda": ["arn:aws:lambda:*:*:function:timegate-target-{tenant}-*"]})
    return {
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_DEFAULT_REGION": "us-east-1",
        "POWERTOOLS_SERVICE_NAME": "timegate-test-crash",
        "POWERTOOLS_METRICS_NAMESPACE": "Timegate",
        "JOBS_TABLE": JOBS,
        "RUNS_TABLE": RUNS,
        "BLOB_BUCKET": "blobs",
        "ARCHIVE_BUCKET": "archive",
        "SEAL_KEY": "alias/timegate-test-seals",
        "SHARDS": "1",
        "RUN_RETENTION_DAYS": "30",
        "LOOK_AHEAD_SECONDS": str(LOOK_AHEAD_SECONDS),
        "HOLD_LEAD_SECONDS": "1",
        "TENANT_CLAIM": "client_id",
        "SCOPE_PREFIX": "timegate",
        "TOKEN_ISSUER": TOKEN_RULES.issuer,
        "TOKEN_AUDIENCE": ",".join(sorted(TOKEN_RULES.audience)),
        "STAGE_QUOTAS": "{}",
        "AUDIT_RETENTION_DAYS": "400",
        "HOOK_SECRETS_ROLE_ARN": "arn:aws:iam::111122223333:role/timegate-test-hook-secrets",
        "WORKER_LEASE_SECONDS": "60",
        "TRACE_PERCENT": "100",
        "QUEUE_URLS": json.dumps(queues.urls),
        "DAG_MACHINE_ARN": "arn:aws:states:us-east-1:000000000000:stateMachine:dag-runs",
        "REJECTED_QUEUE_URL": f"{HOST}/rejected",
        "LOOKS_QUEUE_URL": f"{HOST}/looks",
        "ALLOWED_TARGETS": functions,
        "ALLOWED_SECRETS": json.dumps(["arn:aws:ssm:*:*:parameter/timegate-target/{tenant}/*"]),
        "ALLOWED_PORTS": json.dumps(["443"]),
    }


class Telemetry(MemoryTelemetry):
    """Remembers; there is no invocation to log for."""

    #: Events of transitions that a queue did not take: the log of all functions has them.
    unqueued: ClassVar[list[Any]] = []
    #: Findings of the auditor.
    findings: ClassVar[list[dict[str, Any]]] = []

    def event(self, name: str, **fields: object) -> None:
        """Keep a decision."""
        super().event(name, **fields)
        if name == run_events.CLOUD_EVENT_NOT_QUEUED:
            self.unqueued.append(fields["cloud_event"])
        if name == service_events.AUDIT_FINDING:
            self.findings.append(fields)

    def instrument(self, handler: Callable[..., Outcome]) -> Callable[..., Outcome]:
        """The handler, as it is."""
        return handler


class Clients:
    """Real clients, one for each service and region, whose calls go through hooks."""

    def __init__(self, hooks: Mapping[str, Callable[..., object]]) -> None:
        self._hooks = hooks
        self._built: dict[tuple[str, str], Any] = {}

    def create_client(self, service: str, **settings: Any) -> Any:  # noqa: ANN401 - botocore's own
        """Build a client as a session of botocore does."""
        region = settings.get("region_name") or os.environ["AWS_DEFAULT_REGION"]
        if (service, region) not in self._built:
            unread = settings["config"].merge(UNREAD)
            client = boto3.client(  # type: ignore[call-overload]
                service, region_name=region, config=unread
            )
            if service == "dynamodb":
                find_endpoint_once(client)
            enforce(client)
            for event, hook in self._hooks.items():
                client.meta.events.register(event, hook)
            self._built[service, region] = client
        return self._built[service, region]


def replace_everywhere(patch: pytest.MonkeyPatch, replacements: Mapping[str, object]) -> None:
    """Give every module of the code that imported one of these names something else for it."""
    for name, module in list(sys.modules.items()):
        if not name.startswith("timegate."):
            continue
        for known, replacement in replacements.items():
            owner = vars(module).get(known)
            if owner is not None and getattr(owner, "__module__", name) != name:
                patch.setattr(module, known, replacement)


def load(name: str) -> ModuleType:
    """A handler's module of our own: others' tests keep theirs."""
    module = ModuleType(f"crash_{name.replace(' ', '_')}")
    exec(_code(name.partition(" ")[0]), vars(module))
    return module


@cache
def _code(function: str) -> CodeType:
    path = _FUNCTIONS / function / "handler.py"
    return compile(path.read_text(), str(path), "exec")


def own_variables(name: str, queues: Queues, *, tells: bool = False) -> dict[str, str]:
    """Return one function's own variables; ``tells``: the stage tells of transitions."""
    if tells and name in TOLD:
        return _TELLING
    if not name.startswith("executor"):
        return {}
    key = name.split()[1]
    return {
        "QUEUE_KEY": f"normal-{key}",
        "QUEUE_URL": queues.urls[f"normal-{key}"],
        "API_URL": "https://api.example.com",
        "TARGETS_ROLE_ARN": "arn:aws:iam::000000000000:role/targets",
        "TRACE_PERCENT": "100",
        "QUEUE_VISIBILITY_SECONDS": str(int(VISIBILITY[key].total_seconds())),
        "LEASE_SECONDS": str(LEASE_SECONDS[key]),
        "RUNS_AT_ONCE": str(STAGES["prod"].classes[key].runs_at_once),
    }


def silent_endpoint(patch: pytest.MonkeyPatch) -> None:
    """Clients that ask again do so at once."""
    endpoint = importlib.import_module("botocore.endpoint")
    patch.setattr(endpoint, "time", SimpleNamespace(sleep=lambda _: None))
