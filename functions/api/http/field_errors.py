"""Errors of Pydantic as answers have them."""

from pydantic import BaseModel, ValidationError

from api.http.refusals import FieldError
from timegate.contracts.values.refused_values import refusals


def field_errors(
    error: ValidationError, model: type[BaseModel], value: object = None
) -> list[FieldError]:
    """Every error of a model, as ``refusals`` names them; ``value``: the body that was read."""
    found = refusals(error, model, value)
    return [FieldError(field=each.field, code=each.code, detail=each.detail) for each in found]
