"""From records of a run to JSON: its failure, its result, and its log."""

from api.runs.run_views import run_row
from api.values.views import View, instant_view, page_view
from timegate.domain.ledger.run_log import LogLine
from timegate.domain.operations.dead_letter import NamedRun
from timegate.domain.runs.run_filter import FailureFilter, RunCriteria
from timegate.domain.values.instants import rfc3339
from timegate.ports.stores import Page
from timegate.usecases.runs.read_result import RunResult

#: Runs that a listing of an index cannot have, in words.
_LEFT_OUT = (
    "Runs of jobs whose list_runs is not all, runs stored before it was, and tasks of DAG runs: ask"
    " with job_id or dag_run_id."
)


def named_run_row(named: NamedRun) -> View:
    """A run in a tenant's listing, with the name of its job."""
    return {**run_row(named.last), "job_name": named.job_name}


def tenant_runs_view(page: Page[NamedRun], wanted: RunCriteria) -> View:
    """A page of a tenant's runs, and which runs that match it cannot have."""
    of_one = wanted.job_id is not None or wanted.dag_run_id is not None
    is_whole = isinstance(wanted, FailureFilter) or of_one
    return {
        **page_view(page, named_run_row),
        "complete": is_whole,
        "left_out": None if is_whole else _LEFT_OUT,
    }


def result_view(result: RunResult) -> View:
    """The answer of the last attempt; nulls for a run that has none."""
    last = result.last
    stored = last.stored_result
    size = len(last.result.encode()) if last.result is not None else None
    return {
        "run_id": str(last.id.run),
        "attempt": last.id.number,
        "state": last.state,
        "result": last.result,
        "size_bytes": stored.size_bytes if stored is not None else size,
        "link": result.link,
        "link_expires_at": instant_view(result.link_expires_at),
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
