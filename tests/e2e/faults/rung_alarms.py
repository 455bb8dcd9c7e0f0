"""Alarms of the stage: those that a fault rings in a test, and those that none rings yet."""

from datetime import datetime

from tests.support.deployed.stack import Stack

PREFIX = "timegate-local-"

#: Rung by faults of records, while all functions are sound.
OF_RECORDS = frozenset(
    {
        "planner-unreadable",
        "planner-tick-age",
        "sweeper-offer-age",
        "sweeper-operations-stalled",
        "auditor-records-lost",
        "auditor-quota-drift",
    }
)
#: Rung by ``test_alarms.py``, and mended as their runbooks say.
RUNG = (
    "planner-silence",
    "sweeper-silence",
    "relay-iterator-age",
    "low-long-dlq-depth",
    "rejected-depth",
    "auditor-errors",
    "dag_runs-throttles",
    "runs-dead-lettered",
    "workers-runs-dead-lettered",
    "ticks-dlq-depth",
    *sorted(OF_RECORDS),
)
#: Rung for one function or queue; these have the same construct, metric and threshold.
ALIKE = {
    "low-long-dlq-depth": r"(critical|high|normal|low)-(short|long)-dlq-depth",
    "relay-iterator-age": r"(outcomes|operations)-iterator-age",
    "auditor-errors": r"(?!auditor)[a-z_]+-errors",
    "dag_runs-throttles": r"(?!dag_runs)[a-z_]+-throttles",
    "planner-unreadable": r"(sweeper|auditor|operations)-unreadable",
}
#: Rung by no fault yet, and why.
SILENT = {
    "api-5xx": "the emulator's gateway sends no metrics",
    "executor-.*-start-lag": "late runs in three periods in a row take a load",
    "(critical|high|normal|low)-(short|long)-age": "a message has to wait for 16 minutes",
    "sweeper-watch-overdue": "a thousand runs have to be overdue in each of three minutes",
    "sweeper-looks-silence": "looks come from the sweeper's ticks, whose silence is rung",
    "relay-scheduling-lag": "runs have to be sent late in three periods in a row",
    "archiver-behind": "days have to pass without an archive",
    "auditor-behind": "a tick has to leave checks undone that were due an hour before",
    "auditor-unaccounted": "its findings are tested, not rung",
    "runs-killed-workers": "four executors have to die of a run",
    "(data-|api-|dispatch-)?unhealthy": "it is on while any other is",
}


def raised_since(stack: Stack, start: datetime) -> set[str]:
    """Name the alarms that went off; some were on for a few seconds."""
    history = stack.aws("cloudwatch").get_paginator("describe_alarm_history")
    pages = history.paginate(HistoryItemType="StateUpdate", StartDate=start)
    return {
        each["AlarmName"].removeprefix(PREFIX)
        for page in pages
        for each in page["AlarmHistoryItems"]
        if each["HistorySummary"].endswith("to ALARM")
    }
