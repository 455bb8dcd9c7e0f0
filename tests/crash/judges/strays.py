"""Runs of creators that were struck: they were stored before a job that never came."""

from tests.crash.judges.checker import Row
from tests.crash.services.tables import Item


def is_stray(row: Row, job: Item | None) -> bool:
    """A first attempt that no tally counts, and its job is not there, or of another request."""
    if "untallied" not in row.item or row.number > 1:
        return False
    return job is None or ("creation" in job and job["created_at"] != row.item["created_at"])
