"""The index ``pool`` of the runs; among the jobs, the workers and when each pool was served."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from timegate.adapters.dynamo.pools.shown_offers import LANES, lane_of
from timegate.adapters.dynamo.tables.engine import Engine, Fields, Query, Rows, first_rows, pages
from timegate.adapters.dynamo.tables.keys import Key, attempt_key, parse_attempt_key
from timegate.adapters.dynamo.tables.reading import listed, number, text
from timegate.adapters.dynamo.tables.values import Plain
from timegate.adapters.dynamo.tables.writes import Update
from timegate.domain.values.corrupt_record import DAMAGE
from timegate.domain.values.instants import compact, from_compact
from timegate.domain.values.tenant import TenantId
from timegate.ports.pools import SEEN_WITHIN, Depth, Offered, Served, Shelf, Workers, WorkerSeen
from timegate.ports.stores import AttemptRef

if TYPE_CHECKING:
    from timegate.adapters.dynamo.audit_trail.audit_writes import AuditWrites
    from timegate.domain.pools.pause import PoolPause

#: Entries of a lane that are looked through for certain handlers.
MAX_LOOKED_THROUGH = 1_000
_PAGE_OF_HANDLERS = 250
#: Workers of a pool that are shown, of those that asked lately.
_MAX_WORKERS = 100
#: Names of a pool's workers that are looked at, whenever in the day they asked.
_MAX_NAMES = 1_000
#: Workers of a tenant, in all pools, that are looked at so.
_MAX_WORKERS_OF_TENANT = 1_000
#: Megabytes of names that are passed by, beyond these, for workers that asked lately: a fleet whose
#: workers have new names leaves thousands behind in a day.
_MAX_MEGABYTES = 10
#: Then a worker that asks no more is forgotten.
_FORGOTTEN_AFTER = timedelta(days=1)
#: Then a pool that no worker serves is forgotten.
_UNSERVED_AFTER = timedelta(days=90)
#: Between a pool and a worker of it: no pool's name has it.
_WORKER = "#worker#"
#: Behind a pool: when it was served, which outlasts its workers.
_SERVED = "#served"
#: A busy worker asks often; that it is there is written no more often than this.
_GREETED_AGAIN_AFTER = timedelta(seconds=30)
#: While a pool has workers, these tell when it was served.
_SERVED_AGAIN_AFTER = timedelta(hours=1)
_MAX_GREETED = 1_000


class DynamoPoolStore:
    """Offers of pools: read by key, a lane at a time, side by side."""

    def __init__(
        self,
        engine: Engine,
        *,
        jobs_table: str,
        runs_table: str,
        audit: "AuditWrites | None" = None,
    ) -> None:
        self._engine = engine
        self._audit = audit
        self._jobs_table = jobs_table
        self._runs_table = runs_table
        self._greeted: dict[tuple[TenantId, str, str], WorkerSeen] = {}
        self._served: dict[tuple[TenantId, str], datetime] = {}

    def offered(
        self, shelf: Shelf, *, until: datetime, limit: int, handlers: Collection[str] = ()
    ) -> list[Offered]:
        """The first runs that may be claimed by ``until``, soonest first."""
        read = partial(self._lane, until=until, limit=limit, handlers=sorted(handlers))
        found = [each for lane in self._engine.side_by_side(read, _lanes(shelf)) for each in lane]
        return sorted(found, key=lambda each: (each.at, each.ref.id))

    def depth(self, shelf: Shelf, *, now: datetime) -> Depth:
        """Count the runs that may be claimed now, up to a page of each lane."""
        pages = self._engine.side_by_side(partial(self._count, now=now), _lanes(shelf))
        return Depth(
            count=sum(page.count for page in pages),
            is_partial=any(page.last is not None for page in pages),
        )

    def put_off(self, tenant: TenantId, offered: Offered, *, until: datetime) -> None:
        """Show an unreadable run at ``until`` again."""
        later = Update(
            table=self._runs_table,
            key=attempt_key(tenant, offered.ref.id),
            # The record may be a queued image: this write must not publish it.
            fields={"offered_at": compact(until), "direct": True},
            where={"offered_at": compact(offered.at)},
        )
        self._engine.write(later)

    def greet(self, tenant: TenantId, pool: str, seen: WorkerSeen) -> None:
        """Remember that a worker asked for work, unless this process did a moment ago."""
        key = (tenant, pool, seen.worker)
        known = self._greeted.get(key)
        if known is not None and _says_nothing_new(seen, known):
            return
        self._write(tenant, pool, seen)
        self._note_served(tenant, pool, seen.seen_at)
        if len(self._greeted) >= _MAX_GREETED:
            self._greeted.clear()
        self._greeted[key] = seen

    def served(self, tenant: TenantId, pool: str, *, since: datetime, now: datetime) -> Served:
        """Return the workers that asked since then, by name, and when any asked last."""
        of = workers_pk(tenant)
        query = Query(table=self._jobs_table, of=of, prefix=f"{pool}#", as_of=now)
        items = first_rows(self._engine, query, _MAX_NAMES)
        if len(items) >= _MAX_NAMES:
            items += self._asked_since(query, since)[0]
        found = _workers(items, now=now)
        workers = [each for each in found.by_pool.get(pool, ()) if each.seen_at >= since]
        return Served(workers=workers[:_MAX_WORKERS], last_seen_at=found.last_seen.get(pool))

    def workers_of_tenant(self, tenant: TenantId, *, now: datetime) -> Workers:
        """Return the workers of all pools that asked within a day, by pool and name."""
        query = Query(table=self._jobs_table, of=workers_pk(tenant), as_of=now)
        items = first_rows(self._engine, query, _MAX_WORKERS_OF_TENANT + 1)
        is_partial = False
        if len(items) > _MAX_WORKERS_OF_TENANT:
            more, is_partial = self._asked_since(query, now - SEEN_WITHIN)
            items += more
        return _workers(items, now=now, is_partial=is_partial)

    def _asked_since(self, query: Query, since: datetime) -> tuple[list[Fields], bool]:
        """Return the workers that asked since then, and if there are more than were passed by.

        Records say when a worker is forgotten, so the table leaves out those that asked before.
        """
        lately = replace(query, as_of=since + _FORGOTTEN_AFTER - timedelta(seconds=1))
        found: list[Fields] = []
        for page in islice(pages(self._engine, lately), _MAX_MEGABYTES):
            found += page.items
            if page.last is None:
                return found, False
        return found, True

    def pause(self, tenant: TenantId, pool: str) -> "PoolPause | None":
        """Return the pool's last pause, over or not, strongly consistent."""
        # Imported here, as below: most requests look at no pool.
        from timegate.adapters.dynamo.pools.pause_items import read_pause  # noqa: PLC0415

        return read_pause(self._engine, self._jobs_table, tenant, pool)

    def pauses_of_tenant(
        self, tenant: TenantId, pools: Collection[str]
    ) -> "tuple[Mapping[str, PoolPause], bool]":
        """Return the last pause of these pools and of a thousand others, and if there are more."""
        from timegate.adapters.dynamo.pools.pause_items import read_pauses  # noqa: PLC0415

        return read_pauses(self._engine, self._jobs_table, tenant, pools)

    def change_pause(
        self, tenant: TenantId, pool: str, decide: "Callable[[PoolPause | None], PoolPause | None]"
    ) -> "PoolPause | None":
        """Store what is decided about the pool's last pause; returns what is stored then."""
        # Only the API changes them.
        from timegate.adapters.dynamo.pools.pause_changes import PauseChanges  # noqa: PLC0415

        changes = PauseChanges(self._engine, self._jobs_table, self._audit)
        return changes.change(tenant, pool, decide)

    def _write(self, tenant: TenantId, pool: str, seen: WorkerSeen) -> None:
        forgotten_at = int((seen.seen_at + _FORGOTTEN_AFTER).timestamp())
        seen_now = Update(
            table=self._jobs_table,
            key=Key(pk=workers_pk(tenant), sk=f"{pool}{_WORKER}{seen.worker}"),
            fields={
                "seen_at": compact(seen.seen_at),
                "handlers": list(seen.handlers),
                "capacity": seen.capacity,
                "in_use": seen.in_use,
                "expires_at": forgotten_at,
            },
            where={},
            creates=True,
        )
        self._engine.write(seen_now)

    def _note_served(self, tenant: TenantId, pool: str, at: datetime) -> None:
        """Keep when the pool was served, once an hour: its workers are forgotten before it is."""
        noted_at = self._served.get((tenant, pool))
        if noted_at is not None and at - noted_at < _SERVED_AGAIN_AFTER:
            return
        served = Update(
            table=self._jobs_table,
            key=Key(pk=workers_pk(tenant), sk=f"{pool}{_SERVED}"),
            fields={
                "seen_at": compact(at),
                "expires_at": int((at + _UNSERVED_AFTER).timestamp()),
            },
            where={},
            creates=True,
        )
        self._engine.write(served)
        if len(self._served) >= _MAX_GREETED:
            self._served.clear()
        self._served[tenant, pool] = at

    def _lane(
        self, lane: str, *, until: datetime, limit: int, handlers: Sequence[str]
    ) -> list[Offered]:
        asked = _asked(self._runs_table, lane, until)
        if not handlers:
            return [_offered(fields) for fields in first_rows(self._engine, asked, limit)]
        chosen = replace(asked, only={"handler": handlers}, limit=_PAGE_OF_HANDLERS)
        found: list[Offered] = []
        for page in islice(pages(self._engine, chosen), MAX_LOOKED_THROUGH // _PAGE_OF_HANDLERS):
            found += [_offered(fields) for fields in page.items]
            if len(found) >= limit:
                break
        return found

    def _count(self, lane: str, *, now: datetime) -> Rows:
        return self._engine.query(replace(_asked(self._runs_table, lane, now), counts_only=True))


def workers_pk(tenant: TenantId) -> str:
    """Return the partition of a tenant's workers in the jobs table; no job's id has this form.

    Each worker writes to it twice a minute: one partition carries 30,000 of them.
    """
    return f"{tenant}#pool#"


def _says_nothing_new(seen: WorkerSeen, known: WorkerSeen) -> bool:
    """Tell if no write is due: use changes with each run, and rides in the next write."""
    fresh = seen.seen_at - known.seen_at < _GREETED_AGAIN_AFTER
    return fresh and (seen.handlers, seen.capacity) == (known.handlers, known.capacity)


def _workers(items: Sequence[Fields], *, now: datetime, is_partial: bool = False) -> Workers:
    """Sort workers by pool; each pool was served when the last of them asked.

    A pool that was served within a day is one of the tenant's, though none of its workers is here.

    A damaged record hides no other: its worker writes it anew within half a minute.
    """
    by_pool: dict[str, list[WorkerSeen]] = {}
    last_seen: dict[str, datetime] = {}
    for fields in {text(fields["sk"]): fields for fields in items}.values():
        pool, is_worker, _ = text(fields["sk"]).partition(_WORKER)
        pool = pool if is_worker else pool.removesuffix(_SERVED)
        try:
            seen = _worker(fields)
        except DAMAGE:
            continue
        last_seen[pool] = max(seen.seen_at, last_seen.get(pool, seen.seen_at))
        if is_worker:
            by_pool.setdefault(pool, []).append(seen)
        elif now - seen.seen_at < _FORGOTTEN_AFTER:
            by_pool.setdefault(pool, [])
    return Workers(by_pool=by_pool, last_seen=last_seen, is_partial=is_partial)


def _lanes(shelf: Shelf) -> list[str]:
    return [lane_of(shelf.tenant, shelf.pool, shelf.priority, lane) for lane in range(LANES)]


def _asked(table: str, lane: str, until: datetime) -> Query:
    return Query(table=table, of=lane, index="pool", last=compact(until))


def _offered(fields: Mapping[str, Plain]) -> Offered:
    tenant, attempt = parse_attempt_key(text(fields["pk"]), text(fields["sk"]))
    ref = AttemptRef(tenant=tenant, id=attempt)
    return Offered(ref=ref, at=from_compact(text(fields["offered_at"])))


def _worker(fields: Mapping[str, Any]) -> WorkerSeen:
    return WorkerSeen(
        worker=text(fields["sk"]).partition(_WORKER)[2],
        seen_at=from_compact(text(fields["seen_at"])),
        handlers=tuple(text(each) for each in listed(fields.get("handlers"))),
        capacity=_count_in(fields, "capacity"),
        in_use=_count_in(fields, "in_use"),
    )


def _count_in(fields: Mapping[str, Any], name: str) -> int | None:
    value = fields.get(name)
    return None if value is None else number(value)
