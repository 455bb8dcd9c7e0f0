"""Refusals of one of many, as answers to the whole request show them."""

from dataclasses import replace

from api.http.problems import Problem
from api.values.views import View


def placed(prefix: str, problem: Problem) -> Problem:
    """Name each field with the place of its item."""
    errors = tuple(replace(each, field=f"{prefix}.{each.field}") for each in problem.errors)
    return replace(problem, errors=errors)


def item_error(problem: Problem) -> View:
    """Show a problem as one of the whole request."""
    body = problem.body(request_id="")
    return {name: body[name] for name in ("code", "detail", "errors")}
