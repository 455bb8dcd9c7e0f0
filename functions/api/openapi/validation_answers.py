"""What answers about jobs that are not stored look like."""

from pydantic import Field

from api.openapi.answers import AdviceAnswer, Answer, DefinedJob
from api.openapi.problem_answers import FieldProblem


class JobValidation(Answer):
    """What creating a job would say."""

    valid: bool
    definition: DefinedJob = Field(description="The job, with the default of what was left out.")
    errors: list[FieldProblem]
    advice: list[AdviceAnswer] = Field(description="What the definition alone lets expect.")
