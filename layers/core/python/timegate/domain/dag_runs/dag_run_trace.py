"""Traces of DAG runs: the runs of all tasks belong to the trace of their DAG run."""

from timegate.domain.dag_runs.progress import DagRun
from timegate.domain.runs.run_trace import hashed


def dag_run_trace(run: DagRun) -> str:
    """Return the id of a DAG run's trace: that of the run or caller that started it, or its own."""
    return run.trace or hashed(f"trace\n{run.tenant}\n{run.dag_run_id}", 16)
