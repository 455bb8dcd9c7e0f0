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

    def first_command(self, stage: str) -> str:
        """Return the command that its reader types first, for a stage of this name."""
        return _FIRST[self].format(prefix=f"timegate-{stage}", stage=stage)


def _log(function: str, event: str = "") -> str:
    """Return the command that shows a function's last hour, or an event in it."""
    command = f"aws logs tail /aws/lambda/{{prefix}}-{function} --since 1h"
    return f"{command} --filter-pattern {event}" if event else command


_STATES = "aws cloudwatch describe-alarms --state-value ALARM --alarm-name-prefix {prefix}-"
_SETTINGS = "aws lambda get-account-settings"

_FIRST: Mapping[Runbook, str] = {
    Runbook.API_ERRORS: "aws logs tail /aws/apigateway/{prefix}-api --since 1h",
    Runbook.ARCHIVE_BEHIND: _log("archiver"),
    Runbook.AUDIT_BEHIND: _log("auditor"),
    Runbook.BUDGET_BURNT: _STATES + "executor-",
    Runbook.CLOCK_SKEW: "timegate doctor",
    Runbook.DEAD_LETTERS: "timegate dead-letters list",
    Runbook.EVENTS_NOT_SENT: _log("cloud_events", "cloud_events_refused"),
    Runbook.FUNCTION_ERRORS: _STATES,
    Runbook.LATE_RUNS: "timegate overview --stage",
    Runbook.LOST_RECORDS: _log("auditor", "audit_finding"),
    Runbook.PLANNER_SILENCE: "aws scheduler list-schedules --group-name {prefix}-ticks",
    Runbook.POISON_MESSAGES: _log("dead_letter"),
    Runbook.QUEUE_BACKLOG: "timegate overview --stage",
    Runbook.QUOTA_DRIFT: _log("auditor", "quota_drifted"),
    Runbook.REGION_NOT_RENEWED: "timegate admin region status --stage {stage}",
    Runbook.REPLICATION_BEHIND: "timegate admin region status --stage {stage}",
    Runbook.REJECTED_MESSAGES: "aws sqs get-queue-url --queue-name {prefix}-rejected",
    Runbook.STALLED_OPERATIONS: _log("sweeper", "operation_overdue"),
    Runbook.STREAM_BEHIND: _STATES,
    Runbook.THROTTLES: _SETTINGS,
    Runbook.TICKS_LOST: "aws sqs get-queue-url --queue-name {prefix}-ticks-dlq",
    Runbook.UNACCOUNTED_INSTANTS: _log("auditor", "audit_finding"),
    Runbook.UNCLAIMED_OFFERS: "timegate pools list",
    Runbook.UNHEALTHY: _STATES,
    Runbook.UNREADABLE_RECORDS: _log("planner", "job_unreadable"),
}
