"""The records of a pair of regions."""

from typing import Protocol

from timegate.domain.regions.region_record import RegionRecord
from timegate.domain.regions.region_step import RegionStep


class RegionStore(Protocol):
    """The record of one region. That of another one may be out of reach: ``RegionUnreached``."""

    def read(self) -> RegionRecord | None:
        """Read it, strongly consistent; ``None`` before the first record."""

    def replace(
        self, before: RegionRecord | None, after: RegionRecord, *, step: RegionStep | None = None
    ) -> bool:
        """Store ``after`` unless the record is no longer as it was read: ``before``.

        ``step``: of an operator, which is kept with the change or not at all.
        """

    def steps(self) -> tuple[RegionStep, ...]:
        """Read the latest steps of operators, latest first."""


class RegionGuard(Protocol):
    """Answers to requests by what the region may do."""

    def check(self) -> None:
        """Raise ``RegionPassive`` where the region may not change anything now."""

    def check_chosen(self) -> None:
        """Raise ``RegionPassive`` where the other region is the active one."""
