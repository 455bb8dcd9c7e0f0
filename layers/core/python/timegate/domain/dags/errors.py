"""Errors of DAGs, and of requests about them."""

from collections.abc import Sequence

from timegate.domain.values.errors import (
    Conflict,
    InvalidInput,
    NotFound,
    TimegateError,
    VersionMismatch,
)


class InvalidDag(TimegateError):
    """A definition that could not run as it says; every problem in it is named."""

    code = "invalid_dag"

    def __init__(self, problems: Sequence[InvalidInput]) -> None:
        super().__init__(f"The DAG has {len(problems)} problems.")
        self.problems = tuple(problems)


class DagNotFound(NotFound):
    """The tenant has no DAG with this id."""

    code = "dag_not_found"

    def __init__(self, dag_id: str) -> None:
        super().__init__(f"There is no DAG {dag_id}.")


class DagVersionNotFound(NotFound):
    """The DAG never had this version."""

    code = "dag_version_not_found"

    def __init__(self, dag_id: str, version: int | str) -> None:
        super().__init__(f"DAG {dag_id} has no version {version}.")


class DagIsDeleted(Conflict):
    """A deleted DAG can be read but no longer changed or run."""

    code = "dag_deleted"

    def __init__(self, dag_id: str) -> None:
        super().__init__(f"DAG {dag_id} is deleted; create a new one.")


class DagChanged(Conflict):
    """Another request changed the DAG in between; read it again and retry."""

    code = "dag_changed"

    def __init__(self, dag_id: str) -> None:
        super().__init__(f"DAG {dag_id} was changed meanwhile; read it again and retry.")


class DagVersionMismatch(VersionMismatch):
    """The caller asked for a version of the DAG that is not the stored one."""

    def __init__(self, dag_id: str, version: int) -> None:
        Conflict.__init__(self, f"DAG {dag_id} is at version {version}.")
