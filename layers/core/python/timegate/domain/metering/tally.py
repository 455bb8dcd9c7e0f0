"""Tallies: what attempts of an owner used in a month, as numbers that are only added to."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import field
from datetime import UTC, datetime

from timegate.domain.metering.metered_attempt import AttemptKind, MeteredAttempt
from timegate.domain.metering.usage import BilledUsage
from timegate.domain.values.identity import JobId
from timegate.value_classes import dataclass

#: Tallies hold whole numbers: millionths of each quantity.
MILLIONTH = 1_000_000
_YEAR_AND_MONTH = 7
NONE = BilledUsage()


@dataclass(frozen=True, kw_only=True, slots=True)
class CostTally:
    """Numbers of an owner's attempts."""

    #: Attempts that ended a run.
    runs: int = 0
    #: Attempts by kind.
    kinds: Mapping[AttemptKind, int] = field(default_factory=dict)
    #: How long functions of the stage waited for targets.
    busy_seconds: float = 0
    usage: BilledUsage = NONE

    @classmethod
    def of(cls, attempts: Iterable[MeteredAttempt]) -> "CostTally":
        """Add attempts up."""
        each = list(attempts)
        usage = NONE
        for one in each:
            usage += one.usage
        return cls(
            runs=sum(one.attempt.ends_run for one in each),
            kinds=Counter(one.kind for one in each),
            busy_seconds=sum(one.busy_seconds for one in each),
            usage=usage,
        )

    def __add__(self, other: "CostTally") -> "CostTally":
        """Return the numbers of both."""
        return CostTally(
            runs=self.runs + other.runs,
            kinds=Counter(self.kinds) + Counter(other.kinds),
            busy_seconds=self.busy_seconds + other.busy_seconds,
            usage=self.usage + other.usage,
        )

    @property
    def attempts(self) -> int:
        """Count the attempts of all kinds."""
        return sum(self.kinds.values())

    def numbers(self) -> dict[str, int]:
        """Return what is added to a record, by name; nothing for a zero."""
        found = {
            "runs": self.runs,
            **{kind.value: count for kind, count in self.kinds.items()},
            "busy_seconds": round(self.busy_seconds * MILLIONTH),
            **{name: round(n * MILLIONTH) for name, n in self.usage.amounts().items()},
        }
        return {name: number for name, number in found.items() if number}

    @classmethod
    def from_numbers(cls, numbers: Mapping[str, int]) -> "CostTally":
        """Read the numbers of a record."""
        names = NONE.amounts()
        return cls(
            runs=numbers.get("runs", 0),
            kinds={kind: numbers[kind.value] for kind in AttemptKind if kind.value in numbers},
            busy_seconds=numbers.get("busy_seconds", 0) / MILLIONTH,
            usage=BilledUsage(**{name: numbers.get(name, 0) / MILLIONTH for name in names}),
        )


NOTHING = CostTally()


@dataclass(frozen=True, kw_only=True, slots=True)
class TenantMonth:
    """A tenant's tallies of a month: what has a record of its own, and what has none."""

    #: Jobs and rules.
    jobs: CostTally = NOTHING
    #: Jobs that run once: each is its own run, so they are counted together.
    one_shots: CostTally = NOTHING
    dag_tasks: CostTally = NOTHING

    @property
    def whole(self) -> CostTally:
        """Return the sum."""
        return self.jobs + self.one_shots + self.dag_tasks


@dataclass(frozen=True, kw_only=True, slots=True)
class JobTally:
    """The tally of a job, or of a rule's messages."""

    job_id: JobId
    tally: CostTally


def month_of(instant: datetime) -> str:
    """Return the month of an instant in UTC: ``2026-11``."""
    return instant.astimezone(UTC).isoformat()[:_YEAR_AND_MONTH]
