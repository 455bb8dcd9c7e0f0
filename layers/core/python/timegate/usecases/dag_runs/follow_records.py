"""Stream records that move DAG runs on."""

from collections.abc import Sequence

from timegate.domain.dag_runs.run_identity import DagRunRef
from timegate.domain.runs.run import Attempt
from timegate.usecases.dag_runs.dag_run_services import DagWorks
from timegate.usecases.dag_runs.look_at_dag_run import look_at_dag_runs
from timegate.usecases.dag_runs.stopping.call_off import call_off_with_runs
from timegate.usecases.dag_runs.tasks.end_task import end_tasks


def follow_records(shown: Sequence[Attempt | DagRunRef], works: DagWorks) -> None:
    """Ends of tasks, runs that are called off, and DAG runs to look at; raises ``Throttled``."""
    attempts = [each for each in shown if isinstance(each, Attempt)]
    end_tasks(attempts, works)
    call_off_with_runs(attempts, works)
    look_at_dag_runs([each for each in shown if isinstance(each, DagRunRef)], works)
