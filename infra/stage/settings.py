"""Everything that differs between stages, and nothing that does not."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from infra.alarm_choice import AlarmChoice, Thresholds
from infra.region_choice import RegionChoice
from infra.rollout_choice import AT_ONCE
from infra.stage.capacity import CLASSES, FULL, SMALL, Capacity, ResourceClass
from infra.stage.console_choice import ConsoleChoice
from infra.stage.dag_events import DagEvent
from infra.stage.default_quotas import DefaultQuotas
from infra.stage.event_choice import EventChoice
from infra.stage.given.target_regions import check_regions, further_regions
from infra.stage.issuer import MAX_AUDIENCES, Issuer, TooManyAudiences
from infra.stage.peak_choice import PeakChoice
from infra.stage.target_kinds import TARGET_LISTS, given_targets
from infra.stage.target_patterns import DEMONSTRATION, OWN_TARGETS, check_own, check_patterns

#: The domain's bound (a test compares them). Each costs about twenty small reads a minute.
MAX_SHARDS = 1_024
#: Three schedules for each group of shards are in one stack, which has 500 resources. The ticks of
#: the most shards last no longer than Lambda's fifteen minutes.
MOST_GROUPS = 70
PRIORITIES = ("critical", "high", "normal", "low")
RESOURCE_CLASSES = ("short", "long")

#: The ``kms_key`` that the stack makes, and the word for taking a key out of use.
OWN_KEY, LEAVE_KEY = "own", "leave"


class ShardCountError(ValueError):
    """No stage can have so many shards."""


@dataclass(frozen=True, kw_only=True)
class QueueKey:
    """One run queue: a priority and a resource class."""

    priority: str
    resource_class: str

    def __str__(self) -> str:
        """``critical-short`` and so on."""
        return f"{self.priority}-{self.resource_class}"


#: Every run queue, most urgent first.
QUEUE_KEYS = tuple(
    QueueKey(priority=priority, resource_class=resource_class)
    for priority in PRIORITIES
    for resource_class in RESOURCE_CLASSES
)

#: Every function of every stage, as in ``physical_name``.
FUNCTION_NAMES = (
    *("api", "workers", "planner", "relay", "sweeper", "auditor"),
    *("outcomes", "dag_runs", "operations", "dead_letter", "archiver"),
    *(f"executor-{key}" for key in QUEUE_KEYS),
)


@dataclass(frozen=True, kw_only=True)
class VendorPlatform:
    """The interpreter the vendor layer's wheels are chosen for; ``None`` means this machine's."""

    platform: str | None
    python: str | None


LAMBDA_PLATFORM = VendorPlatform(platform="aarch64-manylinux2014", python="3.13")
HOST_PLATFORM = VendorPlatform(platform=None, python=None)


@dataclass(frozen=True, kw_only=True)
class StageSettings:
    """One stage of Timegate."""

    name: str
    #: Partitions of the due and watch indexes; each carries about 1,000 index writes a second.
    #: May be raised and lowered at any time (docs/operations/deploying.md).
    shards: int
    #: Shards one planner (or sweeper) invocation serves, one after the other; each group has its
    #: own schedule. Fewer plan faster side by side and cost more invocations. Stages of so many
    #: shards that a stack could not hold their schedules have larger groups (``group_size``).
    shards_per_tick: int
    classes: Mapping[str, ResourceClass]
    #: Share of lanes and functions in the account's concurrency.
    capacity: Capacity
    thresholds: Thresholds
    alarms: AlarmChoice = field(default_factory=AlarmChoice)
    vendor: VendorPlatform
    #: How far ahead runs are materialised, seconds: at least three ticks, at most 900.
    look_ahead_seconds: int = 600
    #: The sub-second lane's messages arrive this much early and are held by their executor.
    hold_lead_seconds: int = 1
    run_retention_days: int = 30
    audit_retention_days: int = 400
    log_retention_days: int = 30
    log_level: str = "INFO"
    #: Share of recorded traces among those that the stage begins; at 0 X-Ray records none.
    trace_percent: float = 100
    #: Tables and blobs outlive the stack.
    retain_data: bool = False
    #: Batches of one stream shard that relay (and outcomes) work on at once, 1 to 10.
    stream_parallelism: int = 2
    #: The account's quota ``Concurrent executions``; what it cannot hold is not synthesised.
    account_concurrency: int = 1_000
    #: Names (or full ARNs) of what a job may target; one without ``{tenant}`` is shared by all.
    targets: Mapping[str, tuple[str, ...]] = field(default_factory=given_targets)
    #: Regions that jobs may call, beside those of the stage.
    target_regions: tuple[str, ...] = ()
    #: Those of secrets, and of parameters, that a web hook may be sent with.
    secrets: tuple[str, ...] = ("timegate-target/{tenant}/*",)
    #: Host names a webhook may reach although their addresses are private.
    private_hosts: tuple[str, ...] = ()
    #: Ports a webhook may reach, and ranges of them: ``8000-8999``.
    webhook_ports: tuple[str, ...] = ("443", "80")
    #: ``None``: the stack creates a Cognito user pool.
    issuer: Issuer | None = None
    #: The token claim that names the tenant.
    tenant_claim: str = "client_id"
    #: Each gets a client of the Cognito pool, which costs 6 USD a month.
    tenants: tuple[str, ...] = ()
    #: The administration gets such a client, beside its API keys.
    admin_client: bool = False
    quotas: DefaultQuotas = field(default_factory=DefaultQuotas)
    #: Events that start runs of DAGs, beside callers and jobs.
    dag_events: tuple[DagEvent, ...] = ()
    events: EventChoice = field(default_factory=EventChoice)
    #: A tick wakes the archiver, which archives ended runs, gaps and changes.
    archive: bool = True
    #: A key signs what each tenant's month left in the archive; it costs 1 USD a month.
    seals: bool = True
    peak: PeakChoice = field(default_factory=PeakChoice)
    scope_prefix: str = "timegate"
    #: If the stack serves the console, and where.
    console: ConsoleChoice = field(default_factory=ConsoleChoice)
    #: Origins at which the console is served by others than the stack: people may sign in there.
    console_origins: tuple[str, ...] = ()
    #: Pages of these origins (``https://console.example.com``) may call the API from a browser.
    cors_origins: tuple[str, ...] = ()
    api_rate_per_second: int = 5_000
    api_burst: int = 2_500
    #: Requests of targets that work on by themselves, over all tenants.
    callback_rate_per_second: int = 1_000
    callback_burst: int = 500
    #: The auditor calls it after each tick that is complete and finds nothing missing.
    heartbeat_url: str = ""
    #: How long a pool's worker may be silent.
    worker_lease_seconds: int = 60
    #: Key that encrypts everything at rest: ``None`` for keys that AWS owns, ``own`` for one that
    #: the stack makes, or the ARN of a key.
    kms_key: str | None = None
    #: Nothing new is encrypted with the key: what already is can still be read.
    kms_leaving: bool = False
    #: Choices of the context, for the record that the next deployment is held against.
    choices: Mapping[str, str] = field(default_factory=dict)
    #: How invocations move to new versions (``infra.rollout_choice``).
    rollout: str = AT_ONCE
    #: ``None``: the stage has one region.
    regions: RegionChoice | None = None
    #: Queues, bucket and topic answer over TLS only; the local cloud speaks plain HTTP.
    tls_only: bool = True
    #: Deployed by the bootstrap's roles, to which the local cloud refuses the bucket of assets.
    bootstrapped: bool = True
    #: Parts that the local cloud refuses: saved queries, a trace group.
    extras: bool = True
    #: AWS authorises a batch by what its members do; the local cloud by the batch's own name.
    batches_by_name: bool = False
    #: On the local cloud the API's own host name resolves nowhere.
    api_by_path: bool = False

    def physical_name(self, name: str) -> str:
        """The name a resource carries in the account: ``timegate-<stage>-<name>``."""
        return f"timegate-{self.name}-{name}"

    def __post_init__(self) -> None:
        """Refuse what AWS or Timegate would refuse, before anything is deployed."""
        if not 1 <= self.shards <= MAX_SHARDS:
            raise ShardCountError(f"shards: {self.shards} is not within 1 to {MAX_SHARDS}")
        # Clients of tenants, the administration and people are audiences.
        people = self.console.served or bool(self.console_origins)
        field, given = "tenants", len(self.tenants) + self.admin_client + people
        if self.issuer is not None:
            field, given = "audience", len(self.issuer.audience)
        if given > MAX_AUDIENCES:
            raise TooManyAudiences(field, given)
        check_own("stage", OWN_TARGETS, self.physical_name(""))
        for each in TARGET_LISTS:
            check_patterns(each.setting, self.targets[each.listed])
            check_own(each.setting, self.targets[each.listed], self.physical_name(""))
        check_patterns("secrets", self.secrets)
        check_regions(self.further_regions)

    @property
    def further_regions(self) -> tuple[str, ...]:
        """Regions that jobs may call beside the own one."""
        return further_regions(self.regions, self.target_regions)

    def max_concurrency(self, key: QueueKey) -> int:
        """Most batches of this queue in work at once."""
        return self.capacity.lanes[key.resource_class][key.priority]

    @property
    def group_size(self) -> int:
        """Most shards that one tick serves."""
        return max(self.shards_per_tick, math.ceil(self.shards / MOST_GROUPS))

    @property
    def tick_timeout_seconds(self) -> int:
        """A tick holds each shard of its group for less than a minute, one after the other."""
        return 60 * self.group_size

    @property
    def shard_groups(self) -> tuple[tuple[int, ...], ...]:
        """Every shard exactly once, grouped by tick."""
        size, count = self.group_size, self.shards
        return tuple(tuple(range(at, min(at + size, count))) for at in range(0, count, size))


_THRESHOLDS = Thresholds(
    scheduling_lag_ms=2_000,
    start_lag_ms={"critical": 1_000, "high": 1_000, "normal": 5_000, "low": 60_000},
    queue_age_seconds={"critical": 960, "high": 960, "normal": 1_200, "low": 3_600},
)

_LOCAL = StageSettings(
    name="local",
    shards=4,
    shards_per_tick=4,
    # Short enough that a killed worker's run is back while a test looks on; a fault of load needs
    # a lane that a few slow runs fill.
    classes={
        "short": replace(CLASSES["short"], lease_seconds=15, runs_at_once=0),
        "long": replace(CLASSES["long"], lease_seconds=15),
    },
    worker_lease_seconds=15,
    capacity=Capacity(
        name="local",
        lanes={"short": dict.fromkeys(PRIORITIES, 10), "long": dict.fromkeys(PRIORITIES, 5)},
        functions={},
        reserves=False,
    ),
    thresholds=_THRESHOLDS,
    # Their windows are hours, and the alarm on start lag goes off within minutes.
    alarms=AlarmChoice(objectives=False),
    vendor=HOST_PLATFORM,
    # The emulator polls an idle queue once a second, so messages must leave a second earlier.
    hold_lead_seconds=2,
    log_retention_days=1,
    # Placeholder of the origin that the local console has on its machine (infra/local/console).
    console_origins=("http://localhost:8080",),
    # Two, so that a test can try to reach across.
    tenants=("first", "second"),
    admin_client=True,
    private_hosts=("localhost", "127.0.0.1"),
    # Targets of tests listen wherever a port is free.
    webhook_ports=("1-65535",),
    targets=given_targets(**dict.fromkeys(("lambda", "sqs"), DEMONSTRATION)),
    tls_only=False,
    bootstrapped=False,
    extras=False,
    batches_by_name=True,
    api_by_path=True,
)

_DEV = StageSettings(
    name="dev",
    shards=4,
    shards_per_tick=4,
    classes=CLASSES,
    capacity=SMALL,
    thresholds=_THRESHOLDS,
    # A stage without traffic has no use for objectives (10 USD a month), and no auditor.
    alarms=AlarmChoice(objectives=False),
    seals=False,
    vendor=LAMBDA_PLATFORM,
    log_retention_days=7,
)

_PROD = StageSettings(
    name="prod",
    shards=64,
    shards_per_tick=2,
    classes=CLASSES,
    capacity=FULL,
    # More than a new account has: docs/operations/deploying.md says how to have the quota raised.
    account_concurrency=6_500,
    thresholds=_THRESHOLDS,
    vendor=LAMBDA_PLATFORM,
    log_retention_days=90,
    trace_percent=5,
    retain_data=True,
    stream_parallelism=10,
    rollout="canary",
)

STAGES: Mapping[str, StageSettings] = {stage.name: stage for stage in (_LOCAL, _DEV, _PROD)}
