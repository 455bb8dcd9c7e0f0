"""Suspects: runs that a worker held when it died, and the deaths that count against them.

A worker holds several runs at once, and its death does not say which of them killed it. So a run
that was held by a dead worker is executed beside nothing else from then on, and only a death
during such an execution counts against it.
"""

from timegate.domain.runs.run import MAX_RELEASES, Attempt


def is_suspect(attempt: Attempt) -> bool:
    """Tell if an attempt that may be claimed now has a lease that expired without a report."""
    return attempt.deaths > 0


def has_killed(attempt: Attempt, *, leases: int) -> bool:
    """Tell if so many leases expired without a report, all but the first of them alone."""
    return attempt.deaths >= leases and attempt.alone >= leases - 1


def alone_when_claimed(attempt: Attempt) -> int:
    """The number of leases taken alone, with the claim of this attempt."""
    return attempt.alone + 1 if is_suspect(attempt) else attempt.alone


def alone_when_released(attempt: Attempt) -> int:
    """The number of leases taken alone, once this held attempt is handed back.

    A lease of a suspect is always taken alone. A release beyond ``MAX_RELEASES`` counts as a death.
    """
    counts = attempt.releases >= MAX_RELEASES
    return attempt.alone if counts else max(attempt.alone - 1, 0)
