"""Plans of steps that bring the stage to the files' declarations."""

from base64 import b32encode
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from enum import StrEnum
from hashlib import sha256
from typing import Any

from timegate.client import ClientError, FieldProblem, JsonObject
from timegate.declaring.declarations import (
    NAMED,
    Declaration,
    DeclarationKind,
    dags_followed,
    own_job,
    resolved,
)
from timegate.declaring.differences import Difference, differences
from timegate.declaring.stage import Stage, StoredDefinition
from timegate.domain.dags.definition import SAID_OF_OWN_JOB
from timegate.domain.values.errors import InvalidInput
from timegate.value_classes import dataclass

#: Kinds in the order of ending: an event trigger starts a job, a job a DAG, and each ends before
#: its target. Kinds that hold them back end last.
_ENDING_ORDER = (
    DeclarationKind.EVENT_TRIGGER,
    DeclarationKind.JOB,
    DeclarationKind.DAG,
    DeclarationKind.RULE,
    DeclarationKind.CALENDAR,
)

#: Problems of a reference to something that the stage does not have.
_NOT_MADE_YET = {"unknown_calendar", "unknown_job", "unknown_dag"}


class Verb(StrEnum):
    """Kinds of steps."""

    CREATE = "create"
    CHANGE = "change"
    KEEP = "keep"
    PRUNE = "prune"


@dataclass(frozen=True, kw_only=True, slots=True)
class ApplyStep:
    """One thing, and what is to be done with it."""

    verb: Verb
    key: str
    document: Declaration | None = None
    found: StoredDefinition | None = None
    #: Differences of a change, and of a new definition: field by field.
    differences: tuple[Difference, ...] = ()
    #: Desired definition; with stand-ins for the ids of missing ones.
    wanted: Mapping[str, Any] = field(default_factory=dict)
    problems: tuple[FieldProblem, ...] = ()
    #: Instants that it changes, for a job; ``None``: none, or they were not asked for.
    instants: JsonObject | None = None
    #: Estimate of the runs of a job that is to be; ``None`` for other kinds.
    cost: JsonObject | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class StepResult:
    """Result of a step."""

    step: ApplyStep
    error: ClientError | None = None
    #: Definitions that it waited for, and did not get; an end waits for all that are declared.
    missing: tuple[str, ...] = ()


def plan(
    stage: Stage,
    documents: list[Declaration],
    *,
    prune: bool,
    before_each: Callable[[], None] = lambda: None,
) -> list[ApplyStep]:
    """Every step, in the order in which they can be done; raises ``ClientError``.

    ``before_each`` is called before the stage is asked about a document, and may raise.
    """
    declared = {document.key for document in documents}
    gone = [each for key, each in stage.found.items() if key not in declared] if prune else []
    _refuse_named(documents, {each.key for each in gone})
    _refuse_shared_keys(documents)
    stage.pass_on(declared | {each.key for each in gone})
    standing_in = _Ids(stage)
    steps = []
    for document in documents:
        before_each()
        steps.append(_step(stage, document, standing_in))
    gone.sort(key=lambda each: (_ENDING_ORDER.index(each.kind), each.key))
    return steps + [ApplyStep(verb=Verb.PRUNE, key=each.key, found=each) for each in gone]


def _refuse_named(documents: list[Declaration], gone: set[str]) -> None:
    """Raise ``InvalidInput`` for a document that names something which is about to end."""
    for document in documents:
        for key in sorted(document.references & gone):
            detail = f"It refers to {key}, which is no longer declared, and would end."
            raise InvalidInput(document.source, "unknown_reference", detail)


def _refuse_shared_keys(documents: list[Declaration]) -> None:
    """Raise ``InvalidInput`` for a job's key that another document has as well."""
    known: dict[object, Declaration] = {}
    for document in documents:
        key = document.spec.get("key")
        if document.kind is not DeclarationKind.JOB or not isinstance(key, str):
            continue
        if key in known:
            other = known[key]
            detail = f"{document.key} and {other.key}, in {other.source}, have the key {key}."
            raise InvalidInput(document.source, "there_twice", detail)
        known[key] = document


def carry_out(stage: Stage, steps: list[ApplyStep]) -> Iterator[StepResult]:
    """Do each step; where one fails, what needs it is left out, and the others are done.

    Nothing ends unless all that is declared is there: a renamed job would be gone, and its
    successor not made.
    """
    ids = stage.ids
    failed: set[str] = set()
    for step in steps:
        missing = tuple(sorted(step.document.references & failed if step.document else failed))
        error = None
        if not missing:
            try:
                _do(stage, step, ids)
            except ClientError as raised:
                error = raised
        if step.document is not None and (error is not None or missing):
            failed.add(step.key)
        yield StepResult(step=step, error=error, missing=missing)


class _Ids:
    """Ids of what is there, and stand-ins of their shape for what is not."""

    def __init__(self, stage: Stage) -> None:
        self._ids = stage.ids
        self.stand_ins: dict[str, str] = {}
        #: DAGs that have a job of their own, or will have one.
        self.with_job = {key for key in self._ids if own_job(key) in self._ids}

    def of(self, document: Declaration) -> dict[str, str]:
        """For everything it refers to."""
        return {
            named: self._ids.get(named) or self._stand_in(named, key)
            for named, key in self._named_by(document)
        }

    def lacks(self, document: Declaration) -> bool:
        """Something that it refers to is not there yet."""
        return any(named not in self._ids for named, _ in self._named_by(document))

    def note(self, document: Declaration, definition: Mapping[str, Any]) -> None:
        """Keep in mind a DAG whose definition gives it a job."""
        has_job = any(definition.get(name) for name in SAID_OF_OWN_JOB)
        if document.kind is DeclarationKind.DAG and has_job:
            self.with_job.add(document.key)

    def problems(self, document: Declaration) -> Iterator[FieldProblem]:
        """Yield places that name a DAG as a job where it has none."""
        for path, key in dags_followed(document.spec):
            if key not in self.with_job:
                detail = (
                    f"{key} has no job of its own that could follow: give it a schedule, such as"
                    " {kind: manual}."
                )
                yield FieldProblem(field=path, code="dag_without_job", detail=detail)

    def _named_by(self, document: Declaration) -> Iterator[tuple[str, str]]:
        """Yield its references: the name under which an id is known, and the name as written."""
        for key in document.references:
            yield key, key
        for _, key in dags_followed(document.spec):
            yield own_job(key), key

    def _stand_in(self, named: str, key: str) -> str:
        made = b32encode(sha256(named.encode()).digest()).decode().lower()[:26]
        self.stand_ins[made] = key
        return made


def _step(stage: Stage, document: Declaration, ids: _Ids) -> ApplyStep:
    wanted = stage.wanted(document, resolved(document.spec, ids.of(document)))
    named = resolved(wanted.definition, ids.stand_ins)
    known = stage.found.get(document.key)
    before = known.definition if known else {}
    old = {name: before[name] for name in named if name in before}
    found = tuple(differences(old, named)) if known else _said(document)
    verb = Verb.CREATE if known is None else Verb.CHANGE if found else Verb.KEEP
    # A stored definition needs no leave; and a missing one cannot be known to others.
    problems = () if verb is Verb.KEEP else wanted.problems
    if ids.lacks(document):
        problems = tuple(each for each in problems if each.code not in _NOT_MADE_YET)
    ids.note(document, wanted.definition)
    problems += tuple(ids.problems(document))
    return ApplyStep(
        verb=verb,
        key=document.key,
        document=document,
        found=known,
        differences=found,
        wanted=named,
        problems=problems,
        cost=wanted.cost,
    )


def _said(document: Declaration) -> tuple[Difference, ...]:
    """List the fields that a new document gives, without defaults."""
    return tuple(
        Difference(field=name, old=None, new=value) for name, value in document.spec.items()
    )


def _do(stage: Stage, step: ApplyStep, ids: dict[str, str]) -> None:
    document, known = step.document, step.found
    match step.verb:
        case Verb.CREATE if document is not None:
            ids |= stage.create(document, resolved(document.spec, ids))
        case Verb.CHANGE if known is not None:
            wanted = resolved(step.wanted, ids)
            changed = {each.field.split(".")[0] for each in step.differences}
            whole = known.kind in NAMED
            ids |= stage.update(known, {n: v for n, v in wanted.items() if whole or n in changed})
        case Verb.PRUNE if known is not None:
            stage.end(known)
        case _:
            pass
