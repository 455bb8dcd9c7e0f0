"""Declarations: calendars, jobs, DAGs, notification rules and event triggers, by name."""

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from graphlib import CycleError, TopologicalSorter
from typing import Any

from timegate.declaring.known_names import TENANT_DATA
from timegate.domain.values.errors import InvalidInput
from timegate.value_classes import dataclass

_FIELDS = {"kind", "name", "spec"}
#: Where other documents are named instead of ids; what a user's program gets is left alone.
_REFERRING = {"job_id", "dag_id"}


class DeclarationKind(StrEnum):
    """Kinds of declarations, in the order in which they are made where none refers to another."""

    CALENDAR = "Calendar"
    JOB = "Job"
    DAG = "Dag"
    RULE = "NotificationRule"
    EVENT_TRIGGER = "EventTrigger"


#: Kinds whose name is their id: each is replaced as a whole, and its version stays with the name.
NAMED = frozenset({DeclarationKind.CALENDAR, DeclarationKind.RULE, DeclarationKind.EVENT_TRIGGER})


@dataclass(frozen=True, kw_only=True, slots=True)
class Declaration:
    """One thing that should be there, and how."""

    kind: DeclarationKind
    name: str
    spec: dict[str, Any]
    #: The file it is in.
    source: str

    @property
    def key(self) -> str:
        """Return the name that others refer to: ``Job/report``."""
        return f"{self.kind}/{self.name}"

    @property
    def references(self) -> frozenset[str]:
        """The keys of what it names: by ``job_id: Job/NAME``, or as a calendar."""
        return frozenset(_references(self.spec))


def declaration_of(content: object, source: str) -> Declaration:
    """Read a document that ``source`` has; raises ``InvalidInput`` for what is none."""
    if not isinstance(content, dict) or not content.keys() <= _FIELDS:
        detail = "A document has kind, name and spec, and nothing else."
        raise InvalidInput(source, "invalid_document", detail)
    kind, name, spec = content.get("kind"), content.get("name"), content.get("spec", {})
    if not isinstance(kind, str) or kind not in set(DeclarationKind):
        known = ", ".join(DeclarationKind)
        raise InvalidInput(source, "unknown_kind", f"kind is {kind!r}; it can be {known}.")
    if not (isinstance(name, str) and name and isinstance(spec, dict)):
        detail = "name must be text, and spec an object."
        raise InvalidInput(source, "invalid_document", detail)
    if "name" in spec:
        raise InvalidInput(f"{source} spec.name", "there_twice", "The name stands beside kind.")
    return Declaration(kind=DeclarationKind(kind), name=name, spec=spec, source=source)


def _references(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for field, inner in value.items():
            if field in _REFERRING and isinstance(inner, str) and "/" in inner:
                yield inner
            elif field == "calendar" and isinstance(inner, str):
                yield f"{DeclarationKind.CALENDAR}/{inner}"
            elif field not in TENANT_DATA:
                yield from _references(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _references(inner)


def own_job(dag: str) -> str:
    """Return the key under which the id of a DAG's own job is known."""
    # A name of no document: it begins with no kind.
    return f"job of {dag}"


def is_dag(reference: str) -> bool:
    """It names a DAG."""
    return reference.startswith(f"{DeclarationKind.DAG}/")


def ids_of_dag(key: str, dag: Mapping[str, Any]) -> dict[str, str]:
    """Return the ids of a DAG that the stage showed: its own, and that of its job if it has one."""
    job_id = dag.get("job_id")
    return {key: dag["dag_id"], **({own_job(key): job_id} if job_id else {})}


def named_outside(documents: Iterable[Declaration]) -> dict[str, str]:
    """Return the DAGs that documents name and none declares, and the first source of each."""
    documents = list(documents)
    declared = {each.key for each in documents}
    named: dict[str, str] = {}
    for document in documents:
        for key in filter(is_dag, document.references - declared):
            named.setdefault(key, document.source)
    return named


def dags_followed(value: object, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield where a definition names a DAG in the place of a job, and the DAG's key."""
    match value:
        case dict():
            for field, inner in value.items():
                here = f"{path}.{field}" if path else str(field)
                if field == "job_id" and isinstance(inner, str) and is_dag(inner):
                    yield here, inner
                elif field not in TENANT_DATA:
                    yield from dags_followed(inner, here)
        case list():
            for number, inner in enumerate(value):
                yield from dags_followed(inner, f"{path}.{number}")


def resolved(value: Any, ids: Mapping[str, str]) -> Any:  # noqa: ANN401 - any JSON
    """A definition with ids where it refers to documents by name."""
    if isinstance(value, dict):
        return {
            field: _id_of(field, inner, ids)
            if field in _REFERRING and isinstance(inner, str)
            else inner
            if field in TENANT_DATA
            else resolved(inner, ids)
            for field, inner in value.items()
        }
    return [resolved(inner, ids) for inner in value] if isinstance(value, list) else value


def _id_of(field: str, reference: str, ids: Mapping[str, str]) -> str:
    """Resolve a reference; a DAG in a job's place stands for its own job, which starts it."""
    known = own_job(reference) if field == "job_id" and is_dag(reference) else reference
    return ids.get(known, reference)


def declared(documents: Iterable[Declaration]) -> list[Declaration]:
    """Return each document after what it refers to; raises ``InvalidInput`` for one twice."""
    found: dict[str, Declaration] = {}
    for document in documents:
        if document.key in found:
            detail = f"{document.key} is in {found[document.key].source} as well."
            raise InvalidInput(document.source, "there_twice", detail)
        found[document.key] = document
    return _in_order(found)


def _in_order(found: dict[str, Declaration]) -> list[Declaration]:
    """Each document after what it refers to; raises ``InvalidInput`` for a cycle."""
    ranks = list(DeclarationKind)
    by_kind = sorted(found, key=lambda key: (ranks.index(found[key].kind), key))
    waits = {key: sorted(found[key].references & found.keys()) for key in by_kind}
    for key in by_kind:
        for wanted in sorted(found[key].references - found.keys()):
            # Calendars are found by name, and so are DAGs once the stage is read.
            if not (wanted.startswith(f"{DeclarationKind.CALENDAR}/") or is_dag(wanted)):
                detail = f"It refers to {wanted}, which is not declared here."
                raise InvalidInput(found[key].source, "unknown_reference", detail)
    try:
        return [found[key] for key in TopologicalSorter(waits).static_order()]
    except CycleError as error:
        cycle = error.args[1]
        detail = "These refer to each other: " + " → ".join(cycle)
        raise InvalidInput(found[cycle[0]].source, "cycle", detail) from error
