"""Log events of runs, from their publication to their end."""

from timegate.ports.telemetry.telemetry import (
    API,
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
    LogEvent,
)

# Publication
RUN_PUBLISH_REFUSED = LogEvent(
    "run_publish_refused",
    "SQS did not take a run; the stream or the sweeper publishes it again.",
    *(API, PLANNER, RELAY, OPERATIONS),
)
PUBLICATION_LEFT_TO_STREAM = LogEvent(
    "publication_left_to_stream",
    "A direct publication failed and was left to the relay.",
    *(API, PLANNER, OPERATIONS),
)
SEND_FAILED = LogEvent(
    "send_failed",
    "SQS refused messages, or a whole batch of them.",
    *(API, PLANNER, RELAY, OUTCOMES, OPERATIONS, CLOUD_EVENTS),
)
CLOUD_EVENT_NOT_QUEUED = LogEvent(
    "cloud_event_not_queued",
    "The queue of events did not take an event; the line has it whole.",
    OUTCOMES,
)
CLOUD_EVENTS_REFUSED = LogEvent(
    "cloud_events_refused", "The bus did not take events; they are sent again.", CLOUD_EVENTS
)
END_SHOWN_AGAIN = LogEvent(
    "end_shown_again", "The end of a run was written again for the stream.", SWEEPER
)
RUN_UNREADABLE = LogEvent(
    "run_unreadable", "A stored run cannot be read and was put off.", EXECUTOR, WORKERS, SWEEPER
)

# Claims
RUN_TAKEN_OVER = LogEvent(
    "run_taken_over", "A worker took a run whose holder had left it.", EXECUTOR, WORKERS
)
CLAIM_FAILED = LogEvent(
    "claim_failed",
    "DynamoDB did not answer a claim; its messages come back, or its offers stay.",
    *(EXECUTOR, WORKERS),
)
DUPLICATE_REFUSED = LogEvent(
    "duplicate_refused", "A second delivery of a run was dropped.", EXECUTOR, WORKERS
)
DUPLICATE_NOT_COUNTED = LogEvent(
    "duplicate_not_counted",
    "A prevented duplicate could not be written to its run.",
    *(EXECUTOR, WORKERS),
)
MESSAGE_EARLY = LogEvent(
    "message_early", "A message came before its run was due and was hidden until then.", EXECUTOR
)
MESSAGES_LEFT = LogEvent(
    "messages_left", "Messages were given back because the executor had no time left.", EXECUTOR
)
RUN_PUT_OFF = LogEvent("run_put_off", "A run was moved to a later instant.", EXECUTOR, WORKERS)
RUN_RESTS = LogEvent(
    "run_rests",
    "A frozen run that was executed before stays with its last holder.",
    *(EXECUTOR, WORKERS),
)
RUN_REROUTED = LogEvent(
    "run_rerouted",
    "A run moved to the pool or queue that its job names now.",
    *(EXECUTOR, WORKERS, SWEEPER),
)
RUN_REFUSED = LogEvent("run_refused", "A run ended without being executed.", EXECUTOR, WORKERS)
CONDITION_REFUSED = LogEvent("condition_refused", "A run's condition was not met.", EXECUTOR)

# Limits
RUN_WAITS = LogEvent("run_waits", "A run entered the wait queue of its job.", EXECUTOR, WORKERS)
RUN_REPLACED = LogEvent(
    "run_replaced", "A run was asked to stop in favour of a newer one.", EXECUTOR, WORKERS
)
RUN_PACED = LogEvent(
    "run_paced", "A run was moved to the instant its rate limit reserved.", EXECUTOR, WORKERS
)
RATE_HELD_BACK = LogEvent(
    "rate_held_back", "A target asked for a pause, and its rate limit keeps it.", EXECUTOR, WORKERS
)
RATE_NOT_HELD_BACK = LogEvent(
    "rate_not_held_back", "A target asked for a pause that could not be stored.", EXECUTOR, WORKERS
)
QUOTA_EXCEEDED = LogEvent(
    "quota_exceeded",
    "A tenant's quota refused something new.",
    *(API, DAG_RUNS, OPERATIONS, EXECUTOR, WORKERS),
)
WAITER_CALLED = LogEvent(
    "waiter_called",
    "A freed slot called the next waiting run.",
    *(API, EXECUTOR, OUTCOMES, SWEEPER, WORKERS),
)
SLOT_NOT_KEPT = LogEvent(
    "slot_not_kept", "A slot could not be kept between two slices.", EXECUTOR, WORKERS
)
SLOT_NOT_RELEASED = LogEvent(
    "slot_not_released",
    "A slot could not be released and expires.",
    *(API, EXECUTOR, OUTCOMES, SWEEPER, WORKERS),
)
SLOTS_NOT_RELEASED = LogEvent(
    "slots_not_released",
    "Slots of refused claims could not be released and expire.",
    *(EXECUTOR, WORKERS),
)

# Execution
RUN_HANDED_OVER = LogEvent(
    "run_handed_over", "A run was started at its target, which reports by callback.", EXECUTOR
)
SLICE_ENDED = LogEvent(
    "slice_ended", "A slice of a long run ended with a checkpoint.", EXECUTOR, WORKERS
)
ANSWER_KEPT = LogEvent(
    "answer_kept",
    "A target's answer was stored for the case that its end is not.",
    *(EXECUTOR, WORKERS),
)
RESULT_CUT = LogEvent(
    "result_cut", "A result was longer than allowed and was cut.", EXECUTOR, WORKERS
)
HEARTBEAT_MISSED = LogEvent("heartbeat_missed", "A target sent no heartbeat in time.", EXECUTOR)
RUN_RELEASED = LogEvent("run_released", "A worker gave its lease back.", EXECUTOR, WORKERS)
RELEASE_FAILED = LogEvent(
    "release_failed", "A lease could not be given back and expires.", EXECUTOR, WORKERS
)
RUN_UNSETTLED = LogEvent(
    "run_unsettled", "An end could not be written; another worker settles the run.", EXECUTOR
)
RUN_ENDED = LogEvent(
    "run_ended",
    "Attempts of a batch ended alike: their state and reason, and a list of them.",
    EXECUTOR,
    WORKERS,
    OUTCOMES,
)
TARGET_REFUSED = LogEvent(
    "target_refused",
    "A target, an address or a secret is not allowed on this stage.",
    *(API, WORKERS, EXECUTOR),
)
TARGET_STOPPED = LogEvent(
    "target_stopped", "A cancelled run was stopped at its target.", EXECUTOR, WORKERS
)
TARGET_NOT_STOPPED = LogEvent(
    "target_not_stopped", "A cancelled run could not be stopped at its target.", EXECUTOR, WORKERS
)
RUN_RESCHEDULED = LogEvent(
    "run_rescheduled", "A run that had not begun is due at another time.", API, OPERATIONS
)
RUN_CANCELLED = LogEvent("run_cancelled", "A run was cancelled before it began.", API, OPERATIONS)
RUN_CANCEL_REQUESTED = LogEvent(
    "run_cancel_requested", "A running run was asked to stop.", API, OPERATIONS
)
PAUSE_UNREADABLE = LogEvent(
    "pause_unreadable", "The pause of a pool cannot be read, and keeps runs from workers.", WORKERS
)
POOL_CLAIMED = LogEvent("pool_claimed", "A worker claimed runs of a pool.", WORKERS)

# Outcomes
JOB_COMPLETED = LogEvent("job_completed", "The last run of a job ended.", OUTCOMES)
NOTIFICATIONS_MADE = LogEvent(
    "notifications_made",
    "Notifications of a run were stored.",
    *(OUTCOMES, EXECUTOR, SWEEPER, WORKERS),
)
FOLLOW_UP_TRIGGERED = LogEvent(
    "follow_up_triggered", "The end of a run triggered another job.", OUTCOMES
)
END_NOT_FOLLOWED = LogEvent(
    "end_not_followed", "A follow-up names a job that is missing or cannot be read.", OUTCOMES
)
END_LEFT = LogEvent("end_left", "An executor could not move a DAG run on; outcomes does.", EXECUTOR)
FORECAST_NOT_MADE = LogEvent(
    "forecast_not_made", "A deadline could not be forecast now.", EXECUTOR, SWEEPER, WORKERS
)
DEADLINE_IN_DANGER = LogEvent(
    "deadline_in_danger", "A run is expected to miss its deadline.", EXECUTOR, SWEEPER, WORKERS
)
DEADLINE_MISSED = LogEvent(
    "deadline_missed", "A run was still open at its deadline.", EXECUTOR, SWEEPER, WORKERS
)

# Sweeping
SHARD_SWEPT = LogEvent("shard_swept", "The sweeper looked at a shard's overdue runs.", SWEEPER)
SHARD_LOOKED_AT = LogEvent(
    "shard_looked_at", "The sweeper looked at a shard between two ticks.", SWEEPER
)
RUN_SWEPT = LogEvent("run_swept", "The sweeper judged an overdue run.", SWEEPER)
LOOKS_NOT_SENT = LogEvent("looks_not_sent", "SQS refused looks for the next minute.", SWEEPER)
LOOK_REJECTED = LogEvent("look_rejected", "A look cannot be read and was dropped.", SWEEPER)

# Messages
MESSAGE_REJECTED = LogEvent(
    "message_rejected",
    "A message cannot be read and was parked.",
    *(SWEEPER, EXECUTOR, DEAD_LETTER, CLOUD_EVENTS),
)
RECORD_REJECTED = LogEvent(
    "record_rejected",
    "A stream record cannot be read and was parked.",
    *(RELAY, OUTCOMES, OPERATIONS, CLOUD_EVENTS),
)
RECEIVE_FAILED = LogEvent(
    "receive_failed", "SQS gave an executor no further messages; Lambda takes them.", EXECUTOR
)
HIDE_FAILED = LogEvent(
    "hide_failed", "SQS did not hide messages that an executor gave back.", EXECUTOR
)
BACKLOG_UNKNOWN = LogEvent(
    "backlog_unknown", "SQS did not tell if messages wait; their runs are looked at again.", SWEEPER
)
ACKNOWLEDGE_FAILED = LogEvent(
    "acknowledge_failed", "SQS did not delete messages; they come again.", EXECUTOR
)
MESSAGE_BURIED = LogEvent(
    "message_buried",
    "A run whose messages killed their executors became a dead letter.",
    DEAD_LETTER,
)
