"""Log events of definitions, planning, DAG runs, operations, audits and requests."""

from timegate.ports.telemetry.telemetry import (
    API,
    ARCHIVER,
    AUDITOR,
    DAG_RUNS,
    EXECUTOR,
    OPERATIONS,
    OUTCOMES,
    PLANNER,
    SWEEPER,
    WORKERS,
    LogEvent,
)

# Jobs
JOB_CREATED = LogEvent("job_created", "A job was created.", API)
JOB_CREATE_REPLAYED = LogEvent(
    "job_create_replayed", "A creation was repeated under its key and changed nothing.", API
)
JOB_UPDATED = LogEvent("job_updated", "A job was changed.", API)
JOB_PAUSED = LogEvent("job_paused", "A job was paused.", API, OPERATIONS)
JOB_PAUSED_ITSELF = LogEvent(
    "job_paused_itself", "Failed runs in a row paused a job that asks for it.", OUTCOMES
)
JOB_RECOVERED = LogEvent(
    "job_recovered", "A run succeeded after failures had paused its job.", OUTCOMES
)
JOB_RESUMED = LogEvent("job_resumed", "A paused job was resumed.", API, OPERATIONS)
JOB_CANCELLED = LogEvent("job_cancelled", "A job was cancelled.", API, OPERATIONS)
JOB_TRIGGERED = LogEvent("job_triggered", "A run of a job was requested by hand.", API)
JOB_TRIGGERED_IN_BATCH = LogEvent(
    "job_triggered_in_batch", "Many runs of a job were requested by hand, in one request.", API
)
JOB_DAMAGED = LogEvent("job_damaged", "A stored job cannot be read.", API, OPERATIONS, AUDITOR)
RUN_DAMAGED = LogEvent("run_damaged", "A stored run cannot be read.", API, OPERATIONS, AUDITOR)
GAP_DAMAGED = LogEvent(
    "gap_damaged", "A stored gap of a ledger cannot be read.", API, OPERATIONS, AUDITOR
)

# Regions
REGION_NOT_RENEWED = LogEvent(
    "region_not_renewed", "The active region's time was not renewed.", PLANNER
)
REGION_JOBS_CHECKED = LogEvent(
    "region_jobs_checked",
    "After a promotion, the planner compared a page of jobs with their records.",
    PLANNER,
)
REGION_JOB_MENDED = LogEvent(
    "region_job_mended",
    "A job had not arrived whole from the region before: it got gaps and runs, or was completed.",
    PLANNER,
)
REGION_TASKS_MENDED = LogEvent(
    "region_tasks_mended",
    "Runs or retries of a DAG run's tasks had not arrived from the region before, and were made.",
    OUTCOMES,
)
REGION_RULE_MENDED = LogEvent(
    "region_rule_mended",
    "Retries of a rule's messages had not arrived from the region before, and were made.",
    PLANNER,
)

# Planning
PLANNER_CLOCK_SET_BACK = LogEvent(
    "planner_clock_set_back",
    "A planner's clock was further ahead than its tick can be late, and was taken back so far.",
    PLANNER,
)
SHARD_PLANNED = LogEvent("shard_planned", "The planner finished a shard.", PLANNER)
SHARD_BUSY = LogEvent("shard_busy", "Another planner holds a shard.", PLANNER)
SHARDS_LEFT = LogEvent(
    "shards_left", "A tick had no time left for shards.", PLANNER, SWEEPER, AUDITOR
)
SHARE_EXCEEDED = LogEvent(
    "share_exceeded", "A tenant has more due jobs than its fair share of a tick.", PLANNER
)
JOB_PARKED = LogEvent("job_parked", "A job at its limit of open runs was put off.", PLANNER)
JOB_UNREADABLE = LogEvent("job_unreadable", "A stored job cannot be read and was put off.", PLANNER)
MISSED_SETTLED = LogEvent(
    "missed_settled", "Instants older than the catch-up window were skipped.", PLANNER, OUTCOMES
)
FROZEN_SETTLED = LogEvent(
    "frozen_settled", "Instants that a freeze covers were skipped.", PLANNER, OUTCOMES
)
SKIPPED_REOPENED = LogEvent(
    "skipped_reopened",
    "Skipped instants of a job are planned again.",
    *(API, PLANNER, OPERATIONS, OUTCOMES),
)

# Restrictions
CALENDAR_STORED = LogEvent("calendar_stored", "A calendar was stored.", API)
CALENDAR_DELETED = LogEvent("calendar_deleted", "A calendar was deleted.", API)
CALENDAR_UNREADABLE = LogEvent("calendar_unreadable", "A stored calendar cannot be read.", API)
CALENDAR_MISSING = LogEvent(
    "calendar_missing",
    "A job names a calendar that is deleted and restricts nothing.",
    *(API, WORKERS, PLANNER, SWEEPER, AUDITOR, OPERATIONS, EXECUTOR),
)
FREEZE_UNREADABLE = LogEvent("freeze_unreadable", "A stored freeze cannot be read.", API)
FREEZE_CREATED = LogEvent("freeze_created", "A freeze was created.", API)
FREEZE_CREATE_REPLAYED = LogEvent(
    "freeze_create_replayed", "A freeze was created again under its id and changed nothing.", API
)
FREEZE_LIFTED = LogEvent("freeze_lifted", "A freeze was lifted.", API)

# Pools
POOL_PAUSED = LogEvent(
    "pool_paused", "A pool was paused, or the terms of its pause were set anew.", API
)
POOL_RESUMED = LogEvent("pool_resumed", "A pool was resumed, or was not paused.", API)

# Event triggers
EVENT_TRIGGER_STORED = LogEvent(
    "event_trigger_stored", "An event trigger was stored, paused or resumed.", API
)
EVENT_TRIGGER_DELETED = LogEvent("event_trigger_deleted", "An event trigger was deleted.", API)
EVENT_TRIGGER_FIRED = LogEvent("event_trigger_fired", "An event started a run by a trigger.", API)
EVENT_TRIGGER_REFUSED = LogEvent(
    "event_trigger_refused", "An event matched a trigger and started nothing.", API
)
EVENT_TRIGGER_UNREADABLE = LogEvent(
    "event_trigger_unreadable", "A stored event trigger cannot be read.", API
)
HOOK_IGNORED = LogEvent(
    "hook_ignored", "A signed request to a web hook did not match, or met a paused trigger.", API
)
HOOK_UNAVAILABLE = LogEvent(
    "hook_unavailable", "The secret of a web hook could not be read or used.", API
)
APPROVAL_LINK_MADE = LogEvent(
    "approval_link_made", "A caller was given the link of an approval, for this receiver.", API
)
LINK_UNAVAILABLE = LogEvent(
    "link_unavailable", "The secret of an approval's links could not be read or used.", API
)

# Tenants and requests
TENANT_UNREADABLE = LogEvent(
    "tenant_unreadable", "The stored settings of a tenant cannot be read.", API
)
AUDIT_ENTRY_UNREADABLE = LogEvent(
    "audit_entry_unreadable", "A record with an entry of an audit trail cannot be read.", API
)
API_KEY_UNREADABLE = LogEvent("api_key_unreadable", "A stored API key cannot be read.", API)
TENANT_CREATED = LogEvent("tenant_created", "A tenant was made at run time.", API)
TENANT_CHANGED = LogEvent("tenant_changed", "Settings of a tenant were changed.", API)
TENANT_SUSPENDED = LogEvent("tenant_suspended", "A tenant was suspended.", API)
TENANT_RESUMED = LogEvent("tenant_resumed", "A suspended tenant was resumed.", API)
API_KEY_MADE = LogEvent("api_key_made", "An API key was made.", API)
API_KEY_REVOKED = LogEvent("api_key_revoked", "An API key was revoked.", API)
REQUEST_REFUSED = LogEvent(
    "request_refused", "A request was answered with a client error.", API, WORKERS
)
REQUEST_FAILED = LogEvent(
    "request_failed", "A request failed by a fault of Timegate.", API, WORKERS
)
SCENARIO_SIMULATED = LogEvent("scenario_simulated", "A scenario was simulated.", API)

# Operations and dead letters
OPERATION_STARTED = LogEvent("operation_started", "A bulk operation was started.", API)
OPERATION_START_REPLAYED = LogEvent(
    "operation_start_replayed",
    "A bulk operation was started again under its key and changed nothing.",
    API,
)
OPERATION_CANCEL_REQUESTED = LogEvent(
    "operation_cancel_requested", "A bulk operation was asked to stop.", API
)
OPERATION_STEPPED = LogEvent("operation_stepped", "A bulk operation finished a step.", OPERATIONS)
OPERATION_THROTTLED = LogEvent(
    "operation_throttled", "DynamoDB throttled a bulk operation; the sweeper wakes it.", OPERATIONS
)
RECORDS_LEFT = LogEvent(
    "records_left",
    "Some records of a stream's batch could not be worked on; the stream shows them again.",
    *(OUTCOMES, OPERATIONS),
)
OPERATION_UNREADABLE = LogEvent(
    "operation_unreadable", "A stored operation cannot be read.", API, OPERATIONS, SWEEPER
)
OPERATION_WOKEN = LogEvent(
    "operation_woken", "The end of a run woke the operation that waits for it.", OUTCOMES
)
OPERATION_OVERDUE = LogEvent(
    "operation_overdue", "An operation was not worked on in time and was woken.", SWEEPER
)
RUN_BACKFILLED = LogEvent("run_backfilled", "A backfill created a run.", OPERATIONS)
RUN_REDRIVEN = LogEvent("run_redriven", "A failed run is tried again.", API, OPERATIONS)
DEAD_LETTER_DISCARDED = LogEvent(
    "dead_letter_discarded", "A dead letter was discarded.", API, OPERATIONS
)

# Notification rules
RULE_STORED = LogEvent("rule_stored", "A notification rule was stored.", API)
RULE_DELETED = LogEvent("rule_deleted", "A notification rule was deleted.", API)
RULE_TOLD = LogEvent(
    "rule_told", "A notification rule told of events, or holds them back.", OPERATIONS
)
ABSENCE_TOLD = LogEvent(
    "absence_told", "A job has not succeeded for as long as it says.", OPERATIONS
)
RULES_THROTTLED = LogEvent(
    "rules_throttled", "DynamoDB throttled a look at notification rules.", OPERATIONS
)
RULES_UNREADABLE = LogEvent(
    "rules_unreadable", "A record that a look at notification rules needs is damaged.", OPERATIONS
)

# DAGs
DAG_CREATED = LogEvent("dag_created", "A DAG was created.", API)
DAG_CREATE_REPLAYED = LogEvent(
    "dag_create_replayed",
    "A creation of a DAG was repeated under its key and changed nothing.",
    API,
)
DAG_UPDATED = LogEvent("dag_updated", "A DAG was changed.", API)
DAG_DELETED = LogEvent("dag_deleted", "A DAG was deleted.", API)
DAG_UNREADABLE = LogEvent("dag_unreadable", "A stored DAG cannot be read.", API)

# DAG runs
DAG_RUN_STARTED = LogEvent("dag_run_started", "A DAG run was started.", API, DAG_RUNS, EXECUTOR)
DAG_RUN_GOING = LogEvent(
    "dag_run_going",
    "All tasks of a DAG run are stored, and the first are started.",
    *(DAG_RUNS, OUTCOMES),
)
DAG_RUN_DECIDED = LogEvent(
    "dag_run_decided", "The end of a DAG run was decided.", DAG_RUNS, EXECUTOR, OUTCOMES
)
DAG_RUN_STEERED = LogEvent(
    "dag_run_steered", "A caller paused, resumed or cancelled a DAG run.", API
)
DAG_RUN_REPEATED = LogEvent("dag_run_repeated", "Tasks of a DAG run are repeated.", OUTCOMES)
DAG_RUN_CALLED_OFF = LogEvent(
    "dag_run_called_off",
    "A DAG run was stopped together with the run that started it.",
    *(API, EXECUTOR, OUTCOMES),
)
DAG_RUN_EXECUTION_FAILED = LogEvent(
    "dag_run_execution_failed", "The Step Functions execution of a DAG run failed.", DAG_RUNS
)
DAG_RUN_NOT_TOLD = LogEvent(
    "dag_run_not_told", "A DAG run ended, and its starting run could not be ended yet.", OUTCOMES
)
DAG_RUN_TOUCHED = LogEvent(
    "dag_run_touched", "An overdue DAG run was written again for the stream.", SWEEPER
)
DAG_RUN_UNREADABLE = LogEvent(
    "dag_run_unreadable", "A stored DAG run cannot be read.", API, SWEEPER
)
EVENT_NOT_STARTED = LogEvent("event_not_started", "An event started no DAG run.", DAG_RUNS)
EVENT_RECEIVED = LogEvent("event_received", "A tenant sent an event.", API)
TASK_STARTED = LogEvent(
    "task_started", "A task of a DAG run was started.", DAG_RUNS, EXECUTOR, OUTCOMES
)
TASK_WAITS = LogEvent("task_waits", "A wait task of a DAG run began.", DAG_RUNS, OUTCOMES)
TASK_RESUMED = LogEvent("task_resumed", "An event ended a task that waited for it.", API)
TASK_ENDED = LogEvent("task_ended", "A task of a DAG run ended.", DAG_RUNS, EXECUTOR, OUTCOMES)
TASK_RUN_CANCELLED = LogEvent(
    "task_run_cancelled", "The run of a task was cancelled.", API, DAG_RUNS, OUTCOMES
)
TASK_INTERVENED = LogEvent("task_intervened", "A caller changed a task of a DAG run.", API)

# Archiving
SEGMENT_ARCHIVED = LogEvent(
    "segment_archived", "A segment of a table is in files of the archive.", ARCHIVER
)
ROUND_ARCHIVED = LogEvent(
    "round_archived", "All that ended before a day is in the archive.", ARCHIVER
)
MONTH_SEALED = LogEvent(
    "month_sealed", "Every tenant has a signed seal of what a month left in the archive.", ARCHIVER
)

# Auditing
SHARD_AUDITED = LogEvent("shard_audited", "The auditor finished a shard.", AUDITOR)
AUDIT_SHARD_HELD = LogEvent("audit_shard_held", "Another auditor holds a shard.", AUDITOR)
AUDIT_FINDING = LogEvent("audit_finding", "Instants or records of a job are missing.", AUDITOR)
HEARTBEAT_FAILED = LogEvent(
    "heartbeat_failed", "The operator's address did not take a heartbeat.", AUDITOR
)
JOB_UNAUDITED = LogEvent("job_unaudited", "A job's records cannot be judged.", AUDITOR)
QUOTA_DRIFTED = LogEvent(
    "quota_drifted", "A tenant's count of jobs or DAGs differs from those present.", AUDITOR
)

# Metering
RUNS_METERED = LogEvent("runs_metered", "Costs of ended attempts were counted.", AUDITOR)
METER_THROTTLED = LogEvent(
    "meter_throttled", "DynamoDB throttled the meter; the next tick goes on.", AUDITOR
)
METER_FAILED = LogEvent(
    "meter_failed", "The meter failed for another reason; audits went on.", AUDITOR
)
