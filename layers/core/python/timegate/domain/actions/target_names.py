"""A tenant's name in the names of its targets, and the patterns that hold it."""

import re
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from hashlib import sha256

from timegate.domain.values.tenant import TenantId

#: Stands for the tenant in a pattern.
TENANT = "{tenant}"
#: Names of functions have 64 characters; a session tag of AWS has 256.
MAX_FORM = 64
_PLAIN = re.compile(r"[A-Za-z0-9]")
_DIGEST_CHARACTERS = 32


def name_form(tenant: TenantId) -> str:
    """Write a tenant's name with letters, digits and underscores alone.

    Letters and digits stay; each other character becomes ``_`` and its two hexadecimal digits. So
    no form holds a dash, a slash, a dot or a wildcard: a pattern that ends the form with one of
    them matches the names of one tenant. A longer form is ``_h`` and a hash.
    """
    form = "".join(
        each if _PLAIN.fullmatch(each) else "".join(f"_{byte:02x}" for byte in each.encode())
        for each in tenant
    )
    if len(form) <= MAX_FORM:
        return form
    return f"_h{sha256(tenant.encode()).hexdigest()[:_DIGEST_CHARACTERS]}"


def patterns_for(tenant: TenantId, patterns: Iterable[str]) -> list[str]:
    """Put the tenant into the patterns."""
    form = name_form(tenant)
    return [pattern.replace(TENANT, form) for pattern in patterns]


def matches(name: str, pattern: str) -> bool:
    """Compare as IAM does: ``*`` is any text, ``?`` any character, everything else itself."""
    return fnmatchcase(name, pattern.replace("[", "[[]"))


def matches_any(name: str, patterns: Sequence[str]) -> bool:
    """Tell if one of the patterns covers the name."""
    return any(matches(name, pattern) for pattern in patterns)
