"""The condition that an attempt is still as it was read."""

from timegate.adapters.dynamo.tables.writes import Where
from timegate.domain.runs.checkpoint import sequence_of
from timegate.domain.runs.run import Attempt
from timegate.domain.values.instants import compact


def unchanged(read: Attempt) -> Where:
    """Build the condition of an unchanged attempt: each write changes one of these fields."""
    lease, watch_at = read.lease, read.watch_at
    return {
        # It was not claimed, ended or rescued ...
        "state": read.state,
        # ... nor took the lease over ...
        "fence": read.fence,
        # ... nor renewed it ...
        "lease_expires_at": compact(lease.expires_at) if lease is not None else None,
        # ... nor left it to its target ...
        "handed_over_at": (
            compact(lease.handed_over_at) if lease is not None and lease.handed_over_at else None
        ),
        # ... nor asked for a cancel ...
        "cancel_requested": read.cancel_requested or None,
        # ... nor looked at it and put it off.
        "watch_at": compact(watch_at) if watch_at is not None else None,
        # ... nor counted a duplicate, nor kept an answer.
        "duplicates_prevented": read.duplicates_prevented or None,
        "answer_fence": read.kept_answer.fence if read.kept_answer is not None else None,
        # ... nor reported how far it is.
        "progress_at": compact(read.progress.at) if read.progress is not None else None,
        "checkpoint_sequence": sequence_of(read.checkpoint) or None,
    }
