"""The client's operations on definitions of DAGs."""

from collections.abc import Mapping

from timegate.client.calling import Calling, Filter, segment
from timegate.client.sending import JsonObject


class DagCalls(Calling):
    """DAGs, by version."""

    def create_dag(
        self, definition: Mapping[str, object], *, idempotency_key: str | None = None
    ) -> JsonObject:
        """Create a DAG. With a key, repeating the call gives the same DAG and is done on faults."""
        headers = {} if idempotency_key is None else {"Idempotency-Key": idempotency_key}
        return self.send("POST", "/v1/dags", body=definition, headers=headers)

    def get_dag(self, dag_id: str, *, version: int | None = None) -> JsonObject:
        """A DAG as it is, or as a version has it."""
        path = _dag(dag_id) if version is None else f"{_dag(dag_id)}/versions/{version}"
        return self.send("GET", path)

    def list_dags(self, **filters: Filter) -> JsonObject:
        """A page of DAGs without their tasks; filters are ``limit cursor status``."""
        return self.page("/v1/dags", filters)

    def list_dag_versions(self, dag_id: str, **filters: Filter) -> JsonObject:
        """A page of a DAG's versions, the latest first; filters are ``limit cursor``."""
        return self.page(f"{_dag(dag_id)}/versions", filters)

    def update_dag(
        self, dag_id: str, changes: Mapping[str, object], *, version: int | None = None
    ) -> JsonObject:
        """Its next version: the fields given; with ``version``, only if it still has that."""
        return self.send("PATCH", _dag(dag_id), body=changes, headers=_condition(version))

    def delete_dag(self, dag_id: str, *, version: int | None = None) -> JsonObject:
        """Nothing of it starts any more; runs that have begun go on."""
        return self.send("DELETE", _dag(dag_id), headers=_condition(version))

    def validate_new_dag(self, definition: Mapping[str, object]) -> JsonObject:
        """What creating it would say; nothing is stored."""
        return self.send("POST", "/v1/dags/validate", body=definition)

    def validate_dag(self, dag_id: str, changes: Mapping[str, object] | None = None) -> JsonObject:
        """What is to be said of a stored one, or of one that changes would make of it."""
        return self.send("POST", f"{_dag(dag_id)}/validate", body=changes)

    def draw_dag(
        self, dag_id: str, *, language: str = "json", version: int | None = None
    ) -> JsonObject:
        """A DAG as a picture; ``language`` is json, mermaid or dot."""
        query: dict[str, Filter] = {"format": language, "version": version}
        return self.send("GET", f"{_dag(dag_id)}/graph", query=query)


def _dag(dag_id: str) -> str:
    return f"/v1/dags/{segment(dag_id)}"


def _condition(version: int | None) -> dict[str, str]:
    return {} if version is None else {"If-Match": f'"{version}"'}
