"""``RunStore``: a lease that is left to a DAG run."""

from dataclasses import replace

from tests.contract.execution.test_leases import held
from tests.support.factories import after, lease_factory
from tests.support.stores.contract_stores import Stores
from timegate.domain.values.identity import DagRunId
from timegate.ports.runs.held_leases import HeldByDagRun


def test_a_lease_is_left_to_a_dag_run(stores: Stores) -> None:
    """Beyond the time that its job's runs have: the DAG run has its own."""
    read = held(stores)
    to = HeldByDagRun(dag_run=DagRunId("a" * 26), deadline_at=after(90_000))
    writes = [
        stores.runs.hand_over(read, expires_at=after(90_020), at=after(5), to=to) for _ in range(2)
    ]
    left = stores.stored(read)
    lease = replace(
        lease_factory(fence=1),
        expires_at=after(90_020),
        deadline_at=after(90_000),
        handed_over_at=after(5),
    )

    assert writes == [True, True]
    assert (left.dag_run, left.lease) == ("a" * 26, lease)
