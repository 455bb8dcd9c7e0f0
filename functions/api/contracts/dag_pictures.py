"""How pictures of DAG runs are asked for."""

from typing import Literal

from pydantic import BaseModel, ConfigDict


class RunGraphQuery(BaseModel):
    """How to draw its graph."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Literal["json", "mermaid", "dot"] = "json"


class GanttQuery(BaseModel):
    """How to draw it over time."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Literal["json", "text", "svg"] = "json"
