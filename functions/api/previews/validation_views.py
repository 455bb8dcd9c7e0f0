"""From the domain to JSON: what creating something would say."""

from collections.abc import Sequence

from api.jobs.job_views import advice_view, job_view
from api.previews.cost_views import cost_view
from api.values.views import View
from timegate.domain.values.errors import InvalidInput
from timegate.usecases.jobs.validate_job import ValidatedJob

#: What is found of a job, and not said by who defines it.
_FOUND = {
    *("job_id", "version", "status", "created_at", "updated_at", "next_run_at"),
    *("auto_pause", "payload_size_bytes", "advice"),
}


def validated_job_view(validated: ValidatedJob, payload: str | None) -> View:
    """Show the problems of a job, and the job with every default."""
    view = job_view(validated.job, payload)
    return {
        "valid": not validated.problems,
        "definition": {name: value for name, value in view.items() if name not in _FOUND},
        "errors": problem_views(validated.problems),
        "advice": advice_view(validated.advice),
        "cost": cost_view(validated.cost),
    }


def problem_views(problems: Sequence[InvalidInput]) -> list[View]:
    """Each field with what is wrong with it."""
    return [{"field": each.field, "code": each.code, "detail": each.detail} for each in problems]
