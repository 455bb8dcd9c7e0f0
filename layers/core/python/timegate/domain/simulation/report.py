"""A simulation as JSON: one object per row of the ledger, and what they add up to."""

from collections import Counter
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from timegate.domain.execution.failures import FAILURES
from timegate.domain.ledger.ledger import Gap
from timegate.domain.runs.finishing import FinishOutlook, margin_ms, outlook
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.domain.simulation.events.event_report import event_view, wait_view
from timegate.domain.simulation.expectation import Expectation
from timegate.domain.simulation.ledger_rows import Row, Simulated
from timegate.domain.simulation.notices.notice_report import counted, notice_view
from timegate.domain.simulation.notices.told import SimulatedNotice
from timegate.domain.values.identity import Origin
from timegate.domain.values.instants import milliseconds_between, rfc3339

#: Expectations of each job by its name, and of all together under ``None``.
Expectations = Mapping[str | None, Expectation]
_NOTHING: Expectations = MappingProxyType({})
#: Ends of runs that have begun.
_DONE = frozenset({RunState.SUCCEEDED}) | FAILURES


def report(simulated: Simulated, expectations: Expectations = _NOTHING) -> dict[str, Any]:
    """``rows``, ``summary``, what of it is not as expected, and the changes that were refused."""
    ledgers = simulated.ledgers
    total = summary(
        [row for ledger in ledgers for row in ledger.rows],
        undecided=sum(ledger.undecided for ledger in ledgers),
        notices=simulated.notices,
    )
    by_job: dict[str | None, dict[str, Any]] = {
        ledger.name: summary(
            ledger.rows,
            undecided=ledger.undecided,
            notices=[each for each in simulated.notices if each.job == ledger.name],
        )
        for ledger in ledgers
        if ledger.name is not None
    }
    summaries = {None: total} | by_job
    return {
        "rows": [
            {"job": name} | (_gap(row) if isinstance(row, Gap) else _run(row))
            for name, row in simulated.named_rows
        ],
        "summary": total,
        "jobs": by_job,
        "notices": [notice_view(each) for each in simulated.notices],
        "events": [event_view(each) for each in simulated.events],
        "waits": [wait_view(each) for each in simulated.waits],
        "unmet": [
            {"job": name, "field": one.field, "expected": one.expected, "actual": one.actual}
            for name, expectation in expectations.items()
            for one in expectation.unmet(summaries[name])
        ],
        "refused": [
            {"at": rfc3339(refused.at), "field": refused.field, "code": refused.code}
            for refused in simulated.refused
        ],
    }


def summary(
    rows: Iterable[Row], *, undecided: int, notices: Iterable[SimulatedNotice] = ()
) -> dict[str, Any]:
    """Count the instants by outcome; lateness in milliseconds."""
    counts: dict[str, Counter[str]] = {"skipped": Counter(), "cancelled": Counter()}
    runs, failed, most_late, missed, warned = 0, 0, 0, 0, 0
    for row in rows:
        state = state_of(row)
        if not isinstance(row, Gap):
            missed += _misses_deadline(row)
            warned += row.finish is not None and row.finish.will_be_late
        if not isinstance(row, Gap) and state in _DONE:
            runs += state is RunState.SUCCEEDED
            failed += state is not RunState.SUCCEEDED
            most_late = max(most_late, _lateness(row) or 0)
        else:
            counts[state][str(row.reason)] += row.count if isinstance(row, Gap) else 1
    left_out = {state: dict(sorted(by_reason.items())) for state, by_reason in counts.items()}
    recorded = runs + failed + sum(by_reason.total() for by_reason in counts.values())
    return {
        "instants": recorded + undecided,
        "runs": runs,
        "failed": failed,
        **left_out,
        "undecided": undecided,
        "max_lateness_ms": most_late,
        "missed_deadlines": missed,
        "will_be_late": warned,
        "notices": counted(notices),
    }


def state_of(row: Row) -> RunState:
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
        "finish_by": _finish(run),
        "trigger": _trigger(run),
    }


def _trigger(run: Attempt) -> dict[str, Any] | None:
    """Tell of a trigger its key, and the instant of the run that stands for it."""
    if run.id.run.origin is not Origin.TRIGGER:
        return None
    mark = run.collapse
    into = None if mark is None else mark.into
    return {
        "key": None if mark is None else mark.shown,
        "collapsed_into": None if into is None else rfc3339(into.scheduled_at),
    }


def _gap(gap: Gap) -> dict[str, Any]:
    return {
        "type": "gap",
        "first": rfc3339(gap.first),
        "last": rfc3339(gap.last),
        "count": gap.count,
        "state": str(state_of(gap)),
        "reason": str(gap.reason),
        "rolled_to": gap.rolled_to and rfc3339(gap.rolled_to.of(gap.first)),
        "job_version": gap.job_version,
        "recorded_at": rfc3339(gap.recorded_at),
    }


def _finish(run: Attempt) -> dict[str, Any] | None:
    finish = run.finish
    if finish is None:
        return None
    return {
        "at": rfc3339(finish.by),
        "outlook": str(outlook(run, finish)),
        "usual_duration_ms": finish.usual_ms,
        "expected_at": finish.expected_at and rfc3339(finish.expected_at),
        "margin_ms": margin_ms(run, finish),
        "will_be_late": finish.will_be_late,
    }


def _misses_deadline(run: Attempt) -> bool:
    return run.finish is not None and outlook(run, run.finish) is FinishOutlook.MISSED


def _lateness(run: Attempt) -> int | None:
    return None if run.started_at is None else milliseconds_between(run.due_at, run.started_at)


def _duration(run: Attempt) -> int | None:
    if run.started_at is None or run.ended_at is None:
        return None
    return milliseconds_between(run.started_at, run.ended_at)
