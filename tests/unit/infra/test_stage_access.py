"""Access to a deployed stage: a refusal of AWS says which rights its command needs."""

import boto3
import pytest
from botocore.exceptions import ClientError

from infra.admin.stage_access import NoAccess, connected
from infra.constructs.data.key_rights import READ, WRITE

MESSAGE = "not authorized to perform: kms:Decrypt because no identity-based policy allows it"


@pytest.fixture(autouse=True)
def _region(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    monkeypatch.setattr(boto3.Session, "client", _Refusing)


class _Refusing:
    """A client of AWS whose calls are refused."""

    def __init__(self, *_: object) -> None:
        pass

    def describe_stacks(self, **_: object) -> None:
        """Refuse."""
        refusal = {"Error": {"Code": "AccessDeniedException", "Message": MESSAGE}}
        raise ClientError(refusal, "DescribeStacks")  # type: ignore[arg-type]

    def close(self) -> None:
        """Close nothing."""


def test_rights_on_the_key_of_a_stage_are_named() -> None:
    """DynamoDB and S3 use it with the operator's rights; without them each command fails."""
    with pytest.raises(NoAccess) as refused, connected("prod", rights="dynamodb:Query"):
        pass
    said = str(refused.value)

    assert MESSAGE in said
    assert "dynamodb:Query; in a stage with a key of its own" in said
    assert all(right.removeprefix("kms:") in said for right in (*READ, *WRITE))
