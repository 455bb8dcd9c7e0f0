"""Graphs of the operator's dashboard: each of our metrics, by subject."""

from dataclasses import dataclass

from infra.stage.settings import StageSettings
from timegate.ports.telemetry import run_metrics as runs
from timegate.ports.telemetry import service_metrics as services
from timegate.ports.telemetry.telemetry import Metric


@dataclass(frozen=True, slots=True)
class Graph:
    """Metrics of one unit under one title; durations have ``(ms)`` in the title."""

    title: str
    metrics: tuple[Metric, ...]


#: Rows of three.
SUBJECTS: tuple[tuple[Graph, ...], ...] = (
    (
        Graph(
            "Outcomes",
            (
                *(runs.RUNS_SUCCEEDED, runs.RUNS_FAILED, runs.RUNS_TIMED_OUT),
                *(runs.RUNS_SKIPPED, runs.RUNS_CANCELLED, runs.RUNS_DEAD_LETTERED),
            ),
        ),
        Graph(
            "Safety net",
            (
                *(runs.RUNS_RETRIED, runs.DUPLICATES_REFUSED, runs.DUPLICATES_PREVENTED),
                *(runs.LEASES_RESCUED, runs.LEASES_RELEASED, runs.ENDINGS_DELAYED),
                *(runs.HEARTBEATS_MISSED, services.ENDS_SHOWN_AGAIN),
            ),
        ),
        Graph(
            "Planned and published",
            (
                *(services.JOBS_PLANNED, services.RUNS_PLANNED, runs.RUNS_PUBLISHED),
                *(services.INSTANTS_MISSED, services.INSTANTS_FROZEN),
                *(services.INSTANTS_EXCLUDED, services.SHARDS_LEFT),
                services.REGION_RENEWALS_FAILED,
            ),
        ),
    ),
    (
        Graph(
            "Held up",
            (
                *(runs.RUNS_WAITING, runs.RUNS_OVER_QUOTA, runs.RUNS_BEYOND_DAY),
                *(runs.RUNS_PACED, runs.RUNS_PUT_OFF, runs.CONDITIONS_CHECKED),
            ),
        ),
        Graph(
            "Refused",
            (
                *(services.REQUESTS_REFUSED, services.REQUESTS_OVER_RATE, runs.TARGETS_REFUSED),
                *(runs.QUOTA_REFUSALS, services.JOBS_BEYOND_SHARE),
            ),
        ),
        Graph(
            "Long runs and results",
            (
                *(runs.RUNS_HANDED_OVER, runs.SLICES_ENDED),
                *(runs.RESULTS_CUT, runs.LOG_LINES_KEPT),
            ),
        ),
    ),
    (
        Graph(
            "Notifications",
            (
                *(runs.NOTIFICATIONS_MADE, runs.NOTICES_SUCCEEDED, runs.NOTICES_FAILED),
                *(runs.NOTICES_RETRIED, runs.NOTICES_TIMED_OUT),
                *(runs.NOTICES_SKIPPED, runs.NOTICES_CANCELLED),
            ),
        ),
        Graph(
            "Deadlines and follow-ups",
            (runs.DEADLINES_FORECAST_MISSED, runs.DEADLINES_MISSED, runs.FOLLOW_UPS_TRIGGERED),
        ),
        Graph(
            "Pools",
            (
                *(runs.POOL_CLAIMS, runs.POOL_CLAIMS_EMPTY),
                *(runs.POOL_RUNS_CLAIMED, runs.OFFERS_UNCLAIMED),
            ),
        ),
    ),
    (
        Graph(
            "Sweeping",
            (
                *(services.WATCH_OVERDUE, services.LOOKS, services.LOOKS_NOT_SENT),
                *(services.LOOKS_REJECTED, services.LOOKS_STALE),
            ),
        ),
        Graph("Unreadable", (services.RECORDS_UNREADABLE, services.MESSAGES_REJECTED)),
        Graph(
            "Audit",
            (
                *(services.INSTANTS_AUDITED, services.INSTANTS_UNACCOUNTED),
                *(services.RECORDS_LOST, services.AUDITS_PUT_OFF),
                *(services.QUOTA_DRIFT, services.RECOUNTS_INCONCLUSIVE),
                *(services.HEARTBEATS_FAILED, services.METER_FAILURES),
            ),
        ),
    ),
    (
        Graph(
            "Operations and dead letters",
            (
                *(services.RUNS_BACKFILLED, services.RUNS_REDRIVEN),
                *(services.DEAD_LETTERS_DISCARDED, services.OPERATION_ITEMS_DONE),
                *(services.OPERATION_ITEMS_FAILED, services.OPERATIONS_STALLED),
            ),
        ),
        Graph("Notification rules", (services.RULE_LOOKS_DUE, services.RULE_EVENTS)),
        Graph(
            "DAG runs",
            (
                *(services.DAG_RUNS_SUCCEEDED, services.DAG_RUNS_FAILED),
                *(services.DAG_RUNS_CANCELLED, services.TASKS_STARTED, services.TASKS_ENDED),
                *(services.TASKS_INTERVENED, services.EVENTS_NOT_STARTED),
                services.EVENTS_RECEIVED,
                services.EVENT_TRIGGERS_FIRED,
            ),
        ),
        Graph(
            "Waiting times (ms)",
            (
                *(runs.OFFER_AGE_MS, runs.CONDITION_MS, runs.CLOCK_SKEW_MS, services.API_MS),
                services.DAG_RUN_MS,
                *(services.AUDIT_DELAY_MS, services.AUDIT_ROUND_MS, services.ARCHIVE_AGE_MS),
                services.STREAM_UNREAD_MS,
            ),
        ),
    ),
)
#: The row of a stage that tells of changes.
EVENT_SUBJECTS: tuple[Graph, ...] = (
    Graph(
        "Events",
        (
            *(services.CLOUD_EVENTS_QUEUED, services.CLOUD_EVENTS_SENT),
            *(services.CLOUD_EVENTS_LEFT_OUT, services.CLOUD_EVENTS_NOT_SENT),
            services.CLOUD_EVENTS_NOT_QUEUED,
        ),
    ),
)


def subjects(settings: StageSettings) -> tuple[tuple[Graph, ...], ...]:
    """Return the rows of a stage's dashboard."""
    return (*SUBJECTS, EVENT_SUBJECTS) if settings.events.on else SUBJECTS
