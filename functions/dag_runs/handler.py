"""DAG runs: the steps of the generic state machine."""

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from timegate.domain.dag.definition import TaskKey
from timegate.domain.dag.run_identity import DagRunId
from timegate.domain.errors import Malformed
from timegate.domain.tenant import TenantId
from timegate.runtime.dag_wiring import dag_services
from timegate.usecases.dag_runs import execution_steps as steps

services = dag_services()


def _step(event: dict[str, Any], _: LambdaContext) -> dict[str, Any]:
    works = services.works
    try:
        step, run = event["step"], event["run"]
        tenant, dag_run_id = TenantId(run["tenant"]), DagRunId(run["dag_run_id"])
        executed = steps.Executed(tenant=tenant, dag_run_id=dag_run_id, round=int(run["round"]))
        match step:
            case "open":
                return {"tasks": steps.open_step(executed, works)}
            case "task":
                steps.task_step(executed, TaskKey(event["key"]), event["token"], works)
            case "close":
                steps.close_step(executed, event["token"], works)
            case "cleanup":
                return {"status": steps.cleanup_step(executed, works).status}
            case _:
                raise Malformed(f"There is no step {step!r}.")
    except KeyError as missing:
        raise Malformed(f"The step has no {missing}.") from missing
    return {}


handle = services.telemetry.instrument(_step)
