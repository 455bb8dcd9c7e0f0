"""Demands of a job on the dispatch of its runs."""

from enum import StrEnum


class Priority(StrEnum):
    """Each priority has its own queues, executors and concurrency."""

    CRITICAL = "critical"
    HIGH = "high"
    NORMAL = "normal"
    LOW = "low"


class ResourceClass(StrEnum):
    """Durations of one attempt: ``short`` fits a small Lambda function, ``long`` a large one."""

    SHORT = "short"
    LONG = "long"


#: The longest that one attempt may take; its executor works that long, and a little longer.
MAX_TIMEOUT_SECONDS = {ResourceClass.SHORT: 60, ResourceClass.LONG: 840}


class Precision(StrEnum):
    """``subsecond``: the executor holds the message until the due millisecond."""

    SECOND = "second"
    SUBSECOND = "subsecond"


class ListRuns(StrEnum):
    """Runs that the listing of a tenant shows beside those of one job."""

    #: Runs that were to happen and did not succeed; no run pays a write for it.
    FAILURES = "failures"
    #: Runs in every state: each attempt pays one index write when it is stored.
    ALL = "all"
