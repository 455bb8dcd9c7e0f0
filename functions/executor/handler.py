"""The executor: the only function that does work."""

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from timegate.runtime.events.invocations import owner_of
from timegate.runtime.events.queue_records import Failures, read_deliveries, report
from timegate.runtime.wiring import while_active
from timegate.runtime.wiring.executor import executor_services
from timegate.usecases.execution.execute_batch import execute_batch
from timegate.usecases.services.completions import Completions

services = executor_services()
services.termination.install()


def _execute(event: dict[str, Any], context: LambdaContext) -> Failures:
    read = read_deliveries(event, services.queue_key, services.telemetry)
    remaining_ms = context.get_remaining_time_in_millis()
    execution = services.execution(owner=owner_of(context), remaining_ms=remaining_ms)
    execution.inbox.hide([m.receipt for m in read.malformed], seconds=0)
    with services.termination.working():
        completions = Completions(execution.runs, execution.telemetry)
        unsettled = execute_batch(read.deliveries, execution, completions)
    return report([m.id for m in read.malformed] + sorted(unsettled))


handle = services.telemetry.instrument(while_active(_execute, idle=report([])))
