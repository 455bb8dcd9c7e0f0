"""Refusals of files that a stage was exported to, and of stages that cannot be moved.

TimegateError
└── MoveRefused
    ├── ExportDamaged       a line of the file is not as it was written
    ├── ExportIncomplete    the file has no end
    ├── ExportUnknown       another program, or a later release, wrote the file
    ├── ExportDiffers       the file was begun for something else
    ├── TableNotReady       a table is not there, or still being restored
    ├── JobsDiffer          jobs are not there as they are here
    └── JobsAnnounce        jobs are about to store runs
"""

from collections.abc import Sequence

from timegate.domain.values.errors import TimegateError

#: Jobs that a refusal names.
_TOLD = 5


class MoveRefused(TimegateError):
    """Nothing was written that the refusal leaves half done: the command may be repeated."""

    code = "move_refused"


class ExportDamaged(MoveRefused):
    """A line of the file is not as it was written."""

    code = "export_damaged"

    def __init__(self, line: int) -> None:
        super().__init__(
            f"Line {line} is not as it was written: its checksum differs. Nothing was imported."
        )


class ExportIncomplete(MoveRefused):
    """The file has no end: its export was cut short, or lines were lost."""

    code = "export_incomplete"

    def __init__(self) -> None:
        super().__init__("The file has no last line: repeat its export. Nothing was imported.")


class ExportUnknown(MoveRefused):
    """Another program wrote the file, or a later release."""

    code = "export_unknown"

    def __init__(self, detail: str) -> None:
        super().__init__(f"This release does not read the file: {detail}.")


class ExportDiffers(MoveRefused):
    """The file was begun for another stage, for other tenants, or with another choice of history.

    Its export cannot be resumed by this command.
    """

    code = "export_differs"

    def __init__(self, path: str) -> None:
        super().__init__(
            f"{path} was begun for something else: repeat that command, or choose another file."
        )


class TableNotReady(MoveRefused):
    """A table is not there, or not yet: DynamoDB reads none that is still being restored."""

    code = "table_not_ready"

    def __init__(self, tables: Sequence[str]) -> None:
        super().__init__(
            f"{' or '.join(tables)} is not there, or is still being restored:"
            " aws dynamodb wait table-exists --table-name NAME. Then repeat the command."
        )


class JobsDiffer(MoveRefused):
    """Jobs are not in the new stage as they are in the old one."""

    code = "jobs_differ"

    def __init__(self, jobs: Sequence[str]) -> None:
        super().__init__(
            f"{_number(jobs)} not in the new stage as in the old one: export and import again."
        )


class JobsAnnounce(MoveRefused):
    """Jobs of the old stage have announced runs that are not stored yet."""

    code = "jobs_announce"

    def __init__(self, jobs: Sequence[str]) -> None:
        super().__init__(
            f"{_number(jobs)} about to store runs in the old stage: wait for its planner's next"
            " tick, then export and import again."
        )


def _number(jobs: Sequence[str]) -> str:
    named = f"{len(jobs)} jobs are" if len(jobs) > 1 else "A job is"
    return f"{named} ({', '.join(jobs[:_TOLD])}{', …' * (len(jobs) > _TOLD)})"
