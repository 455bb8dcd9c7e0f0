"""Long runs, as jobs carry what they allow and attempts how far they are."""

from collections.abc import Mapping

from timegate.adapters.dynamo.recurrence.schedule_items import mapping, number, text
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.jobs.slices import DEFAULT_SLICES, LongRun, Slice, Slices
from timegate.domain.values.instants import compact, from_compact

Fields = Mapping[str, Plain]


def long_run_to_field(long_run: LongRun | None) -> Plain:
    """Build the allowance for long runs; of optional fields only those that differ."""
    if long_run is None:
        return None
    fields: dict[str, Plain] = {"max_duration_seconds": long_run.max_duration_seconds}
    if long_run.max_slices != DEFAULT_SLICES:
        fields["max_slices"] = long_run.max_slices
    return fields


def long_run_from_field(value: Plain) -> LongRun | None:
    """Read it back."""
    if value is None:
        return None
    fields = mapping(value)
    return LongRun(
        max_duration_seconds=number(fields["max_duration_seconds"]),
        max_slices=number(fields.get("max_slices", DEFAULT_SLICES)),
    )


def slices_to_fields(slices: Slices) -> dict[str, Plain]:
    """Nothing for a run without slices."""
    last = slices.last
    return {
        "slices": slices.ended or None,
        "begun_at": compact(slices.begun_at) if slices.begun_at is not None else None,
        "slice_started_at": compact(last.started_at) if last is not None else None,
        "slice_ended_at": compact(last.ended_at) if last is not None else None,
        "slice_fence": last.fence if last is not None else None,
    }


def slices_from_fields(fields: Fields) -> Slices:
    """Read them back."""
    begun_at = fields.get("begun_at")
    return Slices(
        ended=number(fields.get("slices", 0)),
        begun_at=from_compact(text(begun_at)) if begun_at is not None else None,
        last=_last(fields),
    )


def _last(fields: Fields) -> Slice | None:
    if "slice_fence" not in fields:
        return None
    return Slice(
        started_at=from_compact(text(fields["slice_started_at"])),
        ended_at=from_compact(text(fields["slice_ended_at"])),
        fence=number(fields["slice_fence"]),
    )
