"""Starting a DAG run because of an event, once for each event."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from timegate.domain.dag.progress import DagRun, DagTrigger
from timegate.domain.errors import InvalidInput, Malformed
from timegate.domain.identity import parse_dag_id
from timegate.domain.redaction import without_credentials
from timegate.domain.tenant import tenant_id
from timegate.usecases.dag_runs.start_dag_run import Start, Starting, start_dag_run
from timegate.usecases.dag_runs.works import DagWorks


def start_on_event(told: Mapping[str, Any], works: DagWorks, *, now: datetime) -> DagRun:
    """Start a run of the DAG that a rule names, with the event as its parameters.

    Whose DAG it is stands in the rule. The same event starts it once, however often it comes.
    Raises ``Malformed``, and as ``start_dag_run``: then whoever sent it keeps it for a person.
    """
    try:
        tenant, dag_id = tenant_id(told["tenant"]), parse_dag_id(told["dag_id"])
        event = told["event"]
        event_id, at = str(event["id"]), _instant(event["time"])
    except (InvalidInput, KeyError, TypeError, ValueError) as error:
        raise Malformed(f"The rule told {error!r}.") from error
    if dag_id is None:
        raise Malformed(f"{told['dag_id']!r} is no DAG.")
    start = Start(
        dag_id=dag_id,
        key=event_id,
        # Nobody is there who could be told to name a secret instead.
        parameters=without_credentials(
            json.dumps(event, separators=(",", ":"), ensure_ascii=False)
        ),
        trigger=DagTrigger.EVENT,
        scheduled_at=at,
    )
    starting = Starting(
        dags=works.dags, dag_runs=works.dag_runs, blobs=works.blobs, telemetry=works.telemetry
    )
    return start_dag_run(tenant, start, starting, now=now)


def _instant(text: str) -> datetime:
    instant = datetime.fromisoformat(text)
    if instant.tzinfo is None:
        message = f"{text} is in no time zone"
        raise ValueError(message)
    return instant.astimezone(UTC)
