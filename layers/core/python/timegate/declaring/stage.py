"""Declared things on the stage: each kind is read, validated, made and changed."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from typing import Any

from timegate.client import FieldProblem, InvalidRequest, JsonObject, NotFound, TimegateClient
from timegate.client.errors import field_problems
from timegate.declaring.creations import created
from timegate.declaring.declarations import (
    NAMED,
    Declaration,
    DeclarationKind,
    ids_of_dag,
    named_outside,
)
from timegate.declaring.job_keys import PassedKeys
from timegate.declaring.known_names import TAG
from timegate.domain.values.errors import InvalidInput
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class StoredDefinition:
    """Something that is there."""

    kind: DeclarationKind
    name: str
    id: str
    version: int
    #: Its owner's definition, with every field.
    definition: Mapping[str, Any]

    @property
    def key(self) -> str:
        """Return the name that documents refer to."""
        return f"{self.kind}/{self.name}"


@dataclass(frozen=True, kw_only=True, slots=True)
class DesiredDefinition:
    """The definition that a document results in, and its problems."""

    definition: Mapping[str, Any]
    problems: tuple[FieldProblem, ...] = ()
    #: Estimate of a job's runs.
    cost: JsonObject | None = None


@dataclass(kw_only=True, slots=True)
class Stage:
    """One set of files on one stage, as it was when it was read."""

    client: TimegateClient
    #: The name of the set.
    files: str
    found: dict[str, StoredDefinition] = field(default_factory=dict)
    #: Id of the last ended definition under each name that was to be there.
    ended: dict[str, str] = field(default_factory=dict)
    #: DAGs that the files name and do not declare.
    outside: dict[str, JsonObject] = field(default_factory=dict)
    #: Keys of jobs that the plan changes, keeps or ends.
    keys: PassedKeys = field(default_factory=PassedKeys)

    @classmethod
    def read(cls, client: TimegateClient, files: str, documents: list[Declaration]) -> "Stage":
        """Read what the stage has; raises ``ClientError``, or ``InvalidInput`` for a name twice."""
        stage = cls(client=client, files=files)
        for job in client.list_jobs.iterate(tag=[f"{TAG}:{files}"], limit=100):
            is_ended = job["status"] == "cancelled"
            stage._note(DeclarationKind.JOB, job["job_id"], job, is_ended=is_ended)
        stage._read_dags(documents)
        keys = {each.key for each in documents}
        triggers = map(_without_address, client.list_event_triggers.iterate(limit=100))
        stage._read_named(DeclarationKind.EVENT_TRIGGER, triggers, keys)
        stage._read_calendars()
        stage._read_named(DeclarationKind.RULE, client.list_rules.iterate(limit=100), keys)
        stage._read_whole(keys, documents)
        return stage

    @property
    def ids(self) -> dict[str, str]:
        """Return ids by the names that documents refer to."""
        ids = {key: each.id for key, each in self.found.items()}
        for key, dag in self.outside.items():
            ids |= ids_of_dag(key, dag)
        for key, each in self.found.items():
            if each.kind is DeclarationKind.DAG:
                ids |= ids_of_dag(key, each.definition)
        return ids

    def _read_dags(self, documents: list[Declaration]) -> None:
        """Find those of the set, and by their names those that the files refer to alone."""
        named = named_outside(documents)
        for status in ("active", "deleted"):
            for dag in self.client.list_dags.iterate(status=status, limit=100):
                is_ended, key = status == "deleted", f"{DeclarationKind.DAG}/{dag['name']}"
                if dag["tags"].get(TAG) == self.files:
                    self._note(DeclarationKind.DAG, dag["dag_id"], dag, is_ended=is_ended)
                if not is_ended and key in named:
                    if key in self.outside:
                        detail = f"There are two {key}; {named[key]} cannot say which is meant."
                        raise InvalidInput(named[key], "ambiguous", detail)
                    self.outside[key] = self.client.get_dag(dag["dag_id"])
        for key in sorted(named.keys() - self.outside.keys()):
            detail = f"It refers to {key}, which is neither declared here nor on the stage."
            raise InvalidInput(named[key], "unknown_reference", detail)

    def _note(self, kind: DeclarationKind, its_id: str, row: JsonObject, *, is_ended: bool) -> None:
        key = f"{kind}/{row['name']}"
        if is_ended:
            self.ended.setdefault(key, its_id)
        elif key in self.found:
            detail = f"There are two of this name: {self.found[key].id} and {its_id}."
            raise InvalidInput(key, "ambiguous", detail)
        else:
            self.found[key] = StoredDefinition(
                kind=kind, name=row["name"], id=its_id, version=row["version"], definition=row
            )

    def _read_whole(self, keys: set[str], documents: list[Declaration]) -> None:
        """Listings leave out tasks and large payloads, and calendars are found by name."""
        for key in keys & self.found.keys():
            known = self.found[key]
            row = known.definition
            if known.kind in NAMED:
                continue
            if known.kind is DeclarationKind.DAG:
                whole: JsonObject = self.client.get_dag(known.id)
            elif row["payload"] is None and row["payload_size_bytes"]:
                whole = self.client.get_job(known.id)
            else:
                continue
            self.found[key] = StoredDefinition(
                kind=known.kind,
                name=known.name,
                id=known.id,
                version=whole["version"],
                definition=whole,
            )
        for document in documents:
            if document.kind is DeclarationKind.CALENDAR:
                self._read_calendar(document)

    def _read_named(
        self, kind: DeclarationKind, rows: Iterable[JsonObject], keys: set[str]
    ) -> None:
        """Find those that these files name, and those that files of this set have made."""
        for row in rows:
            key = f"{kind}/{row['name']}"
            if key in keys or row["tags"].get(TAG) == self.files:
                self.found[key] = StoredDefinition(
                    kind=kind,
                    name=row["name"],
                    id=row["name"],
                    version=row["version"],
                    definition=row,
                )

    def _read_calendars(self) -> None:
        """Find those that files of this set have made, as listings show them: to be ended."""
        for calendar in self.client.list_calendars.iterate(limit=100):
            if calendar["tags"].get(TAG) == self.files:
                self._note(DeclarationKind.CALENDAR, calendar["name"], calendar, is_ended=False)

    def _read_calendar(self, document: Declaration) -> None:
        try:
            found: JsonObject = self.client.get_calendar(document.name)
        except NotFound:
            return
        self.found[document.key] = StoredDefinition(
            kind=document.kind,
            name=document.name,
            id=document.name,
            version=found["version"],
            definition=found,
        )

    def wanted(self, document: Declaration, spec: dict[str, Any]) -> DesiredDefinition:
        """Return the stage's definition of a document; ``spec`` is its, with ids in it."""
        body = self.body(document, spec)
        try:
            found = self._validated(document, body)
        except InvalidRequest as refused:
            return DesiredDefinition(definition=body, problems=refused.errors)
        return DesiredDefinition(
            definition=found["definition"],
            problems=field_problems(found["errors"]),
            cost=found.get("cost"),
        )

    def _validated(self, document: Declaration, body: Any) -> JsonObject:  # noqa: ANN401 - any JSON
        match document.kind:
            case DeclarationKind.CALENDAR:
                return self.client.validate_calendar(document.name, body)
            case DeclarationKind.JOB:
                return self._validated_job(body)
            case DeclarationKind.DAG:
                return self.client.validate_new_dag(body)
            case DeclarationKind.RULE:
                return self.client.validate_rule(document.name, body)
            case DeclarationKind.EVENT_TRIGGER:
                return self.client.validate_event_trigger(document.name, body)

    def pass_on(self, planned: set[str]) -> None:
        """Let files pass the keys of these jobs to others: they are declared, or end."""
        known = [each for key, each in self.found.items() if key in planned]
        self.keys = PassedKeys.of(e.definition for e in known if e.kind is DeclarationKind.JOB)

    def _validated_job(self, body: Any) -> JsonObject:  # noqa: ANN401 - any JSON
        """Validate a job. A key that a job of the plan has is theirs to keep, or to pass on."""
        if body.get("key") not in self.keys.holders:
            return self.client.validate_new_job(body)
        keyless: Any = {**body, "key": None}
        found = self.client.validate_new_job(keyless)
        return {**found, "definition": {**found["definition"], "key": body["key"]}}

    def body(self, document: Declaration, spec: dict[str, Any]) -> dict[str, Any]:
        """Return the body of a creation: with its name, and the tag by which it is found again."""
        tags = spec.get("tags", {})
        marked = {**tags, TAG: self._owner_of(document)} if isinstance(tags, dict) else tags
        if document.kind in NAMED:
            return {**spec, "tags": marked}
        return {"name": document.name, **spec, "tags": marked}

    def _owner_of(self, document: Declaration) -> str:
        """The set that made a thing keeps it, where another one finds it by its name alone."""
        known = self.found.get(document.key)
        tags = {} if known is None else known.definition.get("tags", {})
        return str(tags.get(TAG, self.files))

    def create(self, document: Declaration, spec: dict[str, Any]) -> dict[str, str]:
        """Make what is not there; its ids by the names of them. Doing it twice makes it once."""
        body: Any = self.body(document, spec)
        match document.kind:
            case DeclarationKind.CALENDAR:
                self.client.put_calendar(document.name, body, version=0)
            case DeclarationKind.JOB:
                self.keys.take(self.client, body.get("key"), None)
                made = self._created(
                    document.key, lambda key: self.client.create_job(body, idempotency_key=key)
                )
                return {document.key: made["job_id"]}
            case DeclarationKind.DAG:
                made = self._created(
                    document.key, lambda key: self.client.create_dag(body, idempotency_key=key)
                )
                return ids_of_dag(document.key, made)
            case DeclarationKind.RULE:
                self.client.put_rule(document.name, body, version=0)
            case DeclarationKind.EVENT_TRIGGER:
                self.client.put_event_trigger(document.name, body, version=0)
        return {document.key: document.name}

    def update(self, known: StoredDefinition, changes: dict[str, Any]) -> dict[str, str]:
        """Change what is there, unless it was changed meanwhile (``VersionMismatch``); its ids."""
        body: Any = changes
        match known.kind:
            case DeclarationKind.CALENDAR:
                self.client.put_calendar(known.name, body, version=known.version)
            case DeclarationKind.JOB:
                self.keys.take(self.client, body.get("key"), known.id)
                version = self.keys.version(known.id, known.version)
                self.client.update_job(known.id, body, version=version)
                if "key" in body:
                    self.keys.leave(known.id)
            case DeclarationKind.DAG:
                changed = self.client.update_dag(known.id, body, version=known.version)
                return ids_of_dag(known.key, changed)
            case DeclarationKind.RULE:
                self.client.put_rule(known.name, body, version=known.version)
            case DeclarationKind.EVENT_TRIGGER:
                self.client.put_event_trigger(known.name, body, version=known.version)
        return {known.key: known.id}

    def end(self, known: StoredDefinition) -> None:
        """Let there be no more of it, unless it was changed meanwhile."""
        match known.kind:
            case DeclarationKind.CALENDAR:
                self.client.delete_calendar(known.name, version=known.version)
            case DeclarationKind.JOB:
                version = self.keys.version(known.id, known.version)
                self.client.cancel_job(known.id, version=version)
            case DeclarationKind.DAG:
                self.client.delete_dag(known.id, version=known.version)
            case DeclarationKind.RULE:
                self.client.delete_rule(known.name, version=known.version)
            case DeclarationKind.EVENT_TRIGGER:
                self.client.delete_event_trigger(known.name, version=known.version)

    def _created(self, key: str, create: Callable[[str], Mapping[str, Any]]) -> Mapping[str, Any]:
        return created(create, key, files=self.files, ended=self.ended.get(key, ""))


def _without_address(trigger: JsonObject) -> JsonObject:
    """An event trigger without the address of its web hook, which the stage gives it."""
    hook = trigger["hook"]
    if hook is None:
        return trigger
    return {**trigger, "hook": {name: value for name, value in hook.items() if name != "path"}}
