"""Limits on messages, events and invocations, as the documentation of AWS has them.

https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html
https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html
https://docs.aws.amazon.com/sns/latest/api/API_Publish.html
https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-putevents.html
https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from tests.support.services.limit_exceeded import refuse_above, refuse_unless

Asked = Mapping[str, Any]

MAX_BATCH = 10
#: SQS takes so many of one message, and of a batch.
MAX_MESSAGE_BYTES = 1024 * 1024
MAX_ATTRIBUTES = 10
MAX_DELAY_SECONDS = 900
MAX_HIDDEN_SECONDS = 43_200
MAX_WAIT_SECONDS = 20
#: Unless the topic has another maximum.
MAX_NOTIFICATION_BYTES = 256 * 1024
MAX_SUBJECT = 99
#: EventBridge took so much in every region before it took a megabyte.
MAX_EVENTS_BYTES = 256 * 1024
_TIME_BYTES = 14
MAX_SYNC_BYTES, MAX_ASYNC_BYTES = 6 * 1024 * 1024, 1024 * 1024

_ENTRY_ID = re.compile(r"[A-Za-z0-9_-]{1,80}")
_GROUP_ID = re.compile(r"[\x21-\x7e]{1,128}")
_FORBIDDEN = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NO_SUBJECT = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def check_batch(asked: Asked) -> Sequence[Asked]:
    """Refuse a batch that is empty, too long, or whose ids are odd or not distinct."""
    entries: Sequence[Asked] = asked["Entries"]
    ids = [each["Id"] for each in entries]
    refuse_above("a batch", len(entries), MAX_BATCH, least=1)
    refuse_unless(f"the ids {ids}", len({*ids}) == len(ids) and all(map(_ENTRY_ID.fullmatch, ids)))
    return entries


def check_messages(asked: Asked) -> None:
    """Refuse a batch of messages that SQS does not take."""
    sizes = [check_message(each) for each in check_batch(asked)]
    refuse_above("the bytes of a batch", sum(sizes), MAX_MESSAGE_BYTES)


def check_message(asked: Asked) -> int:
    """Refuse a message that SQS does not take; returns its bytes."""
    body = asked["MessageBody"]
    attributes = asked.get("MessageAttributes", {})
    size = len(body.encode()) + _attribute_bytes(attributes)
    refuse_above("the bytes of a message", size, MAX_MESSAGE_BYTES, least=1)
    found = _FORBIDDEN.search(body)
    refuse_unless(f"the character {found and ascii(found[0])} in a message", found is None)
    refuse_above("the attributes of a message", len(attributes), MAX_ATTRIBUTES)
    refuse_above("a delay", asked.get("DelaySeconds", 0), MAX_DELAY_SECONDS)
    _check_groups(asked)
    return size


def check_hidden(asked: Asked) -> None:
    """Refuse a time for which SQS hides no message."""
    for each in check_batch(asked):
        refuse_above("a hidden time", each.get("VisibilityTimeout", 0), MAX_HIDDEN_SECONDS)


def check_receiving(asked: Asked) -> None:
    """Refuse to receive as SQS does not hand messages over."""
    refuse_above("messages at once", asked.get("MaxNumberOfMessages", 1), MAX_BATCH, least=1)
    refuse_above("a hidden time", asked.get("VisibilityTimeout", 0), MAX_HIDDEN_SECONDS)
    refuse_above("a wait", asked.get("WaitTimeSeconds", 0), MAX_WAIT_SECONDS)


def check_notification(asked: Asked) -> None:
    """Refuse a message that SNS does not take."""
    attributes = asked.get("MessageAttributes", {})
    size = len(asked["Message"].encode()) + _attribute_bytes(attributes)
    refuse_above("the bytes of a notification", size, MAX_NOTIFICATION_BYTES, least=1)
    subject = asked.get("Subject")
    if subject is not None:
        refuse_above("a subject", len(subject), MAX_SUBJECT, least=1)
        refuse_unless(f"the subject {subject!r}", _NO_SUBJECT.search(subject) is None)
    _check_groups(asked)


def check_events(asked: Asked) -> None:
    """Refuse events that EventBridge does not take; it counts the bytes of all of a call."""
    refuse_above("the bytes of events", sum(map(_event_bytes, asked["Entries"])), MAX_EVENTS_BYTES)
    for each in asked["Entries"]:
        refuse_unless("a detail that is no object", isinstance(json.loads(each["Detail"]), dict))


def check_invocation(asked: Asked) -> None:
    """Refuse an event that Lambda does not take."""
    is_async = asked.get("InvocationType") == "Event"
    most = MAX_ASYNC_BYTES if is_async else MAX_SYNC_BYTES
    refuse_above("the bytes of an invocation", len(asked.get("Payload", b"")), most)


def _event_bytes(entry: Asked) -> int:
    texts = (entry["Source"], entry["DetailType"], entry["Detail"], *entry.get("Resources", ()))
    time = _TIME_BYTES if "Time" in entry else 0
    return time + sum(len(text.encode()) for text in texts)


def _attribute_bytes(attributes: Mapping[str, Asked]) -> int:
    return sum(
        len(f"{name}{each['DataType']}{each.get('StringValue', '')}".encode())
        for name, each in attributes.items()
    )


def _check_groups(asked: Asked) -> None:
    for name in ("MessageGroupId", "MessageDeduplicationId"):
        text = asked.get(name)
        refuse_unless(f"{name} {text!r}", text is None or _GROUP_ID.fullmatch(text))
