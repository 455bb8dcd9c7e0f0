"""The archiver's tick: it archives, and then seals, as much as there is time for."""

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from timegate.runtime.wiring import while_active
from timegate.runtime.wiring.archiver import archiver_services
from timegate.usecases.archive.archive_round import archive_round
from timegate.usecases.archive.seal_months import Sealed, seal_months

#: The longest that a segment takes, several times over: a tick begins none later.
SEGMENT_MS = 300_000

services = archiver_services()


def _archive(_: dict[str, Any], context: LambdaContext) -> dict[str, int | str | None]:
    def has_time() -> bool:
        return context.get_remaining_time_in_millis() > SEGMENT_MS

    now = services.clock.now()
    done = archive_round(services.archiving, has_time, now=now)
    sealing, sealed = services.sealing, Sealed()
    if sealing is not None and has_time():
        sealed = seal_months(sealing, has_time, now=now)
    return {
        "segments": done.segments,
        "files": done.files,
        "rows": done.rows,
        "completed": done.completed.isoformat() if done.completed is not None else None,
        "seals": sealed.seals,
        "sealed_month": sealed.month,
    }


handle = services.telemetry.instrument(while_active(_archive, idle={"segments": 0}))
