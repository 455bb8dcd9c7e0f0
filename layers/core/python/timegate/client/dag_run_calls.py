"""The client's operations on runs of DAGs."""

from collections.abc import Mapping

from timegate.client.calling import Calling, Filter, segment
from timegate.client.sending import JsonObject


class DagRunCalls(Calling):
    """Runs of DAGs, and their tasks."""

    def start_dag_run(
        self,
        dag_id: str,
        parameters: Mapping[str, object] | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> JsonObject:
        """Start a run. With a key, repeating the call gives the same one and is done on faults."""
        headers = {} if idempotency_key is None else {"Idempotency-Key": idempotency_key}
        body = {"parameters": dict(parameters or {})}
        return self.send("POST", f"/v1/dags/{segment(dag_id)}/runs", body=body, headers=headers)

    def list_dag_runs(self, dag_id: str, **filters: Filter) -> JsonObject:
        """A page of a DAG's runs, newest first; filters are ``limit cursor``."""
        return self.page(f"/v1/dags/{segment(dag_id)}/runs", filters)

    def get_dag_run(self, dag_run_id: str) -> JsonObject:
        """A DAG run with its tasks."""
        return self.send("GET", _run(dag_run_id))

    def cancel_dag_run(self, dag_run_id: str) -> JsonObject:
        """Start nothing more of it, and cancel what is under way."""
        return self.send("POST", f"{_run(dag_run_id)}/cancel")

    def retry_dag_run(self, dag_run_id: str) -> JsonObject:
        """Run again what failed, and what came to nothing because of it."""
        return self.send("POST", f"{_run(dag_run_id)}/retry")


def _run(dag_run_id: str) -> str:
    return f"/v1/dag-runs/{segment(dag_run_id)}"
