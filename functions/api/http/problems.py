"""Errors as problem details (RFC 9457): one table from error to status."""

from collections.abc import Mapping
from dataclasses import field
from http import HTTPStatus
from types import MappingProxyType

from api.http.refusals import (
    BodyTooLarge,
    FieldError,
    InsufficientRole,
    InsufficientScope,
    InvalidFields,
    KeysMakeNoKeys,
    MalformedBody,
    MethodNotAllowed,
    NoTenant,
    RequestRefused,
    RouteNotFound,
    Unauthenticated,
    UnsupportedMediaType,
)
from api.http.statuses import phrase_of
from timegate.domain.dag_runs.run_errors import DagRunDamaged, NotAnApprover
from timegate.domain.dags.errors import InvalidDag
from timegate.domain.execution.day_quota import DayIsFull
from timegate.domain.execution.quota_usage import QuotaExceeded
from timegate.domain.ledger.damaged_records import RunDamaged
from timegate.domain.limits.request_rate import RateExceeded
from timegate.domain.values.corrupt_record import BlobMissing
from timegate.domain.values.errors import (
    Conflict,
    InvalidInput,
    JobDamaged,
    LeaseLost,
    NotFound,
    Throttled,
    TimegateError,
    VersionMismatch,
)
from timegate.domain.values.payload import PayloadMismatch
from timegate.domain.values.plaintext import PlaintextSecret
from timegate.domain.values.redaction import redact
from timegate.domain.values.tenant_errors import (
    ApiKeyRefused,
    HookRefused,
    HookUnavailable,
    LinkUnavailable,
    RunExpired,
    TenantErased,
)
from timegate.value_classes import dataclass

CONTENT_TYPE = "application/problem+json"
#: Seconds; a throttled table recovers within the second, and callers add their own jitter.
RETRY_AFTER_SECONDS = 1
#: A secret that could not be read is read again when the last answer is forgotten.
HOOK_RETRY_AFTER_SECONDS = 60

#: The nearest class in an error's ancestry decides; what is not here is our own fault: 500.
STATUSES: Mapping[type[Exception], HTTPStatus] = MappingProxyType(
    {
        MalformedBody: HTTPStatus.BAD_REQUEST,
        InvalidFields: HTTPStatus.BAD_REQUEST,
        InvalidInput: HTTPStatus.BAD_REQUEST,
        Unauthenticated: HTTPStatus.UNAUTHORIZED,
        HookRefused: HTTPStatus.UNAUTHORIZED,
        ApiKeyRefused: HTTPStatus.UNAUTHORIZED,
        NoTenant: HTTPStatus.FORBIDDEN,
        InsufficientScope: HTTPStatus.FORBIDDEN,
        NotAnApprover: HTTPStatus.FORBIDDEN,
        InsufficientRole: HTTPStatus.FORBIDDEN,
        KeysMakeNoKeys: HTTPStatus.FORBIDDEN,
        TenantErased: HTTPStatus.FORBIDDEN,
        NotFound: HTTPStatus.NOT_FOUND,
        RouteNotFound: HTTPStatus.NOT_FOUND,
        MethodNotAllowed: HTTPStatus.METHOD_NOT_ALLOWED,
        Conflict: HTTPStatus.CONFLICT,
        LeaseLost: HTTPStatus.CONFLICT,
        VersionMismatch: HTTPStatus.PRECONDITION_FAILED,
        BodyTooLarge: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        UnsupportedMediaType: HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
        # Every part of it can be read, and together they make no sense.
        InvalidDag: HTTPStatus.UNPROCESSABLE_ENTITY,
        PlaintextSecret: HTTPStatus.UNPROCESSABLE_ENTITY,
        PayloadMismatch: HTTPStatus.UNPROCESSABLE_ENTITY,
        BlobMissing: HTTPStatus.CONFLICT,
        JobDamaged: HTTPStatus.INTERNAL_SERVER_ERROR,
        RunDamaged: HTTPStatus.INTERNAL_SERVER_ERROR,
        DagRunDamaged: HTTPStatus.INTERNAL_SERVER_ERROR,
        RateExceeded: HTTPStatus.TOO_MANY_REQUESTS,
        DayIsFull: HTTPStatus.TOO_MANY_REQUESTS,
        Throttled: HTTPStatus.SERVICE_UNAVAILABLE,
        HookUnavailable: HTTPStatus.SERVICE_UNAVAILABLE,
        LinkUnavailable: HTTPStatus.SERVICE_UNAVAILABLE,
    }
)


#: Errors with a code of their own, which name each field that is wrong.
_OF_SEVERAL_PLACES = (InvalidDag, PlaintextSecret, PayloadMismatch)


@dataclass(frozen=True, kw_only=True, slots=True)
class Problem:
    """The reason of a refusal."""

    status: HTTPStatus
    code: str
    detail: str
    errors: tuple[FieldError, ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict)
    #: Further fields, by name.
    more: Mapping[str, object] = field(default_factory=dict)

    def body(self, request_id: str) -> dict[str, object]:
        """Return the body for callers, who may log it: quoted values hold no credentials."""
        body: dict[str, object] = {
            **self.more,
            "type": f"urn:timegate:problem:{self.code}",
            "title": phrase_of(self.status),
            "status": int(self.status),
            "code": self.code,
            "detail": self.detail,
            "errors": [
                {"field": error.field, "code": error.code, "detail": error.detail}
                for error in self.errors
            ],
            "instance": f"urn:timegate:request:{request_id}",
            "request_id": request_id,
        }
        return redact(body)


def problem_of(error: Exception) -> Problem:
    """Map an error to a problem; an internal fault is reported without its cause."""
    status = next((STATUSES[c] for c in type(error).__mro__ if c in STATUSES), None)
    if status is None or not isinstance(error, TimegateError | RequestRefused):
        return Problem(
            status=HTTPStatus.INTERNAL_SERVER_ERROR,
            code="internal_error",
            detail="Something broke on our side. The request id helps us find it.",
        )
    errors = _errors(error)
    return Problem(
        status=status,
        code=_code(error, errors),
        detail=_detail(error, errors),
        errors=errors,
        headers=_headers(error),
        more=_more(error),
    )


def _errors(error: Exception) -> tuple[FieldError, ...]:
    match error:
        case InvalidFields():
            return error.errors
        case InvalidDag() | PlaintextSecret() | PayloadMismatch():
            return tuple(map(_field_error, error.problems))
        case InvalidInput():
            return (_field_error(error),)
    return ()


def _field_error(error: InvalidInput) -> FieldError:
    return FieldError(field=error.field, code=error.code, detail=error.detail)


def _code(error: TimegateError | RequestRefused, errors: tuple[FieldError, ...]) -> str:
    of_fields = bool(errors) and not isinstance(error, _OF_SEVERAL_PLACES)
    return InvalidFields.code if of_fields else error.code


def _detail(error: Exception, errors: tuple[FieldError, ...]) -> str:
    if isinstance(error, Throttled):
        return "Too much is going on at once; the same request may succeed in a moment."
    if isinstance(error, BlobMissing):
        return "A stored payload that this needs is lost, or has expired: give it anew."
    if isinstance(error, PayloadMismatch):
        return error.detail
    if len(errors) == 1:
        return f"{errors[0].field}: {errors[0].detail}"
    return f"{len(errors)} fields are invalid." if errors else str(error)


def _headers(error: Exception) -> Mapping[str, str]:
    match error:
        case Throttled():
            return {"Retry-After": str(RETRY_AFTER_SECONDS)}
        case RateExceeded() | DayIsFull():
            return _rate_headers(error)
        case HookUnavailable() | LinkUnavailable():
            return {"Retry-After": str(HOOK_RETRY_AFTER_SECONDS)}
        case HookRefused() | ApiKeyRefused() | Unauthenticated() | InsufficientScope():
            return {"WWW-Authenticate": _challenge(error)}
        case MethodNotAllowed():
            return {"Allow": ", ".join(error.allowed)}
    return {}


def _challenge(
    error: HookRefused | ApiKeyRefused | Unauthenticated | InsufficientScope,
) -> str:
    match error:
        case HookRefused():
            return "Webhook-Signature"
        case InsufficientScope():
            # RFC 6750, 3.1.
            return f'Bearer error="{error.code}", scope="{error.needed}"'
    return "Bearer"


def _rate_headers(error: RateExceeded | DayIsFull) -> Mapping[str, str]:
    """Return headers of draft-ietf-httpapi-ratelimit-headers: so many in a window of seconds."""
    headers = {"Retry-After": str(error.retry_after_seconds)}
    if isinstance(error, DayIsFull) or error.limit is None:
        return headers
    limit = error.limit
    window = -(-limit.burst // limit.calls)
    return headers | {
        "RateLimit-Policy": f'"requests";q={limit.burst};w={window}',
        "RateLimit": f'"requests";r=0;t={error.retry_after_seconds}',
    }


def _more(error: Exception) -> Mapping[str, object]:
    match error:
        case QuotaExceeded() | DayIsFull():
            state = {"name": str(error.quota), "limit": error.limit, "used": error.used}
            return {"quota": state}
        case RunExpired():
            return {"archived_in": error.archived_in}
    return {}
