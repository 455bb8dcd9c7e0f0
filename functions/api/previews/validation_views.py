"""From the domain to JSON: what creating something would say."""

import json

from api.jobs.job_views import advice_view
from api.jobs.shown import definition_view
from api.previews.cost_views import cost_view
from api.values.validations import validation_view
from api.values.views import View, payload_view
from timegate.domain.actions.target_rules import TargetPlace
from timegate.usecases.jobs.validate_job import ValidatedJob


def validated_job_view(validated: ValidatedJob, payload: str | None) -> View:
    """Show the problems of a job, and the job with every default."""
    job = validated.job
    definition = definition_view(job) | {"payload": payload_view(job.payload, payload)}
    return validation_view(definition, validated.problems) | {
        "advice": advice_view(validated.advice),
        "cost": cost_view(validated.cost),
        "payload_example": json.loads(validated.example or "null"),
        "target_place": _place(validated.place),
    }


def _place(place: TargetPlace | None) -> View | None:
    return None if place is None else {"region": place.region, "account": place.account}
