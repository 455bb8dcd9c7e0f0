"""SQS in virtual time: no emulator lets a test step its clock."""

import json
from collections.abc import Callable
from datetime import timedelta
from itertools import count
from typing import Any
from urllib.parse import urlsplit

from botocore.awsrequest import AWSPreparedRequest, AWSResponse

from infra.stage.delivery import (
    DEAD_LETTER_TIMEOUT_SECONDS,
    EVENT_TIMEOUT_SECONDS,
    EVENT_TRIES,
    LOOK_RETENTION_SECONDS,
    VISIBILITY_PER_TIMEOUT,
)
from infra.stage.settings import STAGES
from tests.crash.services.queueing.queue import BATCH, EVENTS, LOOKS, UNSENT, Queue
from tests.crash.services.service import KIND, Service
from tests.support.stores.dynamodb_inside import answer, body_of
from timegate.ports.clock import Clock

HOST = "https://sqs.us-east-1.amazonaws.com/111122223333"
#: The stack makes them alike: a message is hidden as long as its executor may work.
VISIBILITY = {
    name: timedelta(seconds=own.timeout_seconds) for name, own in STAGES["prod"].classes.items()
}
DEAD_LETTER_VISIBILITY = timedelta(seconds=VISIBILITY_PER_TIMEOUT * DEAD_LETTER_TIMEOUT_SECONDS)
LOOK_VISIBILITY = timedelta(seconds=VISIBILITY_PER_TIMEOUT * STAGES["prod"].tick_timeout_seconds)
EVENT_VISIBILITY = timedelta(seconds=VISIBILITY_PER_TIMEOUT * EVENT_TIMEOUT_SECONDS)


class Queues:
    """The run queues with their dead letters, and that of the rejects."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._numbers = count(1)
        self._service = KIND
        #: Entries that were refused once.
        self._refused: set[str] = set()
        self.queues: dict[str, Queue] = {}
        self.rejected: list[str] = []
        #: Events that SQS took, and lost.
        self.lost_events: list[str] = []
        #: Called with the body of each message that is deleted, by the actor at work.
        self.watch_deleted: Callable[[str], None] = lambda _: None
        for resource_class, visibility in VISIBILITY.items():
            name = f"normal-{resource_class}"
            dead = Queue(name=f"{name}-dead", visibility=DEAD_LETTER_VISIBILITY)
            self.queues[name] = Queue(
                name=name, visibility=visibility, dead_letters=dead, batch=BATCH[resource_class]
            )
            self.queues[dead.name] = dead
        self.queues[LOOKS] = Queue(
            name=LOOKS,
            visibility=LOOK_VISIBILITY,
            batch=1,
            retention=timedelta(seconds=LOOK_RETENTION_SECONDS),
        )
        unsent = Queue(name=UNSENT, visibility=EVENT_VISIBILITY)
        self.queues[EVENTS] = Queue(
            name=EVENTS,
            visibility=EVENT_VISIBILITY,
            dead_letters=unsent,
            most_receives=EVENT_TRIES,
        )
        self.queues[UNSENT] = unsent

    @property
    def urls(self) -> dict[str, str]:
        """Queues' addresses for functions."""
        return {f"normal-{each}": f"{HOST}/normal-{each}" for each in VISIBILITY}

    @property
    def owe_nothing(self) -> bool:
        """No message is left but looks."""
        return not any(each.messages for each in self.queues.values() if not each.holds_looks)

    def begin(self, service: Service) -> None:
        """A new story: nothing is left in any of them."""
        self.rejected.clear()
        self.lost_events.clear()
        self._refused.clear()
        self._service = service
        for queue in self.queues.values():
            queue.begin(service)

    def send(self, request: AWSPreparedRequest) -> AWSResponse:
        """Serve one request of SQS's JSON protocol."""
        operation = _operation(request)
        asked = json.loads(body_of(request))
        done = getattr(self, f"_{operation}")(asked)
        headers = {"content-type": "application/x-amz-json-1.0"}
        return answer(request, 200, headers, json.dumps(done).encode())

    def lose(self, request: AWSPreparedRequest) -> AWSResponse:
        """Answer as if messages had been taken, and take none."""
        headers = {"content-type": "application/x-amz-json-1.0"}
        asked = json.loads(body_of(request))
        if self._queue(asked).name == EVENTS:
            self.lost_events += [entry["MessageBody"] for entry in asked["Entries"]]
        return answer(request, 200, headers, json.dumps(_all_done(asked)).encode())

    def _SendMessage(self, asked: dict[str, Any]) -> dict[str, Any]:  # noqa: N802 - SQS's names
        self.rejected.append(asked["MessageBody"])
        return {"MessageId": f"rejected-{len(self.rejected)}"}

    def _SendMessageBatch(self, asked: dict[str, Any]) -> dict[str, Any]:  # noqa: N802
        def send(entry: dict[str, Any]) -> bool:
            now = self._clock.now()
            visible_at = now + timedelta(seconds=entry.get("DelaySeconds", 0))
            name = f"message-{next(self._numbers)}"
            queue.put(name, entry["MessageBody"], now=now, visible_at=visible_at)
            return True

        queue = self._queue(asked)
        return self._each(asked, send)

    def _DeleteMessageBatch(self, asked: dict[str, Any]) -> dict[str, Any]:  # noqa: N802
        def delete(entry: dict[str, Any]) -> bool:
            deleted = self._queue(asked).delete(entry["ReceiptHandle"])
            if deleted is not None:
                self.watch_deleted(deleted.body)
            return True

        return self._each(asked, delete)

    def _ChangeMessageVisibilityBatch(self, asked: dict[str, Any]) -> dict[str, Any]:  # noqa: N802
        def hide(entry: dict[str, Any]) -> bool:
            now = self._clock.now()
            until = now + timedelta(seconds=entry["VisibilityTimeout"])
            return self._queue(asked).hide(entry["ReceiptHandle"], until, now)

        return self._each(asked, hide)

    def _each(self, asked: dict[str, Any], do: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Do what a batch asks for each entry, which succeeds or fails by itself."""
        new = [each["Id"] for each in asked["Entries"] if str(each) not in self._refused]
        refused = new[:1] if self._service.refuses_entries else []
        self._refused |= {str(each) for each in asked["Entries"] if each["Id"] in refused}
        done: dict[str, Any] = {"Successful": [], "Failed": []}
        for entry in asked["Entries"]:
            name = entry["Id"]
            if name in refused:
                failed = {"Id": name, "SenderFault": False, "Code": "InternalError"}
                done["Failed"].append(failed)
            elif do(entry):
                done["Successful"].append({"Id": name, "MessageId": name})
            else:
                failed = {"Id": name, "SenderFault": True, "Code": "MessageNotInflight"}
                done["Failed"].append(failed)
        return done

    def _GetQueueAttributes(self, asked: dict[str, Any]) -> dict[str, Any]:  # noqa: N802
        ready, in_flight = self._queue(asked).counts(self._clock.now())
        return {
            "Attributes": {
                "ApproximateNumberOfMessages": str(ready),
                "ApproximateNumberOfMessagesNotVisible": str(in_flight),
            }
        }

    def _queue(self, asked: dict[str, Any]) -> Queue:
        return self.queues[urlsplit(asked["QueueUrl"]).path.rpartition("/")[2]]


def _all_done(asked: dict[str, Any]) -> dict[str, Any]:
    done = [{"Id": each["Id"], "MessageId": each["Id"]} for each in asked["Entries"]]
    return {"Successful": done, "Failed": []}


def _operation(request: AWSPreparedRequest) -> str:
    target = request.headers["X-Amz-Target"]
    return str(target.decode() if isinstance(target, bytes) else target).rpartition(".")[2]
