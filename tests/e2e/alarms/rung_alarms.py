"""Alarms of the stage, by the faults that ring them in tests."""

PREFIX = "timegate-local-"

#: Rung by faults of records, while all functions are sound.
OF_RECORDS = frozenset(
    {
        "archiver-behind",
        "planner-unreadable",
        "planner-tick-age",
        "sweeper-offer-age",
        "sweeper-operations-stalled",
        "auditor-records-lost",
        "auditor-quota-drift",
    }
)
#: Rung while messages wait for long, or while too few workers serve too many runs.
OF_LOAD = (
    "api-5xx",
    "api-unhealthy",
    "auditor-unaccounted",
    "critical-short-age",
    "executor-high-short-start-lag",
    "executors-clock-skew",
    "relay-scheduling-lag",
    "sweeper-stuck",
)
#: Rung while more records wait for a tick than it looks at.
OF_STORMS = ("auditor-behind", "sweeper-watch-overdue")
#: Each is on while any other alarm of its stack is; the first one while any of these is.
COMPOSITES = ("unhealthy", "data-unhealthy", "dispatch-unhealthy")
#: Rung by ``test_alarms.py``, and mended as their runbooks say.
OF_FAULTS = (
    "planner-silence",
    "sweeper-silence",
    "sweeper-looks-silence",
    "relay-iterator-age",
    "low-long-dlq-depth",
    "rejected-depth",
    "auditor-errors",
    "dag_runs-throttles",
    "runs-dead-lettered",
    "runs-killed-workers",
    "workers-runs-dead-lettered",
    "ticks-dlq-depth",
    *sorted(OF_RECORDS),
    *COMPOSITES,
)
RUNG = (*OF_FAULTS, *OF_LOAD, *OF_STORMS)
#: Rung for one function or queue; these have the same construct, metric and threshold.
ALIKE = {
    "low-long-dlq-depth": r"(critical|high|normal|low)-(short|long)-dlq-depth",
    "relay-iterator-age": r"(outcomes|operations)-iterator-age",
    "auditor-errors": r"(?!auditor)[a-z_]+-errors",
    "dag_runs-throttles": r"(?!dag_runs)[a-z_]+-throttles",
    "planner-unreadable": r"(sweeper|auditor|operations)-unreadable",
    "sweeper-silence": r"(auditor|archiver)-silence",
    "executor-high-short-start-lag": r"executor-(?!high-short).*-start-lag",
    "critical-short-age": r"(?!critical-short)(critical|high|normal|low)-(short|long)-age",
}
