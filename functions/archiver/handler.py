"""The archiver's tick: it archives as many segments as there is time for."""

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from timegate.runtime.wiring.archiver import archiver_services
from timegate.usecases.archive.archive_round import archive_round

#: The longest that a segment takes, several times over: a tick begins none later.
SEGMENT_MS = 300_000

services = archiver_services()


def _archive(_: dict[str, Any], context: LambdaContext) -> dict[str, int | str | None]:
    done = archive_round(
        services.archiving,
        lambda: context.get_remaining_time_in_millis() > SEGMENT_MS,
        now=services.clock.now(),
    )
    return {
        "segments": done.segments,
        "files": done.files,
        "rows": done.rows,
        "completed": done.completed.isoformat() if done.completed is not None else None,
    }


handle = services.telemetry.instrument(_archive)
