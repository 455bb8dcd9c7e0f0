"""An attempt with its job, as far as they can be read."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from timegate.adapters.dynamo.attempt_items import attempt_from_fields
from timegate.adapters.dynamo.batch_read import read_all
from timegate.adapters.dynamo.job_items import job_from_fields
from timegate.adapters.dynamo.keys import attempt_key, governor_key
from timegate.adapters.dynamo.restriction_items import in_force_from_fields, in_force_key
from timegate.adapters.dynamo.values import Plain
from timegate.domain.errors import Malformed
from timegate.domain.restrictions import NOTHING_IN_FORCE, InForce
from timegate.ports.stores import AttemptRef, Loaded

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

Record = TypeVar("Record")
Fields = Mapping[str, Plain]


def load_all(
    client: "DynamoDBClient", refs: Sequence[AttemptRef], *, runs: str, jobs: str
) -> list[Loaded]:
    """Attempts with their jobs and what is in force, strongly consistent, in the order asked."""
    attempt_keys = [attempt_key(ref.tenant, ref.id) for ref in refs]
    job_keys = [governor_key(ref.tenant, ref.id.run) for ref in refs]
    tenants = {ref.tenant: in_force_key(ref.tenant) for ref in refs}
    wanted = {runs: attempt_keys, jobs: [*job_keys, *tenants.values()]}
    found = read_all(client, wanted)
    attempts, others = found[runs], found[jobs]
    in_force = {
        tenant: in_force_from_fields(tenant, others[key]) if key in others else NOTHING_IN_FORCE
        for tenant, key in tenants.items()
    }
    return [
        _loaded(attempts.get(a), others.get(j), in_force[ref.tenant])
        for ref, a, j in zip(refs, attempt_keys, job_keys, strict=True)
    ]


def _loaded(attempt: Fields | None, job: Fields | None, in_force: InForce) -> Loaded:
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
