"""The client's operations on definitions of DAGs."""

from typing import Literal

from timegate.client.calling import (
    ApiCall,
    PageCall,
    ask,
    change,
    get,
    keyed,
    page,
    picture,
    segment,
)
from timegate.client.operation import listing, operation
from timegate.client.schemas import (
    Dag,
    DagGraph,
    DagPage,
    DagPatch,
    DagRow,
    DagValidation,
    DagVersionPage,
    NewDag,
    PictureScheme,
)
from timegate.client.sending import Calls


class DagCalls(Calls):
    """DAGs, by version."""

    @operation
    def create_dag(self, definition: NewDag, *, idempotency_key: str | None = None) -> ApiCall[Dag]:
        """Create a DAG; the same key with the same definition gives the same DAG."""
        return keyed("/v1/dags", definition, idempotency_key)

    @operation
    def get_dag(self, dag_id: str) -> ApiCall[Dag]:
        """A DAG as it is."""
        return get(_dag(dag_id))

    @operation
    def get_dag_version(self, dag_id: str, version: int) -> ApiCall[Dag]:
        """A DAG as a version has it."""
        return get(f"{_dag(dag_id)}/versions/{version}")

    @listing
    def list_dags(
        self, *, status: str | None = None, limit: int | None = None, cursor: str | None = None
    ) -> PageCall[DagPage, DagRow]:
        """A page of DAGs without their tasks, newest first; without a status, the active ones."""
        return page("/v1/dags", {"status": status, "limit": limit, "cursor": cursor})

    @listing
    def list_dag_versions(
        self, dag_id: str, *, limit: int | None = None, cursor: str | None = None
    ) -> PageCall[DagVersionPage, DagRow]:
        """A page of a DAG's versions, the latest first."""
        return page(f"{_dag(dag_id)}/versions", {"limit": limit, "cursor": cursor})

    @operation
    def update_dag(
        self, dag_id: str, changes: DagPatch, *, version: int | None = None
    ) -> ApiCall[Dag]:
        """Its next version: the fields given; with ``version``, only if it still has that."""
        return change("PATCH", _dag(dag_id), body=changes, version=version)

    @operation
    def delete_dag(self, dag_id: str, *, version: int | None = None) -> ApiCall[Dag]:
        """Nothing of it starts any more; runs that have begun go on."""
        return change("DELETE", _dag(dag_id), version=version)

    @operation
    def validate_new_dag(self, definition: NewDag) -> ApiCall[DagValidation]:
        """Report problems that creating the DAG would meet; nothing is stored."""
        return ask("/v1/dags/validate", definition)

    @operation
    def validate_dag(self, dag_id: str, changes: DagPatch | None = None) -> ApiCall[DagValidation]:
        """Report problems of a stored DAG, or of one with these changes."""
        return ask(f"{_dag(dag_id)}/validate", changes)

    @operation
    def draw_dag(
        self,
        dag_id: str,
        *,
        language: Literal["json", "mermaid", "dot"] = "json",
        version: int | None = None,
    ) -> ApiCall[DagGraph]:
        """A DAG as a picture."""
        return get(f"{_dag(dag_id)}/graph", {"format": language, "version": version})

    @operation
    def draw_dag_picture(
        self, dag_id: str, *, version: int | None = None, scheme: PictureScheme | None = None
    ) -> ApiCall[str]:
        """A DAG as SVG."""
        return picture(f"{_dag(dag_id)}/graph.svg", {"version": version, "scheme": scheme})


def _dag(dag_id: str) -> str:
    return f"/v1/dags/{segment(dag_id)}"
