"""Secrets: where a job says that one is kept."""

from typing import Annotated

from pydantic import Field, StringConstraints

from timegate.contracts.values.fields import PRINTABLE, Contract
from timegate.domain.values.secrets import SecretRef


class SecretContract(Contract):
    """Place of a secret: its ARN in Secrets Manager, or its name or ARN in Parameter Store."""

    secret_arn: Annotated[str, StringConstraints(max_length=1024)] | None = None
    ssm_parameter: Annotated[str, StringConstraints(max_length=1024)] | None = None
    json_key: (
        Annotated[str, StringConstraints(min_length=1, max_length=256, pattern=PRINTABLE)] | None
    ) = Field(None, description="Of a secret that is a JSON object: which of its texts is meant.")

    def to_domain(self) -> SecretRef:
        """Return the domain's value."""
        return SecretRef(**self.model_dump())
