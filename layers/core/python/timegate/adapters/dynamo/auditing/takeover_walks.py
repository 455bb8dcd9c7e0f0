"""The walk over all jobs after a promotion: its records lie beside the region's own."""

from timegate.adapters.dynamo.auditing.job_walk import read_jobs
from timegate.adapters.dynamo.tables.engine import Engine
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.reading import number, text
from timegate.adapters.dynamo.tables.writes import Compared, Update
from timegate.ports.auditing import TablePage, TakeoverWalk


class DynamoTakeoverWalks:
    """One item a share, in the table that is not replicated: each region walks by itself."""

    def __init__(self, engine: Engine, *, table: str, jobs_table: str) -> None:
        self._engine = engine
        self._table = table
        self._jobs_table = jobs_table

    def read(self, shard: int, of: int) -> TakeoverWalk:
        """Read how far a share came, strongly consistent."""
        found = self._engine.get(self._table, _key(shard, of))
        if found is None:
            return TakeoverWalk(shard=shard, of=of)
        position = found.get("position")
        return TakeoverWalk(
            shard=shard,
            of=of,
            look=number(found["look"]),
            position=text(position) if position is not None else None,
            is_done=position is None,
        )

    def page(self, walk: TakeoverWalk) -> TablePage:
        """The next jobs of a share."""
        return read_jobs(
            self._engine, self._jobs_table, walk.shard, walk.of, position=walk.position
        )

    def move(self, before: TakeoverWalk, after: TakeoverWalk) -> bool:
        """Store how far the walk came, unless another planner has moved it."""
        begins = before.position is None
        moved = Update(
            table=self._table,
            key=_key(after.shard, after.of),
            fields={"look": after.look, "position": after.position},
            # The first page of a look replaces the walk of an earlier one ...
            where={"look": Compared(below=before.look, or_missing=True)}
            if begins
            # ... and each other page follows the one before.
            else {"look": before.look, "position": before.position},
            creates=begins,
        )
        return self._engine.write(moved).done


def _key(shard: int, of: int) -> Key:
    return Key(pk="region", sk=f"walk#{shard}of{of}")
