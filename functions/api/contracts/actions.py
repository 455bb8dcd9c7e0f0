"""Actions: one model per type. What a target may be is decided by ``domain.action_rules``."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from api.contracts.fields import Contract
from timegate.domain.action import LambdaAction, SqsAction, WebhookAction
from timegate.domain.action_rules import MAX_URL_LENGTH

_HeaderName = Annotated[str, StringConstraints(min_length=1, max_length=64)]
_HeaderValue = Annotated[str, StringConstraints(max_length=1024)]


class WebhookContract(Contract):
    """An HTTP request; 2xx succeeds, redirects are not followed."""

    type: Literal["webhook"]
    url: str = Field(max_length=MAX_URL_LENGTH)
    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"] = "POST"
    headers: dict[_HeaderName, _HeaderValue] = Field(
        default_factory=dict,
        max_length=20,
        description="Without credentials, and without the headers Timegate sets itself.",
    )

    def to_domain(self) -> WebhookAction:
        """As the domain knows it."""
        return WebhookAction(url=self.url, method=self.method, headers=self.headers)


class LambdaContract(Contract):
    """A synchronous invocation of a Lambda function on the stage's allow-list."""

    type: Literal["lambda"]
    function_arn: str = Field(max_length=512)

    def to_domain(self) -> LambdaAction:
        """As the domain knows it."""
        return LambdaAction(function_arn=self.function_arn)


class SqsContract(Contract):
    """One message to an SQS queue on the stage's allow-list."""

    type: Literal["sqs"]
    queue_url: str = Field(max_length=512)

    def to_domain(self) -> SqsAction:
        """As the domain knows it."""
        return SqsAction(queue_url=self.queue_url)


ActionContract = Annotated[
    WebhookContract | LambdaContract | SqsContract, Field(discriminator="type")
]
