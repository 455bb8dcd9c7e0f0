"""The walk over all jobs after a promotion: its records lie beside the region's own."""

from collections.abc import Mapping

from timegate.adapters.dynamo.auditing.job_walk import read_jobs
from timegate.adapters.dynamo.tables.engine import Engine, Query, rows
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.reading import number, optional_number, reader_of, text
from timegate.adapters.dynamo.tables.values import Plain
from timegate.adapters.dynamo.tables.writes import Compared, Update
from timegate.ports.auditing import TablePage, TakeoverWalk

_PARTITION, _WALKS = "region", "walk#"
#: Walks of one page of a query.
MAX_WALKS = 500


class DynamoTakeoverWalks:
    """One item a share, in the table that is not replicated: each region walks by itself."""

    def __init__(self, engine: Engine, *, table: str, jobs_table: str) -> None:
        self._engine = engine
        self._table = table
        self._jobs_table = jobs_table

    def read(self, shard: int, of: int) -> TakeoverWalk:
        """Read how far a share came, strongly consistent."""
        found = self._engine.get(self._table, _key(shard, of))
        return _walk(found) if found is not None else TakeoverWalk(shard=shard, of=of)

    def on_record(self) -> tuple[TakeoverWalk, ...]:
        """Read the last walk of each share, strongly consistent."""
        query = Query(
            table=self._table, of=_PARTITION, prefix=_WALKS, limit=MAX_WALKS, consistent=True
        )
        return tuple(map(_walk, rows(self._engine, query)))

    def page(self, walk: TakeoverWalk) -> TablePage:
        """The next jobs of a share, and tenants that have rules."""
        return read_jobs(
            self._engine,
            self._jobs_table,
            walk.shard,
            walk.of,
            position=walk.position,
            finds_rules=True,
        )

    def move(self, before: TakeoverWalk, after: TakeoverWalk) -> bool:
        """Store how far the walk came, unless another planner has moved it."""
        begins = before.position is None
        moved = Update(
            table=self._table,
            key=_key(after.shard, after.of),
            fields={
                "look": after.look,
                "position": after.position,
                "jobs": after.jobs,
                "mended": after.mended,
            },
            # The first page of a look replaces the walk of an earlier one ...
            where={"look": Compared(below=before.look, or_missing=True)}
            if begins
            # ... and each other page follows the one before.
            else {"look": before.look, "position": before.position},
            creates=begins,
        )
        return self._engine.write(moved).done


def _key(shard: int, of: int) -> Key:
    return Key(pk=_PARTITION, sk=f"{_WALKS}{shard}of{of}")


@reader_of("walk over all jobs")
def _walk(fields: Mapping[str, Plain]) -> TakeoverWalk:
    shard, of = text(fields["sk"]).removeprefix(_WALKS).split("of")
    position = fields.get("position")
    return TakeoverWalk(
        shard=int(shard),
        of=int(of),
        look=number(fields["look"]),
        position=text(position) if position is not None else None,
        is_done=position is None,
        jobs=optional_number(fields.get("jobs")) or 0,
        mended=optional_number(fields.get("mended")) or 0,
    )
