"""Bodies: one that is not JSON, or could not be kept and given back, is refused; sizes."""

import base64
import hashlib
import json
from dataclasses import replace
from typing import Any, Self, TypeVar

from aws_lambda_powertools.utilities.data_classes import APIGatewayProxyEventV2
from pydantic import BaseModel, ValidationError

from api.http.field_errors import field_errors
from api.http.refusals import BodyTooLarge, InvalidFields, MalformedBody
from timegate.domain.values.payload import MAX_PAYLOAD_BYTES, json_text
from timegate.value_classes import dataclass

#: The largest payload may arrive with every character escaped, beside the rest of a job.
MAX_BODY_BYTES = 4 * MAX_PAYLOAD_BYTES

#: Bytes of an answer: Lambda takes 6 MB, with headers, and the body is a JSON text in them.
MAX_ANSWER_BYTES = 5_500_000
#: A character outside the basic plane is two escapes.
_BYTES_OF_CHARACTER = 12

Model = TypeVar("Model", bound=BaseModel)


@dataclass(frozen=True, kw_only=True, slots=True)
class JsonBody:
    """A body that was read."""

    value: Any
    #: The same for bodies that differ in white space or the order of fields alone. That of an
    #: empty object is empty: routes whose body is optional read no body as one.
    fingerprint: str
    _text: str

    def parse(self, model: type[Model]) -> Model:
        """Check the body's shape; raises ``InvalidFields`` with every error in it."""
        try:
            return model.model_validate_json(self._text)
        except ValidationError as error:
            if error.errors(include_url=False)[0]["type"] == "json_invalid":
                raise MalformedBody("The body is nested too deeply.") from error
            raise InvalidFields(field_errors(error, model, self.value)) from error

    def with_value(self, value: Any) -> Self:  # noqa: ANN401 - any JSON
        """Return the body with another value, and its own fingerprint."""
        return replace(self, value=value, _text=json_text(value))

    @property
    def payload(self) -> str | None:
        """The field ``payload`` as JSON text; ``None`` when it is absent or null."""
        value = self.value.get("payload")
        return None if value is None else json_text(value)


def body_text(event: APIGatewayProxyEventV2) -> str:
    """The body as it was sent; raises ``MalformedBody`` for bytes that are no UTF-8.

    The gateway encodes in Base64 what it does not know to be text.
    """
    body = event.body or ""
    try:
        sent = base64.b64decode(body, validate=True) if event.is_base64_encoded else body.encode()
        return sent.decode()
    except ValueError as error:
        raise MalformedBody("The body is not UTF-8 text.") from error


def read_body(text: str) -> JsonBody:
    """Read a body; raises ``MalformedBody`` or ``BodyTooLarge``."""
    size = len(text.encode(errors="surrogatepass"))
    if size > MAX_BODY_BYTES:
        raise BodyTooLarge(MAX_BODY_BYTES)
    try:
        value = json.loads(text, object_pairs_hook=_once)
        canonical = json_text(value, sort_keys=True).encode()
    except (ValueError, RecursionError) as error:
        # Covers what Python reads and JSON does not know, and what JSON allows and no table can
        # store: NaN, half a surrogate pair, 1e999.
        raise MalformedBody("The body is not valid JSON.") from error
    fingerprint = "" if value == {} else hashlib.sha256(canonical).hexdigest()
    return JsonBody(value=value, fingerprint=fingerprint, _text=text)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; raises ``MalformedBody`` for one with a field twice: readers differ on it."""
    value = dict(pairs)
    if len(value) < len(pairs):
        raise MalformedBody("A field is given twice.")
    return value


def is_too_large(body: str) -> bool:
    """Tell if Lambda may refuse an answer with this body, each of whose characters may be escaped.

    Most bodies are short enough whatever they hold, and are not measured.
    """
    if len(body) * _BYTES_OF_CHARACTER <= MAX_ANSWER_BYTES:
        return False
    return len(json.dumps(body)) > MAX_ANSWER_BYTES
