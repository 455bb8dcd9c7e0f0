"""Validations as JSON: a definition, and what is wrong with it."""

from collections.abc import Callable, Sequence

from api.values.views import View
from timegate.domain.values.errors import InvalidInput


def problems_of(check: Callable[[], None]) -> tuple[InvalidInput, ...]:
    """Return the first problem that a check meets; none where it passes.

    Raises ``InvalidInput`` for a name: it stands in the path, and is no part of the definition.
    """
    try:
        check()
    except InvalidInput as problem:
        if problem.field == "name":
            raise
        return (problem,)
    return ()


def validation_view(definition: View, problems: Sequence[InvalidInput]) -> View:
    """Show a definition with every default, and each field that is wrong."""
    return {
        "valid": not problems,
        "definition": definition,
        "errors": [
            {"field": each.field, "code": each.code, "detail": each.detail} for each in problems
        ],
    }
