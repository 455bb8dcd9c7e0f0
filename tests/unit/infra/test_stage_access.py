"""Access to a deployed stage: a refusal of AWS says which rights its command needs."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError

from infra.admin.administration import api_url
from infra.admin.moving import EXPORT_RIGHTS
from infra.admin.stage_access import NoAccess, NoStage, StoreNames, access_needed, connected
from infra.constructs.data.key_rights import READ, WRITE
from timegate.adapters.dynamo.tables.boto_engine import SIDE_BY_SIDE

MESSAGE = "not authorized to perform: kms:Decrypt because no identity-based policy allows it"


@pytest.fixture(autouse=True)
def _region(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    monkeypatch.setattr(boto3.Session, "client", _Refusing)


class _Refusing:
    """A client of AWS whose calls are refused."""

    def __init__(self, *_: object, **__: object) -> None:
        pass

    def describe_stacks(self, **_: object) -> Any:  # noqa: ANN401 - as AWS answers
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


@pytest.mark.parametrize(
    "code",
    [
        "AccessDenied",
        "ExpiredToken",
        "ForbiddenException",  # IAM Identity Center: the role is not the person's any more
        "IncompleteSignature",
        "InvalidAccessKeyId",  # S3
        "InvalidClientTokenId",  # CloudFormation
        "InvalidSignatureException",  # DynamoDB and Lambda: a wrong secret, or a wrong clock
        "MissingAuthenticationToken",
        "OptInRequired",
        "RequestExpired",
        "RequestTimeTooSkewed",
        "SignatureDoesNotMatch",  # CloudFormation: a wrong secret, or a wrong clock
        "UnrecognizedClientException",  # DynamoDB and Lambda
    ],
)
def test_credentials_that_are_refused_are_told_of(code: str) -> None:
    """Each service has names of its own for a wrong key, secret, session or clock."""
    with pytest.raises(NoAccess, match="AWS_PROFILE"), access_needed("dynamodb:Query"):
        raise _refusal(code)


def test_another_error_of_aws_stays_one() -> None:
    """It says nothing of the credentials."""
    with pytest.raises(ClientError), access_needed("dynamodb:Query"):
        raise _refusal("ResourceNotFoundException")


class _Unfinished(_Refusing):
    """CloudFormation, whose stack was never deployed to its end."""

    status = "ROLLBACK_COMPLETE"

    def describe_stacks(self, **_: object) -> Any:  # noqa: ANN401 - as AWS answers
        """Answer as for a stack without outputs: AWS leaves the list out."""
        stack = {"StackName": "any", "StackStatus": self.status}
        return {"Stacks": [stack], "ResponseMetadata": {"HTTPHeaders": {"date": "today"}}}


def _connect(stage: str) -> None:
    with connected(stage, rights="dynamodb:Query"):
        pass


@pytest.mark.parametrize(
    ("reach", "stack"), [(_connect, "Timegate-dev-Data"), (api_url, "Timegate-dev-Api")]
)
@pytest.mark.parametrize(
    "status", ["REVIEW_IN_PROGRESS", "CREATE_IN_PROGRESS", "ROLLBACK_COMPLETE"]
)
def test_a_stage_that_was_never_deployed_to_its_end_is_no_stage(
    reach: Callable[[str], object], stack: str, status: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A first deployment that goes on, or failed, leaves a stack without outputs."""
    monkeypatch.setattr(boto3.Session, "client", _Unfinished)
    monkeypatch.setattr(_Unfinished, "status", status)

    with pytest.raises(NoStage) as refused:
        reach("dev")

    assert refused.value.code == "stage_not_found"
    assert f"{stack} is {status} and has no outputs" in str(refused.value)


def test_a_stage_whose_stacks_are_gone_is_reached_by_the_names_of_its_stores() -> None:
    """CloudFormation is not asked: it would refuse."""
    stores = StoreNames(jobs_table="jobs", runs_table="runs", blob_bucket="blobs")
    with connected("prod", rights="dynamodb:Query", stores=stores) as access:
        assert (access.jobs_table, access.runs_table) == ("jobs", "runs")


@pytest.mark.parametrize(("choices", "days"), [("{}", 400), ('{"auditRetentionDays": "90"}', 90)])
def test_entries_of_commands_are_kept_as_the_stage_keeps_its_own(
    monkeypatch: pytest.MonkeyPatch, choices: str, days: int
) -> None:
    """And name whose credentials they were, as AWS knows them."""

    class Deployed(_Refusing):
        def describe_stacks(self, **_: object) -> Any:  # noqa: ANN401 - as AWS answers
            told = {"JobsTableName": "jobs", "RunsTableName": "runs", "BlobBucketName": "blobs"}
            outputs = {**told, "Choices": choices}
            keys = [{"OutputKey": name, "OutputValue": each} for name, each in outputs.items()]
            date = {"HTTPHeaders": {"date": "Sat, 21 Nov 2026 07:00:00 GMT"}}
            return {"Stacks": [{"Outputs": keys}], "ResponseMetadata": date}

        def get_caller_identity(self) -> dict[str, str]:
            """Name an operator."""
            return {"Arn": "arn:aws:iam::111122223333:user/ada"}

    monkeypatch.setattr(boto3.Session, "client", Deployed)
    with connected("prod", rights="dynamodb:Query") as access:
        assert access.audit_retention == timedelta(days=days)
        assert access.principal() == "arn:aws:iam::111122223333:user/ada"


def test_an_export_is_told_that_it_takes_the_right_to_list() -> None:
    """S3 answers 403 in place of 404 without it, and a text that expired is left out."""
    assert "s3:GetObject and ListBucket" in EXPORT_RIGHTS


def test_calls_side_by_side_have_a_connection_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """An import would else print a warning for each connection that it throws away."""
    pools: dict[str, int] = {}

    class Told(_Refusing):
        def __init__(self, service: str, config: Config | None = None) -> None:
            if config is not None:
                pools[service] = config.max_pool_connections  # type: ignore[attr-defined]

    monkeypatch.setattr(boto3.Session, "client", Told)
    with pytest.raises(NoAccess):
        _connect("dev")

    assert pools["dynamodb"] >= SIDE_BY_SIDE


def _refusal(code: str) -> ClientError:
    refusal: Any = {"Error": {"Code": code, "Message": MESSAGE}}
    return ClientError(refusal, "DescribeStacks")
