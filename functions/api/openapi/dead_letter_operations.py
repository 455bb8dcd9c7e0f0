"""What the route table does not say of dead letters."""

from collections.abc import Mapping
from http import HTTPStatus
from types import MappingProxyType

from api.openapi.answers import Run
from api.openapi.dead_letter_answers import DeadLetter, DeadLetterPage
from api.openapi.described import Described
from api.openapi.long_work_operations import started

_NOT_FOUND = HTTPStatus.NOT_FOUND
_CONFLICT = HTTPStatus.CONFLICT

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
            success={
                202: "The run, with the attempt that was begun.",
                200: "The Idempotency-Key was used before with this body: the run as it is now.",
            },
            refusals=(_NOT_FOUND, _CONFLICT),
            request_headers=("Idempotency-Key",),
            answer_headers=("Location", "Idempotency-Replayed"),
        ),
        "discardDeadLetter": Described(
            answer=Run,
            success={200: "The run, as it stays."},
            refusals=(_NOT_FOUND, _CONFLICT),
        ),
        "redriveDeadLetters": started(_CONFLICT, _NOT_FOUND),
        "discardDeadLetters": started(_CONFLICT),
    }
)
