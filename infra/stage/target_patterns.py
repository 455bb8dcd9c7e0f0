"""Lists of what jobs may target: a name must tell its tenant, whatever tenants are called."""

import re
from collections.abc import Iterable
from itertools import permutations

#: Stands for the tenant, in the form of ``timegate.domain.actions.target_names.name_form``.
TENANT = "{tenant}"
#: A tenant's own: no tenant's name, as resources bear it, holds a dash.
OWN_TARGETS = ("timegate-target-{tenant}-*",)
#: The local stage's tenants share the demonstration's targets.
DEMONSTRATION = (*OWN_TARGETS, "timegate-target-demo")
#: IAM's name for the tag of the caller's session.
PRINCIPAL_TENANT = "${aws:PrincipalTag/tenant}"
_ARN_FIELDS = 5
#: Characters of the form of a tenant's name, and wildcards: neither ends it.
_GOES_ON = re.compile(r"[A-Za-z0-9_*?{]")


class TargetPatternError(ValueError):
    """A name that the pattern of one tenant covers could be another tenant's."""


def check_patterns(setting: str, patterns: Iterable[str]) -> None:
    """Refuse patterns that cannot keep tenants apart; raises ``TargetPatternError``.

    A pattern without ``{tenant}`` is shared by all tenants, as it says itself.
    """
    bound = [(each, _resource(each)) for each in patterns if TENANT in each]
    for pattern, resource in bound:
        before, _, after = resource.partition(TENANT)
        if TENANT not in resource or TENANT in after:
            raise _error(setting, pattern, "names {tenant} once, in the resource's name")
        if "*" in before or "?" in before:
            raise _error(setting, pattern, "has no wildcard before {tenant}")
        if after and _GOES_ON.match(after):
            raise _error(setting, pattern, "goes on after {tenant} with a dash, slash or dot")
    _check_beginnings(setting, bound)


def _check_beginnings(setting: str, bound: list[tuple[str, str]]) -> None:
    """One that begins another would let a tenant be called as the other goes on."""
    beginnings = {resource.partition(TENANT)[0]: pattern for pattern, resource in bound}
    for (one, shorter), (other, pattern) in permutations(beginnings.items(), 2):
        if other.startswith(one):
            raise _error(setting, pattern, f"does not begin as {shorter!r} does")


def _resource(pattern: str) -> str:
    """The last field of an ARN, or a bare name."""
    return pattern.split(":", _ARN_FIELDS)[-1] if pattern.startswith("arn:") else pattern


def _error(setting: str, pattern: str, rule: str) -> TargetPatternError:
    return TargetPatternError(f"{setting}: a pattern of a tenant's targets {rule}: {pattern!r}")
