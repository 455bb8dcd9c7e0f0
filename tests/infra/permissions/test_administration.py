"""IAM facts: few functions administer tenants and write the audit trail."""

from fnmatch import fnmatchcase
from typing import Any

import pytest

from infra.constructs.data.tables import AUDIT_PARTITIONS, TENANTS_PARTITION
from infra.stage.settings import FUNCTION_NAMES
from tests.infra.permissions.allowed import JOBS
from tests.infra.stage_template import StageTemplate, listed
from timegate.adapters.dynamo.audit_trail.audit_items import audit_pk
from timegate.adapters.dynamo.tables.keys import job_key
from timegate.adapters.dynamo.tenants.tenant_items import tenant_key
from timegate.domain.tenants.audit_trail import Resource, ResourceKind
from timegate.domain.values.identity import job_id_from
from timegate.domain.values.tenant import TenantId

TENANT = TenantId("acme")
JOB = job_id_from(b"a job")
ENTRY = audit_pk(TENANT, Resource(kind=ResourceKind.JOB, id=JOB))
SETTINGS = tenant_key(TENANT).pk
#: Everything that changes an item.
WRITES = {
    *("dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:DeleteItem"),
    *("dynamodb:PartiQLInsert", "dynamodb:PartiQLUpdate", "dynamodb:PartiQLDelete"),
}


def speaks_of(statement: dict[str, Any], partition: str) -> bool:
    """Return whether a statement is about items of the jobs table in this partition."""
    if any("dynamodb:Attributes" in each for each in statement.get("Condition", {}).values()):
        # It is about some fields of them.
        return False
    bounds = [
        pattern
        for condition in statement.get("Condition", {}).values()
        for pattern in listed(condition.get("dynamodb:LeadingKeys", []))
    ]
    within = not bounds or any(fnmatchcase(partition, pattern) for pattern in bounds)
    return JOBS in listed(statement["Resource"]) and within


def writers(template: StageTemplate, partition: str) -> set[str]:
    """The functions that can change an item of the jobs table in this partition."""
    found = set()
    for name in FUNCTION_NAMES:
        allowed: set[str] = set()
        refused: set[str] = set()
        for statement in template.statements(name):
            if speaks_of(statement, partition):
                said = allowed if statement["Effect"] == "Allow" else refused
                said |= set(listed(statement["Action"])) & WRITES
        if allowed - refused:
            found.add(name)
    return found


def test_only_those_who_change_things_for_people_write_the_audit_trail(
    stage: StageTemplate,
) -> None:
    """Planner and sweeper write beside it, and are refused there; outcomes pauses jobs."""
    assert writers(stage, ENTRY) == {"api", "operations", "outcomes"}


def test_only_the_api_administers_tenants(stage: StageTemplate) -> None:
    """Quotas, names, suspensions: nothing that runs by itself can change them."""
    assert writers(stage, SETTINGS) == {"api"}


def test_a_job_is_written_by_more_than_these(stage: StageTemplate) -> None:
    """Trail and settings alone are refused, and nothing else of the table."""
    assert writers(stage, job_key(TENANT, JOB).pk) == {
        *("api", "operations", "planner", "sweeper", "outcomes")
    }


@pytest.mark.parametrize("partition", [ENTRY, SETTINGS])
def test_no_function_deletes_an_entry_or_a_tenant(stage: StageTemplate, partition: str) -> None:
    """Entries expire; a function that is granted a deletion one day is seen here."""
    deleting = {
        action
        for name in FUNCTION_NAMES
        for statement in stage.statements(name)
        if statement["Effect"] == "Allow" and speaks_of(statement, partition)
        for action in listed(statement["Action"])
        if "Delete" in action
    }

    assert deleting == set()


def test_the_partitions_are_where_the_records_are() -> None:
    """A pattern that nothing matches would refuse nothing."""
    assert fnmatchcase(ENTRY, AUDIT_PARTITIONS)
    assert SETTINGS == TENANTS_PARTITION
    assert not fnmatchcase(job_key(TENANT, JOB).pk, AUDIT_PARTITIONS)
