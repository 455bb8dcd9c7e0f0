"""Follow-ups, as jobs ask for them, and parents, as the runs carry them that they triggered."""

from collections.abc import Sequence

from timegate.adapters.dynamo.recurrence.schedule_items import (
    listed,
    mapping,
    number,
    payload_from_fields,
    payload_to_fields,
    text,
)
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.jobs.follow_up import Ending, FollowUp, Given
from timegate.domain.jobs.notification import Occasion
from timegate.domain.runs.parent import Parent
from timegate.domain.values.identity import AttemptId, JobId


def follow_ups_to_field(follow_ups: Sequence[FollowUp]) -> Plain:
    """Nothing for a job that nothing follows."""
    return [
        {"job_id": each.job_id, "on": list(each.on), "payload": each.payload} for each in follow_ups
    ] or None


def follow_ups_from_field(value: Plain) -> tuple[FollowUp, ...]:
    """Read them back."""
    return tuple(
        FollowUp(
            job_id=JobId(text(fields["job_id"])),
            on=tuple(Ending(text(ending)) for ending in listed(fields["on"])),
            payload=Given(text(fields["payload"])),
        )
        for fields in map(mapping, listed(value))
    )


def parent_to_field(parent: Parent | None) -> Plain:
    """Nothing for a run that no other one triggered."""
    if parent is None:
        return None
    fields: dict[str, Plain] = {
        "attempt": str(parent.attempt),
        "occasion": parent.occasion,
        "depth": parent.depth,
        "document": parent.document,
        "gives": parent.gives,
    }
    if parent.payload is not None:
        # One that is empty is kept as well: the parent was given nothing.
        fields["payload"] = {"given": True, **payload_to_fields(parent.payload)}
    return fields


def parent_from_field(value: Plain) -> Parent | None:
    """Read it back; raises what a damaged item makes its reader raise."""
    if value is None:
        return None
    fields = mapping(value)
    given = fields.get("payload")
    return Parent(
        attempt=AttemptId.parse(text(fields["attempt"])),
        occasion=Occasion(text(fields["occasion"])),
        depth=number(fields["depth"]),
        document=text(fields["document"]),
        gives=Given(text(fields["gives"])),
        payload=payload_from_fields(mapping(given)) if given is not None else None,
    )
