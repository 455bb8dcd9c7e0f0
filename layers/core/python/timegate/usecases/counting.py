"""What an end is counted as: what tells of runs is none of a job's."""

from timegate.domain.identity import Origin
from timegate.domain.run import Attempt


def counted_as(attempt: Attempt, metric: str) -> str:
    """``RunsFailed``, say, and of a notice ``NoticesFailed``.

    One that is given up is a dead letter as any other, and waits for the same people.
    """
    if not is_notice(attempt) or metric == "RunsDeadLettered":
        return metric
    return metric.replace("Runs", "Notices", 1)


def is_notice(attempt: Attempt) -> bool:
    """It tells of another run."""
    return attempt.id.run.origin is Origin.NOTIFICATION
