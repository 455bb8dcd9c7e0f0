"""The API function behind its gateway, on tables in memory: requests in, answers out."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cache, partial
from itertools import count
from typing import Any, cast
from urllib.parse import urlsplit

from api.http.tenancy import unprefixed
from tests.support.event_triggers.services import event_triggering
from tests.support.factories import TENANT
from tests.support.tenants.stage_metrics import MemoryStageMetrics
from tests.support.values.tokens import TOKEN, TOKEN_RULES
from tests.support.world import World
from timegate.adapters.archive.archived_runs import ArchivedRunStore
from timegate.adapters.archive.sealed_months import SealedMonthStore
from timegate.adapters.memory.telemetry import MemoryTelemetry
from timegate.domain.actions.target_rules import ReachablePlaces, TargetPlace, TargetRules
from timegate.domain.limits.quotas import Quotas
from timegate.ports.archive import ArchiveReaders
from timegate.ports.telemetry import telemetry
from timegate.runtime.telemetry import LambdaTelemetry
from timegate.usecases.services.api_services import ApiServices
from timegate.usecases.services.request_rates import RequestRates
from timegate.usecases.services.tenants_at_hand import TenantsAtHand
from timegate.usecases.tenants.keys_at_hand import KeysAtHand

#: The stack's variables for the API function; the names are those of no real resource.
VARIABLES = {
    "AWS_DEFAULT_REGION": "us-east-1",
    "POWERTOOLS_SERVICE_NAME": "timegate-test-api",
    "POWERTOOLS_METRICS_NAMESPACE": "Timegate",
    "JOBS_TABLE": "jobs",
    "RUNS_TABLE": "runs",
    "BLOB_BUCKET": "blobs",
    "SHARDS": "1",
    "LOOK_AHEAD_SECONDS": "600",
    "HOLD_LEAD_SECONDS": "1",
    "RUN_RETENTION_DAYS": "30",
    "TENANT_CLAIM": "client_id",
    "SCOPE_PREFIX": "timegate",
    "TOKEN_ISSUER": TOKEN_RULES.issuer,
    "TOKEN_AUDIENCE": ",".join(sorted(TOKEN_RULES.audience)),
    "PEOPLE": '{"client": "5h0console"}',
    "STAGE_QUOTAS": "{}",
    "AUDIT_RETENTION_DAYS": "400",
    "WORKER_LEASE_SECONDS": "60",
    "TRACE_PERCENT": "100",
    "HOOK_SECRETS_ROLE_ARN": "arn:aws:iam::111122223333:role/timegate-test-hook-secrets",
    "QUEUE_URLS": '{"normal-short": "https://sqs.us-east-1.amazonaws.com/111122223333/normal"}',
}
RULES = TargetRules(
    allowed={
        "lambda": ("arn:aws:lambda:*:*:function:timegate-target-*",),
        "sqs": ("arn:aws:sqs:*:*:timegate-target-*",),
        "sns": ("arn:aws:sns:*:*:timegate-target-*",),
        "eventbridge": ("arn:aws:events:*:*:event-bus/timegate-target-*",),
        "stepfunctions": ("arn:aws:states:*:*:stateMachine:timegate-target-*",),
        "ecs": ("arn:aws:ecs:*:*:task-definition/timegate-target-*",),
        "ecs_clusters": ("arn:aws:ecs:*:*:cluster/timegate-target-*",),
    },
    allowed_secrets=(
        "arn:aws:secretsmanager:*:*:secret:timegate-target/{tenant}/*",
        "arn:aws:ssm:*:*:parameter/timegate-target/{tenant}/*",
    ),
    places=ReachablePlaces(
        own=TargetPlace(partition="aws", region="eu-central-1", account="111122223333"),
        regions=frozenset({"eu-west-1", "us-east-1"}),
    ),
)
#: Paths that the gateway hands to the function of workers (infra/constructs/api/job_api.py).
WORKER_PATH = re.compile(
    r"/v1/(pools/[^/]+(/claim)?|callbacks/.*|runs/[^/]+/(heartbeat|complete|fail|release|continue))"
)
#: Scopes of a tenant's token, granted by the stack.
SCOPES = "timegate/read timegate/write timegate/operate timegate/send timegate/worker"
#: Scopes of a token of the stage's administration.
ADMIN_SCOPES = "timegate/admin"
#: The log of a run is said to one function, and read from the other.
LOG_PATH = re.compile(r"/v1/runs/[^/]+/logs")
#: Quotas of tenants without their own.
STAGE_QUOTAS = Quotas(jobs=1_000_000, dags=1_000, requests_per_second=1_000, burst=2_000)
REQUEST_ID = "JKJaXmPLvHcESHA="

Event = dict[str, Any]
Handle = Callable[[Event, Any], dict[str, Any]]


class HeardTelemetry(MemoryTelemetry):
    """Remembers, and logs and measures as the function does."""

    def __init__(self) -> None:
        super().__init__()
        self._lambda = LambdaTelemetry()

    def event(self, name: str, **fields: object) -> None:
        """Keep and log a decision."""
        super().event(name, **fields)
        self._lambda.event(cast("telemetry.LogEvent", name), **fields)

    def measure(self, metric: str, milliseconds: float) -> None:
        """Keep and publish a duration."""
        super().measure(metric, milliseconds)
        self._lambda.measure(cast("telemetry.DurationMetric", metric), milliseconds)


def api_services(world: World) -> ApiServices:
    """The API's services in this world; the same seeds, and so the same ids, in every test."""
    # Not a generator: several threads may ask at once.
    seeds = map(str.encode, map("seed {}".format, count(1)))
    return ApiServices(
        scheduling=world.scheduling,
        operations=world.operations,
        dead_letters=world.dead_letters,
        failures=world.failures,
        archive=partial(_archive, world),
        listed_runs=world.listed_runs,
        dags=world.dags,
        dag_runs=world.dag_runs,
        approvals=lambda: world.approvals,
        events=world.events,
        blobs=world.blobs,
        logs=world.logs,
        slots=world.slots,
        event_triggers=event_triggering(world),
        pools=world.pools,
        tenants=world.tenants,
        tenants_at_hand=TenantsAtHand(world.tenants, STAGE_QUOTAS),
        usage=world.usage,
        request_rates=RequestRates(world.rates),
        trail=getattr(world, "trail", world.tables.trail),
        audits=world.audits,
        rule_store=lambda: world.rules,
        keys_at_hand=cache(lambda: KeysAtHand(world.api_keys)),
        stage_metrics=MemoryStageMetrics(["normal-short"]),
        stage_ticks=lambda: world.stage_ticks,
        meter=lambda: world.meter,
        clock=world.clock,
        tenant_claim="client_id",
        scope_prefix="timegate",
        token_rules=TOKEN_RULES,
        target_rules=RULES,
        new_seed=seeds.__next__,
        run_retention=timedelta(days=30),
        region=getattr(world, "region", None),
    )


def _archive(world: World) -> ArchiveReaders:
    files = world.archive_files
    return ArchiveReaders(runs=ArchivedRunStore(files), months=SealedMonthStore(files))


def gateway_event(
    method: str,
    target: str,
    *,
    body: str | None = None,
    headers: Mapping[str, str] | None = None,
    claims: Mapping[str, object] | None = None,
) -> Event:
    """A request as an HTTP API sends it (payload format 2.0), its token checked."""
    parts = urlsplit(target)
    sent = {"host": "api.example.com", "authorization": "Bearer checked.by.gateway"}
    http = {"method": method, "path": parts.path, "protocol": "HTTP/1.1", "sourceIp": "192.0.2.1"}
    event: Event = {
        "version": "2.0",
        "routeKey": f"{method} /v1/{{proxy+}}",
        "rawPath": parts.path,
        "rawQueryString": parts.query,
        "headers": sent | {name.lower(): text for name, text in (headers or {}).items()},
        "requestContext": {"http": http, "requestId": REQUEST_ID, "stage": "$default"},
        "isBase64Encoded": False,
    }
    if claims is not None:
        # No claims at all stay none.
        told = {**TOKEN, **claims} if claims else {}
        event["requestContext"]["authorizer"] = {"jwt": {"claims": told, "scopes": None}}
    if body is not None:
        event["body"] = body
    return event


def is_workers(event: Event) -> bool:
    """The gateway hands this request to the function of workers."""
    path, method = event["rawPath"].removeprefix("/key"), event["requestContext"]["http"]["method"]
    return bool(WORKER_PATH.fullmatch(path) or (method == "POST" and LOG_PATH.fullmatch(path)))


@dataclass(frozen=True)
class Context:
    """Lambda's context of an invocation."""

    function_name: str = "timegate-test-api"
    memory_limit_in_mb: int = 1024
    invoked_function_arn: str = "arn:aws:lambda:us-east-1:111122223333:function:timegate-test-api"
    aws_request_id: str = "88888888-4444-4444-4444-121212121212"

    def get_remaining_time_in_millis(self) -> int:
        """A long executor's."""
        return 900_000


@dataclass(frozen=True)
class Answer:
    """A response as the gateway receives it."""

    status: int
    headers: Mapping[str, str]
    body: Any

    @classmethod
    def of(cls, response: Mapping[str, Any]) -> "Answer":
        """Read the function's response."""
        return cls(
            status=response["statusCode"],
            headers={name.lower(): text for name, text in response["headers"].items()},
            body=_read(response),
        )

    @property
    def code(self) -> str:
        """The problem's code."""
        return str(self.body["code"])

    @property
    def fields(self) -> list[tuple[str, str]]:
        """Each invalid field with its code."""
        return [(error["field"], error["code"]) for error in self.body["errors"]]


def _read(response: Mapping[str, Any]) -> Any:  # noqa: ANN401 - any JSON, or text
    """The body: JSON, or text that says to be of another type."""
    said = {name.lower(): text for name, text in response["headers"].items()}
    is_json = said.get("content-type", "json").endswith("json")
    return json.loads(response["body"] or "null") if is_json else response["body"]


@dataclass
class Api:
    """A tenant's way to the handler."""

    handle: Handle
    world: World
    #: Called with each request and its answer.
    watch: Callable[[Event, Answer], None] = field(default=lambda event, answer: None)

    def send(
        self,
        method: str,
        target: str,
        body: object = None,
        *,
        tenant: str = TENANT,
        **headers: str,
    ) -> Answer:
        """Send a request; ``If_Match="…"`` gives the header ``If-Match``."""
        text = None if body is None else json.dumps(body)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if text is not None:
            named.setdefault("Content-Type", "application/json")
        of_stage = target.startswith(("/v1/tenants", "/v1/stage", "/v1/health"))
        scope = ADMIN_SCOPES if of_stage else SCOPES
        claims = {"client_id": tenant, "scope": scope}
        return self.deliver(gateway_event(method, target, body=text, headers=named, claims=claims))

    def deliver(self, event: Event) -> Answer:
        """Invoke the handler with an event."""
        answer = Answer.of(self.handle(event, Context()))
        self.watch(unprefixed(event), answer)
        return answer

    def trigger(self, job_id: str, body: object = None, **headers: str) -> "Answer":
        """Ask for a run of a job."""
        return self.send("POST", f"/v1/jobs/{job_id}/trigger", body, **headers)

    def create(self, *, tenant: str = TENANT, **fields: object) -> dict[str, Any]:
        """Create a job, every minute unless said otherwise; its representation."""
        answer = self.send("POST", "/v1/jobs", new_job(**fields), tenant=tenant)
        assert answer.status == 201, answer.body
        created: dict[str, Any] = answer.body
        return created


def new_job(**fields: object) -> dict[str, object]:
    """A valid job, every minute, with these fields instead."""
    job: dict[str, object] = {
        "name": "send the report",
        "schedule": {"kind": "rate", "every_seconds": 60},
        "action": {"type": "webhook", "url": "https://hooks.example.com/report"},
    }
    return job | fields
