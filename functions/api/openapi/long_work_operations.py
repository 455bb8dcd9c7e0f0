"""What the route table does not say of operations, and of many jobs at once."""

from collections.abc import Mapping
from http import HTTPStatus
from types import MappingProxyType

from api.openapi.described import Described
from api.openapi.operation_answers import (
    BackfillAnswer,
    BulkCreation,
    Operation,
    OperationPage,
)

_NOT_FOUND = HTTPStatus.NOT_FOUND
_CONFLICT = HTTPStatus.CONFLICT


def started(*refusals: HTTPStatus) -> Described:
    """A request that begins an operation, once for each Idempotency-Key."""
    return Described(
        answer=Operation,
        success={
            202: "The operation that was started.",
            200: "The Idempotency-Key was used before with this body: it as it is now.",
        },
        refusals=refusals,
        request_headers=("Idempotency-Key",),
        answer_headers=("Location", "Idempotency-Replayed"),
    )


LONG_WORK_OPERATIONS: Mapping[str, Described] = MappingProxyType(
    {
        "createJobs": Described(
            answer=BulkCreation,
            success={207: "What became of each job."},
            request_headers=("Idempotency-Key",),
        ),
        "backfillJob": Described(
            answer=Operation,
            success={
                202: "The operation that was started.",
                200: "Of a dry run: what would be done. Of a replay: the operation as it is now.",
            },
            others={200: BackfillAnswer},
            refusals=(_NOT_FOUND, _CONFLICT),
            request_headers=("Idempotency-Key",),
            answer_headers=("Location", "Idempotency-Replayed"),
        ),
        "startOperation": started(_CONFLICT),
        "listOperations": Described(
            answer=OperationPage, success={200: "A page of the tenant's operations."}
        ),
        "getOperation": Described(
            answer=Operation, success={200: "The operation."}, refusals=(_NOT_FOUND,)
        ),
        "cancelOperation": Described(
            answer=Operation,
            success={200: "The operation, cancelled or about to be."},
            refusals=(_NOT_FOUND, _CONFLICT),
        ),
    }
)
