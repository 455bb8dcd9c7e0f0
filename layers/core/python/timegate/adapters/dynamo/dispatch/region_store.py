"""The record of a region, in a table that is not replicated."""

from collections.abc import Mapping

from timegate.adapters.dynamo.dispatch.shard_store import WholeRecord
from timegate.adapters.dynamo.tables.codec import Part
from timegate.adapters.dynamo.tables.engine import TRANSIENT, Engine, Query
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.reading import mapping, reader_of
from timegate.adapters.dynamo.tables.throttles import reached
from timegate.adapters.dynamo.tables.values import Plain
from timegate.adapters.dynamo.tables.writes import Put
from timegate.domain.regions.region_record import RegionRecord
from timegate.domain.regions.region_step import RegionStep
from timegate.domain.values.errors import Throttled
from timegate.domain.values.instants import compact

#: The item of the record; those of steps are beside it.
RECORD = Key(pk="region", sk="record")
_STEPS = "step#"
#: No page of the table has as many.
MOST_STEPS = 100
_RECORD = WholeRecord(Part(RegionRecord), RECORD)
_STEP = Part(RegionStep)


class DynamoRegionStore:
    """One item for the region, and one for each step of an operator, which stays."""

    def __init__(self, engine: Engine, *, table: str) -> None:
        self._engine = engine
        self._table = table

    def read(self) -> RegionRecord | None:
        """Read the record, strongly consistent; ``None`` before the first one."""
        found = self._engine.get(self._table, RECORD)
        return _from_fields(found) if found is not None else None

    def replace(
        self, before: RegionRecord | None, after: RegionRecord, *, step: RegionStep | None = None
    ) -> bool:
        """Store ``after`` unless the record is no longer as it was read; raises ``Throttled``."""
        written = _RECORD.replacing(self._table, before, after)
        if step is None:
            return self._engine.write(written).done
        kept = Put(table=self._table, fields={**_step_key(step), "step": _STEP.map(step)})
        refusals = self._engine.transact([written, kept])
        if any(each.code in TRANSIENT for each in refusals):
            raise Throttled("The record of the region is fought over.")
        return not refusals

    def steps(self) -> tuple[RegionStep, ...]:
        """Read the latest steps of operators, latest first."""
        wanted = Query(
            table=self._table,
            of=RECORD.pk,
            prefix=_STEPS,
            latest_first=True,
            limit=MOST_STEPS,
            consistent=True,
        )
        return tuple(_step_from_fields(each) for each in self._engine.query(wanted).items)


class PeerRegionStore:
    """The record of the other region: whatever keeps a caller from it is ``RegionUnreached``."""

    def __init__(self, store: DynamoRegionStore) -> None:
        self._store = store

    def read(self) -> RegionRecord | None:
        """Read the record."""
        with reached():
            return self._store.read()

    def replace(
        self, before: RegionRecord | None, after: RegionRecord, *, step: RegionStep | None = None
    ) -> bool:
        """Store ``after`` unless the record is no longer as it was read."""
        with reached():
            return self._store.replace(before, after, step=step)

    def steps(self) -> tuple[RegionStep, ...]:
        """Read the latest steps of operators."""
        with reached():
            return self._store.steps()


def _step_key(step: RegionStep) -> dict[str, str]:
    """Steps are in the order of epochs, and of instants within one."""
    return {
        "pk": RECORD.pk,
        "sk": f"{_STEPS}{step.record.epoch:06}#{compact(step.at)}#{step.command}",
    }


@reader_of("step of an operator")
def _step_from_fields(fields: Mapping[str, Plain]) -> RegionStep:
    return _STEP.read(mapping(fields["step"]))


@reader_of("record of a region")
def _from_fields(fields: Mapping[str, Plain]) -> RegionRecord:
    return _RECORD.read(fields)
