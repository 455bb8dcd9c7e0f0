"""Operations: a running operation in the stream means "make a step", due rules "look"."""

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from timegate.runtime.events.operation_records import read_work
from timegate.runtime.events.stream_records import Failures, report
from timegate.runtime.wiring import while_active
from timegate.runtime.wiring.operations import operations_services
from timegate.usecases.operations.do_work import do_work

services = operations_services()


def _operate(event: dict[str, Any], _: LambdaContext) -> Failures:
    records = read_work(event, "operations", services.rejects, services.telemetry)
    shown = [record.shown for record in records]
    done = do_work(shown, services.operating, services.look)
    return report([record for record, ok in zip(records, done, strict=True) if not ok])


handle = services.telemetry.instrument(while_active(_operate, idle=report([])))
