"""Runbooks: the sections of their page, and the first command of each."""

from collections.abc import Mapping
from enum import StrEnum


class Runbook(StrEnum):
    """The sections of ``docs/operations/runbooks.md``, by anchor."""

    API_ERRORS = "api-errors"
    ARCHIVE_BEHIND = "archive-behind"
    AUDIT_BEHIND = "audit-behind"
    BUDGET_BURNT = "budget-burnt"
    CLOCK_SKEW = "clock-skew"
    DEAD_LETTERS = "dead-letters"
    EVENTS_NOT_SENT = "events-not-sent"
    FUNCTION_ERRORS = "function-errors"
    LATE_RUNS = "late-runs"
    LOST_RECORDS = "lost-records"
    PLANNER_SILENCE = "planner-silence"
    POISON_MESSAGES = "poison-messages"
    QUEUE_BACKLOG = "queue-backlog"
    QUOTA_DRIFT = "quota-drift"
    REGION_NOT_RENEWED = "region-not-renewed"
    REJECTED_MESSAGES = "rejected-messages"
    REPLICATION_BEHIND = "replication-behind"
    STALLED_OPERATIONS = "stalled-operations"
    STREAM_BEHIND = "stream-behind"
    THROTTLES = "throttles"
    TICKS_LOST = "ticks-lost"
    UNACCOUNTED_INSTANTS = "unaccounted-instants"
    UNCLAIMED_OFFERS = "unclaimed-offers"
    UNHEALTHY = "unhealthy"
    UNREADABLE_RECORDS = "unreadable-records"

    def first_command(self, stage: str, subject: str = "") -> str:
        """Return the command that its reader types first, for a stage of this name.

        ``subject``: the physical name of the function or the queue that an alarm is about. A
        command that names it has a word for it without.
        """
        prefix = f"timegate-{stage}"
        about = subject or f"{prefix}-{_SUBJECTS.get(self, '')}"
        return _FIRST[self].format(prefix=prefix, stage=stage, subject=about)


def _log(function: str, *events: str) -> str:
    """Return the command that shows a function's last hour, or any of some events in it."""
    command = f"aws logs tail /aws/lambda/{function} --since 1h"
    # A term behind a question mark is one of several.
    any_of = f"'{' '.join(f'?{event}' for event in events)}'" if events[1:] else "".join(events)
    return f"{command} --filter-pattern {any_of}" if events else command


_STATES = "aws cloudwatch describe-alarms --state-value ALARM --alarm-name-prefix {prefix}-"
_SETTINGS = "aws lambda get-account-settings"
#: Events of a record that its function cannot read.
_UNREADABLE = (
    *("job_unreadable", "run_unreadable", "dag_run_unreadable", "operation_unreadable"),
    *("rules_unreadable", "job_damaged", "run_damaged", "gap_damaged", "job_unaudited"),
)

#: Runbooks of alarms on several functions or queues, and the word for one of them.
_SUBJECTS: Mapping[Runbook, str] = {
    Runbook.EVENTS_NOT_SENT: "FUNCTION",
    Runbook.REJECTED_MESSAGES: "QUEUE",
    Runbook.UNREADABLE_RECORDS: "FUNCTION",
}

_FIRST: Mapping[Runbook, str] = {
    Runbook.API_ERRORS: "aws logs tail /aws/vendedlogs/apigateway/{prefix}-api --since 1h",
    Runbook.ARCHIVE_BEHIND: _log("{prefix}-archiver"),
    Runbook.AUDIT_BEHIND: _log("{prefix}-auditor"),
    Runbook.BUDGET_BURNT: _STATES + "executor-",
    Runbook.CLOCK_SKEW: "timegate doctor",
    Runbook.DEAD_LETTERS: "timegate dead-letters list",
    Runbook.EVENTS_NOT_SENT: _log("{subject}", "cloud_events_refused", "cloud_event_not_queued"),
    Runbook.FUNCTION_ERRORS: _STATES,
    Runbook.LATE_RUNS: "timegate overview --stage",
    Runbook.LOST_RECORDS: _log("{prefix}-auditor", "audit_finding"),
    Runbook.PLANNER_SILENCE: "aws scheduler list-schedules --group-name {prefix}-ticks",
    Runbook.POISON_MESSAGES: _log("{prefix}-dead_letter"),
    Runbook.QUEUE_BACKLOG: "timegate overview --stage",
    Runbook.QUOTA_DRIFT: _log("{prefix}-auditor", "quota_drifted"),
    Runbook.REGION_NOT_RENEWED: "timegate admin region status --stage {stage}",
    Runbook.REPLICATION_BEHIND: "timegate admin region status --stage {stage}",
    Runbook.REJECTED_MESSAGES: "aws sqs get-queue-url --queue-name {subject}",
    Runbook.STALLED_OPERATIONS: _log("{prefix}-sweeper", "operation_overdue"),
    Runbook.STREAM_BEHIND: _STATES,
    Runbook.THROTTLES: _SETTINGS,
    Runbook.TICKS_LOST: "aws sqs get-queue-url --queue-name {prefix}-ticks-dlq",
    Runbook.UNACCOUNTED_INSTANTS: _log("{prefix}-auditor", "audit_finding"),
    Runbook.UNCLAIMED_OFFERS: "timegate pools list",
    Runbook.UNHEALTHY: _STATES,
    Runbook.UNREADABLE_RECORDS: _log("{subject}", *_UNREADABLE),
}
