"""Requests for pictures of DAGs and their runs."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from timegate.domain.dag_runs.pictures.svg import PictureScheme

ZoneOfPicture = Annotated[
    str | None,
    Field(
        min_length=1,
        max_length=64,
        description="IANA name of the axis's zone; without: that of the DAG's schedule, or UTC.",
    ),
]


class RunPictureQuery(BaseModel):
    """Colours of the picture of a DAG run."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    scheme: PictureScheme = Field(
        PictureScheme.AUTO, description="auto: as the browser of the person who looks at it has it."
    )


class DagPictureQuery(RunPictureQuery):
    """Colours of the picture of a DAG, and its version."""

    version: int | None = Field(None, ge=1, le=999_999_999, description="Without: as it is now.")


class GanttPictureQuery(RunPictureQuery):
    """Colours of the picture of a DAG run over time, and its clock."""

    tz: ZoneOfPicture = None
