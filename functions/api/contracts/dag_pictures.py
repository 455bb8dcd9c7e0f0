"""How pictures of DAG runs are asked for."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class RunGraphQuery(BaseModel):
    """How to draw its graph."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Literal["json", "mermaid", "dot"] = Field(
        "json", description="Places and lines, or text for a program that draws."
    )


class GanttQuery(BaseModel):
    """How to draw it over time."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Literal["json", "text", "svg"] = Field(
        "json", description="Numbers, or a picture for a terminal or a browser."
    )
