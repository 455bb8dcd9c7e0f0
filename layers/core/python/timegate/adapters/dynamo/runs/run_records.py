"""Runs as their last attempts show them: what cannot be read is told from what can."""

from collections.abc import Iterable, Iterator, Mapping

from timegate.adapters.dynamo.runs.items.attempt_reading import attempt_from_fields
from timegate.adapters.dynamo.tables.keys import parse_attempt_key
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.ledger.damaged_records import DamagedRun, RunDamaged, RunRecord
from timegate.domain.runs.run import Attempt
from timegate.domain.values.errors import Malformed
from timegate.domain.values.identity import AttemptId
from timegate.domain.values.tenant import TenantId
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class StoredAttempt:
    """An item under an attempt's key, not read yet: of many only the last of a run is."""

    tenant: TenantId
    id: AttemptId
    item: Mapping[str, Plain]

    def read(self) -> RunRecord:
        """The attempt, or what is wrong with it."""
        try:
            return attempt_from_fields(self.item)
        except Malformed as malformed:
            return DamagedRun(tenant=self.tenant, id=self.id, reason=str(malformed))


def stored_attempts(items: Iterable[Mapping[str, Plain]]) -> Iterator[StoredAttempt]:
    """Return the items under keys of attempts; any other item is no run."""
    for item in items:
        try:
            tenant, attempt = parse_attempt_key(str(item["pk"]), str(item["sk"]))
        except Malformed:
            continue
        yield StoredAttempt(tenant=tenant, id=attempt, item=item)


def sound_attempts(items: Iterable[Mapping[str, Plain]]) -> Iterator[Attempt]:
    """All attempts of few runs that were asked for; raises ``RunDamaged`` for one of them."""
    for stored in stored_attempts(items):
        found = stored.read()
        if isinstance(found, DamagedRun):
            raise RunDamaged(str(found.id.run), str(found.id), found.reason)
        yield found
