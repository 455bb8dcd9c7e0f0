"""Types of the API's requests and answers; ``python -m api.openapi`` writes them."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict


class AbsenceContract(TypedDict):
    """A span without success that is told of."""

    for_seconds: NotRequired[int | str | None]
    at: NotRequired[str | None]
    timezone: NotRequired[str]
    weekdays: NotRequired[list[Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]]]


class AdviceAnswer(TypedDict):
    """Something that nothing forbids, and that its owner may want to change."""

    field: str
    code: AdviceCode
    detail: str


#: Stable: programs may depend on it.
AdviceCode = Literal[
    "usually_too_long",
    "timeout_beyond_deadline",
    "retries_beyond_deadline",
    "start_beyond_deadline",
    "deferral_beyond_deadline",
    "secret_in_url",
    "payload_lost",
]


class AdvisedJob(TypedDict):
    """A job that would take jitter."""

    job_id: str
    name: str


class AlarmThatIsOn(TypedDict):
    """An alarm of the stage."""

    name: str
    since: str


class ApiKey(TypedDict):
    """An API key, without what proves it."""

    key_id: str
    name: str
    status: Literal["active", "expired", "revoked"]
    scopes: list[KeyScope]
    created_at: str
    created_by: str
    expires_at: str
    revoked_at: str | None


class ApiKeyList(TypedDict):
    """Every API key of a tenant, by its place; ended ones for 30 days more."""

    damaged: NotRequired[DamagedRecords]
    items: list[ApiKey]
    next_cursor: None


class Approval(TypedDict):
    """An approval, as the holder of its link sees it."""

    dag: str
    description: str
    task: str
    task_key: str
    dag_run_id: str
    tenant: str
    receiver: str
    asked_at: str | None
    until: str
    state: TaskState
    reason: TaskReason | None
    decision: ApprovalDecision | None
    decided_now: bool


class ApprovalDecision(TypedDict):
    """The decision about an approval."""

    kind: InterventionKind
    by: str
    at: str
    note: str | None


class ApprovalGroup(TypedDict):
    """Approvals that wait, of one task of one DAG."""

    dag_id: str
    dag_name: str | None
    task_key: str
    count: int
    first_at: str
    last_at: str
    until: str
    latest: list[WaitingApproval]


class ApprovalPage(TypedDict):
    """Approvals that wait, the latest begin first."""

    damaged: NotRequired[DamagedRecords]
    items: list[WaitingApproval]
    next_cursor: str | None


class ArchivedRunPage(TypedDict):
    """A page of archived runs."""

    items: list[RunRow]
    next_cursor: str | None
    archived_until: str | None


class AtSchedule(TypedDict):
    """Once, at an instant."""

    kind: Literal["at"]
    at: str


class Attempt(TypedDict):
    """One try at a run."""

    attempt: int
    state: RunState
    due_at: str
    rescheduled_from: str | None
    rate_limited: RateLimited | None
    started_at: str | None
    ended_at: str | None
    lateness_ms: int | None
    duration_ms: int | None
    error: RunFailure | None
    reason: Reason | None
    explanation: str
    cancel_requested: bool
    replaced_by: str | None
    dag_run_id: str | None
    finish_by: RunDeadline | None
    progress: Reported | None
    checkpoint: CheckpointMark | None
    slices: SlicesEnded | None
    trace_id: str
    timeline: Timeline
    worker: str | None
    fence: int
    handed_over_at: str | None
    result: str | None
    releases: int
    duplicates_prevented: int
    payload_corrected: bool
    resolution: Resolution | None


class AttemptCounts(TypedDict):
    """Attempts by kind."""

    scheduled: int
    one_shot: int
    triggered: int
    retry: int
    notification: int
    dag_task: int


class AttemptPage(TypedDict):
    """Every attempt at a run, first to last."""

    items: list[Attempt]
    next_cursor: None


class AuditActor(TypedDict):
    """The author of a change."""

    subject: str
    client_id: str | None
    source_ip: str | None
    of_stage: bool


class AuditHealth(TypedDict):
    """The auditor's last verdicts together."""

    last_at: str | None
    oldest_at: str | None
    round_began_at: str | None
    instants: int
    found_at: str | None
    unaccounted: int
    lost: int


class AuditPage(TypedDict):
    """Changes, latest first. A page can be short, or empty, and not the last."""

    damaged: NotRequired[DamagedRecords]
    items: list[AuditRecord]
    next_cursor: str | None


class AuditRecord(TypedDict):
    """One change of one thing."""

    at: str
    actor: AuditActor
    operation: str
    request_id: str
    resource: AuditResource
    version: int | None
    changes: list[AuditedField]


class AuditResource(TypedDict):
    """The changed resource."""

    kind: ResourceKind
    id: str


class AuditedField(TypedDict):
    """A field, before and after. Values that may be secret are told by their digest."""

    field: str
    before: Any
    after: Any


class AutoPause(TypedDict):
    """The pause of a job by its failures."""

    by: Literal["timegate"]
    reason: Literal["failures"]
    at: str
    failures: int
    run_id: str
    on_trial: bool


class AwaitedEventContract(TypedDict):
    """An event that ends a task: its type and its key, and perhaps its source and its data."""

    type: str
    correlation: Any
    source: NotRequired[str | None]
    match: NotRequired[dict[str, Any] | None]
    lookback_seconds: NotRequired[int]


class AwaitedEventContractInput(TypedDict):
    """An event that ends a task: its type and its key, and perhaps its source and its data."""

    type: str
    correlation: Any
    source: NotRequired[str | None]
    match: NotRequired[dict[str, Any] | None]
    lookback_seconds: NotRequired[int | str]


#: Parameters of a backfill.
BackfillParameters = TypedDict(
    "BackfillParameters",
    {
        "job_id": "str",
        "from": "str",
        "to": "str",
        "reprocess": "Reprocess",
        "max_concurrent": "int",
    },
)


class BackfillPreview(TypedDict):
    """The effect that a backfill would have now."""

    dry_run: bool
    instants: int
    new: int
    reopened: int
    unchanged: int
    first: list[PlannedInstant]


#: Runs for the instants of a range of the past.
BackfillRequest = TypedDict(
    "BackfillRequest",
    {
        "from": "str",
        "to": "str",
        "reprocess": "NotRequired[Reprocess]",
        "max_concurrent": "NotRequired[int]",
        "dry_run": "NotRequired[bool]",
    },
)


#: Growth of the delay from one attempt to the next.
Backoff = Literal["fixed", "exponential"]


class BeforeAndAfter(TypedDict):
    """Counts of instants that run."""

    before: int
    after: int


class BoundedCount(TypedDict):
    """A number, as far as it was counted."""

    count: int
    is_partial: bool


class BreakerContract(TypedDict):
    """Rule by which a run is given up although attempts are left."""

    failures: NotRequired[int]
    window_seconds: NotRequired[float]


class BreakerContractInput(TypedDict):
    """Rule by which a run is given up although attempts are left."""

    failures: NotRequired[int]
    window_seconds: NotRequired[float | str]


class BulkCreation(TypedDict):
    """The outcome for each job, in the order of the request."""

    items: list[BulkItem]
    created: int
    replayed: int
    failed: int


class BulkItem(TypedDict):
    """The outcome for one job of many: the job, or its refusal."""

    index: int
    status: int
    job: Job | None
    error: ItemProblem | None


class BulkParameters(TypedDict):
    """Parameters of a bulk change."""

    filter: Selection
    catch_up: bool
    reason: str | None


class BusyMinute(TypedDict):
    """A minute, and how many runs fall due in it."""

    at: str
    runs: int


#: The fate of an instant that a calendar leaves out.
CalendarAction = Literal["skip", "defer", "roll"]


class CalendarBody(TypedDict):
    """A calendar: all the time that any of its entries covers."""

    timezone: NotRequired[str]
    description: NotRequired[str]
    tags: NotRequired[dict[str, str]]
    days: NotRequired[list[DayRangeContract]]
    weekdays: NotRequired[list[Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]]]
    windows: NotRequired[list[WindowContract]]
    periods: NotRequired[list[PeriodContract]]
    weekend: NotRequired[list[Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]]]


class CalendarEditContract(TypedDict):
    """A calendar is replaced, or deleted."""

    at: str
    calendar: CalendarBody | None


class CalendarImport(TypedDict):
    """A calendar after the import of an iCal file."""

    calendar: Calendar
    events: int
    occurrences: int
    until: str


class CalendarList(TypedDict):
    """Calendars of a tenant, by name."""

    damaged: NotRequired[DamagedRecords]
    items: list[CalendarRow]
    next_cursor: str | None


#: The part that a calendar plays for a job.
CalendarMode = Literal["exclude", "only"]


class CalendarRow(TypedDict):
    """A calendar in a listing."""

    name: str
    version: int
    updated_at: str
    description: str
    tags: dict[str, str]
    timezone: str
    entries: int


class CalendarRuleContract(TypedDict):
    """A calendar of the tenant, and what it is to a job."""

    calendar: str
    mode: NotRequired[CalendarMode]
    action: NotRequired[CalendarAction]
    roll: NotRequired[Roll | None]
    business_day: NotRequired[int | None]


class CalendarValidation(TypedDict):
    """The outcome that putting a calendar would have."""

    valid: bool
    definition: DefinedCalendar
    errors: list[FieldProblem]


class CancelRuns(TypedDict):
    """Runs that have not begun, to cancel."""

    filter: PendingSelection


#: Capacity that a task runs on.
Capacity = Literal["FARGATE", "FARGATE_SPOT"]


class CatchUpContract(TypedDict):
    """Choice of the instants that run although they passed while nothing was planned."""

    policy: NotRequired[CatchUpPolicy]
    limit: NotRequired[int]
    window_seconds: NotRequired[int]
    grace_seconds: NotRequired[int]


class CatchUpContractInput(TypedDict):
    """Choice of the instants that run although they passed while nothing was planned."""

    policy: NotRequired[CatchUpPolicy]
    limit: NotRequired[int]
    window_seconds: NotRequired[int | str]
    grace_seconds: NotRequired[int | str]


#: Missed instants that run after all.
CatchUpPolicy = Literal["skip", "latest", "all"]


#: Directions in which a clock is changed.
ChangeKind = Literal["gap", "fold"]


class CheckedInstant(TypedDict):
    """An instant, and its place in a calendar."""

    name: str
    version: int
    at: str
    covered: bool
    until: str | None
    business_day: bool


class CheckpointMark(TypedDict):
    """The place where an interrupted run goes on; its worker knows the content."""

    sequence: int
    size_bytes: int
    fence: int
    at: str


class Claim(TypedDict):
    """Runs that were claimed."""

    runs: list[ClaimedRun]
    lease_seconds: float
    ask_again_after_seconds: float
    pause: PoolPause | None


class ClaimedRun(TypedDict):
    """A run that is the worker's until its lease expires."""

    run_id: str
    job_id: str
    job_name: str
    handler: str
    payload: Any
    last_checkpoint: Any
    attempt: int
    idempotency_key: str
    fence: int
    scheduled_at: str
    due_at: str
    lease_token: str
    lease_expires_at: str
    deadline_at: str
    traceparent: str
    parent: Any


class ClockChangeAnswer(TypedDict):
    """A change of the zone's clock, and its effect on the schedule."""

    kind: ChangeKind
    at: str
    local_from: str
    local_to: str
    effect: ClockEffect
    any_of: list[int]
    description: str


#: Consequences of a change for the times of a schedule that it touches.
ClockEffect = Literal[
    "unaffected", "real_time", "runs_after", "left_out", "runs_once", "runs_twice"
]


class CollapseContract(TypedDict):
    """Rule by which triggers of one key that come close together are one run."""

    mode: NotRequired[CollapseMode]
    span_seconds: NotRequired[int]
    max_wait_seconds: NotRequired[int | None]
    key_from: NotRequired[str | None]


class CollapseContractInput(TypedDict):
    """Rule by which triggers of one key that come close together are one run."""

    mode: NotRequired[CollapseMode]
    span_seconds: NotRequired[int | str]
    max_wait_seconds: NotRequired[int | str | None]
    key_from: NotRequired[str | None]


#: Runs that stand for the triggers of a window.
CollapseMode = Literal["last", "first", "single"]


class CollapsedTriggers(TypedDict):
    """A run's place among triggers that are one run."""

    key: str | None
    since: str
    triggers: int
    into: str | None


class ComingInstant(TypedDict):
    """An instant that runs."""

    at: str
    runs_at: str


class ComingInstants(TypedDict):
    """Instants that run on one side alone."""

    count: int
    first: list[ComingInstant]


class ConditionContract(TypedDict):
    """An address that is asked, by a signed web hook, whether a run may begin."""

    type: Literal["http"]
    url: str
    signing_secret: NotRequired[SecretContract | None]
    every_seconds: NotRequired[int]
    give_up_after_seconds: NotRequired[int]


class ConditionContractInput(TypedDict):
    """An address that is asked, by a signed web hook, whether a run may begin."""

    type: Literal["http"]
    url: str
    signing_secret: NotRequired[SecretContract | None]
    every_seconds: NotRequired[int | str]
    give_up_after_seconds: NotRequired[int | str]


class CostEstimate(TypedDict):
    """The cost of a job's runs in the next 30 days, or in the first 30 of a schedule that starts"""

    runs: int | None
    recurs: bool
    kind: str
    usd: UsdRange
    usd_per_million: UsdRange
    description: str


class Costs(TypedDict):
    """Numbers of some attempts that ended in the month."""

    usd: float
    runs: int
    attempts: AttemptCounts
    target_seconds: float
    services: dict[str, float]
    quantities: dict[str, float]


class CostsBeforeAndAfter(TypedDict):
    """Estimates of a job, were it active, before and after changes."""

    before: CostEstimate
    after: CostEstimate


class CountedJobs(TypedDict):
    """The jobs of the page."""

    read: int
    due: int
    damaged: int


class Counts(TypedDict):
    """Jobs of a bulk change, instants of a backfill, or dead letters."""

    matched: int
    done: int
    unchanged: int
    failed: int
    in_progress: int


#: Programs whose cron syntax an expression follows.
CronDialect = Literal["timegate", "vixie", "quartz", "eventbridge"]


class CronMember(TypedDict):
    """Every time when the wall clock of a time zone matches a pattern."""

    timezone: NotRequired[str]
    dst: NotRequired[DstPolicy | None]
    gap: NotRequired[GapPolicy]
    fold: NotRequired[FoldPolicy]
    kind: Literal["cron"]
    cron: str
    dialect: NotRequired[CronDialect]


class DagContract(TypedDict):
    """A run of one of the tenant's DAGs; the job's run ends as the DAG run does."""

    type: Literal["dag"]
    dag_id: str


class DagGraph(TypedDict):
    """A DAG as a picture."""

    dag_id: str
    version: int
    name: str
    format: Literal["json", "mermaid", "dot"]
    text: str | None
    nodes: list[DagNode]
    edges: list[EdgeContract]


class DagNode(TypedDict):
    """A task in a picture."""

    key: str
    title: str
    runs: str
    rule: str
    fan_out: bool
    state: str | None


class DagPage(TypedDict):
    """DAGs, newest first."""

    items: list[DagRow]
    damaged: DamagedDags
    next_cursor: str | None


class DagPatch(TypedDict):
    """Changes to a DAG: each field given replaces the stored one as a whole."""

    name: NotRequired[str]
    tasks: NotRequired[list[TaskContractInput]]
    edges: NotRequired[list[EdgeContract]]
    failure_policy: NotRequired[FailureContract]
    timeout_seconds: NotRequired[int | str]
    description: NotRequired[str]
    tags: NotRequired[dict[str, str]]
    metadata: NotRequired[dict[str, str]]
    schedule: NotRequired[AnyScheduleInput | None]
    notifications: NotRequired[list[AnyNotification]]
    then: NotRequired[list[FollowUpContract]]
    late_after_seconds: NotRequired[int | str | None]
    absent_after_seconds: NotRequired[int | str | None]
    finish_by: NotRequired[FinishByContractInput | None]


class DagRow(TypedDict):
    """A version of a DAG in a listing."""

    dag_id: str
    version: int
    status: DagStatus
    created_at: str
    updated_at: str
    name: str
    description: str
    tags: dict[str, str]
    task_count: int
    edge_count: int


class DagRunBar(TypedDict):
    """A task over time."""

    key: str
    title: str
    state: TaskState
    reason: str | None
    round: int
    members: DagTaskMembers | None
    is_complete: bool
    spans: list[DagRunSpan]


class DagRunGantt(TypedDict):
    """A run of a DAG over time."""

    dag_run_id: str
    dag_id: str
    dag_version: int
    name: str
    status: DagRunStatus
    begins_at: str
    ends_at: str
    rows: list[DagRunBar]
    format: Literal["json", "text"]
    timezone: str
    text: str | None


class DagRunGraph(TypedDict):
    """A run of a DAG as a graph."""

    dag_run_id: str
    dag_id: str
    dag_version: int
    name: str
    status: DagRunStatus
    format: Literal["json", "mermaid", "dot"]
    text: str | None
    nodes: list[DagNode]
    edges: list[EdgeContract]


class DagRunPage(TypedDict):
    """Runs of a DAG, newest first."""

    damaged: NotRequired[DamagedRecords]
    items: list[DagRunRow]
    next_cursor: str | None


class DagRunRow(TypedDict):
    """A run of a DAG."""

    dag_run_id: str
    dag_id: str
    dag_version: int
    status: DagRunStatus
    reason: TaskReason | None
    trigger: DagTrigger
    matched_event: MatchedEvent | None
    job_id: str | None
    run_id: str | None
    round: int
    task_count: int
    ended_count: int
    failed_count: int
    scheduled_at: str
    created_at: str
    deadline_at: str
    ended_at: str | None
    trace_id: str


class DagRunSpan(TypedDict):
    """A stretch of time of one attempt, or of all members of a fan-out."""

    kind: SpanKind
    round: int
    attempt: int
    begins_at: str
    ends_at: str | None
    state: str | None
    runs: int


#: States of a DAG run.
DagRunStatus = Literal[
    "opening", "running", "reopening", "stopping", "succeeded", "failed", "cancelled", "timed_out"
]


class DagRunTask(TypedDict):
    """A task of a DAG run."""

    key: str
    name: str
    state: TaskState
    round: int
    reason: str | None
    attempts: int
    started_at: str | None
    ended_at: str | None
    run_id: str | None
    members: DagTaskMembers | None
    wait: DagTaskWait | None
    error: DagTaskError | None
    result: str | None
    intervention: DagTaskIntervention | None


#: States of a DAG: a deleted one starts no runs.
DagStatus = Literal["active", "deleted"]


class DagTaskError(TypedDict):
    """An error: its code, and its message."""

    code: str
    type: str
    message: str


class DagTaskIntervention(TypedDict):
    """An operator's intervention in a task."""

    kind: InterventionKind
    by: str
    at: str
    reason: str | None
    members: list[int] | None


class DagTaskMembers(TypedDict):
    """Members of a task that fanned out."""

    width: int
    succeeded: int
    failed: int
    skipped: int
    failed_numbers: list[int]


class DagTaskWait(TypedDict):
    """A wait of a task: for its time, for a person, or for an event."""

    kind: WaitKind
    until: str | None
    approvers: list[str]
    event_type: str | None
    correlation: str | None
    event: EndingEvent | None


#: Origins of a DAG run.
DagTrigger = Literal["manual", "job", "event"]


class DagValidation(TypedDict):
    """The outcome that creating or updating a DAG would have."""

    valid: bool
    task_count: int
    edge_count: int
    levels: list[list[str]]
    definition: DefinedDag
    errors: list[FieldProblem]


class DagVersionPage(TypedDict):
    """Versions of a DAG, the latest first."""

    items: list[DagRow]
    next_cursor: str | None


#: Kinds of damaged records; stable.
DamageCode = Literal["run_damaged", "gap_damaged"]


class DamagedDags(TypedDict):
    """DAGs whose records cannot be read until an operator has repaired them."""

    count: int
    dag_ids: list[str]


class DamagedEntry(TypedDict):
    """A record that cannot be read until an operator has repaired it: where it lies."""

    kind: Literal["damaged"]
    code: DamageCode
    first: str | None
    last: str
    run_id: str | None
    explanation: str


class DamagedJobs(TypedDict):
    """Jobs whose records cannot be read until an operator has repaired them."""

    count: int
    job_ids: list[str]


class DamagedRecords(TypedDict):
    """Records of a page that cannot be read until operators have repaired them."""

    count: int
    names: list[str]


class DamagedRuns(TypedDict):
    """Runs whose records cannot be read until an operator has repaired them."""

    count: int
    run_ids: list[str]


class DayRange(TypedDict):
    """Whole days on the calendar's clock."""

    first: str
    last: str


class DayRangeContract(TypedDict):
    """Whole days on the calendar's clock."""

    first: str
    last: NotRequired[str | None]


class DeadLetterPage(TypedDict):
    """Dead letters, newest first."""

    items: list[DeadLetterRow]
    next_cursor: str | None


class Decision(TypedDict):
    """Runs, or jobs, that wait for a person and have one cause."""

    kind: DecisionKind
    reason: Reason | None
    error_code: str | None
    count: int
    jobs: int
    first_at: str
    last_at: str
    latest: list[DecisionRun]


#: Kinds of what waits; each is settled in its own way.
DecisionKind = Literal["paused_job", "dead_letter", "dag_task", "failed_run"]


class DecisionList(TypedDict):
    """Groups that wait for a person, by kind and cause; the largest of a kind first."""

    since: str
    read: int
    is_partial: bool
    groups: list[Decision]
    approvals: list[ApprovalGroup]
    approvals_are_partial: bool


class DecisionRun(TypedDict):
    """A run of a group."""

    run_id: str
    job_id: str
    job_name: str | None
    ended_at: str


class DefinedCalendar(TypedDict):
    """Everything that a calendar's owner says of it."""

    description: str
    tags: dict[str, str]
    timezone: str
    days: list[DayRange]
    weekdays: list[Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]]
    windows: list[Window]
    periods: list[PeriodContract]
    weekend: list[Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]]


class DefinedDag(TypedDict):
    """Everything that a DAG's owner says of it; nothing is left unsaid."""

    name: str
    description: str
    tags: dict[str, str]
    metadata: dict[str, str]
    failure_policy: FailureContract
    timeout_seconds: int
    tasks: list[TaskContract]
    edges: list[EdgeContract]
    schedule: AnySchedule | None
    notifications: list[AnyNotification]
    then: list[FollowUpContract]
    late_after_seconds: int | None
    absent_after_seconds: int | None
    finish_by: FinishByContract | None


class DefinedEventTrigger(TypedDict):
    """Everything that the owner of an event trigger says of it."""

    pattern: dict[str, Any]
    starts: StartsJob | StartsDagRun
    description: str
    tags: dict[str, str]
    hook: DefinedHook | None


class DefinedHook(TypedDict):
    """Everything that a trigger's owner says of its web hook."""

    scheme: HookScheme
    secret: SecretPlace


class DefinedJob(TypedDict):
    """Everything that a job's owner says of it; nothing is left unsaid."""

    name: str
    description: str
    key: str | None
    schedule: AnySchedule
    action: AnyAction
    payload: Any
    payload_marks: PayloadMarksContract | None
    payload_schema: dict[str, Any] | None
    priority: Priority
    resource_class: ResourceClass
    precision: Precision
    timeout_seconds: int
    retry: RetryContract
    catch_up: CatchUpContract
    overlap: OverlapContract
    collapse: CollapseContract | None
    delivery: DeliveryMode
    long_run: LongRunContract | None
    notifications: list[AnyNotification]
    late_after_seconds: int | None
    absent_after_seconds: int | None
    finish_by: FinishByContract | None
    then: list[FollowUpContract]
    rate_limit: RateLimitContract | None
    before: ConditionContract | None
    pause_after_failures: int | None
    calendars: list[CalendarRuleContract]
    start_within_seconds: int | None
    tags: dict[str, str]
    list_runs: ListRuns | None
    metadata: dict[str, str]


class DefinedRule(TypedDict):
    """Everything that the owner of a notification rule says of it."""

    description: str
    tags: dict[str, str]
    enabled: bool
    jobs: SelectionContract
    when: RuleConditions
    channels: list[AnyChannel]
    quiet_hours: QuietHours | None


class DelaySchedule(TypedDict):
    """Once, so many seconds from now."""

    kind: Literal["delay"]
    delay_seconds: float


class DelayScheduleInput(TypedDict):
    """Once, so many seconds from now."""

    kind: Literal["delay"]
    delay_seconds: float | str


#: Numbers of times that a run may reach its target.
DeliveryMode = Literal["at_most_once", "at_least_once", "exactly_once"]


class Descriptions(TypedDict):
    """Schedules in words."""

    before: str
    after: str


class Discard(TypedDict):
    """Reason to discard a dead letter."""

    note: NotRequired[str | None]


class DiscardMany(TypedDict):
    """Dead letters to let rest."""

    note: NotRequired[str | None]
    filter: LetterSelection


#: Reading of wall-clock times when the clock is changed.
DstPolicy = Literal["interval", "fixed"]


class EcsContract(TypedDict):
    """A Fargate task of an ECS task definition on the stage's allow-list."""

    type: Literal["ecs"]
    cluster_arn: str
    task_definition: str
    container: str
    subnets: list[str]
    command: NotRequired[list[str]]
    security_groups: NotRequired[list[str]]
    public_ip: NotRequired[bool]
    capacity: NotRequired[Capacity]
    platform_version: NotRequired[str | None]


#: Ends of a task that satisfy an edge.
EdgeCondition = Literal["on_success", "on_failure", "on_finished"]


class EdgeContract(TypedDict):
    """One task waits for another."""

    source: str
    target: str
    condition: NotRequired[EdgeCondition]


class EditContract(TypedDict):
    """The job is given another schedule."""

    at: str
    schedule: AnyScheduleInput


#: The effect that changes to a job would have.
EditPreview = TypedDict(
    "EditPreview",
    {
        "version": "int",
        "status": "JobStatus",
        "from": "str",
        "until": "str",
        "compared_until": "str",
        "instants": "BeforeAndAfter",
        "gained": "ComingInstants",
        "lost": "ComingInstants",
        "moved": "MovedInstants",
        "stored": "StoredRuns",
        "description": "Descriptions",
        "end": "Ends",
        "cost": "CostsBeforeAndAfter",
        "payload": "FirstPayloads | None",
    },
)


class EndedRun(TypedDict):
    """A run that ended."""

    run_id: str
    state: RunState
    scheduled_at: str
    started_at: str | None
    ended_at: str | None


#: After which ends a job follows: the states a run can end in, or any of them.
Ending = Literal[
    "succeeded", "failed", "timed_out", "cancelled", "skipped", "dead_lettered", "finished"
]


class EndingEvent(TypedDict):
    """The event that ended a task."""

    source: str
    id: str
    received_at: str


class Ends(TypedDict):
    """Ends by max_runs within the days; null: later, or nothing moves the end."""

    before: MovableEnd | None
    after: MovableEnd | None


class EventBridgeChannelContract(TypedDict):
    """An EventBridge bus on the stage's allow-list."""

    type: Literal["eventbridge"]
    bus_arn: str


class EventBridgeContract(TypedDict):
    """One event on an EventBridge bus on the stage's allow-list."""

    type: Literal["eventbridge"]
    bus_arn: str
    source: str
    detail_type: str


class EventBridgeHookContract(TypedDict):
    """An EventBridge bus on the stage's allow-list."""

    type: Literal["eventbridge"]
    bus_arn: str
    on: list[Occasion]


class EventContract(TypedDict):
    """A CloudEvent 1.0; further attributes are its extensions."""

    specversion: Literal["1.0"]
    id: str
    source: str
    type: str
    subject: NotRequired[str | None]
    time: NotRequired[str | None]
    datacontenttype: NotRequired[str | None]
    dataschema: NotRequired[str | None]
    correlationid: NotRequired[str | None]
    data: NotRequired[Any]


class EventProblem(TypedDict):
    """The refusal of one event of many."""

    code: str
    detail: str
    errors: list[FieldProblem]


class EventTrigger(TypedDict):
    """A pattern over events, and what a matching event starts."""

    pattern: dict[str, Any]
    starts: StartsJob | StartsDagRun
    description: str
    tags: dict[str, str]
    name: str
    status: EventTriggerStatus
    version: int
    hook: Hook | None
    created_at: str
    updated_at: str


class EventTriggerBody(TypedDict):
    """A pattern over events, and what a matching event starts."""

    pattern: NotRequired[dict[str, Any]]
    starts: StartsJobContract | StartsDagRunContract
    hook: NotRequired[InboundHook | None]
    description: NotRequired[str]
    tags: NotRequired[dict[str, str]]


class EventTriggerPage(TypedDict):
    """A page of event triggers."""

    damaged: NotRequired[DamagedRecords]
    items: list[EventTrigger]
    next_cursor: str | None


#: Standing of an event trigger.
EventTriggerStatus = Literal["active", "paused"]


class EventTriggerValidation(TypedDict):
    """The outcome that putting an event trigger would have."""

    valid: bool
    definition: DefinedEventTrigger
    errors: list[FieldProblem]


#: End of a state machine's run.
ExecutionMode = Literal["start", "wait"]


class ExecutorContract(TypedDict):
    """Course of the executor."""

    outages: NotRequired[list[SpanContract]]


class ExpectationContract(TypedDict):
    """Numbers that the summary must have; one that is not named may be any."""

    instants: NotRequired[int | None]
    runs: NotRequired[int | None]
    undecided: NotRequired[int | None]
    max_lateness_ms: NotRequired[int | None]
    missed_deadlines: NotRequired[int | None]
    will_be_late: NotRequired[int | None]
    failed: NotRequired[int | None]
    notices: NotRequired[int | dict[str, int] | None]
    skipped: NotRequired[int | dict[str, int] | None]
    cancelled: NotRequired[int | dict[str, int] | None]


#: Ends of an approval that was not decided in time, and of an event that did not come.
Expiry = Literal["succeed", "fail", "skip"]


class Explanation(TypedDict):
    """The outcome of an instant."""

    instant: str
    verdict: Verdict
    explanation: str
    record: ExplainedRun | GapEntry | DamagedEntry | None
    nearest: Nearest
    payload: Any


class ExportedFile(TypedDict):
    """A file of the archive."""

    path: str
    bytes: int
    sha256: str
    url: str


class Failing(TypedDict):
    """Failed runs of the last day, and the latest of them."""

    count: int
    is_partial: bool
    since: str
    latest: list[NamedRun]


class FailureContract(TypedDict):
    """Effect of a task's failure on the rest of its run."""

    policy: NotRequired[FailurePolicy]
    max_retries: NotRequired[int]


#: The failed runs of an operation; nothing but nulls: every one.
FailureFilter = TypedDict(
    "FailureFilter",
    {
        "state": "list[RunState]",
        "reason": "Reason | None",
        "error_code": "str | None",
        "job_id": "str | None",
        "name": "str | None",
        "tags": "dict[str, str]",
        "late_seconds": "int | None",
        "from": "str | None",
        "to": "str | None",
    },
)


class FailureParameters(TypedDict):
    """Parameters of an operation on failed runs."""

    filter: FailureFilter
    fresh: bool
    note: str | None


#: Consequences of a task's failure for the rest of its run.
FailurePolicy = Literal["fail_fast", "continue", "retry"]


#: Filter of failed runs; every criterion that is given must hold.
FailureSelection = TypedDict(
    "FailureSelection",
    {
        "state": "NotRequired[list[RunState]]",
        "reason": "NotRequired[Reason | None]",
        "error_code": "NotRequired[str | None]",
        "job_id": "NotRequired[str | None]",
        "name": "NotRequired[str | None]",
        "tags": "NotRequired[dict[str, str]]",
        "late_seconds": "NotRequired[int | str | None]",
        "from": "NotRequired[str | None]",
        "to": "NotRequired[str | None]",
        "all": "NotRequired[bool]",
    },
)


class FanOutContract(TypedDict):
    """One member of the task per element of a list that is known only in the run."""

    over: str
    join: NotRequired[JoinContract]
    max_width: NotRequired[int]


class FieldProblem(TypedDict):
    """One thing wrong with one field."""

    field: str
    code: str
    detail: str


class FinishByContract(TypedDict):
    """By when a run is to have ended: a time of day or a span, not both."""

    within_seconds: NotRequired[int | None]
    time: NotRequired[str | None]
    timezone: NotRequired[str | None]


class FinishByContractInput(TypedDict):
    """By when a run is to have ended: a time of day or a span, not both."""

    within_seconds: NotRequired[int | str | None]
    time: NotRequired[str | None]
    timezone: NotRequired[str | None]


#: States of a run with regard to its deadline.
FinishOutlook = Literal["unknown", "in_time", "will_be_late", "met", "missed"]


class FirstPayloads(TypedDict):
    """Payloads as first runs send them; null: none, or nothing runs."""

    before: Any
    after: Any


#: Treatment of a fixed local time on the day its zone shows it twice.
FoldPolicy = Literal["first", "both"]


class FollowUpContract(TypedDict):
    """A job that runs after some ends of this one's runs."""

    job_id: str
    on: list[Ending]
    payload: NotRequired[Given]


class Freeze(TypedDict):
    """A span of time in which nothing of its scope starts."""

    freeze_id: str
    state: Literal["scheduled", "active", "ended", "lifted"]
    scope: AnyScope
    starts_at: str
    ends_at: str
    thaw: ThawPolicy
    reason: str
    created_at: str
    lifted_at: str | None
    by_stage: bool


class FreezePage(TypedDict):
    """Freezes, the last to start first."""

    damaged: NotRequired[DamagedRecords]
    items: list[Freeze]
    next_cursor: str | None


class GapEntry(TypedDict):
    """Instants that follow one another and became no runs, all for one reason."""

    kind: Literal["gap"]
    first: str
    last: str
    count: int
    reason: Reason
    rolled_to: str | None
    explanation: str


#: Treatment of a fixed local time on the day its zone jumps over it.
GapPolicy = Literal["run_after", "skip"]


class GatewayRefusal(TypedDict):
    """The gateway's answer to a request that it refuses."""

    message: str


#: The payload of a run that was triggered.
Given = Literal["own", "parent", "result"]


class Health(TypedDict):
    """The stage's health at one instant."""

    at: str
    status: HealthStatus
    problems: list[HealthProblem]
    shards: ShardsHealth
    audit: AuditHealth
    lanes: list[LaneHealth] | None
    alarms: list[AlarmThatIsOn]


class HealthProblem(TypedDict):
    """A thing that is wrong."""

    code: ProblemCode
    status: HealthStatus
    detail: str
    remedy: str
    runbook: str


#: The worst of a stage's problems.
HealthStatus = Literal["healthy", "degraded", "unhealthy"]


class Heartbeat(TypedDict):
    """The answer to a worker's heartbeat."""

    lease_expires_at: str
    cancel_requested: bool


class HeldRuleEvents(TypedDict):
    """Events that wait for the end of quiet hours."""

    events: list[Any]
    more: int


class Hook(TypedDict):
    """The web hook of a trigger."""

    scheme: HookScheme
    secret: SecretPlace
    path: str


#: Schemes by which requests of a web hook are signed.
HookScheme = Literal["standard", "github"]


class ImmediateSchedule(TypedDict):
    """Once, now."""

    kind: Literal["immediate"]


class InboundHook(TypedDict):
    """A web hook whose requests are the trigger's events."""

    scheme: NotRequired[HookScheme]
    secret: SecretContract


#: Fates of an instant in a backfill.
InstantFate = Literal["new", "reopened", "unchanged"]


#: Kinds of interventions of operators.
InterventionKind = Literal["complete", "skip", "rerun", "approve", "reject", "signal"]


#: End of a function's run.
Invocation = Literal["sync", "async", "callback"]


class ItemProblem(TypedDict):
    """The refusal of one job of many."""

    code: str
    detail: str
    errors: list[FieldProblem]


class JitterAdvice(TypedDict):
    """The jitter that would flatten the busiest minute, of the jobs of this page."""

    at: str
    runs_before: int
    runs_after: int
    jitter_seconds: int
    job_count: int
    jobs: list[AdvisedJob]


class JobCounts(TypedDict):
    """Jobs by status."""

    active: int
    paused: int
    completed: int
    cancelled: int


class JobNow(TypedDict):
    """The job's present state."""

    version: int
    status: JobStatus
    same_definition: bool


class JobPage(TypedDict):
    """Jobs, newest first."""

    items: list[Job]
    damaged: DamagedJobs
    next_cursor: str | None


class JobPatch(TypedDict):
    """Changes to a job: each field given replaces the stored one as a whole."""

    name: NotRequired[str]
    key: NotRequired[str | None]
    schedule: NotRequired[AnyScheduleInput]
    action: NotRequired[AnyActionInput]
    payload: NotRequired[Any]
    payload_marks: NotRequired[PayloadMarksContract | None]
    payload_schema: NotRequired[dict[str, Any] | None]
    description: NotRequired[str]
    priority: NotRequired[Priority]
    resource_class: NotRequired[ResourceClass]
    precision: NotRequired[Precision]
    timeout_seconds: NotRequired[int | str]
    retry: NotRequired[RetryContractInput]
    catch_up: NotRequired[CatchUpContractInput]
    overlap: NotRequired[OverlapContract]
    collapse: NotRequired[CollapseContractInput | None]
    delivery: NotRequired[DeliveryMode]
    long_run: NotRequired[LongRunContractInput | None]
    notifications: NotRequired[list[AnyNotification]]
    late_after_seconds: NotRequired[int | str | None]
    absent_after_seconds: NotRequired[int | str | None]
    finish_by: NotRequired[FinishByContractInput | None]
    then: NotRequired[list[FollowUpContract]]
    rate_limit: NotRequired[RateLimitContract | None]
    before: NotRequired[ConditionContractInput | None]
    pause_after_failures: NotRequired[int | None]
    calendars: NotRequired[list[CalendarRuleContract]]
    start_within_seconds: NotRequired[int | str | None]
    tags: NotRequired[dict[str, str]]
    list_runs: NotRequired[ListRuns | None]
    metadata: NotRequired[dict[str, str]]


class JobScope(TypedDict):
    """One job."""

    kind: Literal["job"]
    job_id: str


class JobSelection(TypedDict):
    """Filter of jobs; every criterion that is given must hold."""

    tags: NotRequired[dict[str, str]]
    status: NotRequired[JobStatus | None]
    kind: NotRequired[ScheduleKind | None]
    priority: NotRequired[Priority | None]
    name: NotRequired[str | None]
    all: NotRequired[bool]


class JobStatistics(TypedDict):
    """A job's recent runs in numbers, and its next instants."""

    job_id: str
    runs: int
    is_partial: bool
    runs_by_state: dict[str, int]
    last_run: EndedRun | None
    last_success: EndedRun | None
    streak: StreakAnswer | None
    duration_ms: SpreadAnswer | None
    lateness_ms: SpreadAnswer | None
    next_fires: list[ProspectAnswer]


#: The life of a job. Only an active job materialises runs.
JobStatus = Literal["active", "paused", "cancelled", "completed"]


class JobValidation(TypedDict):
    """The outcome that creating a job would have."""

    valid: bool
    definition: DefinedJob
    errors: list[FieldProblem]
    advice: list[AdviceAnswer]
    cost: CostEstimate | None
    payload_example: Any
    target_place: TargetPlaceAnswer | None


class JoinContract(TypedDict):
    """The number of a fan-out's members that must succeed."""

    kind: NotRequired[JoinKind]
    count: NotRequired[int | None]
    share: NotRequired[float | None]


#: Numbers of members that must succeed for the task of a fan-out to succeed.
JoinKind = Literal["all", "at_least", "share"]


#: A scope that a tenant's key may have: every one but the stage's administration.
KeyScope = Literal["read", "write", "operate", "send", "worker"]


class LambdaContract(TypedDict):
    """An invocation of a Lambda function on the stage's allow-list."""

    type: Literal["lambda"]
    function_arn: str
    invocation: NotRequired[Invocation]
    heartbeat_seconds: NotRequired[int | None]
    tenant_isolation: NotRequired[bool]


class LambdaContractInput(TypedDict):
    """An invocation of a Lambda function on the stage's allow-list."""

    type: Literal["lambda"]
    function_arn: str
    invocation: NotRequired[Invocation]
    heartbeat_seconds: NotRequired[int | str | None]
    tenant_isolation: NotRequired[bool]


class Lane(TypedDict):
    """A lane: the queue of a priority and resource class, and its executor."""

    lane: str
    start_lag_ms: LaneLateness
    ended: LaneEnds
    waiting: list[float | None]
    oldest_seconds: list[float | None]


class LaneEnds(TypedDict):
    """Attempts that ended."""

    succeeded: list[float | None]
    failed: list[float | None]


class LaneHealth(TypedDict):
    """The queue of a lane as it was measured last; null: nothing was measured."""

    lane: str
    waiting: float | None
    oldest_seconds: float | None


class LaneLateness(TypedDict):
    """Lateness in milliseconds, from due to started."""

    p50: list[float | None]
    p99: list[float | None]


#: Outcomes of last runs that jobs are found by: failures alone are in an index.
LastOutcome = Literal["failed"]


class LedgerPage(TypedDict):
    """Outcomes of a job's instants, earliest first."""

    items: list[RunEntry | GapEntry | DamagedEntry]
    next_cursor: str | None


#: The dead letters of an operation; nothing but nulls: every one.
LetterFilter = TypedDict(
    "LetterFilter",
    {
        "job_id": "str | None",
        "reason": "Reason | None",
        "error_code": "str | None",
        "from": "str | None",
        "to": "str | None",
        "run_ids": "list[str]",
    },
)


class LetterParameters(TypedDict):
    """Parameters of an operation on dead letters."""

    filter: LetterFilter
    payload_corrected: bool
    fresh: bool
    note: str | None


#: Filter of dead letters; every criterion that is given must hold.
LetterSelection = TypedDict(
    "LetterSelection",
    {
        "job_id": "NotRequired[str | None]",
        "reason": "NotRequired[Reason | None]",
        "error_code": "NotRequired[str | None]",
        "from": "NotRequired[str | None]",
        "to": "NotRequired[str | None]",
        "run_ids": "NotRequired[list[str]]",
        "all": "NotRequired[bool]",
    },
)


#: Levels of lines.
Level = Literal["debug", "info", "warning", "error"]


#: Runs that the listing of a tenant shows beside those of one job.
ListRuns = Literal["failures", "all"]


class ListedPool(TypedDict):
    """A pool that a worker asked within a day, that a job names, or that is paused."""

    pool: str
    workers: int
    capacity: int | None
    in_use: int | None
    last_seen_at: str | None
    jobs: int
    waiting: WaitingRuns | None
    pause: PoolPause | None


#: Runs that fall due in each minute; the numbers of several pages add up.
LoadForecast = TypedDict(
    "LoadForecast",
    {
        "from": "str",
        "until": "str",
        "jobs": "CountedJobs",
        "queues": "list[QueueForecast]",
        "next_cursor": "str | None",
    },
)


#: Kinds of lines.
LogKind = Literal["created", "started", "progress", "checkpoint", "message", "ended", "settled"]


class LogLine(TypedDict):
    """One thing that happened to an attempt."""

    at: str
    attempt: int
    kind: LogKind
    level: Level | None
    text: str


class LogPage(TypedDict):
    """Log lines of a run, earliest first."""

    items: list[LogLine]
    next_cursor: str | None


class LongRunContract(TypedDict):
    """Limits of runs that go on in slices; ``timeout_seconds`` bounds each slice."""

    max_duration_seconds: int
    max_slices: NotRequired[int]


class LongRunContractInput(TypedDict):
    """Limits of runs that go on in slices; ``timeout_seconds`` bounds each slice."""

    max_duration_seconds: int | str
    max_slices: NotRequired[int]


class ManualSchedule(TypedDict):
    """Never by itself: triggers and other jobs start its runs."""

    kind: Literal["manual"]


class MatchedEvent(TypedDict):
    """The event that started a run, and the event trigger that it matched."""

    event_trigger: str
    source: str
    id: str


class MetByEvent(TypedDict):
    """Something that an event started or ended."""

    kind: MetKind
    name: str
    dag_run_id: str | None
    run_id: str | None
    code: str | None
    detail: str | None


#: Kinds of things that wait for events.
MetKind = Literal["task", "event_trigger"]


class MovableEnd(TypedDict):
    """The end that max_runs gives to a job, while its schedule names later instants."""

    max_runs: int
    last: str
    left_out: int
    moved_from: str | None
    moves_to: str | None
    description: str


class MovedInstant(TypedDict):
    """An instant that starts at another time."""

    before: ComingInstant
    after: ComingInstant


class MovedInstants(TypedDict):
    """Instants that one local day loses, as many as it gains, and those put off differently."""

    count: int
    first: list[MovedInstant]


class NamedJobContract(TypedDict):
    """One of several jobs."""

    schedule: NotRequired[AnyScheduleInput | None]
    job_id: NotRequired[str | None]
    created_at: NotRequired[str | None]
    anchored_at: NotRequired[str | None]
    catch_up: NotRequired[CatchUpContractInput | None]
    overlap: NotRequired[OverlapContract | None]
    start_within_seconds: NotRequired[int | str | None]
    finish_by: NotRequired[FinishByContractInput | None]
    precision: NotRequired[Precision | None]
    calendar_rules: NotRequired[list[CalendarRuleContract]]
    tags: NotRequired[dict[str, str]]
    pauses: NotRequired[list[PauseContract]]
    edits: NotRequired[list[EditContract]]
    cancelled_at: NotRequired[str | None]
    triggers: NotRequired[list[str | SimulatedTriggerContract]]
    collapse: NotRequired[CollapseContractInput | None]
    run_seconds: NotRequired[float | str | list[float | str]]
    outcomes: NotRequired[RunOutcome | list[RunOutcome]]
    late_after_seconds: NotRequired[int | str | None]
    absent_after_seconds: NotRequired[int | str | None]
    pause_after_failures: NotRequired[int | None]
    resumes: NotRequired[list[str]]
    told_on: NotRequired[list[Occasion] | None]
    payload: NotRequired[Any]
    payload_schema: NotRequired[dict[str, Any] | None]
    expect: NotRequired[ExpectationContract | None]
    name: str


class Nearest(TypedDict):
    """The instants around one that the present schedule names, whether or not they run."""

    before: str | None
    after: str | None


class NewApprovalLink(TypedDict):
    """A link that decides an approval, in the hands of its holder."""

    path: str
    receiver: str
    expires_at: str


class NewDag(TypedDict):
    """A DAG to create."""

    name: str
    tasks: list[TaskContractInput]
    edges: NotRequired[list[EdgeContract]]
    failure_policy: NotRequired[FailureContract]
    timeout_seconds: NotRequired[int | str]
    description: NotRequired[str]
    tags: NotRequired[dict[str, str]]
    metadata: NotRequired[dict[str, str]]
    schedule: NotRequired[AnyScheduleInput | None]
    notifications: NotRequired[list[AnyNotification]]
    then: NotRequired[list[FollowUpContract]]
    late_after_seconds: NotRequired[int | str | None]
    absent_after_seconds: NotRequired[int | str | None]
    finish_by: NotRequired[FinishByContractInput | None]


class NewFreeze(TypedDict):
    """A span of time in which nothing of its scope starts."""

    starts_at: NotRequired[str | None]
    ends_at: str
    thaw: NotRequired[ThawPolicy]
    reason: NotRequired[str]
    scope: TenantScope | TagScope | JobScope


class NewKeyRequest(TypedDict):
    """An API key to be made."""

    name: NotRequired[str]
    scopes: NotRequired[list[KeyScope] | None]
    expires_at: NotRequired[str | None]


class NewLink(TypedDict):
    """The receiver of a new link."""

    receiver: NotRequired[str | None]


class NewOperation(TypedDict):
    """A change of many jobs."""

    kind: Literal["pause", "resume", "cancel"]
    filter: JobSelection
    catch_up: NotRequired[bool]
    reason: NotRequired[str | None]


class NewStageFreeze(TypedDict):
    """A span of time in which nothing of any tenant starts, but for what is spared."""

    starts_at: NotRequired[str | None]
    ends_at: str
    thaw: NotRequired[ThawPolicy]
    reason: NotRequired[str]
    spared_tag: NotRequired[SparedTag | None]
    spared_tenants: NotRequired[list[str]]


class NewTenant(TypedDict):
    """A tenant that was made, and its first key."""

    tenant: Tenant
    key: MadeApiKey | None


class NewTenantRequest(TypedDict):
    """A tenant to be made; what is left out is as new tenants have it."""

    tenant: str
    display_name: NotRequired[str]
    quotas: NotRequired[QuotasContract]
    list_runs: NotRequired[ListRuns | None]
    key: NotRequired[NewKeyRequest | None]


class Notification(TypedDict):
    """A message to one address on one occasion; a run of its own, with its retries."""

    attempt: int
    state: RunState
    due_at: str
    started_at: str | None
    ended_at: str | None
    error: RunFailure | None
    reason: Reason | None
    explanation: str
    notification_id: str
    run_attempt: int
    on: Occasion
    channel: ToldChannel | None
    message: Any


class NotificationList(TypedDict):
    """Everything that was told of a run, by attempt."""

    items: list[Notification]
    next_cursor: str | None


#: Occasions of notifications: the state a run ended in, a late start, a deadline, a pause.
Occasion = Literal[
    "succeeded",
    "failed",
    "timed_out",
    "cancelled",
    "skipped",
    "dead_lettered",
    "late",
    "will_be_late",
    "missed_deadline",
    "paused",
    "absent",
    "needs_decision",
]


class Operation(TypedDict):
    """Long work, and how far it came."""

    operation_id: str
    kind: OperationKind
    status: OperationStatus
    parameters: (
        BulkParameters
        | BackfillParameters
        | LetterParameters
        | FailureParameters
        | PendingParameters
        | ReschedulingParameters
    )
    counts: Counts
    errors: list[OperationError]
    failure: OperationError | None
    waits_for: WaitsFor | None
    stalled: bool
    cancel_requested: bool
    created_by: str
    created_at: str
    updated_at: str
    ended_at: str | None


class OperationError(TypedDict):
    """An error: its code, and its message."""

    item: str
    code: str
    detail: str


#: Kinds of operations.
OperationKind = Literal[
    "pause", "resume", "cancel", "backfill", "redrive", "discard", "cancel_runs", "reschedule_runs"
]


class OperationPage(TypedDict):
    """Operations, newest first."""

    damaged: NotRequired[DamagedRecords]
    items: list[Operation]
    next_cursor: str | None


#: States of an operation.
OperationStatus = Literal["running", "succeeded", "failed", "cancelled"]


#: Effects of calendars on an instant.
Outlook = Literal["runs", "deferred", "rolled", "joined", "excluded"]


class OverlapContract(TypedDict):
    """Policy for a run that is due while others of its job, or of its key, still work."""

    policy: NotRequired[OverlapPolicy]
    max_concurrent: NotRequired[int]
    concurrency_key: NotRequired[str | None]
    key_from: NotRequired[str | None]


#: Fates of a run that is due while its job's slots are taken.
OverlapPolicy = Literal["allow", "forbid", "queue", "replace"]


class Overview(TypedDict):
    """A tenant as it is now. Each number is counted for this answer."""

    tenant: str
    status: TenantStatus
    failing: Failing
    dead_letters: BoundedCount
    paused_jobs: list[PausedJob]
    freezes: list[Freeze]
    jobs: JobCounts | None
    usage: UsageAnswer
    effective_quotas: QuotaNumbers


#: The job is paused, and resumed unless it stays so.
PauseContract = TypedDict(
    "PauseContract",
    {"from": "str", "to": "NotRequired[str | None]", "catch_up": "NotRequired[bool]"},
)


class PausedJob(TypedDict):
    """A job that failures in a row paused, and no caller has resumed."""

    job_id: str
    name: str
    at: str
    failures: int
    run_id: str


class PayloadMarksContract(TypedDict):
    """Marks such as {{date}} in texts of the payload are filled at each call."""

    timezone: NotRequired[str | None]


#: The pending runs of an operation; nothing but nulls: those of every job.
PendingFilter = TypedDict(
    "PendingFilter",
    {
        "job_id": "str | None",
        "name": "str | None",
        "tags": "dict[str, str]",
        "from": "str | None",
        "to": "str | None",
    },
)


class PendingParameters(TypedDict):
    """Parameters of an operation on pending runs."""

    filter: PendingFilter


#: Filter of runs that have not begun; every criterion that is given must hold.
PendingSelection = TypedDict(
    "PendingSelection",
    {
        "job_id": "NotRequired[str | None]",
        "name": "NotRequired[str | None]",
        "tags": "NotRequired[dict[str, str]]",
        "from": "NotRequired[str | None]",
        "to": "NotRequired[str | None]",
        "all": "NotRequired[bool]",
    },
)


class PeriodContract(TypedDict):
    """A span of real time."""

    start: str
    end: str


class PersonAnswer(TypedDict):
    """A person who signed in."""

    name: str
    roles: list[Role]


#: Colours of a picture.
PictureScheme = Literal["auto", "light", "dark"]


class PlannedInstant(TypedDict):
    """An instant, and its fate in a backfill."""

    instant: str
    fate: InstantFate


class PlannerContract(TypedDict):
    """Course of the planner."""

    outages: NotRequired[list[SpanContract]]
    tick_offset_seconds: NotRequired[float | str]
    look_ahead_seconds: NotRequired[int | str]


class Pool(TypedDict):
    """Runs that wait in a pool now; a pool that is not used looks like an empty one."""

    pool: str
    depth: int
    depth_is_partial: bool
    depth_by_priority: dict[str, int]
    oldest_age_seconds: float | None
    workers: list[PoolWorker]
    capacity: int | None
    in_use: int | None
    last_seen_at: str | None
    pause: PoolPause | None


class PoolList(TypedDict):
    """Pools of a tenant: those without a worker first, then by name."""

    pools: list[ListedPool]
    is_partial: bool


class PoolPause(TypedDict):
    """A pause of a pool: no worker is handed a run of it."""

    since: str
    until: str | None
    by: str
    reason: str | None


class PoolStanding(TypedDict):
    """A pool that was paused or resumed."""

    pool: str
    pause: PoolPause | None
    last_seen_at: str | None


class PoolWorker(TypedDict):
    """A worker that asked for work within the last five minutes."""

    worker: str
    seen_at: str
    handlers: list[str]
    capacity: int | None
    in_use: int | None


#: ``subsecond``: the executor holds the message until the due millisecond.
Precision = Literal["second", "subsecond"]


class Preview(TypedDict):
    """Instants of a schedule."""

    fires: list[str]
    instants: list[ProspectAnswer]
    description: str
    clock_changes: list[ClockChangeAnswer]
    end: MovableEnd | None


#: Schedule and number of the instants to show.
PreviewRequest = TypedDict(
    "PreviewRequest",
    {
        "schedule": "AnyScheduleInput",
        "from": "NotRequired[str | None]",
        "calendars": "NotRequired[list[CalendarRuleContract]]",
        "count": "NotRequired[int]",
    },
)


#: Each priority has its own queues, executors and concurrency.
Priority = Literal["critical", "high", "normal", "low"]


class Problem(TypedDict):
    """The reason of a refusal (RFC 9457)."""

    type: str
    title: str
    status: int
    code: str
    detail: str
    errors: list[FieldProblem]
    instance: str
    request_id: str
    quota: NotRequired[QuotaState | None]
    archived_in: NotRequired[str | None]


#: Kinds of problems of a stage, each by a stable code.
ProblemCode = Literal[
    "no_shard_open",
    "planner_behind",
    "planner_silent",
    "sweeper_behind",
    "sweeper_silent",
    "audit_silent",
    "instants_unaccounted",
    "records_lost",
    "alarm_on",
    "metrics_unknown",
]


class ProspectAnswer(TypedDict):
    """An instant, and what calendars make of it."""

    at: str
    outcome: Outlook
    runs_at: str | None


class QueueForecast(TypedDict):
    """The runs of one queue."""

    queue: str
    is_pool: bool
    runs: int
    busiest: list[BusyMinute]
    minutes: list[int]
    advice: JitterAdvice | None


class QuietHours(TypedDict):
    """Hours of the week in which messages are held back."""

    timezone: str
    windows: list[QuietWindow]


class QuietHoursContract(TypedDict):
    """Hours of the week in which messages are held back; one message tells of them then."""

    timezone: NotRequired[str]
    windows: list[QuietWindowContract]


class QuietWindow(TypedDict):
    """The same hours of several days."""

    weekdays: list[Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]]
    opens: str
    closes: str


class QuietWindowContract(TypedDict):
    """The same hours of several days."""

    weekdays: NotRequired[list[Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]]]
    opens: str
    closes: str


class QuotaNumbers(TypedDict):
    """A number for each quota."""

    jobs: int | None
    dags: int | None
    concurrent_runs: int | None
    runs_per_day: int | None
    requests_per_second: int | None
    burst: int | None


class QuotaState(TypedDict):
    """A quota that a tenant uses in full."""

    name: str
    limit: int
    used: int


class QuotasContract(TypedDict):
    """Quotas of a tenant; null: the stage's default."""

    jobs: NotRequired[int | None]
    dags: NotRequired[int | None]
    concurrent_runs: NotRequired[int | None]
    runs_per_day: NotRequired[int | None]
    requests_per_second: NotRequired[int | None]
    burst: NotRequired[int | None]


class RaisedAlarm(TypedDict):
    """An alarm that is on."""

    name: str
    meaning: str
    since: str


class RateLimitContract(TypedDict):
    """Limit of calls of a target: so many a second, a minute or an hour."""

    per_second: NotRequired[int | None]
    per_minute: NotRequired[int | None]
    per_hour: NotRequired[int | None]
    burst: NotRequired[int]
    key: NotRequired[str | None]
    key_from: NotRequired[str | None]


class RateLimited(TypedDict):
    """The last delay of an attempt by a rate limit."""

    key: str
    since: str
    until: str


class RateMember(TypedDict):
    """Every so many seconds of real time."""

    kind: Literal["rate"]
    every_seconds: int


class RateMemberInput(TypedDict):
    """Every so many seconds of real time."""

    kind: Literal["rate"]
    every_seconds: int | str


class RateSchedule(TypedDict):
    """Every so many seconds of real time."""

    kind: Literal["rate"]
    every_seconds: int
    starts_at: NotRequired[str | None]
    ends_at: NotRequired[str | None]
    max_runs: NotRequired[int | None]
    jitter_seconds: NotRequired[int]


class RateScheduleInput(TypedDict):
    """Every so many seconds of real time."""

    kind: Literal["rate"]
    every_seconds: int | str
    starts_at: NotRequired[str | None]
    ends_at: NotRequired[str | None]
    max_runs: NotRequired[int | None]
    jitter_seconds: NotRequired[int | str]


#: Reasons of an attempt's end that its state alone does not give.
Reason = Literal[
    "superseded",
    "paused",
    "missed_window",
    "max_runs",
    "late",
    "overlap",
    "expired",
    "excluded",
    "rolled",
    "no_business_day",
    "frozen",
    "condition",
    "quota",
    "collapsed",
    "chain_too_long",
    "job_cancelled",
    "cancel_requested",
    "replaced",
    "permanent",
    "retried",
    "retries_exhausted",
    "breaker_opened",
    "retry_window_closed",
    "kills_workers",
    "payload_lost",
    "at_most_once",
    "worker_died",
    "duration_exceeded",
    "slices_exhausted",
    "poison_message",
    "region_lost",
]


#: Fates of an event that was sent.
Receipt = Literal["new", "repeated", "conflict"]


class ReceivedHook(TypedDict):
    """Outcome of a message to a web hook."""

    event_id: str
    matched: bool
    replayed: bool
    run_id: str | None
    dag_run_id: str | None


class Recorded(TypedDict):
    """The worker's report is on record."""

    run_id: str


class Redrive(TypedDict):
    """Changes for a run that is tried again."""

    payload: NotRequired[Any]
    fresh: NotRequired[bool]
    note: NotRequired[str | None]


class RedriveFailed(TypedDict):
    """Failed runs to try again, each with the payload it had."""

    filter: FailureSelection
    fresh: NotRequired[bool]
    note: NotRequired[str | None]


class RedriveMany(TypedDict):
    """Runs to try again."""

    payload: NotRequired[Any]
    fresh: NotRequired[bool]
    note: NotRequired[str | None]
    filter: LetterSelection


class RefusedChange(TypedDict):
    """A change that would be answered with a conflict; it changes nothing."""

    at: str
    field: str
    code: str


class Reported(TypedDict):
    """Progress of an attempt, as its worker or target reports it."""

    percent: float | None
    message: str | None
    at: str


#: Treatment of instants whose run has ended.
Reprocess = Literal["none", "failed", "all"]


#: Tasks that run again together with a task.
RerunScope = Literal["task", "branch"]


class Reschedule(TypedDict):
    """Another instant for a run that has not begun."""

    at: NotRequired[str | None]
    delay_seconds: NotRequired[float | str | None]


class RescheduleRuns(TypedDict):
    """Runs that have not begun, to be due at another instant."""

    at: NotRequired[str | None]
    delay_seconds: NotRequired[float | str | None]
    filter: PendingSelection
    spread_seconds: NotRequired[int | str]


class ReschedulingParameters(TypedDict):
    """Parameters of an operation that lets pending runs be due at another instant."""

    filter: PendingFilter
    at: str
    spread_seconds: int


class Resolution(TypedDict):
    """The settlement of a dead letter."""

    settled: Settled
    by: str
    at: str
    note: str | None
    operation_id: str | None
    job_version: int | None
    payload_corrected: bool
    fresh: bool


#: Durations of one attempt: ``short`` fits a small Lambda function, ``long`` a large one.
ResourceClass = Literal["short", "long"]


#: Kinds of things that callers change.
ResourceKind = Literal[
    "job",
    "dag",
    "calendar",
    "freeze",
    "pool",
    "operation",
    "run",
    "dag_run",
    "event_trigger",
    "tenant",
    "notification_rule",
    "api_key",
]


class Result(TypedDict):
    """The target's answer to the last attempt."""

    run_id: str
    attempt: int
    state: RunState
    result: str | None
    size_bytes: int | None
    link: str | None
    link_expires_at: str | None


class RetryContract(TypedDict):
    """Number of attempts at a run, and the time between them."""

    max_attempts: NotRequired[int]
    backoff: NotRequired[Backoff]
    initial_delay_seconds: NotRequired[float]
    max_delay_seconds: NotRequired[float]
    jitter: NotRequired[bool]
    delays_seconds: NotRequired[list[float]]
    window_seconds: NotRequired[int | None]
    breaker: NotRequired[BreakerContract | None]
    retry_on: NotRequired[list[str]]
    give_up_on: NotRequired[list[str]]


class RetryContractInput(TypedDict):
    """Number of attempts at a run, and the time between them."""

    max_attempts: NotRequired[int]
    backoff: NotRequired[Backoff]
    initial_delay_seconds: NotRequired[float | str]
    max_delay_seconds: NotRequired[float | str]
    jitter: NotRequired[bool]
    delays_seconds: NotRequired[list[float | str]]
    window_seconds: NotRequired[int | str | None]
    breaker: NotRequired[BreakerContractInput | None]
    retry_on: NotRequired[list[str]]
    give_up_on: NotRequired[list[str]]


#: A part that a person has, as her issuer gives it; several add up.
Role = Literal["viewer", "operator", "editor", "admin"]


#: To which business day an instant moves.
Roll = Literal["next", "previous", "nearest", "modified_following"]


class RruleMember(TypedDict):
    """Every time of a recurrence rule (RFC 5545) on the wall clock of a time zone."""

    timezone: NotRequired[str]
    dst: NotRequired[DstPolicy | None]
    gap: NotRequired[GapPolicy]
    fold: NotRequired[FoldPolicy]
    kind: Literal["rrule"]
    rrule: str
    exdates: NotRequired[list[str]]
    rdates: NotRequired[list[str]]


class RuleAbsence(TypedDict):
    """A span without success that is told of."""

    for_seconds: int | None
    at: str | None
    timezone: str
    weekdays: list[Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]]


class RuleBody(TypedDict):
    """A notification rule: of which jobs whom it tells what."""

    description: NotRequired[str]
    tags: NotRequired[dict[str, str]]
    enabled: NotRequired[bool]
    jobs: NotRequired[SelectionContract]
    when: WhenContract
    channels: list[AnyChannel]
    quiet_hours: NotRequired[QuietHoursContract | None]


class RuleConditions(TypedDict):
    """Conditions of a rule."""

    failures_in_a_row: int | None
    dead_letter: bool
    quota_refused: bool
    late_after_seconds: int | None
    absent: RuleAbsence | None
    recovered: bool


class RuleList(TypedDict):
    """Notification rules of a tenant, by name."""

    damaged: NotRequired[DamagedRecords]
    items: list[NotificationRule]
    next_cursor: str | None


class RuleMessage(TypedDict):
    """A message of a rule to one channel, of one or more events; a run of its own."""

    attempt: int
    state: RunState
    due_at: str
    started_at: str | None
    ended_at: str | None
    error: RunFailure | None
    reason: Reason | None
    explanation: str
    notification_id: str
    told_at: str
    channel: ToldChannel | None
    message: Any


class RuleMessageList(TypedDict):
    """Messages of a rule, the last one first."""

    damaged: NotRequired[DamagedRecords]
    items: list[RuleMessage]
    next_cursor: str | None
    held: HeldRuleEvents


class RuleTest(TypedDict):
    """Test messages of a rule, one to each channel."""

    messages: list[RuleMessage]


class RuleValidation(TypedDict):
    """The outcome that putting a notification rule would have."""

    valid: bool
    definition: DefinedRule
    errors: list[FieldProblem]


class RunDeadline(TypedDict):
    """By when a run is to have ended, and how it stands to that."""

    at: str
    outlook: FinishOutlook
    usual_duration_ms: int | None
    expected_at: str | None
    margin_ms: int | None


class RunEntry(TypedDict):
    """An instant that became a run, as its last attempt shows it."""

    kind: Literal["run"]
    instant: str
    state: RunState
    reason: Reason | None
    run_id: str
    attempt: int
    finish_by: RunDeadline | None
    explanation: str


class RunFailure(TypedDict):
    """The error of an attempt."""

    code: str
    type: str
    message: str


#: Listings of a tenant's runs.
RunListing = Literal["failures", "all"]


#: Ends of a run that has begun.
RunOutcome = Literal["succeeded", "failed", "dead_lettered"]


class RunPage(TypedDict):
    """Runs of a job, latest instant first."""

    items: list[RunRow]
    damaged: DamagedRuns
    next_cursor: str | None


#: State of an attempt: waiting, queued, running, or one of its ends.
RunState = Literal[
    "waiting",
    "queued",
    "running",
    "succeeded",
    "failed",
    "timed_out",
    "cancelled",
    "skipped",
    "dead_lettered",
]


#: A job or several, a range of time, and what goes wrong or is changed meanwhile.
ScenarioContract = TypedDict(
    "ScenarioContract",
    {
        "schedule": "NotRequired[AnyScheduleInput | None]",
        "job_id": "NotRequired[str | None]",
        "created_at": "NotRequired[str | None]",
        "anchored_at": "NotRequired[str | None]",
        "catch_up": "NotRequired[CatchUpContractInput | None]",
        "overlap": "NotRequired[OverlapContract | None]",
        "start_within_seconds": "NotRequired[int | str | None]",
        "finish_by": "NotRequired[FinishByContractInput | None]",
        "precision": "NotRequired[Precision | None]",
        "calendar_rules": "NotRequired[list[CalendarRuleContract]]",
        "tags": "NotRequired[dict[str, str]]",
        "pauses": "NotRequired[list[PauseContract]]",
        "edits": "NotRequired[list[EditContract]]",
        "cancelled_at": "NotRequired[str | None]",
        "triggers": "NotRequired[list[str | SimulatedTriggerContract]]",
        "collapse": "NotRequired[CollapseContractInput | None]",
        "run_seconds": "NotRequired[float | str | list[float | str]]",
        "outcomes": "NotRequired[RunOutcome | list[RunOutcome]]",
        "late_after_seconds": "NotRequired[int | str | None]",
        "absent_after_seconds": "NotRequired[int | str | None]",
        "pause_after_failures": "NotRequired[int | None]",
        "resumes": "NotRequired[list[str]]",
        "told_on": "NotRequired[list[Occasion] | None]",
        "payload": "NotRequired[Any]",
        "payload_schema": "NotRequired[dict[str, Any] | None]",
        "expect": "NotRequired[ExpectationContract | None]",
        "from": "str",
        "to": "str",
        "jobs": "NotRequired[list[NamedJobContract] | None]",
        "calendars": "NotRequired[dict[str, SimulatedCalendarContract]]",
        "freezes": "NotRequired[list[SimulatedFreezeContract] | None]",
        "rules": "NotRequired[dict[str, SimulatedRuleContract] | None]",
        "events": "NotRequired[list[SimulatedEventContract]]",
        "event_triggers": "NotRequired[dict[str, SimulatedEventTriggerContract]]",
        "waits": "NotRequired[dict[str, SimulatedWaitContract]]",
        "planner": "NotRequired[PlannerContract]",
        "executor": "NotRequired[ExecutorContract]",
    },
)


#: Kinds of schedules.
ScheduleKind = Literal["immediate", "at", "delay", "cron", "rate", "rrule", "union", "manual"]


class SealedMonth(TypedDict):
    """A sealed month, and a page of the files that verifying it takes."""

    month: str
    archived_until: str
    sha256: str
    previous: str | None
    rows: int
    urls_expire_at: str
    items: list[ExportedFile]
    next_cursor: str | None


class SealedMonthList(TypedDict):
    """Sealed months, the latest first."""

    items: list[SealedMonthRow]
    next_cursor: str | None


class SealedMonthRow(TypedDict):
    """A sealed month."""

    month: str


class SecretContract(TypedDict):
    """Place of a secret: its ARN in Secrets Manager, or its name or ARN in Parameter Store."""

    secret_arn: NotRequired[str | None]
    ssm_parameter: NotRequired[str | None]
    json_key: NotRequired[str | None]


class SecretPlace(TypedDict):
    """Place of a secret."""

    secret_arn: str | None
    ssm_parameter: str | None
    json_key: str | None


class Selection(TypedDict):
    """The jobs of a bulk change; nothing but nulls: every job."""

    tags: dict[str, str]
    status: JobStatus | None
    kind: ScheduleKind | None
    priority: Priority | None
    name: str | None


class SelectionContract(TypedDict):
    """Jobs of a rule: those that have all of this; every job if nothing is given."""

    job_id: NotRequired[str | None]
    name: NotRequired[str | None]
    tags: NotRequired[dict[str, str]]


class SentEvent(TypedDict):
    """An event of a request, and everything that it met."""

    index: int
    status: int
    id: str | None
    source: str | None
    receipt: Receipt | None
    met: list[MetByEvent]
    error: EventProblem | None


class SentEvents(TypedDict):
    """Events of a request, in order."""

    items: list[SentEvent]
    received: int
    repeated: int
    failed: int


#: Ways to settle a dead letter.
Settled = Literal["redriven", "discarded"]


class ShardHealth(TypedDict):
    """Progress in one shard."""

    shard: int
    planner_lag_seconds: int | None
    sweeper_lag_seconds: int | None
    audited_at: str | None


class ShardsHealth(TypedDict):
    """Progress over all shards."""

    open: int
    in_use: int
    planner_lag_seconds: int | None
    sweeper_lag_seconds: int | None
    behind: int
    worst: list[ShardHealth]


class SimulatedEventContract(TypedDict):
    """An event that is received, as often as it comes."""

    at: str
    type: str
    id: NotRequired[str | None]
    source: NotRequired[str]
    subject: NotRequired[str | None]
    correlationid: NotRequired[str | None]
    data: NotRequired[Any]
    times: NotRequired[int]
    every_seconds: NotRequired[float | str | None]


class SimulatedEventRow(TypedDict):
    """An event, and everything that it meets."""

    at: str
    id: str
    source: str
    type: str
    met: list[SimulatedMeeting]


class SimulatedEventTriggerContract(TypedDict):
    """A pattern over the scenario's events, and what a matching event starts."""

    pattern: NotRequired[dict[str, Any]]
    starts: SimulatedStartsJob | StartsDagRunContract


#: A span in which nothing of its scope starts.
SimulatedFreezeContract = TypedDict(
    "SimulatedFreezeContract",
    {
        "scope": "TenantScope | TagScope | SimulatedJobScope",
        "from": "str",
        "to": "str",
        "thaw": "NotRequired[ThawPolicy]",
        "created_at": "NotRequired[str | None]",
        "lifted_at": "NotRequired[str | None]",
    },
)


class SimulatedGap(TypedDict):
    """Instants that would become no runs, all for one reason."""

    job: str | None
    type: Literal["gap"]
    first: str
    last: str
    count: int
    state: Literal["skipped", "cancelled"]
    reason: Reason
    rolled_to: str | None
    job_version: int
    recorded_at: str


class SimulatedJobScope(TypedDict):
    """One of the scenario's jobs; the only one needs neither name nor id."""

    kind: Literal["job"]
    job: NotRequired[str | None]
    job_id: NotRequired[str | None]


class SimulatedMeeting(TypedDict):
    """An event trigger that an event meets."""

    name: str
    job: str | None
    scheduled_at: str | None
    code: str | None
    detail: str | None


class SimulatedNotice(TypedDict):
    """One thing that people would be told."""

    at: str
    job: str | None
    type: Occasion | StreakCondition | Literal["recovered"]
    rule: str | None
    scheduled_at: str | None
    since: str
    text: str


class SimulatedRuleContract(TypedDict):
    """A notification rule; its channels are none of a scenario's."""

    jobs: NotRequired[SelectionContract]
    when: WhenContract
    quiet_hours: NotRequired[QuietHoursContract | None]


class SimulatedRun(TypedDict):
    """An instant that would become a run."""

    job: str | None
    type: Literal["run"]
    scheduled_at: str
    state: RunState
    reason: Reason | None
    job_version: int
    planned_at: str
    due_at: str
    started_at: str | None
    ended_at: str | None
    lateness_ms: int | None
    duration_ms: int | None
    finish_by: SimulatedFinish | None
    trigger: SimulatedTriggerMark | None


class SimulatedStartsJob(TypedDict):
    """A matching event triggers a job of the scenario; the only one needs neither name nor id."""

    payload: NotRequired[Any]
    payload_patch: NotRequired[dict[str, Any] | None]
    type: Literal["job"]
    job: NotRequired[str | None]
    job_id: NotRequired[str | None]


class SimulatedTriggerContract(TypedDict):
    """The job is triggered, by a caller or an event."""

    at: str
    key: NotRequired[str | None]
    concurrency_key: NotRequired[str | None]
    times: NotRequired[int]
    every_seconds: NotRequired[float | str | None]
    payload: NotRequired[Any]


class SimulatedTriggerMark(TypedDict):
    """The trigger that a run comes of."""

    key: str | None
    collapsed_into: str | None


#: A task of a DAG that waits for an event.
SimulatedWaitContract = TypedDict(
    "SimulatedWaitContract",
    {
        "from": "NotRequired[str | None]",
        "to": "NotRequired[str | None]",
        "parameters": "NotRequired[dict[str, Any]]",
        "event": "AwaitedEventContractInput",
    },
)


#: SimulatedWaitRow.
SimulatedWaitRow = TypedDict(
    "SimulatedWaitRow",
    {
        "name": "str",
        "type": "str",
        "correlation": "str",
        "from": "str",
        "to": "str | None",
        "met_at": "str | None",
        "event": "str | None",
    },
)


class Simulation(TypedDict):
    """The outcome that every instant of the range would have."""

    rows: list[SimulatedRun | SimulatedGap]
    summary: SimulationSummary
    jobs: dict[str, SimulationSummary]
    notices: list[SimulatedNotice]
    events: list[SimulatedEventRow]
    waits: list[SimulatedWaitRow]
    unmet: list[UnmetExpectation]
    refused: list[RefusedChange]


class SimulationSummary(TypedDict):
    """Sums of the rows."""

    instants: int
    runs: int
    failed: int
    skipped: dict[str, int]
    cancelled: dict[str, int]
    undecided: int
    max_lateness_ms: int
    missed_deadlines: int
    will_be_late: int
    notices: dict[str, int]


class SlackChannelContract(TypedDict):
    """A channel of Slack, by the address of an incoming web hook, which is a secret."""

    type: Literal["slack"]
    url_secret: SecretContract


class SlackHookContract(TypedDict):
    """A channel of Slack, by the address of an incoming web hook, which is a secret."""

    type: Literal["slack"]
    url_secret: SecretContract
    on: list[Occasion]


class SlicesEnded(TypedDict):
    """The slices of a long run, those of earlier attempts included."""

    ended: int
    begun_at: str
    last_started_at: str
    last_ended_at: str


class SnsChannelContract(TypedDict):
    """An SNS topic on the stage's allow-list; mail and text messages of it are in words."""

    type: Literal["sns"]
    topic_arn: str


class SnsContract(TypedDict):
    """One message to an SNS topic on the stage's allow-list."""

    type: Literal["sns"]
    topic_arn: str
    subject: NotRequired[str | None]
    message_group_id: NotRequired[str | None]
    message_structure: NotRequired[Literal["json"] | None]


class SnsHookContract(TypedDict):
    """An SNS topic on the stage's allow-list; mail and text messages of it are in words."""

    type: Literal["sns"]
    topic_arn: str
    on: list[Occasion]


#: From an instant on, and without the other.
SpanContract = TypedDict("SpanContract", {"from": "str", "to": "str"})


#: Kinds of stretches of time.
SpanKind = Literal["queued", "running"]


class SparedTag(TypedDict):
    """A tag of jobs that a freeze of the stage does not hold back."""

    key: str
    value: NotRequired[str | None]


class SpreadAnswer(TypedDict):
    """Milliseconds of some runs; percentiles by nearest rank."""

    count: int
    p50: int
    p95: int
    max: int


class SqsContract(TypedDict):
    """One message to an SQS queue on the stage's allow-list."""

    type: Literal["sqs"]
    queue_url: str
    message_group_id: NotRequired[str | None]


class StageCost(TypedDict):
    """A page of tenants with their costs in a month, by name."""

    month: str
    metered_until: str | None
    items: list[TenantCost]
    next_cursor: str | None


class StageFreezePage(TypedDict):
    """Freezes of the whole stage, the last to start first."""

    damaged: NotRequired[DamagedRecords]
    items: list[StageFreeze]
    next_cursor: str | None


class StageOverview(TypedDict):
    """The stage within the last hour, by lane, and its alarms."""

    at: str
    spans: list[str]
    lanes: list[Lane]
    alarms: list[RaisedAlarm]


class StageScope(TypedDict):
    """Every job of every tenant, but for those that the stage spares."""

    kind: Literal["stage"]
    spared_tag: SparedTag | None


class StartsDagRun(TypedDict):
    """The DAG of which a matching event starts a run."""

    type: Literal["dag_run"]
    dag_id: str
    parameters: dict[str, Any]


class StartsDagRunContract(TypedDict):
    """The DAG of which a matching event starts a run."""

    type: Literal["dag_run"]
    dag_id: str
    parameters: NotRequired[dict[str, Any] | None]


class StartsJob(TypedDict):
    """The job that a matching event triggers."""

    type: Literal["job"]
    job_id: str
    payload: Any
    payload_patch: dict[str, Any] | None
    priority: Priority | None
    tags: dict[str, str]


class StartsJobContract(TypedDict):
    """The job that a matching event triggers."""

    payload: NotRequired[Any]
    payload_patch: NotRequired[dict[str, Any] | None]
    type: Literal["job"]
    job_id: str
    priority: NotRequired[Priority | None]
    tags: NotRequired[dict[str, str]]


class StepFunctionsContract(TypedDict):
    """An execution of a state machine on the stage's allow-list."""

    type: Literal["stepfunctions"]
    state_machine_arn: str
    mode: NotRequired[ExecutionMode]


class StoredRuns(TypedDict):
    """Runs that are stored already, a few minutes ahead."""

    adopted: int
    superseded: int


class StreakAnswer(TypedDict):
    """Runs in a row that succeeded or that failed; those that were skipped are passed over."""

    outcome: Literal["succeeded", "failed"]
    count: int
    since: str
    is_partial: bool


#: Conditions of a streak: what a job began to do, and has not stopped doing.
StreakCondition = Literal["failures", "dead_letter", "quota_refused", "late", "absent"]


class SuspendRequest(TypedDict):
    """Reason of a suspension, and the policy for the runs that it holds back."""

    reason: NotRequired[str]
    thaw: NotRequired[ThawPolicy]


class TagScope(TypedDict):
    """Every job with a tag."""

    kind: Literal["tag"]
    key: str
    value: NotRequired[str | None]


class TargetPlaceAnswer(TypedDict):
    """Region and account of a target."""

    region: str
    account: str


class TaskCompletion(TypedDict):
    """Reason to complete a task, and its result."""

    members: NotRequired[Literal["failed"] | list[int] | None]
    reason: NotRequired[str | None]
    result: NotRequired[Any]


class TaskContract(TypedDict):
    """A task: what it runs, and when."""

    key: str
    name: NotRequired[str]
    job: NotRequired[TaskJobContract | None]
    job_id: NotRequired[str | None]
    wait: NotRequired[WaitContract | None]
    trigger_rule: NotRequired[TriggerRuleContract]
    fan_out: NotRequired[FanOutContract | None]
    input: NotRequired[Any]
    priority: NotRequired[Priority | None]


class TaskContractInput(TypedDict):
    """A task: what it runs, and when."""

    key: str
    name: NotRequired[str]
    job: NotRequired[TaskJobContractInput | None]
    job_id: NotRequired[str | None]
    wait: NotRequired[WaitContractInput | None]
    trigger_rule: NotRequired[TriggerRuleContract]
    fan_out: NotRequired[FanOutContract | None]
    input: NotRequired[Any]
    priority: NotRequired[Priority | None]


class TaskDecision(TypedDict):
    """A person's decision about an approval."""

    decision: Literal["approve", "reject"]
    note: NotRequired[str | None]
    round: NotRequired[int | None]


class TaskJobContract(TypedDict):
    """The job of a task, in the words of a job."""

    action: AnyAction
    payload: NotRequired[Any]
    payload_marks: NotRequired[PayloadMarksContract | None]
    timeout_seconds: NotRequired[int]
    resource_class: NotRequired[ResourceClass]
    retry: NotRequired[RetryContract]
    delivery: NotRequired[DeliveryMode]
    long_run: NotRequired[LongRunContract | None]
    overlap: NotRequired[OverlapContract]


class TaskJobContractInput(TypedDict):
    """The job of a task, in the words of a job."""

    action: AnyActionInput
    payload: NotRequired[Any]
    payload_marks: NotRequired[PayloadMarksContract | None]
    timeout_seconds: NotRequired[int | str]
    resource_class: NotRequired[ResourceClass]
    retry: NotRequired[RetryContractInput]
    delivery: NotRequired[DeliveryMode]
    long_run: NotRequired[LongRunContractInput | None]
    overlap: NotRequired[OverlapContract]


#: Reasons of a task's end that its run does not give.
TaskReason = Literal[
    "upstream",
    "fail_fast",
    "dag_cancelled",
    "dag_timed_out",
    "invalid_input",
    "job_unavailable",
    "join_failed",
    "execution_failed",
    "forced",
    "approved",
    "rejected",
    "expired",
    "received",
    "signalled",
]


class TaskRerun(TypedDict):
    """Reason to run a task again, and its members."""

    members: NotRequired[Literal["failed"] | list[int] | None]
    reason: NotRequired[str | None]
    scope: NotRequired[RerunScope]


class TaskSignal(TypedDict):
    """Data of the event that a task waits for."""

    data: NotRequired[Any]
    note: NotRequired[str | None]


class TaskSkip(TypedDict):
    """Reason to skip a task."""

    members: NotRequired[Literal["failed"] | list[int] | None]
    reason: NotRequired[str | None]


#: States of a task of a DAG run.
TaskState = Literal[
    "pending",
    "running",
    "succeeded",
    "failed",
    "timed_out",
    "dead_lettered",
    "cancelled",
    "skipped",
]


class TeamsChannelContract(TypedDict):
    """A channel or chat of Teams, by the address of a workflow's web hook, which is a secret."""

    type: Literal["teams"]
    url_secret: SecretContract


class TeamsHookContract(TypedDict):
    """A channel or chat of Teams, by the address of a workflow's web hook, which is a secret."""

    type: Literal["teams"]
    url_secret: SecretContract
    on: list[Occasion]


class Tenant(TypedDict):
    """A tenant as the stage has it."""

    tenant: str
    display_name: str
    status: TenantStatus
    suspension: TenantSuspension | None
    quotas: QuotaNumbers
    effective_quotas: QuotaNumbers
    list_runs: ListRuns | None
    version: int
    created_at: str | None
    updated_at: str | None


class TenantBody(TypedDict):
    """All that can be set for a tenant; what is left out is as the stage has it."""

    display_name: NotRequired[str]
    quotas: NotRequired[QuotasContract]
    list_runs: NotRequired[ListRuns | None]


class TenantCost(TypedDict):
    """A tenant's costs in a month."""

    tenant: str
    whole: Costs
    one_shots: Costs
    dag_tasks: Costs


class TenantPage(TypedDict):
    """Tenants that something was set for, by name."""

    damaged: NotRequired[DamagedRecords]
    items: list[Tenant]
    next_cursor: str | None


class TenantPatch(TypedDict):
    """Changes of a tenant; a field or quota that is left out stays."""

    display_name: NotRequired[str]
    quotas: NotRequired[QuotasContract]
    list_runs: NotRequired[ListRuns | None]


class TenantRunPage(TypedDict):
    """Runs of all jobs: failures, the latest end first; all of them, the latest instant first."""

    items: list[NamedRun]
    next_cursor: str | None
    complete: bool
    left_out: str | None


class TenantScope(TypedDict):
    """Every job of the tenant."""

    kind: Literal["tenant"]


#: States of a tenant.
TenantStatus = Literal["active", "suspended", "erased"]


class TenantSuspension(TypedDict):
    """The suspension of a tenant: none of its runs starts."""

    since: str
    reason: str
    freeze_id: str


#: Instants that run after the end of the freeze that held them back.
ThawPolicy = Literal["skip", "latest", "all", "job"]


class Timeline(TypedDict):
    """Instants of an attempt, in the order in which they pass; null until then."""

    planned_at: str
    published_at: str | None
    received_at: str | None
    claimed_at: str | None
    started_at: str | None
    ended_at: str | None


class ToldChannel(TypedDict):
    """A channel that is told something."""

    type: Literal["webhook", "sns", "slack", "teams", "eventbridge"]
    address: str


class TriedEvent(TypedDict):
    """The result of trying an event."""

    matches: bool
    data: Any


class TriggerItem(TypedDict):
    """The outcome of one trigger of many: the run, or its refusal."""

    index: int
    status: int
    run_id: str | None
    collapsed_into: str | None
    error: TriggerProblem | None


#: Numbers of incoming edges that must be satisfied.
TriggerKind = Literal["all", "any", "at_least"]


class TriggerProblem(TypedDict):
    """The refusal of one trigger of many."""

    code: str
    detail: str
    errors: list[FieldProblem]


class TriggerRequest(TypedDict):
    """Settings of one run, instead of or beside those of its job; an absent one leaves it to it."""

    payload: NotRequired[Any]
    payload_patch: NotRequired[dict[str, Any] | None]
    at: NotRequired[str | None]
    delay_seconds: NotRequired[float | str | None]
    priority: NotRequired[Priority | None]
    tags: NotRequired[dict[str, str]]
    expires_after_seconds: NotRequired[float | str | None]
    collapse: NotRequired[CollapseContractInput | None]
    collapse_key: NotRequired[str | None]
    concurrency_key: NotRequired[str | None]
    like_run_id: NotRequired[str | None]


class TriggerRuleContract(TypedDict):
    """The number of a task's incoming edges that must be satisfied."""

    kind: NotRequired[TriggerKind]
    count: NotRequired[int | None]


class Triggered(TypedDict):
    """A run that was triggered."""

    run_id: str
    job_id: str
    by_attempt: int
    state: RunState
    reason: Reason | None


class TriggeredBy(TypedDict):
    """The run whose end triggered another one."""

    run_id: str
    job_id: str
    attempt: int
    state: RunState
    depth: int


class TriggeredMany(TypedDict):
    """The outcome of each trigger, in the order of the request."""

    items: list[TriggerItem]
    triggered: int
    replayed: int
    failed: int


class UnionSchedule(TypedDict):
    """Every instant of several recurring schedules; each instant runs once."""

    starts_at: NotRequired[str | None]
    ends_at: NotRequired[str | None]
    max_runs: NotRequired[int | None]
    jitter_seconds: NotRequired[int]
    kind: Literal["union"]
    any_of: list[CronMember | RateMember | RruleMember]


class UnionScheduleInput(TypedDict):
    """Every instant of several recurring schedules; each instant runs once."""

    starts_at: NotRequired[str | None]
    ends_at: NotRequired[str | None]
    max_runs: NotRequired[int | None]
    jitter_seconds: NotRequired[int | str]
    kind: Literal["union"]
    any_of: list[CronMember | RateMemberInput | RruleMember]


class UnmetExpectation(TypedDict):
    """A number of the summary that is not as expect says."""

    job: str | None
    field: str
    expected: int
    actual: int


class UsageAnswer(TypedDict):
    """A tenant's use of its quotas, counted exactly."""

    jobs: int
    dags: int
    runs_per_day: int | None


class UsdRange(TypedDict):
    """US dollars, by list price."""

    low: float
    high: float


#: Outcome of an instant, past or to come.
Verdict = Literal[
    "run",
    "gap",
    "damaged",
    "planned",
    "paused",
    "frozen",
    "excluded",
    "unrecorded",
    "not_named",
    "before_job",
    "ended",
]


#: End of a web hook's run.
Wait = Literal["answer", "callback"]


class WaitContract(TypedDict):
    """A wait instead of a job: a sleep, an approval by a person, or an event."""

    kind: WaitKind
    seconds: NotRequired[int | None]
    until: NotRequired[str | None]
    time: NotRequired[str | None]
    timezone: NotRequired[str | None]
    on_expiry: NotRequired[Expiry]
    approvers: NotRequired[list[str]]
    link_secret: NotRequired[SecretContract | None]
    event: NotRequired[AwaitedEventContract | None]
    default: NotRequired[Any]


class WaitContractInput(TypedDict):
    """A wait instead of a job: a sleep, an approval by a person, or an event."""

    kind: WaitKind
    seconds: NotRequired[int | str | None]
    until: NotRequired[str | None]
    time: NotRequired[str | None]
    timezone: NotRequired[str | None]
    on_expiry: NotRequired[Expiry]
    approvers: NotRequired[list[str]]
    link_secret: NotRequired[SecretContract | None]
    event: NotRequired[AwaitedEventContractInput | None]
    default: NotRequired[Any]


#: Kinds of wait tasks.
WaitKind = Literal["sleep", "approval", "event"]


class WaitingApproval(TypedDict):
    """A task that waits for a person."""

    dag_run_id: str
    dag_id: str
    dag_name: str | None
    task_key: str
    round: int
    since: str
    until: str


class WaitingRuns(TypedDict):
    """Runs that may be claimed now."""

    count: int
    is_partial: bool
    oldest_at: str | None


#: Causes for which an operation makes no step.
WaitsFor = Literal["runs", "job", "tenant"]


class WebhookChannelContract(TypedDict):
    """A web hook: it gets the document by ``POST``."""

    type: NotRequired[Literal["webhook"]]
    url: str
    signing_secret: NotRequired[SecretContract | None]


class WebhookContract(TypedDict):
    """An HTTP request; redirects are not followed."""

    type: Literal["webhook"]
    url: str
    method: NotRequired[Literal["GET", "POST", "PUT", "PATCH", "DELETE"]]
    headers: NotRequired[dict[str, str]]
    secret_headers: NotRequired[dict[str, SecretContract]]
    signing_secret: NotRequired[SecretContract | None]
    success_statuses: NotRequired[list[int]]
    wait: NotRequired[Wait]
    heartbeat_seconds: NotRequired[int | None]


class WebhookContractInput(TypedDict):
    """An HTTP request; redirects are not followed."""

    type: Literal["webhook"]
    url: str
    method: NotRequired[Literal["GET", "POST", "PUT", "PATCH", "DELETE"]]
    headers: NotRequired[dict[str, str]]
    secret_headers: NotRequired[dict[str, SecretContract]]
    signing_secret: NotRequired[SecretContract | None]
    success_statuses: NotRequired[list[int]]
    wait: NotRequired[Wait]
    heartbeat_seconds: NotRequired[int | str | None]


class WebhookHookContract(TypedDict):
    """A web hook: it gets the document by ``POST``."""

    type: NotRequired[Literal["webhook"]]
    url: str
    signing_secret: NotRequired[SecretContract | None]
    on: list[Occasion]


class WhenContract(TypedDict):
    """Conditions of a rule; one that is not given is not told of."""

    failures_in_a_row: NotRequired[int | None]
    dead_letter: NotRequired[bool]
    quota_refused: NotRequired[bool]
    late_after_seconds: NotRequired[int | str | None]
    absent: NotRequired[AbsenceContract | None]
    recovered: NotRequired[bool]


class Window(TypedDict):
    """The same hours of several days, on the calendar's clock."""

    weekdays: list[Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]]
    opens: str
    closes: str


class WindowContract(TypedDict):
    """The same hours of several days, on the calendar's clock."""

    weekdays: NotRequired[list[Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]]]
    opens: str
    closes: str


class WorkerContract(TypedDict):
    """An offer in a worker pool: a program outside claims the run and says how it ended."""

    type: Literal["worker"]
    pool: str
    handler: str


class Calendar(DefinedCalendar):
    """A calendar: all the time that any of its entries covers."""

    name: str
    version: int
    updated_at: str
    entries: int


class CostReport(TenantCost):
    """A tenant's costs in a month, and its dearest jobs."""

    month: str
    metered_until: str | None
    jobs: list[JobCost]
    other_jobs: int
    is_complete: bool


class CronSchedule(CronMember):
    """Every time when the wall clock of a time zone matches a pattern."""

    starts_at: NotRequired[str | None]
    ends_at: NotRequired[str | None]
    max_runs: NotRequired[int | None]
    jitter_seconds: NotRequired[int]


class CronScheduleInput(CronMember):
    """Every time when the wall clock of a time zone matches a pattern."""

    starts_at: NotRequired[str | None]
    ends_at: NotRequired[str | None]
    max_runs: NotRequired[int | None]
    jitter_seconds: NotRequired[int | str]


class Dag(DefinedDag):
    """A version of a DAG."""

    dag_id: str
    version: int
    status: DagStatus
    created_at: str
    updated_at: str
    task_count: int
    edge_count: int
    job_id: str | None


class DagRun(DagRunRow):
    """A run of a DAG, with its tasks."""

    parameters: dict[str, Any] | None
    tasks: list[DagRunTask]


class DagRunWithTask(DagRunRow):
    """A run of a DAG, and the task of it that an operator changed."""

    task: DagRunTask


class ExplainedRun(RunEntry):
    """An instant that became a run, and the way of its last attempt to a worker."""

    due_at: str
    timeline: Timeline


class Job(DefinedJob):
    """A job as it stands."""

    job_id: str
    version: int
    status: JobStatus
    created_at: str
    updated_at: str
    next_run_at: str | None
    next_unplanned_at: str | None
    auto_pause: AutoPause | None
    pause_reason: str | None
    payload_size_bytes: int
    advice: list[AdviceAnswer] | None


class JobCost(Costs):
    """The numbers of a job, or of a rule's messages."""

    job_id: str
    name: str | None


class MadeApiKey(ApiKey):
    """An API key as it is shown once."""

    api_key: str | None


class NewJob(TaskJobContractInput):
    """A job to create."""

    name: str
    key: NotRequired[str | None]
    schedule: AnyScheduleInput
    payload_schema: NotRequired[dict[str, Any] | None]
    description: NotRequired[str]
    priority: NotRequired[Priority]
    precision: NotRequired[Precision]
    catch_up: NotRequired[CatchUpContractInput]
    collapse: NotRequired[CollapseContractInput | None]
    notifications: NotRequired[list[AnyNotification]]
    late_after_seconds: NotRequired[int | str | None]
    absent_after_seconds: NotRequired[int | str | None]
    finish_by: NotRequired[FinishByContractInput | None]
    then: NotRequired[list[FollowUpContract]]
    rate_limit: NotRequired[RateLimitContract | None]
    before: NotRequired[ConditionContractInput | None]
    pause_after_failures: NotRequired[int | None]
    calendars: NotRequired[list[CalendarRuleContract]]
    start_within_seconds: NotRequired[int | str | None]
    tags: NotRequired[dict[str, str]]
    list_runs: NotRequired[ListRuns | None]
    metadata: NotRequired[dict[str, str]]


class NotificationRule(DefinedRule):
    """A notification rule."""

    name: str
    version: int
    created_at: str
    updated_at: str


class OwnTenant(Tenant):
    """A tenant as it sees itself."""

    usage: UsageAnswer
    target_regions: list[str]
    caller: str
    person: PersonAnswer | None
    scopes: list[str]


class RruleSchedule(RruleMember):
    """Every time of a recurrence rule (RFC 5545) on the wall clock of a time zone."""

    starts_at: NotRequired[str | None]
    ends_at: NotRequired[str | None]
    max_runs: NotRequired[int | None]
    jitter_seconds: NotRequired[int]


class RruleScheduleInput(RruleMember):
    """Every time of a recurrence rule (RFC 5545) on the wall clock of a time zone."""

    starts_at: NotRequired[str | None]
    ends_at: NotRequired[str | None]
    max_runs: NotRequired[int | None]
    jitter_seconds: NotRequired[int | str]


class RunRow(EndedRun):
    """A run, with the progress of its last attempt."""

    attempt: int
    due_at: str
    rescheduled_from: str | None
    rate_limited: RateLimited | None
    lateness_ms: int | None
    duration_ms: int | None
    error: RunFailure | None
    reason: Reason | None
    explanation: str
    cancel_requested: bool
    replaced_by: str | None
    dag_run_id: str | None
    finish_by: RunDeadline | None
    progress: Reported | None
    checkpoint: CheckpointMark | None
    slices: SlicesEnded | None
    trace_id: str
    job_id: str
    origin: Literal["schedule", "trigger", "notification", "follow_up", "task"]
    priority: Priority
    tags: dict[str, str]
    expires_at: str | None
    concurrency_key: str | None
    operation_id: str | None
    triggered_by: TriggeredBy | None
    matched_event: MatchedEvent | None
    collapse: CollapsedTriggers | None


class SimulatedCalendarContract(CalendarBody):
    """A calendar, and what becomes of it."""

    edits: NotRequired[list[CalendarEditContract]]


class SimulatedFinish(RunDeadline):
    """The deadline of a run, and how the run stands to it."""

    will_be_late: bool


class StageFreeze(Freeze):
    """A span of time in which nothing of any tenant starts, but for what is spared."""

    spared_tenants: list[str]


class DeadLetterRow(RunRow):
    """A run that was given up, with the progress of its last attempt."""

    job_version: int
    worker: str | None
    payload_corrected: bool


class KeyedJob(NewJob):
    """A job to create, and the key under which it is recognised."""

    idempotency_key: NotRequired[str | None]


class NamedRun(RunRow):
    """A run of a tenant, with the progress of its last attempt."""

    job_name: str | None


class Run(RunRow):
    """A run with every attempt at it."""

    payload_from: Literal["job", "run"]
    payload: Any
    payload_size_bytes: int | None
    duplicates_prevented: int
    attempts: list[Attempt]
    triggered: list[Triggered]
    message: Any


class DeadLetter(DeadLetterRow):
    """A run that was given up, and everything that is known of it."""

    attempts: list[Attempt]
    payload: Any
    job: Job
    job_now: JobNow


#: A dry run's answer, or the operation of a replay.
BackfillAnswer = Operation | BackfillPreview


#: One of several kinds.
AnySchedule = (
    ImmediateSchedule
    | AtSchedule
    | DelaySchedule
    | CronSchedule
    | RateSchedule
    | RruleSchedule
    | UnionSchedule
    | ManualSchedule
)


#: One of several kinds.
AnyNotification = (
    WebhookHookContract
    | SnsHookContract
    | SlackHookContract
    | TeamsHookContract
    | EventBridgeHookContract
)


#: One of several kinds.
AnyScheduleInput = (
    ImmediateSchedule
    | AtSchedule
    | DelayScheduleInput
    | CronScheduleInput
    | RateScheduleInput
    | RruleScheduleInput
    | UnionScheduleInput
    | ManualSchedule
)


#: One of several kinds.
AnyAction = (
    WebhookContract
    | LambdaContract
    | SqsContract
    | SnsContract
    | EventBridgeContract
    | StepFunctionsContract
    | EcsContract
    | WorkerContract
    | DagContract
)


#: One of several kinds.
AnyChannel = (
    WebhookChannelContract
    | SnsChannelContract
    | SlackChannelContract
    | TeamsChannelContract
    | EventBridgeChannelContract
)


#: One of several kinds.
AnyScope = TenantScope | TagScope | JobScope | StageScope


#: One of several kinds.
AnyActionInput = (
    WebhookContractInput
    | LambdaContractInput
    | SqsContract
    | SnsContract
    | EventBridgeContract
    | StepFunctionsContract
    | EcsContract
    | WorkerContract
    | DagContract
)
