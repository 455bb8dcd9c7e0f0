"""Timegate over HTTP, for programs; the command line is one of them.

with TimegateClient(load_profile(os.environ)) as timegate:
    timegate.trigger_job("f4cmk6obxvxl2r3ijr5xzqbrhe")
"""

from timegate.client.errors import (
    ClientError,
    CredentialsError,
    FieldProblem,
    NotReachable,
    NotUnderstood,
    ProblemError,
)
from timegate.client.profile import ClientCredentials, FixedToken, Profile, load_profile
from timegate.client.sending import JsonObject
from timegate.client.timegate_client import TimegateClient

__all__ = [
    "ClientCredentials",
    "ClientError",
    "CredentialsError",
    "FieldProblem",
    "FixedToken",
    "JsonObject",
    "NotReachable",
    "NotUnderstood",
    "ProblemError",
    "Profile",
    "TimegateClient",
    "load_profile",
]
