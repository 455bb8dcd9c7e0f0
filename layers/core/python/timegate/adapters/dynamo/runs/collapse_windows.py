"""Windows of triggers: each is an item beside the job, under its key and its number."""

from collections.abc import Mapping
from datetime import timedelta

from timegate.adapters.dynamo.tables.engine import Engine, Query
from timegate.adapters.dynamo.tables.keys import Key, job_pk
from timegate.adapters.dynamo.tables.reading import number, reader_of, text
from timegate.adapters.dynamo.tables.values import Plain
from timegate.adapters.dynamo.tables.writes import Insert, Update, Write
from timegate.domain.limits.collapse import CollapseKey, CollapseWindow
from timegate.domain.restrictions.freeze import LONGEST
from timegate.domain.runs.run import Attempt, Collapsed
from timegate.domain.values.identity import JobId, RunId
from timegate.domain.values.instants import compact, from_compact
from timegate.domain.values.tenant import TenantId
from timegate.ports.runs.claims import CollapseWrite

_PREFIX = "collapse#"
#: Wide enough that windows sort by number.
_DIGITS = 10


def latest_window(
    engine: Engine, table: str, tenant: TenantId, job_id: JobId, key: CollapseKey
) -> CollapseWindow | None:
    """Read the last window of a key by one query, strongly consistent."""
    query = Query(
        table=table,
        of=job_pk(tenant, job_id),
        prefix=f"{_PREFIX}{key.digest}#",
        latest_first=True,
        limit=1,
        consistent=True,
    )
    found = engine.query(query).items
    return _read(found[0]) if found else None


def window_of(
    engine: Engine, table: str, tenant: TenantId, job_id: JobId, mark: Collapsed
) -> CollapseWindow | None:
    """Read the window that a run's record names."""
    found = engine.get(table, _place(tenant, job_id, mark.key, mark.window))
    return None if found is None else _read(found)


def window_write(table: str, write: CollapseWrite, *, retention: timedelta) -> Write:
    """Open a window where its number is free, or move one whose run is as it was read."""
    attempt, window = write.attempt, write.window
    place = _place(attempt.tenant, attempt.id.run.job_id, window.key.digest, window.number)
    fields = {"run": str(window.run), **_expiry(attempt, retention)}
    if write.read is None:
        begun = {"key": window.key.shown, "since": compact(window.since)}
        return Insert(
            table=table,
            fields={"pk": place.pk, "sk": place.sk, **begun, **fields, "triggers": window.triggers},
        )
    if write.joins:
        return joining_write(table, window, attempt, 1, retention=retention)
    return Update(
        table=table,
        key=place,
        fields=fields,
        added={"triggers": 1},
        # No other trigger took the place of its run.
        where={"run": str(write.read.run)},
    )


def joining_write(
    table: str, window: CollapseWindow, last: Attempt, count: int, *, retention: timedelta
) -> Write:
    """Count triggers that join a window, whatever its run is by now."""
    place = _place(last.tenant, last.id.run.job_id, window.key.digest, window.number)
    return Update(
        table=table,
        key=place,
        fields=_expiry(last, retention),
        added={"triggers": count},
        # A window that was forgotten meanwhile is not begun again.
        where={"since": compact(window.since)},
    )


@reader_of("window of triggers")
def _read(fields: Mapping[str, Plain]) -> CollapseWindow:
    _, digest, count = text(fields["sk"]).split("#")
    return CollapseWindow(
        key=CollapseKey(digest=digest, shown=_shown(fields)),
        number=int(count),
        run=RunId.parse(text(fields["run"])),
        since=from_compact(text(fields["since"])),
        triggers=number(fields["triggers"]),
    )


def _shown(fields: Mapping[str, Plain]) -> str | None:
    return text(fields["key"]) if "key" in fields else None


def _expiry(attempt: Attempt, retention: timedelta) -> dict[str, Plain]:
    """Keep a window while a freeze may hold its run back, and then as long as records of runs.

    A later trigger would begin a second run beside one that waits.
    """
    return {"expires_at": int((attempt.created_at + LONGEST + retention).timestamp())}


def _place(tenant: TenantId, job_id: JobId, digest: str, count: int) -> Key:
    return Key(pk=job_pk(tenant, job_id), sk=f"{_PREFIX}{digest}#{count:0{_DIGITS}}")
