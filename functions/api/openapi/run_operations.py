"""What the route table does not say of what a run left behind."""

from collections.abc import Mapping
from http import HTTPStatus
from types import MappingProxyType

from api.openapi.described import Described
from api.openapi.run_answers import AttemptPage, LogPage, Result

_NOT_FOUND = HTTPStatus.NOT_FOUND

RUN_OPERATIONS: Mapping[str, Described] = MappingProxyType(
    {
        "listAttempts": Described(
            answer=AttemptPage, success={200: "Every attempt."}, refusals=(_NOT_FOUND,)
        ),
        "getResult": Described(
            answer=Result,
            success={200: "The result as far as it is kept; nulls where there is none."},
            refusals=(_NOT_FOUND,),
        ),
        "readLog": Described(
            answer=LogPage, success={200: "What happened to the run."}, refusals=(_NOT_FOUND,)
        ),
    }
)
