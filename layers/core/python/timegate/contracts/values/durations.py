"""Fields of seconds: a number, or a duration in ISO 8601."""

from collections.abc import Mapping
from typing import Any

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from timegate.domain.values.durations import is_duration, read_duration
from timegate.domain.values.errors import InvalidInput


class Duration:
    """Marks a numeric field that reads ``PT5M`` as 300.

    It stands behind the limits in ``Annotated``, so that they hold for both spellings.
    """

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Read text before the number is checked."""
        return core_schema.no_info_before_validator_function(_read, handler(source))

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> Mapping[str, Any]:
        """Describe both spellings of what is read; answers have the number alone."""
        number = handler(schema)
        if handler.mode == "serialization":
            return number
        return {"oneOf": [number, {"type": "string", "format": "duration"}]}


def _read(value: object) -> object:
    if not isinstance(value, str):
        return value
    if not is_duration(value):
        detail = "It must be a number of seconds, or a duration such as PT5M."
        raise PydanticCustomError("wrong_type", detail)
    try:
        return read_duration(value)
    except InvalidInput as refused:
        raise PydanticCustomError(refused.code, refused.detail) from refused
