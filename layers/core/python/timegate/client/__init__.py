"""Timegate over HTTP, for programs; the command line is one of them.

with TimegateClient(load_profile(os.environ)) as timegate:
    for job in timegate.list_jobs.iterate(status="active"):
        timegate.trigger_job(job["job_id"])

``AsyncTimegateClient`` has the same methods, to be awaited. ``timegate.client.schemas`` has the
types of what goes in and comes out.
"""

from timegate.client.access.profile import (
    ClientCredentials,
    FixedToken,
    Profile,
    load_profile,
    parse_profile,
)
from timegate.client.callback_client import AsyncCallbackClient, CallbackClient
from timegate.client.calling import ApiCall, JsonObject
from timegate.client.errors import (
    ClientError,
    Conflict,
    CredentialsError,
    FieldProblem,
    InvalidRequest,
    NotAllowed,
    NotConnectable,
    NotFound,
    NotReachable,
    NotSendable,
    NotUnderstood,
    ProblemError,
    ServiceFailed,
    TooManyRequests,
    VersionMismatch,
)
from timegate.client.retries import Retries
from timegate.client.timegate_client import AsyncTimegateClient, TimegateClient
from timegate.client.waiting import RunNotEnded, RunNotSucceeded

__all__ = [
    "ApiCall",
    "AsyncCallbackClient",
    "AsyncTimegateClient",
    "CallbackClient",
    "ClientCredentials",
    "ClientError",
    "Conflict",
    "CredentialsError",
    "FieldProblem",
    "FixedToken",
    "InvalidRequest",
    "JsonObject",
    "NotAllowed",
    "NotConnectable",
    "NotFound",
    "NotReachable",
    "NotSendable",
    "NotUnderstood",
    "ProblemError",
    "Profile",
    "Retries",
    "RunNotEnded",
    "RunNotSucceeded",
    "ServiceFailed",
    "TimegateClient",
    "TooManyRequests",
    "VersionMismatch",
    "load_profile",
    "parse_profile",
]
