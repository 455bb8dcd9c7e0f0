"""Alarms of the stage: those that a fault rings in a test, and those that none rings yet."""

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
)
#: Rung for one function or queue; these have the same construct, metric and threshold.
ALIKE = {
    "low-long-dlq-depth": r"(critical|high|normal|low)-(short|long)-dlq-depth",
    "relay-iterator-age": r"(outcomes|operations)-iterator-age",
    "auditor-errors": r"(?!auditor)[a-z_]+-errors",
    "dag_runs-throttles": r"(?!dag_runs)[a-z_]+-throttles",
}
#: Rung by no fault yet, and why.
SILENT = {
    "api-5xx": "the emulator's gateway sends no metrics",
    "executor-.*-start-lag": "late runs in three periods in a row take a load",
    "(critical|high|normal|low)-(short|long)-age": "a message has to wait for 16 minutes",
    "sweeper-watch-overdue": "a thousand runs have to be overdue in each of three minutes",
    "sweeper-offer-age": "a run has to wait in its pool for an hour",
    "sweeper-operations-stalled": "an operation has to stand still for five minutes",
    "sweeper-looks-silence": "looks come from the sweeper's ticks, whose silence is rung",
    "planner-tick-age": "a shard has to be planned six minutes behind",
    "relay-scheduling-lag": "runs have to be sent late in three periods in a row",
    "archiver-behind": "days have to pass without an archive",
    "auditor-(behind|quota-drift|records-lost|unaccounted)": "its findings are tested, not rung",
    "(planner|sweeper|auditor|operations)-unreadable": "its records are tested, not rung",
    "runs-killed-workers": "four executors have to die of a run",
    "(data-|api-|dispatch-)?unhealthy": "it is on while any other is",
}
