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


#: Characters of the form of a tenant's name.
_LETTER = re.compile(r"[A-Za-z0-9_]")


class TargetPatternError(ValueError):
    """A name that the pattern of one tenant covers could be another tenant's, or the stage's."""


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


def check_own(setting: str, patterns: Iterable[str], own: str) -> None:
    """Refuse patterns that cover the stage's own resources; raises ``TargetPatternError``.

    ``own``: the beginning of their names. A job that sends to a run queue, or invokes an executor,
    would run what it likes for any tenant. An ARN is taken: its account may be another one.
    """
    for pattern in patterns:
        if not pattern.startswith("arn:") and _may_begin(pattern, own):
            raise TargetPatternError(
                f"{setting}: jobs may not target the stage's own resources, {own}…: {pattern!r}"
            )


def _may_begin(pattern: str, text: str) -> bool:
    """Tell if any name that the pattern covers begins with a text."""
    parts = re.findall(r"\{tenant\}|.", pattern)
    reached = _on(parts, {0})
    for letter in text:
        reached = _on(
            parts, {to for at in reached if at < len(parts) for to in _after(parts[at], at, letter)}
        )
    return bool(reached)


def _on(parts: list[str], reached: set[int]) -> set[int]:
    """Add what lies behind wildcards that stand for nothing."""
    found = set(reached)
    for at, part in enumerate(parts):
        if part == "*" and at in found:
            found.add(at + 1)
    return found


def _after(part: str, at: int, letter: str) -> set[int]:
    """Return the places in a pattern where the next letter may go on."""
    if part == TENANT:
        return {at, at + 1} if _LETTER.match(letter) else set()
    if part == "*":
        return {at}
    return {at + 1} if part in {"?", letter} else set()


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
