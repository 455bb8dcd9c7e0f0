"""Web hooks: what is sent, and what proves who sent it."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from api.contracts.durations import Duration
from api.contracts.fields import PRINTABLE, Contract
from timegate.domain.actions.action import DEFAULT_HEARTBEAT_SECONDS, Wait, WebhookAction
from timegate.domain.jobs.rules.webhook_rules import MAX_URL_LENGTH
from timegate.domain.values.secrets import SecretRef

_HeaderName = Annotated[str, StringConstraints(min_length=1, max_length=64)]
_HeaderValue = Annotated[str, StringConstraints(max_length=1024)]
_Status = Annotated[int, Field(ge=200, le=599)]
Silence = Annotated[
    Annotated[int, Duration()] | None,
    Field(description="How long a target that calls back may be silent; 60 without."),
]
_MAX_SECRET_HEADERS = 10
_MAX_STATUSES = 20


class SecretContract(Contract):
    """Place of a secret: its ARN in Secrets Manager, or its name in Parameter Store."""

    secret_arn: Annotated[str, StringConstraints(max_length=1024)] | None = None
    ssm_parameter: Annotated[str, StringConstraints(max_length=1024)] | None = None
    json_key: (
        Annotated[str, StringConstraints(min_length=1, max_length=256, pattern=PRINTABLE)] | None
    ) = Field(None, description="Of a secret that is a JSON object: which of its texts is meant.")

    def to_domain(self) -> SecretRef:
        """Return the domain's value."""
        return SecretRef(**self.model_dump())


class WebhookContract(Contract):
    """An HTTP request; redirects are not followed."""

    type: Literal["webhook"]
    url: str = Field(max_length=MAX_URL_LENGTH)
    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"] = "POST"
    headers: dict[_HeaderName, _HeaderValue] = Field(
        default_factory=dict,
        max_length=20,
        description="Without credentials, and without the headers Timegate sets itself.",
    )
    secret_headers: dict[_HeaderName, SecretContract] = Field(
        default_factory=dict,
        max_length=_MAX_SECRET_HEADERS,
        description="Headers whose values are secrets, read when the request is made.",
    )
    signing_secret: SecretContract | None = Field(
        None, description="Requests are signed with each of its keys: one on a line."
    )
    success_statuses: list[_Status] = Field(
        default_factory=list,
        max_length=_MAX_STATUSES,
        description="The answers that are successes; without any, every 2xx.",
    )
    wait: Wait = Field(
        Wait.ANSWER,
        description="answer: the run ends with it; callback: after 202, as the target says, later.",
    )
    heartbeat_seconds: Silence = None

    def to_domain(self) -> WebhookAction:
        """Return the domain's value."""
        signing = self.signing_secret
        return WebhookAction(
            url=self.url,
            method=self.method,
            headers=self.headers,
            secret_headers={name: ref.to_domain() for name, ref in self.secret_headers.items()},
            signing_secret=signing.to_domain() if signing is not None else None,
            success_statuses=tuple(self.success_statuses),
            wait=self.wait,
            heartbeat_seconds=silence(
                self.heartbeat_seconds, calls_back=self.wait is Wait.CALLBACK
            ),
        )


def silence(seconds: int | None, *, calls_back: bool) -> int | None:
    """Return the silence that is allowed, or the default of a target that calls back."""
    return DEFAULT_HEARTBEAT_SECONDS if seconds is None and calls_back else seconds
