"""Telling operators of jobs whose records cannot be read: nobody else can repair them."""

from collections.abc import Sequence

from timegate.ports.stores import DamagedJob
from timegate.ports.surroundings import Telemetry


def tell_of_damage(damaged: Sequence[DamagedJob], telemetry: Telemetry) -> None:
    """Count them, and name each with what is wrong with it."""
    if damaged:
        telemetry.count("RecordsUnreadable", len(damaged))
    for each in damaged:
        telemetry.event(
            "job_damaged", tenant_id=each.tenant, job_id=each.job_id, detail=each.reason
        )
