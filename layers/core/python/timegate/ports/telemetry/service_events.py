"""Log events of definitions, planning, DAG runs, operations, audits and requests."""

from timegate.ports.telemetry.kinds import (
    API,
    AUDITOR,
    DAG_RUNS,
    EXECUTOR,
    OPERATIONS,
    OUTCOMES,
    PLANNER,
    SWEEPER,
    WORKERS,
    Event,
)

# Jobs
JOB_CREATED = Event("job_created", "A job was created.", API)
JOB_CREATE_REPLAYED = Event(
    "job_create_replayed", "A creation was repeated under its key and changed nothing.", API
)
JOB_UPDATED = Event("job_updated", "A job was changed.", API)
JOB_PAUSED = Event("job_paused", "A job was paused.", API, OPERATIONS)
JOB_PAUSED_ITSELF = Event(
    "job_paused_itself", "Failed runs in a row paused a job that asks for it.", OUTCOMES
)
JOB_RECOVERED = Event(
    "job_recovered", "A run succeeded after failures had paused its job.", OUTCOMES
)
JOB_RESUMED = Event("job_resumed", "A paused job was resumed.", API, OPERATIONS)
JOB_CANCELLED = Event("job_cancelled", "A job was cancelled.", API, OPERATIONS)
JOB_TRIGGERED = Event("job_triggered", "A run of a job was requested by hand.", API)
JOB_TRIGGERED_IN_BATCH = Event(
    "job_triggered_in_batch", "Many runs of a job were requested by hand, in one request.", API
)
JOB_DAMAGED = Event("job_damaged", "A stored job cannot be read.", API, OPERATIONS, AUDITOR)
RUN_DAMAGED = Event("run_damaged", "A stored run cannot be read.", API, OPERATIONS, AUDITOR)
GAP_DAMAGED = Event(
    "gap_damaged", "A stored gap of a ledger cannot be read.", API, OPERATIONS, AUDITOR
)

# Planning
SHARD_PLANNED = Event("shard_planned", "The planner finished a shard.", PLANNER)
SHARD_BUSY = Event("shard_busy", "Another planner holds a shard.", PLANNER)
SHARDS_LEFT = Event("shards_left", "A tick had no time left for shards.", PLANNER, SWEEPER, AUDITOR)
SHARE_EXCEEDED = Event(
    "share_exceeded", "A tenant has more due jobs than its fair share of a tick.", PLANNER
)
JOB_PARKED = Event("job_parked", "A job at its limit of open runs was put off.", PLANNER)
JOB_UNREADABLE = Event("job_unreadable", "A stored job cannot be read and was put off.", PLANNER)
MISSED_SETTLED = Event(
    "missed_settled", "Instants older than the catch-up window were skipped.", PLANNER, OUTCOMES
)
FROZEN_SETTLED = Event(
    "frozen_settled", "Instants that a freeze covers were skipped.", PLANNER, OUTCOMES
)
SKIPPED_REOPENED = Event(
    "skipped_reopened",
    "Skipped instants of a job are planned again.",
    API,
    PLANNER,
    OPERATIONS,
    OUTCOMES,
)

# Restrictions
CALENDAR_STORED = Event("calendar_stored", "A calendar was stored.", API)
CALENDAR_DELETED = Event("calendar_deleted", "A calendar was deleted.", API)
CALENDAR_MISSING = Event(
    "calendar_missing",
    "A job names a calendar that is deleted and restricts nothing.",
    API,
    WORKERS,
    PLANNER,
    SWEEPER,
    AUDITOR,
    OPERATIONS,
    EXECUTOR,
)
FREEZE_CREATED = Event("freeze_created", "A freeze was created.", API)
FREEZE_CREATE_REPLAYED = Event(
    "freeze_create_replayed", "A freeze was created again under its id and changed nothing.", API
)
FREEZE_LIFTED = Event("freeze_lifted", "A freeze was lifted.", API)

# Event triggers
EVENT_TRIGGER_STORED = Event(
    "event_trigger_stored", "An event trigger was stored, paused or resumed.", API
)
EVENT_TRIGGER_DELETED = Event("event_trigger_deleted", "An event trigger was deleted.", API)
EVENT_TRIGGER_FIRED = Event("event_trigger_fired", "An event started a run by a trigger.", API)
EVENT_TRIGGER_REFUSED = Event(
    "event_trigger_refused", "An event matched a trigger and started nothing.", API
)
HOOK_IGNORED = Event(
    "hook_ignored", "A signed request to a web hook did not match, or met a paused trigger.", API
)
HOOK_UNAVAILABLE = Event(
    "hook_unavailable", "The secret of a web hook could not be read or used.", API
)

# Tenants and requests
TENANT_CHANGED = Event("tenant_changed", "Settings of a tenant were changed.", API)
TENANT_SUSPENDED = Event("tenant_suspended", "A tenant was suspended.", API)
TENANT_RESUMED = Event("tenant_resumed", "A suspended tenant was resumed.", API)
REQUEST_REFUSED = Event(
    "request_refused", "A request was answered with a client error.", API, WORKERS
)
REQUEST_FAILED = Event("request_failed", "A request failed by a fault of Timegate.", API, WORKERS)
SCENARIO_SIMULATED = Event("scenario_simulated", "A scenario was simulated.", API)

# Operations and dead letters
OPERATION_STARTED = Event("operation_started", "A bulk operation was started.", API)
OPERATION_START_REPLAYED = Event(
    "operation_start_replayed",
    "A bulk operation was started again under its key and changed nothing.",
    API,
)
OPERATION_CANCEL_REQUESTED = Event(
    "operation_cancel_requested", "A bulk operation was asked to stop.", API
)
OPERATION_STEPPED = Event("operation_stepped", "A bulk operation finished a step.", OPERATIONS)
OPERATION_THROTTLED = Event(
    "operation_throttled", "DynamoDB throttled a bulk operation; the sweeper wakes it.", OPERATIONS
)
OPERATION_UNREADABLE = Event(
    "operation_unreadable", "A stored operation cannot be read.", OPERATIONS, SWEEPER
)
OPERATION_WOKEN = Event(
    "operation_woken", "The end of a run woke the operation that waits for it.", OUTCOMES
)
OPERATION_OVERDUE = Event(
    "operation_overdue", "An operation was not worked on in time and was woken.", SWEEPER
)
RUN_BACKFILLED = Event("run_backfilled", "A backfill created a run.", OPERATIONS)
RUN_REDRIVEN = Event("run_redriven", "A failed run is tried again.", API, OPERATIONS)
DEAD_LETTER_DISCARDED = Event(
    "dead_letter_discarded", "A dead letter was discarded.", API, OPERATIONS
)

# Notification rules
RULE_STORED = Event("rule_stored", "A notification rule was stored.", API)
RULE_DELETED = Event("rule_deleted", "A notification rule was deleted.", API)
RULE_TOLD = Event(
    "rule_told", "A notification rule told of events, or holds them back.", OPERATIONS
)
RULES_THROTTLED = Event(
    "rules_throttled", "DynamoDB throttled a look at notification rules.", OPERATIONS
)
RULES_UNREADABLE = Event(
    "rules_unreadable", "A record that a look at notification rules needs is damaged.", OPERATIONS
)

# DAGs
DAG_CREATED = Event("dag_created", "A DAG was created.", API)
DAG_CREATE_REPLAYED = Event(
    "dag_create_replayed",
    "A creation of a DAG was repeated under its key and changed nothing.",
    API,
)
DAG_UPDATED = Event("dag_updated", "A DAG was changed.", API)
DAG_DELETED = Event("dag_deleted", "A DAG was deleted.", API)
DAG_UNREADABLE = Event("dag_unreadable", "A stored DAG cannot be read.", API)

# DAG runs
DAG_RUN_STARTED = Event("dag_run_started", "A DAG run was started.", API, DAG_RUNS, EXECUTOR)
DAG_RUN_GOING = Event(
    "dag_run_going",
    "All tasks of a DAG run are stored, and the first are started.",
    DAG_RUNS,
    OUTCOMES,
)
DAG_RUN_DECIDED = Event("dag_run_decided", "The end of a DAG run was decided.", DAG_RUNS, OUTCOMES)
DAG_RUN_STEERED = Event("dag_run_steered", "A caller paused, resumed or cancelled a DAG run.", API)
DAG_RUN_REPEATED = Event("dag_run_repeated", "Tasks of a DAG run are repeated.", OUTCOMES)
DAG_RUN_CALLED_OFF = Event(
    "dag_run_called_off",
    "A DAG run was stopped together with the run that started it.",
    API,
    EXECUTOR,
    OUTCOMES,
)
DAG_RUN_EXECUTION_FAILED = Event(
    "dag_run_execution_failed", "The Step Functions execution of a DAG run failed.", DAG_RUNS
)
DAG_RUN_NOT_TOLD = Event(
    "dag_run_not_told", "A DAG run ended, and its starting run could not be ended yet.", OUTCOMES
)
DAG_RUN_TOUCHED = Event(
    "dag_run_touched", "An overdue DAG run was written again for the stream.", SWEEPER
)
DAG_RUN_UNREADABLE = Event("dag_run_unreadable", "A stored DAG run cannot be read.", SWEEPER)
EVENT_NOT_STARTED = Event("event_not_started", "An event started no DAG run.", DAG_RUNS)
EVENT_RECEIVED = Event("event_received", "A tenant sent an event.", API)
TASK_STARTED = Event("task_started", "A task of a DAG run was started.", DAG_RUNS, OUTCOMES)
TASK_WAITS = Event("task_waits", "A wait task of a DAG run began.", DAG_RUNS, OUTCOMES)
TASK_RESUMED = Event("task_resumed", "An event ended a task that waited for it.", API)
TASK_ENDED = Event("task_ended", "A task of a DAG run ended.", DAG_RUNS, OUTCOMES)
TASK_RUN_CANCELLED = Event(
    "task_run_cancelled", "The run of a task was cancelled.", API, DAG_RUNS, OUTCOMES
)
TASK_INTERVENED = Event("task_intervened", "A caller changed a task of a DAG run.", API)

# Auditing
SHARD_AUDITED = Event("shard_audited", "The auditor finished a shard.", AUDITOR)
AUDIT_SHARD_HELD = Event("audit_shard_held", "Another auditor holds a shard.", AUDITOR)
AUDIT_FINDING = Event("audit_finding", "Instants or records of a job are missing.", AUDITOR)
HEARTBEAT_FAILED = Event(
    "heartbeat_failed", "The operator's address did not take a heartbeat.", AUDITOR
)
JOB_UNAUDITED = Event("job_unaudited", "A job's records cannot be judged.", AUDITOR)
QUOTA_DRIFTED = Event(
    "quota_drifted", "A tenant's count of jobs or DAGs differs from those present.", AUDITOR
)
