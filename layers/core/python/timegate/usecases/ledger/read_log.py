"""Reading the log of a run: what its records say, and between that what its holders said."""

from datetime import UTC, datetime

from timegate.domain.ledger.run_log import LogLine, in_order, log_of
from timegate.domain.ledger.worker_log import BatchPosition
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import RunId
from timegate.domain.values.instants import compact, from_compact
from timegate.domain.values.tenant import TenantId
from timegate.usecases.runs.read_runs import read_run
from timegate.usecases.services.api_services import ApiServices
from timegate.value_classes import dataclass

#: Batches of one page: what they may hold fits into one answer.
PAGE_BATCHES = 50
_BEGINNING = datetime.min.replace(tzinfo=UTC)
_END = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, kw_only=True, slots=True)
class LogPage:
    """Some lines, and where the next ones begin; no cursor means that there are none yet."""

    lines: tuple[LogLine, ...]
    cursor: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class _Mark:
    """End of a page: a batch, and the last instant in it."""

    place: BatchPosition
    at: datetime


def read_log(tenant: TenantId, run: RunId, services: ApiServices, *, cursor: str | None) -> LogPage:
    """A page of a run's log, in order.

    Lines from records stand in order of their instants: on the page whose messages reach to them,
    or on the last. Raises ``RunNotFound``, and ``InvalidInput`` for a cursor that is none.
    """
    attempts = read_run(tenant, run, services)
    mark = _mark(cursor) if cursor is not None else None
    place = mark.place if mark is not None else None
    found = services.logs.read(tenant, run, after=place, limit=PAGE_BATCHES + 1)
    batches = found[:PAGE_BATCHES]
    after = mark.at if mark is not None else _BEGINNING
    until, following = _END, None
    if len(found) > PAGE_BATCHES:
        until = max(after, *(line.at for batch in batches for line in batch.lines))
        following = _Mark(place=batches[-1].place, at=until)
    own = [line for line in log_of(attempts) if after < line.at <= until]
    said = log_of((), batches)
    lines = in_order([*own, *said])
    return LogPage(lines=lines, cursor=_written(following) if following is not None else None)


def _written(mark: _Mark) -> str:
    return f"{mark.place.fence}.{mark.place.sequence}.{compact(mark.at)}"


def _mark(cursor: str) -> _Mark:
    try:
        fence, sequence, at = cursor.split(".")
        return _Mark(
            place=BatchPosition(fence=int(fence), sequence=int(sequence)), at=from_compact(at)
        )
    except (ValueError, InvalidInput) as error:
        detail = "This is no cursor of this listing."
        raise InvalidInput("cursor", "invalid_cursor", detail) from error
