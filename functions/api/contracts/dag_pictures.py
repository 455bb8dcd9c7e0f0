"""Queries of pictures of DAG runs."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class RunGraphQuery(BaseModel):
    """Form of the graph of a DAG run."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Literal["json", "mermaid", "dot"] = Field(
        "json", description="Places and lines, or text for a program that draws."
    )


class GanttQuery(BaseModel):
    """Form of the chart of a DAG run over time."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Literal["json", "text", "svg"] = Field(
        "json", description="Numbers, or a picture for a terminal or a browser."
    )
