"""Events: changes of jobs into the queue of events, and that queue out to the bus."""

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from timegate.runtime.events.change_records import job_changes
from timegate.runtime.events.event_messages import read_documents
from timegate.runtime.events.queue_records import Failures, report
from timegate.runtime.wiring import while_active
from timegate.runtime.wiring.cloud_events import cloud_event_services
from timegate.usecases.cloud_events.queue_events import queue_events
from timegate.usecases.cloud_events.send_events import send_events

services = cloud_event_services()


def _tell(event: dict[str, Any], context: LambdaContext) -> Failures:
    is_queue = event["Records"][0]["eventSource"] == "aws:sqs"
    return _send(event) if is_queue else _queue_while_active(event, context)


def _send(event: dict[str, Any]) -> Failures:
    """Send messages; one that the bus did not take, or that is none, comes again alone."""
    read, unreadable = read_documents(event, services.telemetry)
    taken = send_events([each.document for each in read], services.bus, services.telemetry)
    failed = [each.id for each, ok in zip(read, taken, strict=True) if not ok]
    return report([*failed, *unreadable])


def _queue(event: dict[str, Any], _: LambdaContext) -> Failures:
    """Queue changes of jobs; the stream shows the batch again if the queue refuses any."""
    changes = job_changes(event, services.rejects, services.telemetry)
    left = queue_events(changes, services.events)
    return report([event["Records"][0]["dynamodb"]["SequenceNumber"]] if left else [])


_queue_while_active = while_active(_queue, idle=report([]))
# A queued event is on record nowhere else: its region sends it at any time.
handle = services.telemetry.instrument(_tell)
