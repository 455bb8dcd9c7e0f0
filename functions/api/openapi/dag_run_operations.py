"""What the route table does not say of runs of DAGs."""

from collections.abc import Mapping
from http import HTTPStatus
from types import MappingProxyType

from api.openapi.dag_picture_answers import DagRunGantt, DagRunGraph
from api.openapi.dag_run_answers import DagRun, DagRunPage, DagRunRow, DagRunWithTask
from api.openapi.described import Described

_NOT_FOUND = HTTPStatus.NOT_FOUND
_CONFLICT = HTTPStatus.CONFLICT


def _intervention(done: str) -> Described:
    return Described(
        answer=DagRunWithTask,
        success={202: done, 200: "It was done before: the task as it is now."},
        refusals=(_NOT_FOUND, _CONFLICT),
        request_headers=("Idempotency-Key",),
        answer_headers=("Idempotency-Replayed",),
    )


DAG_RUN_OPERATIONS: Mapping[str, Described] = MappingProxyType(
    {
        "startDagRun": Described(
            answer=DagRunRow,
            success={
                202: "The DAG run that was started.",
                200: "The Idempotency-Key was used before with these parameters: it as it is now.",
            },
            refusals=(_NOT_FOUND, _CONFLICT),
            request_headers=("Idempotency-Key",),
            answer_headers=("Location", "Idempotency-Replayed"),
        ),
        "listDagRuns": Described(
            answer=DagRunPage, success={200: "A page of its runs."}, refusals=(_NOT_FOUND,)
        ),
        "getDagRun": Described(
            answer=DagRun, success={200: "The DAG run and its tasks."}, refusals=(_NOT_FOUND,)
        ),
        "cancelDagRun": Described(
            answer=DagRunRow,
            success={200: "The DAG run, stopped or about to be."},
            refusals=(_NOT_FOUND, _CONFLICT),
        ),
        "retryDagRun": Described(
            answer=DagRunRow,
            success={202: "The DAG run, about to go on."},
            refusals=(_NOT_FOUND, _CONFLICT),
        ),
        "completeDagTask": _intervention("The task has succeeded; the DAG run moves on."),
        "skipDagTask": _intervention("The task is skipped; the DAG run moves on."),
        "rerunDagTask": _intervention("The task is put back, and is about to run again."),
        "drawDagRun": Described(
            answer=DagRunGraph,
            success={200: "Its graph, with the states of its tasks."},
            refusals=(_NOT_FOUND,),
        ),
        "drawDagRunGantt": Described(
            answer=DagRunGantt, success={200: "Its tasks over time."}, refusals=(_NOT_FOUND,)
        ),
    }
)
