"""A settlement costs a known number of calls."""

from typing import TYPE_CHECKING

import pytest

from tests.contract.conftest import NewStores
from tests.contract.planning.planner import scheduling_of
from tests.support.factories import NOW, TENANT, after, attempt_factory, attempt_id
from tests.support.stores.recorder import recorded
from tests.support.stores.sound import sound_gaps
from timegate.domain.jobs.catch_up import CatchUp, CatchUpPolicy
from timegate.usecases.planning.materialise import materialise

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


@pytest.mark.parametrize("gaps", [False, True], ids=["runs", "gap"])
def test_only_a_settlement_with_a_gap_reads_the_runs_on_record(
    dynamodb: "DynamoDBClient", new_dynamo_stores: NewStores, *, gaps: bool
) -> None:
    """One query of its range, whether or not it finds a run there."""
    stores = new_dynamo_stores(shards=1)
    limit = 5 if gaps else 10
    job = stores.add_job(
        anchored_at=after(-600),
        next_run_at=after(-540),
        catch_up=CatchUp(policy=CatchUpPolicy.ALL, limit=limit),
    )
    stores.runs.insert_all([attempt_factory(id=attempt_id(scheduled_at=after(-480)))])
    with recorded(dynamodb) as calls:
        materialise([job.timing], scheduling_of(stores), now=NOW)

    found = sound_gaps(stores.jobs.gaps(TENANT, job.job_id, since=after(-600), limit=9))
    assert calls["Query"] == (1 if gaps else 0)
    assert sum(gap.count for gap in found) == (2 if gaps else 0)
