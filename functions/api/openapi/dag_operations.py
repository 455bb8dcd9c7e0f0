"""What the route table does not say of definitions of DAGs."""

from collections.abc import Mapping
from http import HTTPStatus
from types import MappingProxyType

from api.openapi.dag_answers import Dag, DagGraph, DagPage, DagValidation, DagVersionPage
from api.openapi.described import Described

_NOT_FOUND = HTTPStatus.NOT_FOUND
_CONFLICT = HTTPStatus.CONFLICT
_MISMATCH = HTTPStatus.PRECONDITION_FAILED
_INVALID = HTTPStatus.UNPROCESSABLE_ENTITY

DAG_OPERATIONS: Mapping[str, Described] = MappingProxyType(
    {
        "createDag": Described(
            answer=Dag,
            success={
                201: "The new DAG.",
                200: "The Idempotency-Key was used before with this body: the DAG as it is now.",
            },
            refusals=(_CONFLICT, _INVALID),
            request_headers=("Idempotency-Key",),
            answer_headers=("ETag", "Location", "Idempotency-Replayed"),
        ),
        "listDags": Described(answer=DagPage, success={200: "A page of the tenant's DAGs."}),
        "getDag": Described(
            answer=Dag,
            success={200: "The DAG as it is now, whether or not it is deleted."},
            refusals=(_NOT_FOUND,),
            answer_headers=("ETag",),
        ),
        "updateDag": Described(
            answer=Dag,
            success={200: "The DAG as it is now."},
            refusals=(_NOT_FOUND, _CONFLICT, _MISMATCH, _INVALID),
            request_headers=("If-Match",),
            answer_headers=("ETag",),
        ),
        "deleteDag": Described(
            answer=Dag,
            success={200: "The DAG, deleted; one that was is as it was."},
            refusals=(_NOT_FOUND, _CONFLICT, _MISMATCH),
            request_headers=("If-Match",),
            answer_headers=("ETag",),
        ),
        "listDagVersions": Described(
            answer=DagVersionPage,
            success={200: "A page of its versions."},
            refusals=(_NOT_FOUND,),
        ),
        "getDagVersion": Described(
            answer=Dag,
            success={200: "The DAG as that version has it."},
            refusals=(_NOT_FOUND,),
        ),
        "validateNewDag": Described(
            answer=DagValidation, success={200: "What is wrong with it; nothing is stored."}
        ),
        "validateDag": Described(
            answer=DagValidation,
            success={200: "What is wrong with it as jobs and targets are now; nothing is stored."},
            refusals=(_NOT_FOUND,),
        ),
        "drawDag": Described(
            answer=DagGraph, success={200: "The DAG as a picture."}, refusals=(_NOT_FOUND,)
        ),
    }
)
