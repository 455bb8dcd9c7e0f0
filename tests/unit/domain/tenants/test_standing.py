"""Settings of a tenant say if it may change and start something."""

import pytest

from tests.support.factories import NOW, TENANT
from timegate.domain.restrictions.freeze import FreezeId
from timegate.domain.tenants.standing import refuse_erased, refuse_suspended
from timegate.domain.tenants.tenant_settings import (
    MoveState,
    Suspension,
    TenantMove,
    TenantSettings,
)
from timegate.domain.values.errors import TimegateError

SUSPENSION = Suspension(since=NOW, reason="unpaid", freeze_id=FreezeId("f"))
CLOSED = TenantMove(state=MoveState.CLOSED, stage="prod-b", at=NOW, since=NOW)
STANDINGS = {
    "tenant_erased": TenantSettings(tenant=TENANT, erased_at=NOW),
    "tenant_suspended": TenantSettings(tenant=TENANT, suspension=SUSPENSION),
    "tenant_moving": TenantSettings(tenant=TENANT, move=CLOSED),
}


@pytest.mark.parametrize(("code", "settings"), STANDINGS.items(), ids=STANDINGS)
def test_what_changes_nothing_is_refused_with_its_reason(
    code: str, settings: TenantSettings
) -> None:
    """An erased tenant is no suspended one any more: its records would come back."""
    with pytest.raises(TimegateError) as refused:
        refuse_suspended(settings)

    assert refused.value.code == code


def test_a_tenant_in_good_standing_is_refused_nothing() -> None:
    """One that is leaving changes its jobs until it is closed; a suspended one reads."""
    leaving = TenantMove(state=MoveState.LEAVING, stage="prod-b", at=NOW, since=NOW)
    refuse_suspended(TenantSettings(tenant=TENANT))
    refuse_suspended(TenantSettings(tenant=TENANT, move=leaving))
    refuse_erased(STANDINGS["tenant_suspended"])
