"""``timegate admin quotas``: recount a tenant's jobs and DAGs."""

from collections.abc import Callable

from timegate.domain.execution.quota_usage import Quota
from timegate.domain.values.tenant import tenant_id
from timegate.ports.limits.quotas import UsageStore
from timegate.usecases.auditing.recount import recount, repair

RIGHTS = (
    "cloudformation:DescribeStacks, dynamodb:Query and GetItem on the stage's table of jobs, and"
    " dynamodb:UpdateItem to repair"
)
#: A read of each, and a few hundred bytes of memory.
_MOST = 1_000_000


def look_after(
    name: str,
    usage: UsageStore,
    say: Callable[[str], None],
    *,
    repairs: bool,
    settle: Callable[[], None],
) -> bool:
    """Recount one tenant; ``False``: something is wrong, or could not be told."""
    wrong = 0
    for quota in (Quota.JOBS, Quota.DAGS):
        found = recount(tenant_id(name), quota, usage, settle, most=_MOST)
        if found is None:
            say(f"{quota}: too many, or changed all the time; try again")
            wrong += 1
            continue
        say(f"{quota}: {found.tallied.used} counted, {found.present} present")
        if found.drift:
            is_right = repairs and repair(found, usage)
            say(f"{quota}: {'set right' if is_right else 'NOT set right'}")
            wrong += not is_right
    return not wrong
