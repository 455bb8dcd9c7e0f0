"""What an end is counted as: what tells of runs is none of a job's."""

from collections.abc import Mapping
from types import MappingProxyType

from timegate.domain.runs.run import Attempt
from timegate.domain.values.identity import Origin

#: Of a notice. One that is given up is a dead letter as any other, and waits for the same people.
_NOTICES: Mapping[str, str] = MappingProxyType(
    {
        "RunsSucceeded": "NoticesSucceeded",
        "RunsFailed": "NoticesFailed",
        "RunsRetried": "NoticesRetried",
        "RunsTimedOut": "NoticesTimedOut",
        "RunsCancelled": "NoticesCancelled",
        "RunsSkipped": "NoticesSkipped",
    }
)


def counted_as(attempt: Attempt, metric: str) -> str:
    """``RunsFailed``, say, and of a notice ``NoticesFailed``."""
    return _NOTICES.get(metric, metric) if is_notice(attempt) else metric


def is_notice(attempt: Attempt) -> bool:
    """It tells of another run."""
    return attempt.id.run.origin is Origin.NOTIFICATION
