"""Names of what belongs to a tenant's client, in the characters that AWS's services take."""

import re
from hashlib import sha256

#: Cognito's clients and Secrets Manager's secrets take these; tenants have others as well.
_OTHERS = re.compile(r"[^A-Za-z0-9_.@-]")
#: A client's name has 128 characters, and begins with the stage's.
_LONGEST = 96
_DIGITS = 8


def client_name(tenant: str) -> str:
    """Return the tenant's name; one that services refuse is written in their characters.

    A digest tells it from a tenant whose name is written alike.
    """
    written = _OTHERS.sub("_", tenant)
    if written == tenant and len(tenant) <= _LONGEST:
        return tenant
    digest = sha256(tenant.encode()).hexdigest()[:_DIGITS]
    return f"{written[: _LONGEST - _DIGITS - 1]}-{digest}"
