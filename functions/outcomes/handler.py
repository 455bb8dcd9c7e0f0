"""Outcomes: reacts to runs that ended; the only function that does."""

from functools import partial
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from timegate.runtime.events.attempt_records import read_followed
from timegate.runtime.events.invocations import time_left
from timegate.runtime.events.stream_records import Failures, report
from timegate.runtime.wiring import while_active
from timegate.runtime.wiring.outcomes import outcomes_services
from timegate.usecases.dispatch.work_apart import work_apart
from timegate.usecases.outcomes.follow_batch import follow_batch

services = outcomes_services()


def _follow(event: dict[str, Any], context: LambdaContext) -> Failures:
    with services.told(event) as shown_event:
        records = read_followed(shown_event, "outcomes", services.rejects, services.telemetry)
        shown = [record.shown for record in records]
        follow = partial(follow_batch, following=services)
        done = work_apart(shown, follow, services.telemetry, has_time=time_left(context))
    return report([record for record, ok in zip(records, done, strict=True) if not ok])


handle = services.telemetry.instrument(while_active(_follow, idle=report([])))
