"""The exchange that a handler is given, and the reply that it returns."""

import re
from collections.abc import Collection, Mapping
from dataclasses import field, replace
from datetime import datetime
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, TypeVar, get_origin
from urllib.parse import parse_qsl

from aws_lambda_powertools.utilities.data_classes import APIGatewayProxyEventV2
from pydantic import BaseModel, ValidationError

from api.http.body import JsonBody, body_text, read_body
from api.http.field_errors import field_errors
from api.http.refusals import (
    FieldError,
    InvalidFields,
    MissingBody,
    RouteNotFound,
    UnsupportedMediaType,
)
from api.http.tenancy import subject_of
from timegate.contracts.values.fields import Nothing
from timegate.domain.dags.errors import DagNotFound
from timegate.domain.tenants.people import PeopleRules
from timegate.domain.values.errors import OperationNotFound
from timegate.domain.values.identity import (
    DagId,
    JobId,
    OperationId,
    RunId,
    parse_dag_id,
    parse_operation_id,
)
from timegate.domain.values.plaintext import refuse_plaintext
from timegate.domain.values.tenant import TenantId
from timegate.usecases.services.api_services import ApiServices
from timegate.usecases.services.worker_services import WorkerServices
from timegate.value_classes import dataclass

if TYPE_CHECKING:
    from timegate.domain.archive.archived_run import ArchiveFilter
    from timegate.domain.operations.dead_letter import DeadLetterFilter
    from timegate.domain.operations.operation import Cancellation, Rescheduling
    from timegate.domain.runs.run_filter import FailureFilter, RunCriteria

_MAX_PARAMETERS = 50
#: ASCII is UTF-8 as well; any other encoding would be misread.
_JSON = re.compile(
    r'\s*+(application/[\w.+-]++)\s*+(;\s*+charset="?(utf-?8|us-ascii)"?\s*+)?;?\s*+', re.IGNORECASE
)

_JSON_TYPE = ("application/json",)
#: White space of JSON (RFC 8259, section 2): text of any other is no empty body.
_SPACE = " \t\n\r"
_CHARSET = re.compile(r';\s*charset="?([^\s";]+)', re.IGNORECASE)

Query = TypeVar("Query", bound=BaseModel)
Wanted = TypeVar(
    "Wanted",
    "DeadLetterFilter",
    "FailureFilter",
    "RunCriteria",
    "Cancellation",
    "Rescheduling",
    "ArchiveFilter",
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Exchange:
    """One request, of a tenant that is known."""

    event: APIGatewayProxyEventV2
    path: Mapping[str, str]
    tenant: TenantId
    now: datetime
    #: Services of the function that serves it; routes ask for what they need.
    provided: ApiServices | WorkerServices
    #: Rows of a page at most; ``None``: as many as the caller asks for.
    most_rows: int | None = None

    @property
    def services(self) -> ApiServices:
        """Services of jobs and runs; raises ``RouteNotFound`` in the function of workers."""
        if not isinstance(self.provided, ApiServices):
            raise RouteNotFound
        return self.provided

    @property
    def workers(self) -> WorkerServices:
        """Services of workers; raises ``RouteNotFound`` in any other function."""
        if not isinstance(self.provided, WorkerServices):
            raise RouteNotFound
        return self.provided

    @property
    def job_id(self) -> JobId:
        """The job in the path, by its id or its key; raises ``JobNotFound``."""
        return self.job_named(self.path["job_id"])

    def job_named(self, text: str) -> JobId:
        """Return the job of an id, or of a reference by key, which is read.

        Raises ``JobNotFound`` for text that is neither, and for a key of no job.
        """
        return self.services.job_named(self.tenant, text)

    def of_job(self, wanted: Wanted) -> Wanted:
        """Return a filter with the id of the job that it names by its key; as ``job_named``."""
        named = wanted.job_id
        return wanted if named is None else replace(wanted, job_id=self.job_named(named))

    @property
    def dag_id(self) -> DagId:
        """The DAG in the path; text that is no id raises ``DagNotFound``, as an unknown one."""
        text = self.path["dag_id"]
        dag_id = parse_dag_id(text)
        if dag_id is None:
            raise DagNotFound(text)
        return dag_id

    @property
    def run_id(self) -> RunId:
        """The run in the path; raises ``RunNotFound``."""
        return RunId.parse(self.path["run_id"])

    @property
    def operation_id(self) -> OperationId:
        """The operation in the path; raises ``OperationNotFound`` as an unknown one would."""
        text = self.path["operation_id"]
        operation_id = parse_operation_id(text)
        if operation_id is None:
            raise OperationNotFound(text)
        return operation_id

    @property
    def caller(self) -> str:
        """The caller: a person's name, or the token's subject, or else the tenant."""
        return subject_of(self.event, self.people) or self.tenant

    @property
    def people(self) -> PeopleRules:
        """The stage's rules of people's tokens."""
        return self.provided.token_rules.people

    def header(self, name: str) -> str | None:
        """A header, whatever the case of its name."""
        return self.event.headers.get(name)

    @property
    def has_body(self) -> bool:
        """Anything was sent; raises ``MalformedBody``."""
        return bool(self._text().strip(_SPACE))

    @property
    def body_bytes(self) -> int:
        """About how large the body is; it is measured before it is read."""
        sent = len(self.event.body or "")
        return sent * 3 // 4 if self.event.is_base64_encoded else sent

    def body(
        self,
        *,
        checked: bool = True,
        also: Collection[str] = (),
        references: bool = True,
        keeps_unknown: bool = False,
    ) -> JsonBody:
        """The JSON body; raises ``MalformedBody``, ``BodyTooLarge`` or ``UnsupportedMediaType``.

        ``PlaintextSecret`` as well, unless the caller looks for credentials itself. ``also``:
        media types beside ``application/json``. ``references``: ids stand for keys of jobs then;
        a body that others wrote is left as it is. ``keeps_unknown``: a key of no job stays, for a
        use case that knows repeated requests: the job may be gone since the first one.
        """
        text = self._text()
        if not text.strip(_SPACE):
            raise MissingBody
        media_type = self.header("Content-Type")
        kind = _JSON.fullmatch(media_type) if media_type is not None else None
        if media_type is not None and (kind is None or kind[1].lower() not in {*_JSON_TYPE, *also}):
            raise UnsupportedMediaType
        body = read_body(text)
        if checked:
            self._refuse_plaintext(body.value)
        if references and ('"key:' in text or '"dag:' in text):
            # Imported here: few requests name a job by its key, or by the DAG whose own it is.
            from api.http.key_references import with_ids  # noqa: PLC0415

            return body.with_value(
                with_ids(body.value, self.job_named, keeps_unknown=keeps_unknown)
            )
        return body

    def optional_body(self) -> JsonBody:
        """The JSON body; an empty object where nothing was sent. Raises as ``body``."""
        return self.body() if self.has_body else read_body("{}")

    def text(self, media_type: str) -> str | None:
        """The body as it is, if it says that it is of this type; raises ``MalformedBody``."""
        said = self.header("Content-Type") or ""
        if said.partition(";")[0].strip().lower() != media_type:
            return None
        charset = _CHARSET.search(said)
        if charset is not None and charset[1].lower() not in {"utf-8", "utf8", "us-ascii"}:
            raise UnsupportedMediaType
        text = self._text()
        if not text.strip(_SPACE):
            raise MissingBody
        self._refuse_plaintext(text)
        return text

    def refuse_body(self) -> None:
        """Refuse fields that would not be read; an empty body or object is none. Raises as
        ``body``.
        """
        if self.has_body:
            self.body().parse(Nothing)

    def query(self, model: type[Query]) -> Query:
        """The query string; a list is given value by value. Raises ``InvalidFields``."""
        fields = model.model_fields.items()
        repeatable = {name for name, field in fields if get_origin(field.annotation) is list}
        values: dict[str, Any] = {}
        for name, text in self._pairs():
            if name in repeatable:
                values.setdefault(name, []).append(text)
            elif name in values:
                raise InvalidFields([_repeated(name)])
            else:
                values[name] = text
        try:
            query = model.model_validate(values)
        except ValidationError as error:
            raise InvalidFields(field_errors(error, model)) from error
        if self.most_rows is None or not is_paged(model):
            return query
        return query.model_copy(update={"limit": min(rows_of(query), self.most_rows)})

    def _refuse_plaintext(self, sent: object) -> None:
        # Workers prove by tokens which run they hold; what their programs say is redacted.
        if isinstance(self.provided, ApiServices):
            refuse_plaintext(sent)

    def _text(self) -> str:
        return body_text(self.event)

    def _pairs(self) -> list[tuple[str, str]]:
        # The parsed form joins repeated parameters with commas, which values may contain.
        raw = self.event.get("rawQueryString") or ""
        try:
            return parse_qsl(raw, keep_blank_values=True, max_num_fields=_MAX_PARAMETERS)
        except ValueError as error:
            detail = f"At most {_MAX_PARAMETERS} parameters are read."
            raise InvalidFields(
                [FieldError(field="query", code="too_long", detail=detail)]
            ) from error


def is_paged(model: type[BaseModel]) -> bool:
    """Tell if a query asks for a page of a listing, which may be shorter and leads on."""
    return {"limit", "cursor"} <= model.model_fields.keys()


def rows_of(query: BaseModel) -> int:
    """Return the rows that a page may have."""
    return int(query.limit)  # type: ignore[attr-defined]  # ``is_paged`` told of it.


@dataclass(frozen=True, kw_only=True, slots=True)
class Reply:
    """Answer to a request."""

    #: JSON, or text of the route's media type.
    body: Mapping[str, Any] | str
    status: HTTPStatus = HTTPStatus.OK
    headers: Mapping[str, str] = field(default_factory=dict)

    def unless(self, *, replayed: bool) -> "Reply":
        """This answer; or, of a request that an earlier one anticipated, the same with 200."""
        if not replayed:
            return self
        headers = {**self.headers, "Idempotency-Replayed": "true"}
        return replace(self, status=HTTPStatus.OK, headers=headers)


def _repeated(name: str) -> FieldError:
    return FieldError(field=name[:100], code="repeated", detail="It can be given once.")
