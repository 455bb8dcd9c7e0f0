"""An attempt with its job, as far as they can be read."""

from collections.abc import Callable, Mapping
from typing import TypeVar

from timegate.adapters.dynamo.attempt_items import attempt_from_fields
from timegate.adapters.dynamo.job_items import job_from_fields
from timegate.adapters.dynamo.values import Plain
from timegate.domain.errors import Malformed
from timegate.domain.restrictions import InForce
from timegate.ports.stores import Loaded

Record = TypeVar("Record")
Fields = Mapping[str, Plain]


def loaded(attempt: Fields | None, job: Fields | None, in_force: InForce) -> Loaded:
    """Both as they are: a damaged one must not hide its neighbours in a batch."""
    read_attempt, no_attempt = _read(attempt_from_fields, attempt)
    read_job, no_job = _read(job_from_fields, job)
    return Loaded(
        attempt=read_attempt,
        job=read_job,
        in_force=in_force,
        unreadable=no_attempt or no_job,
    )


def _read(
    reader: Callable[[Fields], Record], fields: Fields | None
) -> tuple[Record | None, str | None]:
    if fields is None:
        return None, None
    try:
        return reader(fields), None
    except Malformed as malformed:
        return None, str(malformed)
