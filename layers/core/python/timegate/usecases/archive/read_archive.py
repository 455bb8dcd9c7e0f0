"""Reading what expired: from the archive, or where it lies there."""

from datetime import datetime
from typing import TYPE_CHECKING

from timegate.domain.archive.archived_run import expired, may_have_expired
from timegate.domain.runs.run import Attempt
from timegate.domain.values.errors import RunNotFound
from timegate.domain.values.identity import RunId
from timegate.domain.values.tenant import TenantId
from timegate.usecases.runs.read_runs import read_run

if TYPE_CHECKING:
    from timegate.usecases.services.api_services import ApiServices


def read_kept_run(
    tenant: TenantId, run: RunId, services: "ApiServices", *, now: datetime
) -> tuple[Attempt, ...]:
    """Every attempt at a run; raises ``RunExpired`` instead of ``RunNotFound`` for an old one."""
    try:
        return read_run(tenant, run, services)
    except RunNotFound as error:
        if may_have_expired(run, services.run_retention, now):
            raise expired(tenant, run, services.run_retention) from error
        raise
