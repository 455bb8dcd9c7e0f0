"""Definitions are read once by each process, and as they are."""

from dataclasses import dataclass, field, replace

import pytest

from tests.support.dag_runs.dag_world import DagWorld, MemoryDags
from tests.unit.domain.dags.definitions import ACME, dag, tasks
from timegate.domain.dags.definition import Dag
from timegate.domain.dags.errors import DagNotFound
from timegate.domain.runs.run import RunState
from timegate.domain.values.identity import DagId
from timegate.domain.values.tenant import TenantId
from timegate.usecases.dag_runs.reading.definitions_at_hand import DefinitionsAtHand

ETL = dag(tasks("a", "b", "c", "d"), "a -> b", "a -> c", "b -> d", "c -> d")


@dataclass
class CountedDags(MemoryDags):
    """Remembers which versions were asked for."""

    asked: list[tuple[TenantId, DagId, int]] = field(default_factory=list)

    def version(self, tenant: TenantId, dag_id: DagId, version: int) -> Dag:
        """A version, counted."""
        self.asked.append((tenant, dag_id, version))
        return super().version(tenant, dag_id, version)


@pytest.mark.parametrize(("kept", "expected"), [(False, 5), (True, 1)], ids=["read", "kept"])
def test_a_run_reads_its_definition_once(*, kept: bool, expected: int) -> None:
    """A run of four tasks otherwise reads it at its opening and at each task's end."""
    dags = CountedDags()
    dag_world = DagWorld(dags=dags)
    if kept:
        dag_world.works = replace(dag_world.works, dags=DefinitionsAtHand(dags))
    run = dag_world.start(ETL)
    after = dag_world.play(run, lambda *_: RunState.SUCCEEDED)

    assert after.status == "succeeded"
    assert len(dags.asked) == expected


def test_each_tenant_dag_and_version_is_its_own() -> None:
    """Kept versions are told apart; the current version is always read."""
    dags = CountedDags()
    second = dags.add(replace(dags.add(ETL), version=2, name="second"))
    at_hand = DefinitionsAtHand(dags)
    versions = [at_hand.version(ACME, ETL.dag_id, number) for number in (1, 2, 1, 2)]
    with pytest.raises(DagNotFound):
        at_hand.version(TenantId("globex"), ETL.dag_id, 1)
    third = dags.add(replace(ETL, version=3))

    assert versions == [ETL, second, ETL, second]
    assert len(dags.asked) == 3
    assert at_hand.get(ACME, ETL.dag_id) == third


def test_what_is_missing_is_asked_for_again() -> None:
    """It may be written the next moment."""
    dags = CountedDags()
    at_hand = DefinitionsAtHand(dags)
    with pytest.raises(DagNotFound):
        at_hand.version(ACME, ETL.dag_id, 1)
    dags.add(ETL)

    assert at_hand.version(ACME, ETL.dag_id, 1) == ETL


def test_only_so_many_tasks_are_kept() -> None:
    """The version used longest ago is dropped; a definition larger than the bound is kept alone."""
    dags = CountedDags()
    for number in (1, 2, 3):
        dags.add(replace(ETL, version=number))
    at_hand = DefinitionsAtHand(dags, max_tasks=8)
    for number in (1, 2, 1, 3, 1, 2):
        at_hand.version(ACME, ETL.dag_id, number)
    alone = DefinitionsAtHand(dags, max_tasks=1)
    alone.version(ACME, ETL.dag_id, 1)
    alone.version(ACME, ETL.dag_id, 1)

    assert [number for _, _, number in dags.asked] == [1, 2, 3, 2, 1]
