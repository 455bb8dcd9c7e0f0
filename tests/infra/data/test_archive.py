"""The archive: a bucket that nothing deletes from, tables of Glue and a workgroup of Athena."""

import pytest

from infra.stage.stage_context import SwitchError, stage_settings
from tests.infra.stage_template import StageTemplate
from timegate.domain.archive.columns import COLUMNS, RecordKind


def test_files_never_expire(prod: StageTemplate) -> None:
    """Results of queries do, and uploads that were given up; the bucket outlives its stack."""
    (bucket,) = [
        each for each in prod.of_type("AWS::S3::Bucket") if each.path.startswith("Archive")
    ]
    rules = bucket.properties["LifecycleConfiguration"]["Rules"]

    assert [each.get("Prefix") for each in rules if "ExpirationInDays" in each] == ["queries/"]


def test_each_kind_of_records_has_a_table_with_its_columns(stage: StageTemplate) -> None:
    """Partitions are projected from the path; a query has to name its tenant."""
    tables = {
        each.properties["TableInput"]["Name"]: each.properties["TableInput"]
        for each in stage.of_type("AWS::Glue::Table")
    }

    assert tables.keys() == set(RecordKind)
    for kind, table in tables.items():
        storage, told = table["StorageDescriptor"], table["Parameters"]
        columns = [(each["Name"], each["Type"]) for each in storage["Columns"]]
        assert columns == [(each.name, each.kind) for each in COLUMNS[RecordKind(kind)]]
        assert storage["Location"].endswith(f"/{kind}/")
        assert told["projection.tenant.type"] == "injected"
        assert told["storage.location.template"].endswith(
            f"/{kind}/tenant=${{tenant}}/day=${{day}}/"
        )


def test_the_workgroup_bounds_its_queries(stage: StageTemplate) -> None:
    """No caller chooses another place for results, and none scans the whole archive by mistake."""
    (group,) = stage.of_type("AWS::Athena::WorkGroup")
    told = group.properties["WorkGroupConfiguration"]

    assert told["EnforceWorkGroupConfiguration"] is True
    assert told["BytesScannedCutoffPerQuery"] == 10 * 1024**3
    assert told["ResultConfiguration"]["OutputLocation"].endswith("/queries/")


def test_the_workgroup_goes_with_its_stack(stage: StageTemplate, prod: StageTemplate) -> None:
    """AWS refuses to delete one that has run queries, unless its template says so."""
    for each in (stage, prod):
        (group,) = each.of_type("AWS::Athena::WorkGroup")
        assert group.deletion_policy == "Delete"
        assert group.properties["RecursiveDeleteOption"] is True


def test_a_stage_may_go_without(foreign: StageTemplate) -> None:
    """No tick wakes the archiver; the bucket stays with what it has."""
    named = [each.properties["Name"] for each in foreign.of_type("AWS::Scheduler::Schedule")]

    assert [each for each in named if "archiver" in each] == []
    assert len(foreign.of_type("AWS::S3::Bucket")) == 2


@pytest.mark.parametrize("name", ["archive", "seals"])
def test_a_switch_that_is_none_is_refused(name: str) -> None:
    """A typing error must not choose for an operator."""
    with pytest.raises(SwitchError, match=f"{name}: 'no' is neither on nor off"):
        stage_settings({name: "no"}.get)


def test_a_key_signs_seals_and_does_nothing_else(prod: StageTemplate) -> None:
    """Its private half is in KMS; it outlives its stack, for its seals are verified for years."""
    (key,) = prod.of_type("AWS::KMS::Key")

    assert key.properties["KeySpec"] == "ECC_NIST_P256"
    assert key.properties["KeyUsage"] == "SIGN_VERIFY"
    assert key.deletion_policy == "RetainExceptOnCreate"


def test_the_archiver_alone_signs(stage: StageTemplate) -> None:
    """And reads the public half, to lay it beside the seals."""
    allowed = {
        (role, grant.action, grant.resource)
        for role in stage.roles
        for grant in stage.grants_of_role(role)
        if grant.action.startswith("kms:") and "Seals" in grant.resource
    }
    signs = bool(stage.of_type("AWS::KMS::Key"))

    assert allowed == {
        ("Archiver/Role", action, "Seals/Key.Arn")
        for action in ("kms:GetPublicKey", "kms:Sign")
        if signs
    }


def test_a_stage_may_seal_or_not(dev: StageTemplate, chosen: StageTemplate) -> None:
    """``dev`` has no key unless it is chosen; without one the archiver is given none."""
    told = [
        each.properties["Environment"]["Variables"]["SEAL_KEY"]
        for template in (dev, chosen)
        for each in template.of_type("AWS::Lambda::Function")
        if "archiver" in str(each.properties["FunctionName"])
    ]

    assert dev.of_type("AWS::KMS::Key") == []
    assert len(chosen.of_type("AWS::KMS::Key")) == 1
    assert told[0] == ""
    assert told[1]
