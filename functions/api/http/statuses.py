"""Words of HTTP statuses: those of RFC 9110, in each version of Python."""

from http import HTTPStatus

#: Python has had these words since 3.13.
_NEWER = {
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "Content Too Large",
    HTTPStatus.UNPROCESSABLE_ENTITY: "Unprocessable Content",
}


def phrase_of(status: HTTPStatus) -> str:
    """Return its reason phrase (RFC 9110, section 15), as ``Not Found``."""
    return _NEWER.get(status, status.phrase)


def component_of(status: HTTPStatus) -> str:
    """Return the name of its response in the API's description, as ``NOT_FOUND``."""
    return phrase_of(status).upper().replace(" ", "_")
