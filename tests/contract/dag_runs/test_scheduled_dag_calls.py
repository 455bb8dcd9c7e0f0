"""A DAG run started by a job costs calls beside those of any run and any DAG run."""

from contextlib import closing
from dataclasses import replace

from botocore.config import Config

from tests.support.dag_runs.dag_jobs import ETL, ME, receive
from tests.support.dag_runs.dag_world import DagWorld
from tests.support.execution.overlapping import claimed, due
from tests.support.stores.dynamodb_inside import client_inside
from tests.support.stores.tabled import TabledWorld
from timegate.domain.actions.kinds.dag import DagAction
from timegate.domain.dag_runs.progress import DagRunStatus
from timegate.domain.dag_runs.run_identity import dag_run_id_for_attempt
from timegate.domain.limits.overlap import Overlap
from timegate.usecases.dag_runs.end_its_run import end_its_run, is_called_off


def test_a_dag_run_of_a_job_costs_seven_calls_more() -> None:
    """Three calls start it and hand the run over, one is its first look, three end the run.

    ``docs/decisions/0035-dags-by-jobs.md`` counts them alike; the run's lease is not renewed.
    """
    with closing(client_inside(Config())) as client:
        world = TabledWorld(client)
        world.dags.create(ETL)
        plain = due(world, "plain", Overlap())
        own = due(world, "dag", Overlap(), action=DagAction(dag_id=ETL.dag_id))
        dag_world = DagWorld(world=world, dags=world.dags)
        with world.counted() as claim:
            claimed(world, plain)
        with world.counted() as begun:
            receive(dag_world, own)
        run = world.dag_runs.get(ME, dag_run_id_for_attempt(ME, own.id))
        with world.counted() as looked:
            is_called_off(run, dag_world.works)
        ended = replace(run, status=DagRunStatus.SUCCEEDED, ended_at=world.clock.now())
        world.dag_runs.change(run, ended)
        run = world.dag_runs.get(ME, run.dag_run_id)
        with world.counted() as told:
            end_its_run(run, dag_world.works)

    assert len(begun) - len(claim) == 3
    assert (len(looked), len(told)) == (1, 3)
