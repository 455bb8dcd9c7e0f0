"""Models of refusals."""

from pydantic import BaseModel, ConfigDict, Field

from api.http.field_problems import FieldProblem, QuotaState


class _Refusal(BaseModel):
    model_config = ConfigDict(extra="forbid", defer_build=True)


class Problem(_Refusal):
    """The reason of a refusal (RFC 9457)."""

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
    archived_in: str | None = Field(
        default=None, description="Of `run_expired`: the partition of the archive to begin with."
    )


class GatewayRefusal(_Refusal):
    """The gateway's answer to a request that it refuses."""

    message: str
