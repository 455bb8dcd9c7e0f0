"""A simulation as JSON: one object per row of the ledger, and what they add up to."""

from collections import Counter
from typing import Any

from timegate.domain.instants import milliseconds_between, rfc3339
from timegate.domain.ledger import Gap
from timegate.domain.run import Attempt, Reason, RunState
from timegate.domain.simulation.expectation import Expectation
from timegate.domain.simulation.ledger_rows import Simulated

_NOTHING = Expectation()


def report(simulated: Simulated, expectation: Expectation = _NOTHING) -> dict[str, Any]:
    """``rows``, ``summary``, what of it is not as expected, and the changes that were refused."""
    total = summary(simulated)
    return {
        "rows": [_gap(row) if isinstance(row, Gap) else _run(row) for row in simulated.rows],
        "summary": total,
        "unmet": [
            {"field": unmet.field, "expected": unmet.expected, "actual": unmet.actual}
            for unmet in expectation.unmet(total)
        ],
        "refused": [
            {"at": rfc3339(refused.at), "field": refused.field, "code": refused.code}
            for refused in simulated.refused
        ],
    }


def summary(simulated: Simulated) -> dict[str, Any]:
    """How many instants came to what; lateness in milliseconds."""
    counts: dict[str, Counter[str]] = {"skipped": Counter(), "cancelled": Counter()}
    runs, most_late = 0, 0
    for row in simulated.rows:
        state = state_of(row)
        if not isinstance(row, Gap) and state is RunState.SUCCEEDED:
            runs += 1
            most_late = max(most_late, _lateness(row) or 0)
        else:
            counts[state][str(row.reason)] += row.count if isinstance(row, Gap) else 1
    left_out = {state: dict(sorted(by_reason.items())) for state, by_reason in counts.items()}
    recorded = runs + sum(by_reason.total() for by_reason in counts.values())
    return {
        "instants": recorded + simulated.undecided,
        "runs": runs,
        **left_out,
        "undecided": simulated.undecided,
        "max_lateness_ms": most_late,
    }


def state_of(row: Attempt | Gap) -> RunState:
    """A gap is skipped, unless its job was cancelled."""
    if isinstance(row, Gap):
        ended = row.reason is Reason.JOB_CANCELLED
        return RunState.CANCELLED if ended else RunState.SKIPPED
    return row.state


def _run(run: Attempt) -> dict[str, Any]:
    return {
        "type": "run",
        "scheduled_at": rfc3339(run.id.run.scheduled_at),
        "state": str(run.state),
        "reason": run.reason and str(run.reason),
        "job_version": run.job_version,
        "planned_at": rfc3339(run.created_at),
        "due_at": rfc3339(run.due_at),
        "started_at": run.started_at and rfc3339(run.started_at),
        "ended_at": run.ended_at and rfc3339(run.ended_at),
        "lateness_ms": _lateness(run),
        "duration_ms": _duration(run),
    }


def _gap(gap: Gap) -> dict[str, Any]:
    return {
        "type": "gap",
        "first": rfc3339(gap.first),
        "last": rfc3339(gap.last),
        "count": gap.count,
        "state": str(state_of(gap)),
        "reason": str(gap.reason),
        "job_version": gap.job_version,
        "recorded_at": rfc3339(gap.recorded_at),
    }


def _lateness(run: Attempt) -> int | None:
    return None if run.started_at is None else milliseconds_between(run.due_at, run.started_at)


def _duration(run: Attempt) -> int | None:
    if run.started_at is None or run.ended_at is None:
        return None
    return milliseconds_between(run.started_at, run.ended_at)
