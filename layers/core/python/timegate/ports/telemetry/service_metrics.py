"""Metrics of planning, sweeping, DAG runs, operations, audits and requests."""

from timegate.ports.telemetry.telemetry import (
    API,
    ARCHIVER,
    AUDITOR,
    CLOUD_EVENTS,
    DAG_RUNS,
    DEAD_LETTER,
    EXECUTOR,
    OPERATIONS,
    OUTCOMES,
    PLANNER,
    RELAY,
    SWEEPER,
    WORKERS,
    CounterMetric,
    DurationMetric,
)

# Planning
JOBS_PLANNED = CounterMetric(
    "JobsPlanned", "Jobs whose next runs were created.", API, PLANNER, OPERATIONS, OUTCOMES
)
RUNS_PLANNED = CounterMetric(
    "RunsPlanned", "Runs created ahead of their due time.", API, PLANNER, OPERATIONS, OUTCOMES
)
JOBS_BEYOND_SHARE = CounterMetric(
    "JobsBeyondShare",
    "Jobs beyond their tenant's fair share of a planner tick, planned last.",
    PLANNER,
)
INSTANTS_MISSED = CounterMetric(
    "InstantsMissed", "Instants older than the catch-up window, skipped.", PLANNER, OUTCOMES
)
INSTANTS_FROZEN = CounterMetric(
    "InstantsFrozen", "Instants skipped because a freeze covers them.", PLANNER, OUTCOMES
)
INSTANTS_EXCLUDED = CounterMetric(
    "InstantsExcluded",
    "Instants that a calendar of the job excludes.",
    *(API, PLANNER, OPERATIONS, OUTCOMES),
)
SHARDS_LEFT = CounterMetric(
    "ShardsLeft", "Shards left to the next tick for lack of time.", PLANNER, SWEEPER, AUDITOR
)
PLANNER_TICK_AGE_MS = DurationMetric(
    "PlannerTickAgeMs", "Age of the oldest minute that a shard had left to plan.", PLANNER
)

# Regions
REGION_RENEWALS_FAILED = CounterMetric(
    "RegionRenewalsFailed",
    "Tries of the active region to have its time renewed that failed.",
    PLANNER,
)

# Sweeping
LOOKS = CounterMetric("Looks", "Looks at shards between two ticks.", SWEEPER)
LOOKS_NOT_SENT = CounterMetric("LooksNotSent", "Looks that SQS did not take.", SWEEPER)
LOOKS_REJECTED = CounterMetric("LooksRejected", "Looks that cannot be read, dropped.", SWEEPER)
LOOKS_STALE = CounterMetric("LooksStale", "Looks that arrived too late, dropped.", SWEEPER)
WATCH_OVERDUE = CounterMetric(
    "WatchOverdue",
    "Overdue runs that a sweep met: their worker, message or follow-up is missing.",
    SWEEPER,
)
ENDS_SHOWN_AGAIN = CounterMetric(
    "EndsShownAgain",
    "Ends of runs written again for the stream, because outcomes had not processed them.",
    SWEEPER,
)
STREAM_UNREAD_MS = DurationMetric(
    "StreamUnreadMs",
    "Time since a run was due without a message or a lease, or ended without what follows.",
    SWEEPER,
)
MESSAGES_REJECTED = CounterMetric(
    "MessagesRejected",
    "Messages and stream records that cannot be read, parked.",
    *(RELAY, OUTCOMES, OPERATIONS, EXECUTOR, DEAD_LETTER, CLOUD_EVENTS),
)
RECORDS_UNREADABLE = CounterMetric(
    "RecordsUnreadable",
    "Stored records that cannot be read, put off or left to an operator.",
    *(API, WORKERS, PLANNER, SWEEPER, AUDITOR, OPERATIONS, EXECUTOR, DEAD_LETTER),
)

# Operations and dead letters
RUNS_BACKFILLED = CounterMetric("RunsBackfilled", "Runs created by backfills.", OPERATIONS)
RUNS_REDRIVEN = CounterMetric("RunsRedriven", "Dead letters run again.", API, OPERATIONS)
DEAD_LETTERS_DISCARDED = CounterMetric(
    "DeadLettersDiscarded", "Dead letters discarded.", API, OPERATIONS
)
OPERATION_ITEMS_DONE = CounterMetric(
    "OperationItemsDone", "Items that bulk operations changed.", OPERATIONS
)
OPERATION_ITEMS_FAILED = CounterMetric(
    "OperationItemsFailed", "Items that bulk operations could not change.", OPERATIONS
)
OPERATIONS_STALLED = CounterMetric(
    "OperationsStalled", "Operations that made no progress until the sweeper woke them.", SWEEPER
)

# Notification rules
RULE_LOOKS_DUE = CounterMetric(
    "RuleLooksDue", "Tenants whose notification rules were due.", SWEEPER
)
RULE_EVENTS = CounterMetric(
    "RuleEvents", "Events of notification rules, told or held back.", OPERATIONS
)

# DAG runs
DAG_RUNS_SUCCEEDED = CounterMetric(
    "DagRunsSucceeded", "DAG runs that succeeded.", DAG_RUNS, EXECUTOR, OUTCOMES
)
DAG_RUNS_FAILED = CounterMetric(
    "DagRunsFailed", "DAG runs that failed or exceeded their time.", DAG_RUNS, EXECUTOR, OUTCOMES
)
DAG_RUNS_CANCELLED = CounterMetric(
    "DagRunsCancelled", "DAG runs that were cancelled.", DAG_RUNS, EXECUTOR, OUTCOMES
)
DAG_RUN_MS = DurationMetric(
    "DagRunMs", "Time from the creation of a DAG run to its end.", DAG_RUNS, EXECUTOR, OUTCOMES
)
TASKS_STARTED = CounterMetric(
    "TasksStarted", "Tasks of DAG runs that were started.", DAG_RUNS, EXECUTOR, OUTCOMES
)
TASKS_ENDED = CounterMetric(
    "TasksEnded", "Tasks of DAG runs that ended.", DAG_RUNS, EXECUTOR, OUTCOMES
)
TASKS_INTERVENED = CounterMetric("TasksIntervened", "Tasks of DAG runs changed by a caller.", API)
EVENTS_RECEIVED = CounterMetric("EventsReceived", "Events that tenants sent.", API)
EVENT_TRIGGERS_FIRED = CounterMetric(
    "EventTriggersFired", "Runs that events started by a trigger.", API
)
EVENTS_NOT_STARTED = CounterMetric("EventsNotStarted", "Events that started no DAG run.", DAG_RUNS)

# Auditing
INSTANTS_AUDITED = CounterMetric(
    "InstantsAudited", "Instants compared with their records.", AUDITOR
)
INSTANTS_UNACCOUNTED = CounterMetric(
    "InstantsUnaccounted", "Expected instants that have no record.", AUDITOR
)
RECORDS_LOST = CounterMetric(
    "RecordsLost", "Records that a job's ledger should hold and does not.", AUDITOR
)
AUDITS_PUT_OFF = CounterMetric(
    "AuditsPutOff", "Jobs due for an audit that a tick had no time for.", AUDITOR
)
QUOTA_DRIFT = CounterMetric(
    "QuotaDrift", "Difference between a tenant's counted and present jobs or DAGs.", AUDITOR
)
RECOUNTS_INCONCLUSIVE = CounterMetric(
    "RecountsInconclusive",
    "Recounts of quotas given up, because records changed meanwhile.",
    AUDITOR,
)
HEARTBEATS_FAILED = CounterMetric(
    "HeartbeatsFailed", "Calls of the operator's address after good ticks that failed.", AUDITOR
)
METER_FAILURES = CounterMetric(
    "MeterFailures",
    "Ticks whose count of costs failed for another reason than throttling.",
    AUDITOR,
)
AUDIT_DELAY_MS = DurationMetric("AuditDelayMs", "Age of the oldest audit that is overdue.", AUDITOR)
AUDIT_ROUND_MS = DurationMetric("AuditRoundMs", "Age of the auditor's round of the table.", AUDITOR)

# Archiving
ARCHIVE_AGE_MS = DurationMetric(
    "ArchiveAgeMs", "Age of the oldest day that is not archived.", ARCHIVER
)

# Requests
REQUESTS_REFUSED = CounterMetric(
    "RequestsRefused", "Requests answered with a client error.", API, WORKERS
)
REQUESTS_OVER_RATE = CounterMetric(
    "RequestsOverRate", "Requests refused by a tenant's request rate.", API, WORKERS
)
API_MS = DurationMetric("ApiMs", "Time to answer one request.", API, WORKERS)

# Events for subscribers, where the stage has a bus of them
CLOUD_EVENTS_QUEUED = CounterMetric(
    "CloudEventsQueued", "Events kept in their queue, to be sent.", OUTCOMES, CLOUD_EVENTS
)
CLOUD_EVENTS_LEFT_OUT = CounterMetric(
    "CloudEventsLeftOut",
    "Events that the stage's sampling leaves out.",
    *(OUTCOMES, CLOUD_EVENTS),
)
CLOUD_EVENTS_NOT_QUEUED = CounterMetric(
    "CloudEventsNotQueued",
    "Events that their queue did not take; the log has them whole.",
    OUTCOMES,
)
CLOUD_EVENTS_SENT = CounterMetric("CloudEventsSent", "Events that the bus took.", CLOUD_EVENTS)
CLOUD_EVENTS_NOT_SENT = CounterMetric(
    "CloudEventsNotSent",
    "Events that the bus did not take; they stay queued and are sent again.",
    CLOUD_EVENTS,
)
