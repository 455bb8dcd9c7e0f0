"""What the route table does not say of dead letters."""

from collections.abc import Mapping
from http import HTTPStatus
from types import MappingProxyType

from api.openapi.answers import Run
from api.openapi.dead_letter_answers import DeadLetter, DeadLetterPage
from api.openapi.described import Described
from api.openapi.operation_answers import Operation

_NOT_FOUND = HTTPStatus.NOT_FOUND
_CONFLICT = HTTPStatus.CONFLICT
_REPLAYED = "The Idempotency-Key was used before with this body: it as it is now."


def _started(*more: HTTPStatus) -> Described:
    return Described(
        answer=Operation,
        success={202: "The operation that was started.", 200: _REPLAYED},
        refusals=(_CONFLICT, *more),
        request_headers=("Idempotency-Key",),
        answer_headers=("Location", "Idempotency-Replayed"),
    )


DEAD_LETTER_OPERATIONS: Mapping[str, Described] = MappingProxyType(
    {
        "listDeadLetters": Described(
            answer=DeadLetterPage, success={200: "A page of the tenant's dead letters."}
        ),
        "getDeadLetter": Described(
            answer=DeadLetter,
            success={200: "The dead letter, with its job and payload."},
            refusals=(_NOT_FOUND,),
        ),
        "redriveDeadLetter": Described(
            answer=Run,
            success={202: "The run, with the attempt that was begun."},
            refusals=(_NOT_FOUND, _CONFLICT),
            answer_headers=("Location",),
        ),
        "discardDeadLetter": Described(
            answer=Run,
            success={200: "The run, as it stays."},
            refusals=(_NOT_FOUND, _CONFLICT),
        ),
        "redriveDeadLetters": _started(_NOT_FOUND),
        "discardDeadLetters": _started(),
    }
)
