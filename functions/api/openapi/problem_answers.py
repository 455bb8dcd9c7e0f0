"""What refusals look like."""

from pydantic import Field

from api.openapi.answers import Answer


class FieldProblem(Answer):
    """One thing wrong with one field."""

    field: str = Field(description="Path of the field in the body, or name of what is wrong.")
    code: str
    detail: str


class QuotaState(Answer):
    """Of what a tenant has, or does, as much as it may."""

    name: str = Field(description="As in the tenant's quotas.")
    limit: int
    used: int


class Problem(Answer):
    """Why a request was not carried out (RFC 9457)."""

    type: str = Field(description="urn:timegate:problem: followed by the code.")
    title: str
    status: int = Field(ge=400, le=599)
    code: str = Field(
        description="Stable: programs may depend on it. Listed in docs/reference/errors.md."
    )
    detail: str
    errors: list[FieldProblem]
    instance: str = Field(description="urn:timegate:request: followed by the request_id.")
    request_id: str = Field(description="Finds the request in the logs; also X-Request-Id.")
    quota: QuotaState | None = Field(
        default=None, description="Of `quota_exceeded`: which, and how full it is."
    )


class GatewayRefusal(Answer):
    """What the gateway says of a request it does not let through."""

    message: str
