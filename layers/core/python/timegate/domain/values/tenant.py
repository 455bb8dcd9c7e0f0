"""The tenant: first argument of every store method, taken from the token and nowhere else."""

import re
from typing import Final, NewType

from timegate.domain.values.errors import InvalidInput

TenantId = NewType("TenantId", str)

# No "#" (it separates key parts), no "/" (it separates blob paths).
TENANT_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.@|:-]{0,127}")

#: Holder of the stage's own API keys in place of a tenant: no tenant has such a name.
ADMINISTRATION: Final = TenantId("_stage")


def tenant_id(claim: object) -> TenantId:
    """The tenant a token names; raises ``InvalidInput`` for a claim that cannot be a key part."""
    if isinstance(claim, str) and TENANT_NAME.fullmatch(claim):
        return TenantId(claim)
    raise InvalidInput("token", "invalid_tenant", "The token names no usable tenant.")
