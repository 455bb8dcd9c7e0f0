"""Errors of the SDK that one process hands to another, as a pool of processes does."""

import copy
import pickle
from typing import Any, cast

import pytest

from timegate.client import ClientError, CredentialsError, NotReachable, RunNotEnded
from timegate.client.errors import (
    FieldProblem,
    InvalidRequest,
    NotConnectable,
    NotSendable,
    NotUnderstood,
    ProblemError,
    TooManyRequests,
)
from timegate.client.waiting import RunNotSucceeded
from timegate.worker.declared.triggered_run import NotAllTriggered, NotDeployed, ResultCut

FIELD = FieldProblem(field="name", code="missing", detail="It is required.")
RUN = {"run_id": "job.run", "state": "failed", "error": None, "reason": "late"}
ERRORS = [
    ClientError("code", "A sentence."),
    InvalidRequest(status=400, code="invalid_request", detail="No.", errors=[FIELD]),
    TooManyRequests(status=429, code="too_many", detail="No.", retry_after_seconds=3.5),
    CredentialsError("token_refused", "No token.", may_pass=True),
    NotConnectable("a proxy"),
    NotReachable("https://api.example.com", "away", may_have_arrived=False),
    NotSendable("an object"),
    NotUnderstood("a page"),
    NotDeployed("not_deployed", "No job."),
    ResultCut("result_cut", "Cut."),
    NotAllTriggered([None], {0: cast("Any", {"detail": "No."})}),
    RunNotEnded("job.run", 3.0),
    RunNotSucceeded(cast("Any", RUN)),
]


def kinds(kind: type[ClientError]) -> set[type[ClientError]]:
    """The SDK's errors of a kind, of which the command line has more."""
    below = {each for sub in kind.__subclasses__() for each in kinds(sub)}
    ours = ("timegate.client", "timegate.worker")
    return {each for each in {kind} | below if each.__module__.startswith(ours)}


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_an_error_is_the_same_in_another_process(error: ClientError) -> None:
    """One that could not be read there ended the whole pool of processes, without a reason."""
    for other in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(other) is type(error)
        assert (str(other), vars(other)) == (str(error), vars(error))


def test_each_kind_of_error_is_tried() -> None:
    """Statuses of the API make one kind."""
    tried = {type(each) for each in ERRORS}

    assert {each for each in kinds(ClientError) if not issubclass(each, ProblemError)} <= tried
