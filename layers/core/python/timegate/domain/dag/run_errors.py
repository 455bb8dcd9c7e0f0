"""What can be wrong with a request about a DAG run."""

from timegate.domain.errors import Conflict, NotFound


class DagRunNotFound(NotFound):
    """The tenant has no DAG run with this id."""

    code = "dag_run_not_found"

    def __init__(self, dag_run_id: str) -> None:
        super().__init__(f"There is no DAG run {dag_run_id}.")


class DagRunIsFinished(Conflict):
    """The DAG run has ended; there is nothing to stop."""

    code = "dag_run_finished"

    def __init__(self, dag_run_id: str, status: str) -> None:
        super().__init__(f"DAG run {dag_run_id} has already ended: {status}.")


class DagRunIsUnfinished(Conflict):
    """The DAG run goes on; only one that has ended can be tried again."""

    code = "dag_run_unfinished"

    def __init__(self, dag_run_id: str, status: str) -> None:
        super().__init__(f"DAG run {dag_run_id} has not ended yet: it is {status}.")


class NothingToRepeat(Conflict):
    """Every task of the DAG run has succeeded, or its failure was dealt with."""

    code = "nothing_to_repeat"

    def __init__(self, dag_run_id: str) -> None:
        super().__init__(f"DAG run {dag_run_id} has no task that would be run again.")
