"""A tenant on the move between two stages, as its requests find it."""

from dataclasses import replace

import pytest

from tests.support.api import Api, new_job
from tests.support.factories import NOW, TENANT
from timegate.domain.tenants.tenant_settings import MoveState, TenantMove


@pytest.mark.parametrize("state", MoveState, ids=str)
def test_a_tenant_that_moves_only_reads_while_it_is_in_neither_stage(
    api: Api, state: MoveState
) -> None:
    """Until it is closed here it changes what it likes, and once it has arrived there."""
    tenants = api.world.tenants
    before = tenants.get(TENANT)
    move = TenantMove(state=state, stage="prod-b", at=NOW, since=NOW)
    assert tenants.put(TENANT, before, replace(before, move=move))
    refused = api.send("POST", "/v1/jobs", new_job())
    only_reads = state in {MoveState.CLOSED, MoveState.ARRIVING, MoveState.WITHDRAWN}

    assert refused.status == (409 if only_reads else 201)
    assert (refused.body.get("code") == "tenant_moving") is only_reads
    assert only_reads is ("stage prod-b" in refused.body.get("detail", ""))
