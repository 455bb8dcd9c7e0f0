"""Tenants that are made at run time: their names, and the quotas they begin with."""

import re
from collections.abc import Collection

from timegate.domain.limits.quotas import Quotas
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.tenant import TenantId

#: Narrower than the names that tokens may have: user names of people are compared without regard
#: to case, so two tenants never differ by case alone.
NEW_TENANT_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")

#: A new tenant's quotas unless its maker says otherwise; none of them is without a limit.
NEW_TENANT_QUOTAS = Quotas(
    jobs=10_000,
    dags=100,
    concurrent_runs=100,
    runs_per_day=100_000,
    requests_per_second=50,
    burst=100,
)


def new_tenant_id(name: str, *, taken: Collection[str]) -> TenantId:
    """The tenant of a new name; raises ``InvalidInput``.

    ``taken``: names of tenants whose client is their id, in any case. People's user names begin
    with these.
    """
    if not NEW_TENANT_NAME.fullmatch(name):
        detail = "It has small letters, digits and hyphens, up to 63, and no hyphen in front."
        raise InvalidInput("tenant", "invalid_format", detail)
    if name in {each.lower() for each in taken}:
        detail = "It is the name of a tenant with a client of the stage's own pool."
        raise InvalidInput("tenant", "name_taken", detail)
    return TenantId(name)


def first_quotas(asked: Quotas) -> Quotas:
    """The quotas of a new tenant: those that its maker names, and else the usual ones."""
    return asked.over(NEW_TENANT_QUOTAS)
