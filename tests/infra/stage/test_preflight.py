"""The check before a deployment: choices, exports in use, the account's concurrency."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import boto3
import pytest
from botocore.stub import Stubber

from infra.preflight.deployed import Deployed, read_deployed
from infra.preflight.objections import objections
from infra.preflight.planned import Planned, read_planned
from infra.stage.given.choices import CHOICES, PASSING, given_choices
from infra.stage.stage_context import KeyArnError, stage_settings
from tests.infra.conftest import CHOSEN, ROOT, Synthesise
from tests.infra.stage_template import StageTemplate, listed

ALIAS = "alias/timegate-prod-data"
PLANNED = Planned(
    stacks=("Data", "Api"),
    choices={"kmsKey": "own", "shards": "8"},
    exports=frozenset({"Data:Key", "Data:Table"}),
    imports={"Data:Key": frozenset({"Api"})},
    reserved={"api": 50, "planner": 10},
)
DEPLOYED = Deployed(choices=PLANNED.choices, imports=PLANNED.imports, available=160)


@pytest.fixture(scope="session")
def leaving(synthesise: Synthesise) -> StageTemplate:
    """Production on its way from a key of its own to none."""
    return synthesise(stage="prod", kmsKey="leave")


def codes(planned: Planned, deployed: Deployed, *dropped: str) -> list[str]:
    """The codes of the objections."""
    return [each.partition(":")[0] for each in objections(planned, deployed, dropped)]


def planned(template: StageTemplate) -> Planned:
    """Return the planned deployment of a synthesised stage."""
    return read_planned(template.assembly)


def over(before: StageTemplate, after: StageTemplate, *dropped: str) -> list[str]:
    """The codes of what speaks against deploying one over the other."""
    was = planned(before)
    deployed = Deployed(choices=was.choices, imports=was.imports, available=10_000)
    return codes(planned(after), deployed, *dropped)


def test_the_same_again_meets_no_objection() -> None:
    """And neither does a first deployment."""
    nothing = Deployed(choices={}, imports={}, available=160)

    assert codes(PLANNED, DEPLOYED) == codes(PLANNED, nothing) == []


def test_a_choice_that_is_left_out_is_named() -> None:
    """With its value, so that it can be given again; unless it is taken back by name."""
    forgotten = replace(PLANNED, choices={"shards": "16"})

    (said,) = objections(forgotten, DEPLOYED, ())

    assert said == (
        "choice_dropped: the stage was deployed with kmsKey=own, and this deployment does not say "
        "it. Give -c kmsKey=own, or --drop kmsKey to take it back."
    )
    assert codes(forgotten, DEPLOYED, "kmsKey") == []
    assert codes(forgotten, DEPLOYED, "shards") == ["choice_dropped"]


def test_clients_that_were_made_unasked_are_kept() -> None:
    """Earlier releases gave each stage two; a choice that asks for them, or for none, decides."""
    had = replace(DEPLOYED, outputs=frozenset({"TenantClientIds", "AdminClientId", "ApiUrl"}))
    first, second = objections(PLANNED, had, ())
    kept = replace(PLANNED, outputs=had.outputs)

    assert first.startswith("clients_dropped: the stage has TenantClientIds")
    assert "Give -c tenants=first, or --drop tenants" in first
    assert "Give -c adminClient=on, or --drop adminClient" in second
    assert codes(PLANNED, had, "tenants", "adminClient") == codes(kept, had) == []


@pytest.mark.parametrize(
    ("was", "will", "said"),
    [
        (None, None, []),
        (None, "a,b", ["region_pair_changed"]),
        ("a,b", "a, b", []),
        ("a,b", "b,a", ["region_pair_changed"]),
        ("a,b", None, ["region_pair_changed"]),
    ],
)
def test_tables_of_a_stage_become_no_pair(
    was: str | None, will: str | None, said: list[str]
) -> None:
    """Nor are they one region's again; a first deployment may be either."""
    before, after = (
        {**PLANNED.choices, **({"regionPair": each} if each else {})} for each in (was, will)
    )
    nothing = Deployed(choices={}, imports={}, available=160)

    assert (
        codes(replace(PLANNED, choices=after), replace(DEPLOYED, choices=before), "regionPair")
        == said
    )
    assert codes(replace(PLANNED, choices=after), nothing) == []


@pytest.mark.parametrize(
    ("importers", "expected"),
    [
        pytest.param(frozenset({"Api"}), ["export_in_use"], id="imported"),
        pytest.param(frozenset[str](), [], id="imported nowhere"),
    ],
)
def test_an_export_goes_only_without_imports(
    importers: frozenset[str], expected: list[str]
) -> None:
    """CloudFormation would refuse it in the middle of the deployment."""
    without = replace(PLANNED, exports=frozenset({"Data:Table"}))

    assert expected == codes(without, replace(DEPLOYED, imports={"Data:Key": importers}))


@pytest.mark.parametrize(
    ("available", "expected"), [(160, []), (159, ["account_concurrency_too_low"])]
)
def test_the_account_must_hold_what_is_set_aside(available: int, expected: list[str]) -> None:
    """The sum, and the 100 that AWS leaves to functions without a reservation."""
    assert expected == codes(PLANNED, replace(DEPLOYED, available=available))


def test_a_stage_that_sets_nothing_aside_fits_a_new_account() -> None:
    """Its quota is 10, and AWS then asks for nothing to be left."""
    assert codes(replace(PLANNED, reserved={}), replace(DEPLOYED, available=10)) == []


def test_dropping_the_key_at_once_is_refused(keyed: StageTemplate, prod: StageTemplate) -> None:
    """By its name, and for its export even when it is meant."""
    assert over(keyed, prod) == ["choice_dropped", "export_in_use"]
    assert over(keyed, prod, "kmsKey") == ["export_in_use"]


def test_a_key_is_left_in_two_steps(
    keyed: StageTemplate, leaving: StageTemplate, prod: StageTemplate
) -> None:
    """First no stack imports it, then it goes; and back again at any time."""
    assert over(keyed, leaving) == []
    assert over(leaving, prod, "kmsKey") == []
    assert over(leaving, keyed) == over(prod, keyed) == []


def test_a_key_that_is_left_encrypts_nothing_new(
    leaving: StageTemplate, prod: StageTemplate
) -> None:
    """Everything at rest is as it is without a key."""
    kinds = ("AWS::DynamoDB::Table", "AWS::S3::Bucket", "AWS::SQS::Queue", "AWS::Logs::LogGroup")

    for kind in kinds:
        was = {each.path: each.properties for each in prod.of_type(kind)}
        assert was == {each.path: each.properties for each in leaving.of_type(kind)}
    assert leaving.one("Key").deletion_policy == "RetainExceptOnCreate"


def test_a_key_that_is_left_still_opens_what_it_encrypted(
    keyed: StageTemplate, leaving: StageTemplate
) -> None:
    """The same uses by the same services, of the key that has the stage's alias and no other."""
    key = "arn:<AWS::Partition>:kms:<AWS::Region>:<AWS::AccountId>:key/*"
    for role in keyed.roles:
        using = _of_key(leaving, role)
        assert [each["Action"] for each in _of_key(keyed, role)] == [e["Action"] for e in using]
        for statement in using:
            named = statement["Condition"]["ForAnyValue:StringEquals"]
            assert statement["Resource"] == key
            assert named == {"kms:ResourceAliases": ALIAS}
            assert "kms:ViaService" in statement["Condition"]["StringEquals"]
    aliases = {each.properties["AliasName"] for each in leaving.of_type("AWS::KMS::Alias")}
    assert aliases == {ALIAS, "alias/timegate-prod-seals"}


SIGNING = {"kms:GetPublicKey", "kms:Sign"}


def _of_key(template: StageTemplate, role: str) -> list[dict[str, Any]]:
    return [
        each
        for each in template.statements_of_role(role)
        # Seals are signed with a key of their own, which encrypts nothing.
        if any(a.startswith("kms:") and a not in SIGNING for a in listed(each["Action"]))
    ]


def test_another_key_is_left_by_its_name() -> None:
    """``leave:ARN``; anything else with the word is a typing error."""
    arn = "arn:aws:kms:eu-west-1:111122223333:key/0f1e2d3c-4b5a-4968-8776-655443322110"
    settings = stage_settings({"kmsKey": f"leave:{arn}"}.get)

    assert (settings.kms_key, settings.kms_leaving) == (arn, True)
    assert not stage_settings({"kmsKey": arn}.get).kms_leaving
    with pytest.raises(KeyArnError):
        stage_settings({"kmsKey": "leave:own-key"}.get)


def test_every_context_value_that_is_read_is_recorded() -> None:
    """A choice that is added to the context, and not to the record, could be dropped unseen."""
    asked: set[str] = set()

    def context(name: str) -> str | None:
        asked.add(name)
        return None

    stage_settings(context)

    assert asked == {"stage", *CHOICES, *PASSING}


def test_the_record_is_in_the_data_stack(chosen: StageTemplate, prod: StageTemplate) -> None:
    """It holds the given choices, and no other."""
    assert json.loads(chosen.outputs["Choices"]) == CHOSEN
    assert json.loads(prod.outputs["Choices"]) == {}


def test_a_long_choice_is_recorded_by_its_digest() -> None:
    """It is seen to be dropped; what it said lies with who deploys."""
    context: Mapping[str, object] = {"dagEvents": [{"name": "x" * 80}], "shards": 4, "quotas": ""}
    recorded = given_choices(context.get)

    assert recorded["dagEvents"].startswith("sha256:")
    assert recorded.keys() == {"dagEvents", "shards"}
    assert recorded["shards"] == "4"
    lost = replace(DEPLOYED, choices=recorded)
    (said, *_) = objections(PLANNED, lost, ())
    assert "Give -c dagEvents as before" in said


def test_what_is_deployed_is_read_without_changing_anything() -> None:
    """A stack that is not there exports nothing; an export without importers is free to go."""
    formation = boto3.client("cloudformation", region_name="eu-west-1")
    lambdas = boto3.client("lambda", region_name="eu-west-1")
    with Stubber(formation) as stacks, Stubber(lambdas) as functions:
        described = {
            "StackName": "Data",
            "CreationTime": "2026-11-22",
            "StackStatus": "CREATE_COMPLETE",
            "Outputs": [
                {"OutputKey": "Choices", "OutputValue": '{"kmsKey": "own"}'},
                {"OutputKey": "E1", "OutputValue": "k", "ExportName": "Data:Key"},
                {"OutputKey": "E2", "OutputValue": "t", "ExportName": "Data:Table"},
            ],
        }
        stacks.add_response("describe_stacks", {"Stacks": [described]}, {"StackName": "Data"})
        stacks.add_client_error("describe_stacks", "ValidationError", "does not exist")
        limits = {"ConcurrentExecutions": 1_000, "UnreservedConcurrentExecutions": 950}
        functions.add_response("get_account_settings", {"AccountLimit": limits})
        functions.add_response(
            "get_function_concurrency",
            {"ReservedConcurrentExecutions": 50},
            {"FunctionName": "api"},
        )
        functions.add_client_error("get_function_concurrency", "ResourceNotFoundException")
        stacks.add_response("list_imports", {"Imports": ["Api"]}, {"ExportName": "Data:Key"})
        stacks.add_client_error("list_imports", "ValidationError", "is not imported by any stack")

        found = read_deployed(("Data", "Api"), ("api", "planner"), formation, lambdas)

    assert found == Deployed(
        choices={"kmsKey": "own"},
        imports={"Data:Key": frozenset({"Api"}), "Data:Table": frozenset()},
        available=1_000,
        outputs=frozenset({"Choices", "E1", "E2"}),
    )


def test_the_make_target_checks_before_it_deploys() -> None:
    """The same assembly is synthesised, checked and deployed, in this order."""
    (recipe,) = [
        part for part in (ROOT / "Makefile").read_text().split("\n\n") if "\ndeploy:" in part
    ]
    steps = ("cdk synth", "admin preflight --app cdk.out", "cdk deploy --all --app cdk.out")
    at = [recipe.index(step) for step in steps]

    assert at == sorted(at)
