"""The routes of dead letters."""

from api.contracts.dead_letters import (
    DeadLettersQuery,
    Discard,
    DiscardMany,
    Redrive,
    RedriveMany,
)
from api.routes import dead_letters
from api.routes.route import Route
from api.routes.scope import Scope

DEAD_LETTERS = (
    Route(
        method="GET",
        path="/v1/dead-letters",
        serve=dead_letters.list_page,
        operation="listDeadLetters",
        query=DeadLettersQuery,
    ),
    Route(
        method="POST",
        path="/v1/dead-letters/redrive",
        serve=dead_letters.redrive_many,
        operation="redriveDeadLetters",
        body=RedriveMany,
        asks=Scope.OPERATE,
    ),
    Route(
        method="POST",
        path="/v1/dead-letters/discard",
        serve=dead_letters.discard_many,
        operation="discardDeadLetters",
        body=DiscardMany,
        asks=Scope.OPERATE,
    ),
    Route(
        method="GET",
        path="/v1/dead-letters/<run_id>",
        serve=dead_letters.get,
        operation="getDeadLetter",
    ),
    Route(
        method="POST",
        path="/v1/dead-letters/<run_id>/redrive",
        serve=dead_letters.redrive,
        operation="redriveDeadLetter",
        body=Redrive,
        body_is_optional=True,
        asks=Scope.OPERATE,
    ),
    Route(
        method="POST",
        path="/v1/dead-letters/<run_id>/discard",
        serve=dead_letters.discard,
        operation="discardDeadLetter",
        body=Discard,
        body_is_optional=True,
        asks=Scope.OPERATE,
    ),
)
