"""Operations: the record of a running operation in the stream means "make a step"."""

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from timegate.runtime.events.operation_records import read_operations
from timegate.runtime.events.stream_records import Failures, report
from timegate.runtime.wiring.operations import operations_services
from timegate.usecases.operations.work_operations import work_operations

services = operations_services()


def _operate(event: dict[str, Any], _: LambdaContext) -> Failures:
    records = read_operations(event, "operations", services.rejects, services.telemetry)
    done = work_operations([record.shown for record in records], services.operating)
    return report([record for record, ok in zip(records, done, strict=True) if not ok])


handle = services.telemetry.instrument(_operate)
