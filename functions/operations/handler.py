"""Operations: a running operation in the stream means "make a step", due rules "look"."""

from functools import partial
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from timegate.runtime.events.invocations import time_left
from timegate.runtime.events.operation_records import read_work
from timegate.runtime.events.stream_records import Failures, report
from timegate.runtime.wiring import while_active
from timegate.runtime.wiring.operations import operations_services
from timegate.usecases.dispatch.work_apart import work_apart
from timegate.usecases.operations.do_work import do_work

services = operations_services()


def _operate(event: dict[str, Any], context: LambdaContext) -> Failures:
    records = read_work(event, "operations", services.rejects, services.telemetry)
    shown = [record.shown for record in records]
    work = partial(do_work, operating=services.operating, look=services.look)
    done = work_apart(shown, work, services.telemetry, has_time=time_left(context))
    return report([record for record, ok in zip(records, done, strict=True) if not ok])


handle = services.telemetry.instrument(while_active(_operate, idle=report([])))
