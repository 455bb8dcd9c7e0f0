"""From records of a run to JSON: its failure, its result, and its log."""

from api.shown import View
from api.views import run_row
from timegate.domain.ledger.run_log import LogLine
from timegate.domain.operations.dead_letter import FailedRun
from timegate.domain.values.instants import rfc3339
from timegate.usecases.runs.read_result import RunResult


def failed_run_row(failed: FailedRun) -> View:
    """A failed run in a listing, with the name of its job."""
    return {**run_row(failed.last), "job_name": failed.job_name}


def result_view(result: RunResult) -> View:
    """The answer of the last attempt; nulls for a run that has none."""
    last, expires_at = result.last, result.link_expires_at
    stored = last.stored_result
    size = len(last.result.encode()) if last.result is not None else None
    return {
        "run_id": str(last.id.run),
        "attempt": last.id.number,
        "state": last.state,
        "result": last.result,
        "size_bytes": stored.size_bytes if stored is not None else size,
        "link": result.link,
        "link_expires_at": rfc3339(expires_at) if expires_at is not None else None,
    }


def log_view(line: LogLine) -> View:
    """One line of a run's log."""
    return {
        "at": rfc3339(line.at),
        "attempt": line.attempt,
        "kind": line.kind,
        "level": line.level,
        "text": line.text,
    }
