"""Every ``*`` of every policy: each has a reason here, and each reason has its ``*``."""

import json
from collections.abc import Iterator

import pytest

from tests.infra.permissions.allowed import FOLDERS
from tests.infra.stage_template import Resource, StageTemplate, listed

_TAG = "${aws:PrincipalTag/tenant}"
_PLACE = "<AWS::Region>:<AWS::AccountId>"
_BLOBS = "arn:<AWS::Partition>:s3:::timegate-prod-blobs-<AWS::AccountId>-<AWS::Region>"
_ARCHIVE = _BLOBS.replace("-blobs-", "-archive-")
_KEYS_ARE_MADE = "Keys below one prefix are made for each job and run."
_ALLOW_LIST = "Operators say by names which targets jobs may have; context changes the list."
_TLS = "A denial without TLS holds for every principal and resource."

#: Wildcards by kind of policy, effect, part and text; with the reason.
EXPLAINED: dict[tuple[str, str, str, str], str] = {
    ("IAM::Policy", "Allow", "Resource", "*"): (
        "X-Ray, log delivery, lists of tasks, metrics take no resource; test_permissions holds "
        "which actions these are."
    ),
    **{
        ("IAM::Policy", "Allow", "Resource", f"{_BLOBS}/{prefix}/*"): _KEYS_ARE_MADE
        for prefix in ("payloads", "results", "checkpoints")
    },
    **{
        ("IAM::Policy", "Allow", "Resource", f"{_ARCHIVE}/{folder}/*"): _KEYS_ARE_MADE
        for folder in FOLDERS
    },
    **{
        ("IAM::Policy", "Allow", "Resource", f"arn:<AWS::Partition>:{arn}"): _ALLOW_LIST
        for arn in (
            f"events:{_PLACE}:event-bus/timegate-target-{_TAG}-*",
            f"lambda:{_PLACE}:function:timegate-target-{_TAG}-*",
            f"sns:{_PLACE}:timegate-target-{_TAG}-*",
            f"sqs:{_PLACE}:timegate-target-{_TAG}-*",
            f"states:{_PLACE}:stateMachine:timegate-target-{_TAG}-*",
            f"states:{_PLACE}:execution:timegate-target-{_TAG}-*:*",
            f"ecs:{_PLACE}:task-definition/timegate-target-{_TAG}-*:*",
            f"ecs:{_PLACE}:task/timegate-target-{_TAG}-*/*",
            f"iam::<AWS::AccountId>:role/timegate-target-{_TAG}-*",
            f"secretsmanager:{_PLACE}:secret:timegate-target/{_TAG}/*",
            f"ssm:{_PLACE}:parameter/timegate-target/{_TAG}/*",
        )
    },
    (
        "Lambda::Permission",
        "Allow",
        "SourceArn",
        f"arn:<AWS::Partition>:execute-api:{_PLACE}:JobApi/Api/*/*/*",
    ): "One permission for all routes of one API: a policy of one each outgrows its limit.",
    ("S3::BucketPolicy", "Deny", "Action", "s3:*"): _TLS,
    ("S3::BucketPolicy", "Deny", "Principal", '{"AWS": "*"}'): _TLS,
    ("S3::BucketPolicy", "Deny", "Resource", "Blobs/Bucket.Arn/*"): _TLS,
    ("S3::BucketPolicy", "Deny", "Resource", "Archive/Bucket.Arn/*"): _TLS,
    ("SQS::QueuePolicy", "Deny", "Action", "sqs:*"): _TLS,
    ("SQS::QueuePolicy", "Deny", "Principal", '{"AWS": "*"}'): _TLS,
    ("SNS::TopicPolicy", "Deny", "Principal", '"*"'): _TLS,
    ("KMS::Key", "Allow", "Action", "kms:*"): (
        "The account itself: without it, no principal could change the key's policy again (KMS)."
    ),
    ("KMS::Key", "Allow", "Resource", "*"): "A key's policy speaks of nothing but the key.",
}


def wildcards(resource: Resource) -> Iterator[tuple[str, str, str, str]]:
    """Each ``*`` in what a resource allows or denies."""
    kind = resource.type.removeprefix("AWS::")
    if kind == "Lambda::Permission":
        source = str(resource.properties.get("SourceArn", ""))
        # A service without a source would speak for every account.
        yield from [(kind, "Allow", "SourceArn", source)] if "*" in source or not source else []
    for name in ("PolicyDocument", "KeyPolicy", "AssumeRolePolicyDocument"):
        for statement in resource.properties.get(name, {}).get("Statement", []):
            texts = {
                "Action": listed(statement.get("Action", [])),
                "Resource": listed(statement.get("Resource", [])),
                "Principal": [json.dumps(statement.get("Principal"))],
            }
            for part, written in texts.items():
                for text in written:
                    if "*" in text:
                        yield kind, statement["Effect"], part, text


@pytest.mark.parametrize("name", ["prod", "keyed"])
def test_every_wildcard_has_a_reason(name: str, request: pytest.FixtureRequest) -> None:
    """A new one fails here until its reason is listed; so does a needless reason."""
    template: StageTemplate = request.getfixturevalue(name)
    found = {each for resource in template.resources for each in wildcards(resource)}

    assert set(EXPLAINED) == found
