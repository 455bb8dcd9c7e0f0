"""Reading what a run came to: in line, or by a link to where it lies."""

from datetime import datetime, timedelta

from timegate.domain.runs.run import Attempt
from timegate.domain.values.identity import RunId
from timegate.domain.values.tenant import TenantId
from timegate.usecases.services.api_services import ApiServices
from timegate.value_classes import dataclass

#: A link is good for so long, or as long as the API's own credentials, if that is less.
LINK_SECONDS = 900


@dataclass(frozen=True, kw_only=True, slots=True)
class RunResult:
    """The answer of a run's last attempt, as far as it is kept."""

    last: Attempt
    #: Where the whole of it can be read; ``None``: what is in the record is all there is.
    link: str | None = None
    link_expires_at: datetime | None = None


def read_result(tenant: TenantId, run: RunId, services: ApiServices, *, now: datetime) -> RunResult:
    """Read the result of a run; raises ``RunNotFound``."""
    last = services.runs.attempts(tenant, run)[-1]
    if last.stored_result is None:
        return RunResult(last=last)
    return RunResult(
        last=last,
        link=services.blobs.link(last.stored_result.blob, seconds=LINK_SECONDS),
        link_expires_at=now + timedelta(seconds=LINK_SECONDS),
    )
