"""Wiring of looks at notification rules."""

from timegate.adapters.dynamo.runs.absence_store import DynamoAbsenceStore
from timegate.adapters.dynamo.runs.items.notice_inserts import NoticeInserts
from timegate.adapters.dynamo.runs.rule_messages import DynamoRuleMessages
from timegate.adapters.dynamo.tenants.rules.rule_store import DynamoRuleStore
from timegate.adapters.dynamo.tenants.tenant_store import DynamoTenantStore
from timegate.runtime.wiring.parts.records import StoreMaker
from timegate.usecases.rules.looking import Looking
from timegate.usecases.services.operations_services import Operating


def looking(operating: Operating, records: StoreMaker) -> Looking:
    """Build what looks use, beside the stores of operations."""
    tables = records.tables
    notices = NoticeInserts(
        table=tables.runs, shards=records.spread, retention_days=tables.run_retention_days
    )
    return Looking(
        rules=records.plain(DynamoRuleStore),
        messages=DynamoRuleMessages(records.engine, jobs_table=tables.jobs, notices=notices),
        absences=DynamoAbsenceStore(
            records.engine, jobs_table=tables.jobs, runs_table=tables.runs, notices=notices
        ),
        failures=operating.failures,
        jobs=operating.jobs,
        runs=operating.runs,
        tenants=records.plain(DynamoTenantStore),
        telemetry=operating.telemetry,
        clock=operating.clock,
    )
