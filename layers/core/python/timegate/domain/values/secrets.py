"""References to secrets: a job says where one is kept, and never has it."""

import re
from collections.abc import Mapping
from typing import Any, Self

from timegate.domain.values.errors import InvalidInput
from timegate.value_classes import dataclass

_ARN = re.compile(
    r"arn:aws[a-z-]*:secretsmanager:[a-z0-9-]+:\d{12}:secret:[A-Za-z0-9/_+=.@-]{1,519}"
)
#: Parameter Store has at most 15 levels and about a thousand characters, an ARN included.
_PARAMETER = re.compile(
    r"(arn:aws[a-z-]*:ssm:[a-z0-9-]+:\d{12}:parameter)?(?P<name>(/[A-Za-z0-9_.-]+){1,15})"
)
_MAX_PARAMETER = 1011
_FIELDS = ("secret_arn", "ssm_parameter", "json_key")


@dataclass(frozen=True, kw_only=True, slots=True)
class SecretRef:
    """Exactly one of ARN and parameter says where the secret is kept."""

    #: In Secrets Manager.
    secret_arn: str | None = None
    #: In Parameter Store, by its full name in the stage's own place, or by its ARN.
    ssm_parameter: str | None = None
    #: Name of the text meant in a secret that is a JSON object.
    json_key: str | None = None

    @classmethod
    def told(cls, said: Mapping[str, Any]) -> Self:
        """Read what an answer or a notice says of it; passes over what a later release adds."""
        return cls(**{name: said[name] for name in _FIELDS if name in said})

    @property
    def arn(self) -> str | None:
        """Return the ARN that it is named by; ``None``: a parameter of the stage's own place."""
        name = self.ssm_parameter
        return self.secret_arn or (name if name is not None and name.startswith("arn:") else None)

    @property
    def parameter_name(self) -> str:
        """Return the name that its place knows a parameter by."""
        found = _PARAMETER.fullmatch(self.ssm_parameter or "")
        return found["name"] if found is not None else ""

    @property
    def place(self) -> str:
        """Say where it is kept, in one text."""
        key = f"#{self.json_key}" if self.json_key is not None else ""
        return f"{self.secret_arn or self.ssm_parameter or ''}{key}"


def check_secret_ref(ref: SecretRef, field: str) -> None:
    """Refuse what refers to nothing; raises ``InvalidInput`` naming the field."""
    if (ref.secret_arn is None) == (ref.ssm_parameter is None):
        detail = "Either secret_arn or ssm_parameter says where it is kept."
        raise InvalidInput(field, "required", detail)
    if ref.secret_arn is not None and not _ARN.fullmatch(ref.secret_arn):
        detail = "It must be the ARN of a secret of Secrets Manager."
        raise InvalidInput(f"{field}.secret_arn", "invalid_arn", detail)
    name = ref.ssm_parameter
    if name is not None and not (len(name) <= _MAX_PARAMETER and _PARAMETER.fullmatch(name)):
        detail = "It must be the full name of a parameter, which begins with a slash, or its ARN."
        raise InvalidInput(f"{field}.ssm_parameter", "invalid_format", detail)
