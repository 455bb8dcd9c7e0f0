"""Jobs whose runs may be in sheaves, by their definition."""

from collections.abc import Callable, Mapping

from timegate.domain.jobs.delivery import DeliveryMode
from timegate.domain.jobs.demands import Precision
from timegate.domain.jobs.job import Job
from timegate.domain.recurrence.schedule import RECURRING

#: Reasons against a sheaf, and how a job shows each.
REASONS: Mapping[str, Callable[[Job], bool]] = {
    "it fires once or by triggers: there is no pattern to share": lambda job: (
        job.timing.schedule.kind not in RECURRING
    ),
    "`at_most_once` loses up to 500 runs with a worker, ten today": lambda job: (
        job.delivery is DeliveryMode.AT_MOST_ONCE
    ),
    "`exactly_once` looks for an answer that a dead lease left, run by run": lambda job: (
        job.delivery is DeliveryMode.EXACTLY_ONCE
    ),
    "`overlap` needs a slot at its start": lambda job: job.slot_key is not None,
    "a tenant's quota of concurrent runs needs a slot as well": lambda job: (
        job.tenant_runs is not None
    ),
    "`rate_limit` gives each run a turn of its own": lambda job: job.rate_limit is not None,
    "`before` asks an address first": lambda job: job.before is not None,
    "`long_run` goes on in slices": lambda job: job.long_run is not None,
    "a pool offers its runs to programs outside": lambda job: job.action.offer is not None,
    "`max_runs` counts each of its runs": lambda job: job.timing.schedule.max_runs is not None,
    "`jitter_seconds` gives it instants of its own": lambda job: bool(
        job.timing.schedule.jitter_seconds
    ),
    "`precision: subsecond` has a lane of its own": lambda job: (
        job.timing.precision is Precision.SUBSECOND
    ),
}


def against_a_sheaf(job: Job) -> list[str]:
    """Return the reasons; none: its runs may be in sheaves."""
    return [reason for reason, holds in REASONS.items() if holds(job)]
