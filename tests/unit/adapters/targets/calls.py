"""Calls with sensible defaults."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.support.factories import NOW, TENANT, after, attempt_id
from timegate.domain.actions.kinds.webhook import WebhookAction
from timegate.domain.execution.call import Call
from timegate.domain.jobs.retry import Failure, FailureKind
from timegate.ports.call_runner import TargetFailed

#: Identity that every target receives (R6): the run of the tests' job due at ``NOW``, second
#: attempt.
RUN_ID = str(attempt_id().run)
ATTEMPT = attempt_id(2)

#: The classification of a call of something that no list has.
NOT_ALLOWED = (FailureKind.PERMANENT, "target_not_allowed", "NotAllowed")


def call_factory(**fields: Any) -> Call:  # noqa: ANN401 - the dataclass checks them
    """The second attempt at a run, under its third lease, with half a minute to go."""
    call = Call(
        tenant=TENANT,
        attempt=ATTEMPT,
        fence=3,
        scheduled_at=NOW,
        deadline_at=after(30),
        action=WebhookAction(url="https://hooks.example.com/report"),
        payload='{"report": "sales"}',
    )
    return replace(call, **fields)


def told(failure: Failure) -> tuple[str, str, str]:
    """Return a failure's kind, code and type."""
    return (failure.kind, failure.code, failure.type)


def refusal(call: Callable[[], object]) -> tuple[str, str, str]:
    """Return the classification of a call's failure."""
    with pytest.raises(TargetFailed) as caught:
        call()
    return told(caught.value.failure)
