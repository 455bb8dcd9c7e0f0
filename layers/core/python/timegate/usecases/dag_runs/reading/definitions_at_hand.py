"""Definitions of DAGs at hand: a version never changes, so it is read once and kept."""

from collections import OrderedDict

from timegate.domain.dags.definition import Dag
from timegate.domain.jobs.job import Job
from timegate.domain.values.identity import DagId
from timegate.domain.values.tenant import TenantId
from timegate.ports.dag_runs import DagDefinitions

#: Tasks of all kept versions: ten of the largest, or hundreds of ordinary ones. A task of the
#: largest has 2 KB, so these are some 50 MB as Python has them, of the 512 MB of a function.
MAX_TASKS = 5_000


class DefinitionsAtHand:
    """Versions of DAGs, of one process. The version used longest ago is let go first."""

    def __init__(self, dags: DagDefinitions, *, max_tasks: int = MAX_TASKS) -> None:
        self._dags = dags
        self._max_tasks = max_tasks
        self._kept: OrderedDict[tuple[TenantId, DagId, int], Dag] = OrderedDict()

    def get(self, tenant: TenantId, dag_id: DagId) -> Dag:
        """The DAG as it is now: always read."""
        return self._dags.get(tenant, dag_id)

    def own_job(self, tenant: TenantId, dag_id: DagId) -> Job | None:
        """The DAG's own job as it is now: always read."""
        return self._dags.own_job(tenant, dag_id)

    def version(self, tenant: TenantId, dag_id: DagId, version: int) -> Dag:
        """The DAG as it was defined at a version; what is not there is asked for again."""
        key = (tenant, dag_id, version)
        if key not in self._kept:
            self._kept[key] = self._dags.version(tenant, dag_id, version)
        self._kept.move_to_end(key)
        while len(self._kept) > 1 and self._tasks() > self._max_tasks:
            self._kept.popitem(last=False)
        return self._kept[key]

    def _tasks(self) -> int:
        return sum(len(dag.tasks) for dag in self._kept.values())
