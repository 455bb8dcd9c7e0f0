"""Jobs that a stack of an app declares: its custom resource, and documents that are refused."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import boto3
import pytest
from aws_cdk import App, Stack, Token
from aws_cdk.assertions import Match, Template
from aws_cdk.aws_lambda import Code, LayerVersion
from aws_cdk.aws_secretsmanager import Secret
from aws_cdk.aws_sqs import Queue
from botocore.exceptions import ClientError

from infra.stacks import declarer
from infra.stacks.declarations import MAX_DOCUMENTS
from infra.stacks.declarer import granted_client
from tests.infra.embedding.conftest import sdk_in
from tests.infra.stage_template import Grant, StageTemplate
from timegate.client import CredentialsError
from timegate.declaring.cloudformation import NOTHING_MADE
from timegate_cdk import Declarations, NotDeclarable

RESOURCE = "Custom::TimegateDeclarations"

Declare = Callable[..., Stack]


@pytest.fixture
def declare(tmp_path: Path) -> Declare:
    """Make a stack that declares jobs of a stage that is elsewhere."""
    stack = Stack(App(), "Shop")
    layer = LayerVersion(stack, "Sdk", code=Code.from_asset(str(sdk_in(tmp_path / "sdk"))))
    secret = Secret.from_secret_name_v2(stack, "Profile", "shop/timegate")

    def make(*documents: dict[str, Any]) -> Stack:
        Declarations(stack, "Schedules", documents=documents, sdk=layer, stage=secret)
        return stack

    return make


def job(name: object = "nightly", **spec: object) -> dict[str, Any]:
    """A document of a job."""
    return {"kind": "Job", "name": name, "spec": {"schedule": {"kind": "manual"}, **spec}}


def written(stack: Stack) -> str:
    """The documents as CloudFormation gives them to the function; references by their names."""
    (resource,) = Template.from_stack(stack).find_resources(RESOURCE).values()
    text = resource["Properties"]["Documents"]
    if isinstance(text, str):
        return text
    parts = text["Fn::Join"][1]
    return "".join(p if isinstance(p, str) else f"<{next(iter(p))}>" for p in parts)


def test_documents_reach_the_function_as_they_were_written(declare: Declare) -> None:
    """CloudFormation makes text of numbers in properties, and the CDK takes nulls away."""
    payload = {"rows": 3, "share": 0.5, "dry": False, "none": None, "text": 'a "b" ä\n', "l": [1]}

    assert json.loads(written(declare(job(payload=payload)))) == [job(payload=payload)]


def test_a_text_may_be_known_at_deployment(declare: Declare) -> None:
    """Such as the ARN of a resource of the same stack, alone or within a longer text."""
    stack = declare(job())
    queue = Queue(stack, "Queue")
    layer = stack.node.find_child("Sdk")
    Declarations(
        stack,
        "Others",
        documents=[job(payload=[queue.queue_url], description=f"to {queue.queue_arn}")],
        sdk=layer,  # type: ignore[arg-type]
        stage=Secret.from_secret_name_v2(stack, "Other", "shop/other"),
    )
    others = [
        each["Properties"]["Documents"]
        for each in Template.from_stack(stack).find_resources(RESOURCE).values()
        if not isinstance(each["Properties"]["Documents"], str)
    ]
    ((_, parts),) = (each["Fn::Join"] for each in others)
    text = "".join(each if isinstance(each, str) else "REF" for each in parts)

    assert json.loads(text)[0]["spec"] == {
        "schedule": {"kind": "manual"},
        "payload": ["REF"],
        "description": "to REF",
    }


def test_the_function_reads_the_secret_and_nothing_else(declare: Declare) -> None:
    """It is told where, and its right is there before a request is, and after the last one."""
    template = Template.from_stack(declare(job()))
    (resource,) = template.find_resources(RESOURCE).values()
    (policy,) = template.find_resources("AWS::IAM::Policy").items()

    template.has_resource_properties(
        "AWS::Lambda::Function",
        {"Environment": {"Variables": {"TIMEGATE_PROFILE_SECRET": Match.any_value()}}},
    )
    (statement,) = policy[1]["Properties"]["PolicyDocument"]["Statement"]
    assert set(statement["Action"]) == {
        "secretsmanager:GetSecretValue",
        "secretsmanager:DescribeSecret",
    }
    assert policy[0] in resource["DependsOn"]


def test_another_profile_is_another_request(declare: Declare) -> None:
    """CloudFormation calls the function where a property differs, and its variables are none."""
    (resource,) = Template.from_stack(declare(job())).find_resources(RESOURCE).values()

    parts = resource["Properties"]["Profile"]["Fn::Join"][1]
    assert parts[-1].endswith(":secret:shop/timegate-??????")


def test_cloudformation_waits_for_longer_than_the_function_runs(declare: Declare) -> None:
    """A stack that stopped waiting first would roll back what is being made."""
    template = Template.from_stack(declare(job()))
    (resource,) = template.find_resources(RESOURCE).values()
    (function,) = template.find_resources("AWS::Lambda::Function").values()

    assert int(resource["Properties"]["ServiceTimeout"]) == 960
    assert function["Properties"]["Timeout"] == 900


def test_the_examples_job_calls_the_function_beside_it(example: StageTemplate) -> None:
    """By the profile of its tenant."""
    (resource,) = example.of_type(RESOURCE)
    (document,) = json.loads(resource.properties["Documents"])
    name = "timegate-shop-profile/shop"
    arn = f"arn:<AWS::Partition>:secretsmanager:<AWS::Region>:<AWS::AccountId>:secret:{name}-??????"

    assert resource.properties["Profile"] == arn
    assert document["spec"]["action"] == {"type": "lambda", "function_arn": "Report.Arn"}
    assert example.grants_of_role("Schedules/Function/ServiceRole") == {
        Grant("secretsmanager:GetSecretValue", arn)
    }


def test_a_secret_that_cannot_be_read_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The event of the stack says so: its log may be gone with the stack."""
    refused = ClientError({"Error": {"Code": "AccessDenied", "Message": "no"}}, "GetSecretValue")
    secrets = SimpleNamespace(get_secret_value=Mock(side_effect=refused))
    monkeypatch.setattr(boto3, "client", lambda _: secrets)
    monkeypatch.setenv("TIMEGATE_PROFILE_SECRET", "shop/timegate")
    with pytest.raises(CredentialsError, match=r"shop/timegate: .*AccessDenied") as told:
        granted_client()

    assert told.value.code == "profile_unreadable"


@pytest.mark.parametrize(
    ("kind", "status"), [("Create", "FAILED"), ("Update", "FAILED"), ("Delete", "SUCCESS")]
)
def test_a_layer_without_the_sdk_is_said_at_once(
    monkeypatch: pytest.MonkeyPatch, kind: str, status: str
) -> None:
    """A zip without the folder ``python``, say: CloudFormation would wait, and learn nothing."""
    sent = Mock()
    monkeypatch.setattr(declarer, "urlopen", sent)
    monkeypatch.setitem(sys.modules, "timegate.declaring.cloudformation", None)
    address = "https://bucket.s3.amazonaws.com/answer?signature=1"
    names = {"StackId": "s", "RequestId": "r", "LogicalResourceId": "l", "ResponseURL": address}
    declarer.handle({**names, "RequestType": kind}, Mock())
    (request,) = sent.call_args.args
    answer = json.loads(request.data)

    assert (request.method, request.full_url) == ("PUT", address)
    assert request.headers == {"Content-type": ""}
    assert (answer["Status"], answer["PhysicalResourceId"]) == (status, NOTHING_MADE)
    assert answer["Reason"].startswith("no_sdk: The layer has no package timegate")


@pytest.mark.parametrize(
    ("document", "code", "place"),
    [
        (job(Token.as_string({"Ref": "Name"})), "unknown_at_synthesis", "documents.0.name"),
        (
            job(timeout_seconds=Token.as_number({"Ref": "Seconds"})),
            "unknown_at_synthesis",
            "documents.0.spec.timeout_seconds",
        ),
        (
            job(payload=Token.as_list({"Ref": "Names"})),
            "unknown_at_synthesis",
            "documents.0.spec.payload",
        ),
        (job(payload={"at": object()}), "no_json", "documents.0.spec.payload.at"),
        (job(payload={"share": float("nan")}), "no_json", "documents.0.spec.payload.share"),
        (job(then=[{"job_id": "x", True: ["failed"]}]), "no_json", "spec.then.0 has the name True"),
        ("kind", "invalid_document", "documents.0 is 'kind'"),
        ({"kind": "Cron", "name": "x"}, "unknown_kind", "documents.0"),
        (job(then=[{"job_id": "Job/other"}]), "unknown_reference", "Job/other"),
    ],
)
def test_documents_are_refused_at_synthesis(
    declare: Declare, document: object, code: str, place: str
) -> None:
    """The message begins with a code, and names the place."""
    with pytest.raises(NotDeclarable, match=rf"^{code}: .*{place}") as refused:
        declare(document)

    assert refused.value.code == code


def test_a_resource_has_as_many_documents_as_an_invocation_can_make(declare: Declare) -> None:
    """One more is refused."""
    most = [job(f"job {number}") for number in range(MAX_DOCUMENTS)]
    with pytest.raises(NotDeclarable, match=r"^too_many_documents: 501"):
        declare(*most, job("one more"))
    assert len(json.loads(written(declare(*most)))) == MAX_DOCUMENTS
