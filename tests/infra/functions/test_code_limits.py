"""Code sends at once, and waits, within AWS's limits."""

from dataclasses import dataclass

import pytest

from timegate.adapters.dynamo.jobs import job_store
from timegate.adapters.dynamo.operations import dead_letter_store
from timegate.adapters.dynamo.planning import plan_transaction
from timegate.adapters.dynamo.tables import batches, engine
from timegate.adapters.sqs import inbox, publisher, rejects
from timegate.domain.actions import kind
from timegate.domain.runs import checkpoint, gate, run_result
from timegate.domain.values import payload
from timegate.runtime import clients
from timegate.usecases.planning import cut_gaps
from timegate.usecases.services import completions

_DYNAMODB = "docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_"
_SQS = "docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_"
_LAMBDA = "docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html"
_KB, _MB = 1024, 1024**2
#: More than the envelope of a call has beside its payload.
_ENVELOPE = 8 * _KB


@dataclass(frozen=True, kw_only=True)
class Bound:
    """A number of the code, and what AWS takes."""

    name: str
    value: int
    most: int
    source: str


BOUNDS = [
    Bound(name=name, value=value, most=most, source=source)
    for name, value, most, source in (
        (
            "members of a planner's transaction",
            plan_transaction.MAX_MEMBERS,
            100,
            f"{_DYNAMODB}TransactWriteItems.html",
        ),
        (
            # With the job, its former definition, a new gap, what is left of one, an entry, a
            # watch, two keys and a count; and with its DAG, two versions, an entry and a count.
            "gaps cut with a change",
            cut_gaps.WITH_CHANGE + 9 + 4,
            100,
            f"{_DYNAMODB}TransactWriteItems.html",
        ),
        (
            # Each cut is a void and what is left.
            "gaps cut together",
            2 * job_store._CUTS_TOGETHER,
            100,
            f"{_DYNAMODB}TransactWriteItems.html",
        ),
        (
            "statements of a batch",
            engine.MAX_STATEMENTS,
            25,
            f"{_DYNAMODB}BatchExecuteStatement.html",
        ),
        (
            "ends written together",
            completions.MAX_BATCH,
            engine.MAX_STATEMENTS,
            f"{_DYNAMODB}BatchExecuteStatement.html",
        ),
        ("keys of a batch", batches.MAX_KEYS, 100, f"{_DYNAMODB}BatchGetItem.html"),
        (
            "dead letters read together",
            dead_letter_store._AT_ONCE,
            100,
            f"{_DYNAMODB}BatchGetItem.html",
        ),
        ("messages sent together", publisher.MAX_BATCH, 10, f"{_SQS}SendMessageBatch.html"),
        (
            "messages changed together",
            inbox.MAX_BATCH,
            10,
            f"{_SQS}ChangeMessageVisibilityBatch.html",
        ),
        ("seconds of delay", gate.QUEUE_LIMIT_SECONDS, 900, f"{_SQS}SendMessage.html"),
        (
            # A character has four bytes at most.
            "bytes of a rejected message",
            4 * (rejects.MAX_BODY_CHARACTERS + rejects.MAX_REASON_CHARACTERS),
            _MB,
            f"{_SQS}SendMessage.html",
        ),
        (
            "bytes of a message to a topic, a bus or a machine",
            kind.MAX_MESSAGE_BYTES,
            256 * _KB,
            "docs.aws.amazon.com/sns/latest/api/API_Publish.html",
        ),
        (
            "bytes of a payload to a queue",
            payload.MAX_PAYLOAD_BYTES + _ENVELOPE,
            _MB,
            f"{_SQS}SendMessage.html",
        ),
        (
            # With a checkpoint, and as an asynchronous invocation, which may be smaller.
            "bytes of a payload to a function",
            payload.MAX_PAYLOAD_BYTES + checkpoint.MAX_CHECKPOINT_BYTES + _ENVELOPE,
            _MB,
            _LAMBDA,
        ),
        (
            "bytes of an attempt's item",
            payload.MAX_INLINE_BYTES + checkpoint.MAX_INLINE_BYTES + 4 * run_result.MAX_CHARACTERS,
            400 * _KB,
            "docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html",
        ),
        ("seconds of a call to a function", clients.LONGEST_CALL_SECONDS, 900, _LAMBDA),
    )
]


@pytest.mark.parametrize("bound", BOUNDS, ids=lambda bound: bound.name)
def test_the_code_asks_for_no_more_than_aws_takes(bound: Bound) -> None:
    """A constant that grows past a limit fails here, and not at a customer's largest job."""
    assert 0 < bound.value <= bound.most, bound.source
