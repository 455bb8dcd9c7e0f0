"""Tallies and the meter's record as items."""

from collections.abc import Mapping
from dataclasses import fields
from datetime import UTC, datetime, timedelta

from timegate.adapters.dynamo.tables.codec import Part
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.metering.meter_round import MeterRound
from timegate.domain.metering.tally import CostTally, TenantMonth
from timegate.domain.values.identity import JobId
from timegate.domain.values.tenant import TenantId

#: Among the auditor's own records.
ROUND_KEY = Key(pk="#audit#meter", sk="round")
#: The auditor may write here; no tenant's name begins with a ``#``.
_COSTS = "#audit#cost#"
_TENANT = "tenant#"
#: A month's tallies are kept for a year after it, at least.
_KEPT = timedelta(days=400)
_ROUND = Part(MeterRound)
_PARTS = tuple(each.name for each in fields(TenantMonth))


def job_tally_pk(tenant: TenantId, month: str) -> str:
    """The partition of the tallies of a tenant's jobs."""
    return f"{_COSTS}{tenant}#{month}"


def job_tally_key(tenant: TenantId, month: str, job_id: JobId) -> Key:
    """The key of a job's tally."""
    return Key(pk=job_tally_pk(tenant, month), sk=job_id)


def stage_pk(month: str) -> str:
    """The partition of a month's tenants; no tenant's name is empty."""
    return f"{_COSTS}#{month}"


def tenant_key(tenant: TenantId, month: str) -> Key:
    """The key of a tenant's tallies; a job's record has a sort key that a tenant may be called."""
    return Key(pk=stage_pk(month), sk=f"{_TENANT}{tenant}")


def tenant_from_sk(sk: Plain) -> TenantId:
    """Return the tenant of such a key."""
    return TenantId(str(sk).removeprefix(_TENANT))


def expiry_of(month: str) -> int:
    """Return when a month's tallies are forgotten, in seconds of Unix."""
    year, number = month.split("-")
    return int((datetime(int(year), int(number), 1, tzinfo=UTC) + _KEPT).timestamp())


def round_to_fields(meter: MeterRound) -> dict[str, Plain]:
    """The fields of the meter's record; ``None`` for a field at its default."""
    return _ROUND.fields(meter)


def round_from_fields(found: Mapping[str, Plain]) -> MeterRound:
    """Read the meter's record back; raises ``Malformed``."""
    return _ROUND.read(found)


def month_numbers(month: TenantMonth) -> dict[str, int]:
    """Return what is added to a tenant's record."""
    return {
        f"{part}_{name}": number
        for part in _PARTS
        for name, number in getattr(month, part).numbers().items()
    }


def month_from_fields(found: Mapping[str, Plain]) -> TenantMonth:
    """Read a tenant's record."""
    return TenantMonth(**{part: tally_from_fields(found, f"{part}_") for part in _PARTS})


def tally_from_fields(found: Mapping[str, Plain], prefix: str = "") -> CostTally:
    """Read the numbers of a record whose names begin so."""
    numbers = {
        name.removeprefix(prefix): value
        for name, value in found.items()
        if name.startswith(prefix) and isinstance(value, int)
    }
    return CostTally.from_numbers(numbers)
