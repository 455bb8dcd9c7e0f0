"""Watches over jobs that are to succeed within a span: an item each, beside its job."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from timegate.adapters.dynamo.tables.codec import Part
from timegate.adapters.dynamo.tables.keys import (
    LOOK_DONE,
    WATCH_BUCKET,
    absence_key,
    parse_absence_key,
)
from timegate.adapters.dynamo.tables.reading import reader_of, text
from timegate.adapters.dynamo.tables.values import Plain
from timegate.adapters.dynamo.tables.writes import Put
from timegate.domain.jobs.job import Job
from timegate.domain.jobs.rules.absence_watch import AbsenceWatch, awaited_within, watch_begun
from timegate.domain.values.instants import compact

_WATCH = Part(AbsenceWatch, without=("ref",), always=("version", "step"))
#: A watch that has ended refuses a look that is under way, and is forgotten then.
_ENDED_KEPT_FOR = timedelta(days=2)


def absence_writes(table: str, before: Job | None, after: Job) -> list[Put]:
    """Return the write of a job's watch, part of its transaction; none unless that changes.

    Part of the transaction, it is as guarded as the job.
    """
    wanted = awaited_within(after)
    if awaited_within(before) == wanted:
        return []
    key = absence_key(after.tenant, after.job_id)
    fields: dict[str, Plain] = {"pk": key.pk, "sk": key.sk}
    if wanted is None:
        fields["expires_at"] = int((after.updated_at + _ENDED_KEPT_FOR).timestamp())
    else:
        watch = watch_begun(after, wanted)
        fields |= watch_fields(watch) | placed_fields(watch.next_look(after.updated_at))
        fields["look"] = LOOK_DONE
    return [Put(table=table, fields=fields)]


def watch_fields(watch: AbsenceWatch) -> dict[str, Plain]:
    """Build the fields of a watch; ``None`` removes one."""
    return _WATCH.fields(watch)


def placed_fields(due_at: datetime) -> dict[str, Plain]:
    """Build the attributes of the index ``due``."""
    return {"due_bucket": WATCH_BUCKET, "due_at": compact(due_at)}


def has_ended(fields: Mapping[str, Plain]) -> bool:
    """Tell if the job is awaited no more."""
    return "since" not in fields


@reader_of("watch over absences")
def watch_from_fields(fields: Mapping[str, Plain]) -> AbsenceWatch:
    """Read a watch back; raises ``Malformed``."""
    return _WATCH.read(fields, ref=parse_absence_key(text(fields["pk"]), text(fields["sk"])))
