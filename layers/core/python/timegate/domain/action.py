"""Actions: what a run does, and to which target."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar


@dataclass(frozen=True, kw_only=True, slots=True)
class WebhookAction:
    """An HTTP request; 2xx succeeds, redirects are not followed."""

    type: ClassVar[str] = "webhook"
    url: str
    method: str = "POST"
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class LambdaAction:
    """A synchronous invocation; the run ends when the function returns."""

    type: ClassVar[str] = "lambda"
    function_arn: str


@dataclass(frozen=True, kw_only=True, slots=True)
class SqsAction:
    """One message to a queue of the user's; the run ends when SQS has accepted it."""

    type: ClassVar[str] = "sqs"
    queue_url: str


Action = WebhookAction | LambdaAction | SqsAction
