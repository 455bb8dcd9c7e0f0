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


class Precision(StrEnum):
    """``subsecond``: the executor holds the message until the due millisecond."""

    SECOND = "second"
    SUBSECOND = "subsecond"
