"""Records of the meter, as the use cases see them."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from timegate.domain.metering.meter_round import MeterRound
from timegate.domain.metering.metered_attempt import MeteredAttempt
from timegate.domain.metering.tally import CostTally, JobTally, TenantMonth
from timegate.domain.values.identity import JobId
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import Page
from timegate.value_classes import dataclass

#: A tenant, and a month such as ``2026-11``.
MonthOf = tuple[TenantId, str]


@dataclass(frozen=True, kw_only=True, slots=True)
class MeterPage:
    """Attempts of a page of the table, those of a job together; ``None``: it is the last."""

    attempts: tuple[MeteredAttempt, ...]
    position: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class TenantCost:
    """The tallies of a tenant in a month."""

    tenant: TenantId
    month: TenantMonth


class MeterStore(Protocol):
    """Tallies of costs, and how far the meter came. All raise ``Throttled``."""

    def read_round(self) -> MeterRound:
        """The record of the meter, strongly consistent."""

    def move(
        self, before: MeterRound, after: MeterRound, added: Mapping[MonthOf, TenantMonth]
    ) -> bool:
        """Move the meter, and add to tenants' months, or neither; ``False``: it was moved since.

        Takes 99 months at most.
        """

    def read_page(self, position: str | None) -> MeterPage:
        """The next attempts of the table, at most a megabyte of items; eventually consistent.

        Records that cannot be read are left out.
        """

    def position_behind(self, metered: MeteredAttempt) -> str:
        """The position at which a page begins behind an attempt."""

    def count_job(
        self,
        of: MonthOf,
        job_id: JobId,
        attempts: Sequence[MeteredAttempt],
        *,
        counting: MeterRound,
    ) -> None:
        """Add attempts of a job to its tally, each once in a round, however often it is asked."""

    def tenant_month(self, of: MonthOf) -> TenantMonth:
        """The tallies of a tenant; zeroes where none are."""

    def job_tally(self, of: MonthOf, job_id: JobId) -> CostTally:
        """The tally of a job; zeroes where there is none."""

    def job_tallies(self, of: MonthOf) -> tuple[tuple[JobTally, ...], bool]:
        """The tallies of a tenant's jobs, and whether these are all: five megabytes are read."""

    def job_names(self, tenant: TenantId, job_ids: Sequence[JobId]) -> Mapping[JobId, str]:
        """The names of up to a hundred jobs, of those that are there."""

    def tenants(self, month: str, *, limit: int, cursor: str | None) -> Page[TenantCost]:
        """Tenants with costs in a month, by name; raises ``InvalidInput`` for another's cursor."""
