"""Errors that the API raises before any use case is called."""

from collections.abc import Sequence

from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class FieldError:
    """One thing wrong with one field."""

    field: str
    code: str
    detail: str


class RequestRefused(Exception):
    """A request the API does not pass on."""

    code = "refused"


class MalformedBody(RequestRefused):
    """The body cannot be read."""

    code = "malformed_json"


class MissingBody(MalformedBody):
    """A body is missing where one is needed."""

    code = "missing_body"

    def __init__(self) -> None:
        super().__init__("A JSON body is required.")


class UnsupportedMediaType(RequestRefused):
    """The body says that it is not JSON in UTF-8."""

    code = "unsupported_media_type"

    def __init__(self) -> None:
        super().__init__("A body is application/json, in UTF-8.")


class BodyTooLarge(RequestRefused):
    """The body is larger than any valid one."""

    code = "body_too_large"

    def __init__(self, limit: int) -> None:
        super().__init__(f"A body may have {limit} bytes.")


class InvalidFields(RequestRefused):
    """The shape of the request is wrong, field by field."""

    code = "invalid_request"

    def __init__(self, errors: Sequence[FieldError]) -> None:
        super().__init__("One field is invalid." if len(errors) == 1 else "Fields are invalid.")
        self.errors = tuple(errors)


class InvalidHeader(InvalidFields):
    """A header that changes what the request means cannot be read."""

    def __init__(self, name: str, code: str, detail: str) -> None:
        super().__init__([FieldError(field=name, code=code, detail=detail)])


class Unauthenticated(RequestRefused):
    """No token has been checked."""

    code = "unauthenticated"

    def __init__(self) -> None:
        super().__init__("The request carries no valid token.")


class NoTenant(RequestRefused):
    """The token names no tenant."""

    code = "invalid_tenant"

    def __init__(self) -> None:
        super().__init__("The token names no usable tenant.")


class InsufficientScope(RequestRefused):
    """The token does not allow what was asked."""

    code = "insufficient_scope"

    def __init__(self, needed: str) -> None:
        super().__init__(f"This takes a token with the scope {needed}.")
        self.needed = needed


class InsufficientRole(RequestRefused):
    """The roles of the person do not allow what was asked."""

    code = "insufficient_role"

    def __init__(self, needed: Sequence[str], roles: Sequence[str]) -> None:
        has = f"yours: {', '.join(roles)}" if roles else "you have none"
        super().__init__(f"This takes one of the roles {', '.join(needed)}; {has}.")


class KeysMakeNoKeys(RequestRefused):
    """The holder of an API key asks for another one, or for the end of another one."""

    code = "keys_make_no_keys"

    def __init__(self) -> None:
        super().__init__("An API key makes no keys and revokes none but itself; sign in instead.")


class RouteNotFound(RequestRefused):
    """No route has this path."""

    code = "route_not_found"

    def __init__(self) -> None:
        super().__init__("There is nothing at this path.")


class MethodNotAllowed(RequestRefused):
    """The path exists, the method does not."""

    code = "method_not_allowed"

    def __init__(self, allowed: Sequence[str]) -> None:
        super().__init__(f"This path takes {', '.join(allowed)}.")
        self.allowed = tuple(allowed)
