"""Quotas: how much of the stage a tenant may use."""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Self

from timegate.domain.values.errors import InvalidInput
from timegate.value_classes import dataclass

#: More of anything is a mistake of its writer.
MOST = 1_000_000_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Quotas:
    """Quotas that were set for one tenant, or for all of a stage.

    For a tenant ``None`` means: as the stage has it. For a stage, and in the quotas that result
    from both, it means that there is no limit.
    """

    #: Registered: active and paused ones, not those that are completed or cancelled.
    jobs: int | None = None
    dags: int | None = None
    #: Leased at one moment.
    concurrent_runs: int | None = None
    #: Begun on one day, in UTC.
    runs_per_day: int | None = None
    requests_per_second: int | None = None
    #: Requests at once, after a while without any.
    burst: int | None = None

    def over(self, stage: Self) -> Self:
        """Return the tenant's quotas at a stage with these defaults."""
        given = self.given
        return replace(stage, **given) if given else stage

    @property
    def given(self) -> dict[str, int]:
        """Return the quotas that were set, by name."""
        values = {name: getattr(self, name) for name in QUOTA_NAMES}
        return {name: value for name, value in values.items() if value is not None}

    @classmethod
    def of(cls, values: Mapping[str, int | None]) -> Self:
        """Quotas by name."""
        return cls(**values)


#: The names of all quotas, in the order in which people read them.
QUOTA_NAMES = tuple(each.name for each in fields(Quotas))


def check_quotas(quotas: Quotas) -> None:
    """Refuse what is out of range; 0 allows nothing. Raises ``InvalidInput`` naming the field."""
    for name, value in quotas.given.items():
        if not 0 <= value <= MOST:
            raise InvalidInput(f"quotas.{name}", "out_of_range", f"It is within 0 to {MOST}.")
