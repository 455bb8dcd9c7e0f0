"""Quotas of a stage's tenants, unless a tenant has its own."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, replace


class QuotaError(ValueError):
    """The quota does not exist, or its value is no number."""


@dataclass(frozen=True, kw_only=True)
class DefaultQuotas:
    """Default quotas, equal to the domain's (a test compares them); ``None``: no limit, no
    count.
    """

    jobs: int | None = 10_000_000
    dags: int | None = 10_000
    #: Counted only where it is limited: each run would cost a write more.
    concurrent_runs: int | None = None
    #: A quota as well: each begin counts the run, in a transaction of twice the price.
    runs_per_day: int | None = None
    requests_per_second: int | None = 500
    burst: int | None = 1_000

    def environment(self) -> str:
        """Return the text that functions read."""
        return json.dumps(asdict(self))


def with_quotas(quotas: DefaultQuotas, given: Sequence[str]) -> DefaultQuotas:
    """With those of a context: ``jobs=1000``, or ``jobs=none``; raises ``QuotaError``."""
    return replace(quotas, **dict(map(_quota, given)))


def _quota(text: str) -> tuple[str, int | None]:
    name, _, value = text.partition("=")
    if name not in {each.name for each in fields(DefaultQuotas)}:
        raise QuotaError(f"quotas: there is no {name!r}")
    if value == "none":
        return name, None
    if not value.isdecimal():
        raise QuotaError(f"quotas: {text!r} has no whole number")
    return name, int(value)
