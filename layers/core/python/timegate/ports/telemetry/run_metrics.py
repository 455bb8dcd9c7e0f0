"""Metrics of runs, from their publication to their end."""

from timegate.ports.telemetry.telemetry import (
    API,
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

# Publication
RUNS_PUBLISHED = CounterMetric(
    "RunsPublished", "Runs sent to a queue of the executors.", API, PLANNER, RELAY, OPERATIONS
)
SCHEDULING_LAG_MS = DurationMetric(
    "SchedulingLagMs",
    "Lateness of a run when it is sent to its queue; waits by its tenant's limits are part of it.",
    *(API, PLANNER, RELAY, OPERATIONS),
)

# Claims and limits
DUPLICATES_REFUSED = CounterMetric(
    "DuplicatesRefused",
    "Second creations or deliveries of a run, refused.",
    *(API, PLANNER, EXECUTOR, OPERATIONS, OUTCOMES),
)
DUPLICATES_PREVENTED = CounterMetric(
    "DuplicatesPrevented", "Second executions of exactly-once runs, refused.", EXECUTOR, WORKERS
)
LEASES_RESCUED = CounterMetric(
    "LeasesRescued",
    "Runs taken over from a worker whose lease expired.",
    *(EXECUTOR, WORKERS, SWEEPER),
)
LEASES_RELEASED = CounterMetric(
    "LeasesReleased", "Leases given back before the work began.", EXECUTOR, WORKERS
)
RUNS_WAITING = CounterMetric(
    "RunsWaiting", "Runs put into a wait queue by their job's overlap policy.", EXECUTOR, WORKERS
)
RUNS_OVER_QUOTA = CounterMetric(
    "RunsOverQuota", "Runs held up by their tenant's quota of concurrent runs.", EXECUTOR, WORKERS
)
RUNS_BEYOND_DAY = CounterMetric(
    "RunsBeyondDay", "Runs skipped by their tenant's quota of runs per day.", EXECUTOR, WORKERS
)
RUNS_PACED = CounterMetric(
    "RunsPaced", "Runs moved to a later instant by a rate limit.", EXECUTOR, WORKERS
)
RUNS_PUT_OFF = CounterMetric(
    "RunsPutOff",
    "Runs moved to a later instant by a freeze, a calendar or a condition.",
    *(EXECUTOR, WORKERS),
)
CONDITIONS_CHECKED = CounterMetric(
    "ConditionsChecked", "Conditions of runs that were called.", EXECUTOR
)
QUOTA_REFUSALS = CounterMetric(
    "QuotaRefusals",
    "New jobs, DAGs or runs refused by a tenant's quota.",
    *(API, DAG_RUNS, OPERATIONS, EXECUTOR, WORKERS),
)
CONDITION_MS = DurationMetric("ConditionMs", "Time that the call of a condition took.", EXECUTOR)

# Execution
RUNS_HANDED_OVER = CounterMetric(
    "RunsHandedOver", "Runs started at their target and left to report by callback.", EXECUTOR
)
SLICES_ENDED = CounterMetric(
    "SlicesEnded", "Slices of long runs that ended with a checkpoint.", EXECUTOR, WORKERS
)
HEARTBEATS_MISSED = CounterMetric(
    "HeartbeatsMissed", "Runs stopped because their target sent no heartbeat in time.", EXECUTOR
)
RESULTS_CUT = CounterMetric("ResultsCut", "Results beyond the size limit, cut.", EXECUTOR, WORKERS)
TARGETS_REFUSED = CounterMetric(
    "TargetsRefused",
    "Targets, addresses or secrets refused by the stage's rules.",
    *(API, WORKERS, EXECUTOR),
)
ENDINGS_DELAYED = CounterMetric(
    "EndingsDelayed", "Repeated writes of an end after DynamoDB throttled it.", EXECUTOR, WORKERS
)
LOG_LINES_KEPT = CounterMetric("LogLinesKept", "Log lines of workers that were stored.", WORKERS)
START_LAG_MS = DurationMetric(
    "StartLagMs", "Time from a run's due instant to its start.", EXECUTOR, WORKERS
)

QUEUE_LAG_MS = DurationMetric(
    "QueueLagMs",
    "Time from when a run was due and in its queue to its start: what Timegate adds to it.",
    EXECUTOR,
)

CLOCK_SKEW_MS = DurationMetric(
    "ClockSkewMs",
    "Clock of an executor behind that of its queue, when it received a message.",
    EXECUTOR,
)

# Ends of runs
RUNS_SUCCEEDED = CounterMetric(
    "RunsSucceeded", "Runs of jobs that succeeded.", EXECUTOR, WORKERS, OUTCOMES
)
RUNS_FAILED = CounterMetric(
    "RunsFailed",
    "Runs of jobs that failed with no attempt left.",
    *(EXECUTOR, WORKERS, OUTCOMES, SWEEPER),
)
RUNS_TIMED_OUT = CounterMetric(
    "RunsTimedOut", "Attempts that exceeded their timeout.", EXECUTOR, WORKERS, OUTCOMES, SWEEPER
)
RUNS_SKIPPED = CounterMetric(
    "RunsSkipped", "Runs of jobs that were skipped and not executed.", EXECUTOR, WORKERS, SWEEPER
)
RUNS_CANCELLED = CounterMetric(
    "RunsCancelled", "Runs of jobs that were cancelled.", API, EXECUTOR, WORKERS, OUTCOMES
)
RUNS_RETRIED = CounterMetric(
    "RunsRetried",
    "Attempts of jobs that are followed by another attempt.",
    *(EXECUTOR, WORKERS, OUTCOMES),
)
RUNS_DEAD_LETTERED = CounterMetric(
    "RunsDeadLettered",
    "Runs given up as dead letters.",
    *(EXECUTOR, WORKERS, OUTCOMES, SWEEPER, DEAD_LETTER),
)

# Ends of notices
NOTICES_SUCCEEDED = CounterMetric(
    "NoticesSucceeded", "Notifications that were delivered.", EXECUTOR, WORKERS
)
NOTICES_FAILED = CounterMetric(
    "NoticesFailed", "Notifications that failed with no attempt left.", EXECUTOR, WORKERS, SWEEPER
)
NOTICES_TIMED_OUT = CounterMetric(
    "NoticesTimedOut",
    "Attempts of notifications that exceeded their timeout.",
    *(EXECUTOR, WORKERS, SWEEPER),
)
NOTICES_SKIPPED = CounterMetric(
    "NoticesSkipped", "Notifications that were skipped and not sent.", EXECUTOR, WORKERS
)
NOTICES_CANCELLED = CounterMetric(
    "NoticesCancelled", "Notifications that were cancelled.", API, EXECUTOR, WORKERS
)
NOTICES_RETRIED = CounterMetric(
    "NoticesRetried",
    "Attempts of notifications that are followed by another attempt.",
    *(EXECUTOR, WORKERS),
)
NOTIFICATIONS_MADE = CounterMetric(
    "NotificationsMade",
    "Notifications stored for a run's start, lateness or end, or for a rule.",
    *(OUTCOMES, OPERATIONS, EXECUTOR, SWEEPER, WORKERS),
)
FOLLOW_UPS_TRIGGERED = CounterMetric(
    "FollowUpsTriggered", "Runs of other jobs triggered by the end of a run.", OUTCOMES
)
DEADLINES_FORECAST_MISSED = CounterMetric(
    "DeadlinesForecastMissed",
    "Runs expected to end after their deadline.",
    *(EXECUTOR, SWEEPER, WORKERS),
)
DEADLINES_MISSED = CounterMetric(
    "DeadlinesMissed", "Runs still open at their deadline.", EXECUTOR, SWEEPER, WORKERS
)

# Worker pools
POOL_CLAIMS = CounterMetric("PoolClaims", "Requests of workers for runs of a pool.", WORKERS)
POOL_CLAIMS_EMPTY = CounterMetric(
    "PoolClaimsEmpty", "Requests of workers that found no run.", WORKERS
)
POOL_RUNS_CLAIMED = CounterMetric("PoolRunsClaimed", "Runs claimed from pools.", WORKERS)
OFFERS_UNCLAIMED = CounterMetric(
    "OffersUnclaimed", "Runs of pools that no worker has claimed when the sweeper looks.", SWEEPER
)
OFFER_AGE_MS = DurationMetric(
    "OfferAgeMs", "Age of a run of a pool that no worker has claimed.", SWEEPER
)
