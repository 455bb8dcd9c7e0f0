"""DAG runs: the steps of the generic state machine."""

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from timegate.domain.dag.definition import TaskKey
from timegate.domain.dag.run_identity import DagRunId
from timegate.domain.errors import Malformed
from timegate.domain.tenant import TenantId
from timegate.runtime.dag_wiring import dag_services
from timegate.usecases.dag_runs.execution_steps import (
    Executed,
    cleanup_step,
    close_step,
    open_step,
    task_step,
)

services = dag_services()


def _step(event: dict[str, Any], _: LambdaContext) -> dict[str, Any]:
    works = services.works
    try:
        step, run = event["step"], event["run"]
        executed = Executed(tenant=TenantId(run["tenant"]), dag_run_id=DagRunId(run["dag_run_id"]))
        match step:
            case "open":
                return {"tasks": open_step(executed, works)}
            case "task":
                task_step(executed, TaskKey(event["key"]), event["token"], works)
            case "close":
                close_step(executed, event["token"], works)
            case "cleanup":
                return {"status": cleanup_step(executed, int(run["round"]), works).status}
            case _:
                raise Malformed(f"There is no step {step!r}.")
    except KeyError as missing:
        raise Malformed(f"The step has no {missing}.") from missing
    return {}


handle = services.telemetry.instrument(_step)
