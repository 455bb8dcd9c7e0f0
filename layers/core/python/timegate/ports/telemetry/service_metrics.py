"""Metrics of planning, sweeping, DAG runs, operations, audits and requests."""

from timegate.ports.telemetry.kinds import (
    API,
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
    Count,
    Duration,
)

# Planning
JOBS_PLANNED = Count(
    "JobsPlanned", "Jobs whose next runs were created.", API, PLANNER, OPERATIONS, OUTCOMES
)
RUNS_PLANNED = Count(
    "RunsPlanned", "Runs created ahead of their due time.", API, PLANNER, OPERATIONS, OUTCOMES
)
JOBS_BEYOND_SHARE = Count(
    "JobsBeyondShare",
    "Jobs beyond their tenant's fair share of a planner tick, planned last.",
    PLANNER,
)
INSTANTS_MISSED = Count(
    "InstantsMissed", "Instants older than the catch-up window, skipped.", PLANNER, OUTCOMES
)
INSTANTS_FROZEN = Count(
    "InstantsFrozen", "Instants skipped because a freeze covers them.", PLANNER, OUTCOMES
)
INSTANTS_EXCLUDED = Count(
    "InstantsExcluded",
    "Instants that a calendar of the job excludes.",
    API,
    PLANNER,
    OPERATIONS,
    OUTCOMES,
)
SHARDS_LEFT = Count(
    "ShardsLeft", "Shards left to the next tick for lack of time.", PLANNER, SWEEPER, AUDITOR
)
PLANNER_TICK_AGE_MS = Duration(
    "PlannerTickAgeMs", "Age of the oldest minute that a shard had left to plan.", PLANNER
)

# Sweeping
LOOKS = Count("Looks", "Looks at shards between two ticks.", SWEEPER)
LOOKS_NOT_SENT = Count("LooksNotSent", "Looks that SQS did not take.", SWEEPER)
LOOKS_REJECTED = Count("LooksRejected", "Looks that cannot be read, dropped.", SWEEPER)
LOOKS_STALE = Count("LooksStale", "Looks that arrived too late, dropped.", SWEEPER)
WATCH_OVERDUE = Count("WatchOverdue", "Runs past their watch instant, met by a sweep.", SWEEPER)
ENDS_SHOWN_AGAIN = Count(
    "EndsShownAgain",
    "Ends of runs written again for the stream, because outcomes had not processed them.",
    SWEEPER,
)
MESSAGES_REJECTED = Count(
    "MessagesRejected",
    "Messages and stream records that cannot be read, parked.",
    RELAY,
    OUTCOMES,
    OPERATIONS,
    EXECUTOR,
    DEAD_LETTER,
    CLOUD_EVENTS,
)
RECORDS_UNREADABLE = Count(
    "RecordsUnreadable",
    "Stored records that cannot be read, put off or left to an operator.",
    API,
    WORKERS,
    PLANNER,
    SWEEPER,
    AUDITOR,
    OPERATIONS,
    EXECUTOR,
    DEAD_LETTER,
)

# Operations and dead letters
RUNS_BACKFILLED = Count("RunsBackfilled", "Runs created by backfills.", OPERATIONS)
RUNS_REDRIVEN = Count("RunsRedriven", "Dead letters run again.", API, OPERATIONS)
DEAD_LETTERS_DISCARDED = Count("DeadLettersDiscarded", "Dead letters discarded.", API, OPERATIONS)
OPERATION_ITEMS_DONE = Count(
    "OperationItemsDone", "Items that bulk operations changed.", OPERATIONS
)
OPERATION_ITEMS_FAILED = Count(
    "OperationItemsFailed", "Items that bulk operations could not change.", OPERATIONS
)
OPERATIONS_STALLED = Count(
    "OperationsStalled", "Operations that made no progress until the sweeper woke them.", SWEEPER
)

# Notification rules
RULE_LOOKS_DUE = Count("RuleLooksDue", "Tenants whose notification rules were due.", SWEEPER)
RULE_EVENTS = Count("RuleEvents", "Events of notification rules, told or held back.", OPERATIONS)

# DAG runs
TASKS_STARTED = Count("TasksStarted", "Tasks of DAG runs that were started.", DAG_RUNS, OUTCOMES)
TASKS_ENDED = Count("TasksEnded", "Tasks of DAG runs that ended.", DAG_RUNS, OUTCOMES)
TASKS_INTERVENED = Count("TasksIntervened", "Tasks of DAG runs changed by a caller.", API)
EVENTS_RECEIVED = Count("EventsReceived", "Events that tenants sent.", API)
EVENT_TRIGGERS_FIRED = Count("EventTriggersFired", "Runs that events started by a trigger.", API)
EVENTS_NOT_STARTED = Count("EventsNotStarted", "Events that started no DAG run.", DAG_RUNS)

# Auditing
INSTANTS_AUDITED = Count("InstantsAudited", "Instants compared with their records.", AUDITOR)
INSTANTS_UNACCOUNTED = Count(
    "InstantsUnaccounted", "Expected instants that have no record.", AUDITOR
)
RECORDS_LOST = Count(
    "RecordsLost", "Records that a job's ledger should hold and does not.", AUDITOR
)
AUDITS_PUT_OFF = Count(
    "AuditsPutOff", "Jobs due for an audit that a tick had no time for.", AUDITOR
)
QUOTA_DRIFT = Count(
    "QuotaDrift", "Difference between a tenant's counted and present jobs or DAGs.", AUDITOR
)
RECOUNTS_INCONCLUSIVE = Count(
    "RecountsInconclusive",
    "Recounts of quotas given up, because records changed meanwhile.",
    AUDITOR,
)
HEARTBEATS_FAILED = Count(
    "HeartbeatsFailed", "Calls of the operator's address after good ticks that failed.", AUDITOR
)
AUDIT_DELAY_MS = Duration("AuditDelayMs", "Age of the oldest audit that is overdue.", AUDITOR)
AUDIT_ROUND_MS = Duration("AuditRoundMs", "Age of the auditor's round of the table.", AUDITOR)

# Requests
REQUESTS_REFUSED = Count("RequestsRefused", "Requests answered with a client error.", API, WORKERS)
REQUESTS_OVER_RATE = Count(
    "RequestsOverRate", "Requests refused by a tenant's request rate.", API, WORKERS
)
API_MS = Duration("ApiMs", "Time to answer one request.", API, WORKERS)

# Events for subscribers, where the stage has a bus of them
CLOUD_EVENTS_QUEUED = Count(
    "CloudEventsQueued", "Events kept in their queue, to be sent.", OUTCOMES, CLOUD_EVENTS
)
CLOUD_EVENTS_LEFT_OUT = Count(
    "CloudEventsLeftOut",
    "Events that the stage's sampling leaves out.",
    OUTCOMES,
    CLOUD_EVENTS,
)
CLOUD_EVENTS_NOT_QUEUED = Count(
    "CloudEventsNotQueued",
    "Events that their queue did not take; the log has them whole.",
    OUTCOMES,
)
CLOUD_EVENTS_SENT = Count("CloudEventsSent", "Events that the bus took.", CLOUD_EVENTS)
CLOUD_EVENTS_NOT_SENT = Count(
    "CloudEventsNotSent",
    "Events that the bus did not take; they stay queued and are sent again.",
    CLOUD_EVENTS,
)
