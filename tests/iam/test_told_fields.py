"""Planner and sweeper change jobs, and not what their records tell the audit trail."""

import pytest

from infra.constructs.data.tables import TOLD_FIELDS
from tests.iam.api_calls import keyed
from tests.iam.evaluator import Decision, decide
from tests.iam.roles import Roles
from timegate.adapters.dynamo.tables.keys import GAP_PREFIX, gaps_pk, job_pk
from timegate.domain.values.identity import job_id_from
from timegate.domain.values.tenant import TenantId

TENANT, JOB = TenantId("acme"), job_id_from(b"a job")
RECORD, GAPS = job_pk(TENANT, JOB), gaps_pk(TENANT, JOB)
CLOCKWORK = ("planner", "sweeper")


@pytest.mark.parametrize("field", TOLD_FIELDS)
@pytest.mark.parametrize("action", ["PutItem", "UpdateItem", "PartiQLInsert", "PartiQLUpdate"])
@pytest.mark.parametrize("name", CLOCKWORK)
def test_a_write_that_names_what_is_told_is_refused(
    roles: Roles, name: str, action: str, field: str
) -> None:
    """Alone, or among others; the entry, and what lists, archives and forgets it."""
    for fields in ([field], ["status", field]):
        asked = keyed(action, "jobs", [RECORD], fields=fields)

        assert decide(roles.of(name), asked) is Decision.EXPLICIT_DENY


@pytest.mark.parametrize("action", ["PutItem", "DeleteItem", "BatchWriteItem", "PartiQLDelete"])
@pytest.mark.parametrize("name", CLOCKWORK)
def test_no_record_of_a_job_is_replaced_or_deleted(roles: Roles, name: str, action: str) -> None:
    """Any other item in its place would take the entry along."""
    asked = keyed(action, "jobs", [RECORD], fields=["pk", "sk", "count"])

    assert decide(roles.of(name), asked) is Decision.IMPLICIT_DENY


@pytest.mark.parametrize(
    ("name", "action", "partition", "fields"),
    [
        ("planner", "UpdateItem", RECORD, ["status", "next_run_at"]),
        ("planner", "PutItem", GAPS, ["pk", "sk", "count", "expires_at"]),
        ("sweeper", "UpdateItem", f"{TENANT}#key#a", ["expires_at"]),
    ],
)
def test_work_goes_on(
    roles: Roles, name: str, action: str, partition: str, fields: list[str]
) -> None:
    """Moves of jobs, gaps, and slots that are forgotten one day."""
    asked = keyed(action, "jobs", [partition], fields=fields)

    assert decide(roles.of(name), asked) is Decision.ALLOWED


def test_gaps_have_partitions_without_jobs() -> None:
    """The right to put gaps is none to put jobs."""
    assert GAPS != RECORD
    assert GAPS.endswith("#gaps")
    assert not RECORD.endswith(GAP_PREFIX)
