"""Routes of pictures of DAG runs."""

from api.dag_runs import dag_run_answers
from api.dag_runs.dag_run_routes import dag_run_id_of
from api.dag_runs.gantt_views import gantt_view
from api.dag_runs.svg_answers import zone_asked, zone_shown
from api.dags.dag_views import graph_view
from api.http.exchange import Exchange, Reply
from api.http.route import route
from timegate.contracts.dag_runs import GanttQuery, RunGraphQuery
from timegate.domain.dag_runs.pictures.gantt_text import gantt_text
from timegate.domain.dags.drawing import dot, mermaid
from timegate.usecases.dag_runs.reading.draw_dag_run import draw_gantt, draw_graph

_LANGUAGES = {"mermaid": mermaid, "dot": dot}


@route(
    "GET",
    "/v1/dag-runs/<dag_run_id>/graph",
    operation="drawDagRun",
    weight=4,
    query=RunGraphQuery,
    answer=dag_run_answers.DagRunGraph,
    success={200: "Its graph, with the states of its tasks."},
    refusals=(404,),
)
def graph(exchange: Exchange) -> Reply:
    """Draw a DAG run as a graph.

    The forms are those of drawDag; each task shows its state.
    """
    asked = exchange.query(RunGraphQuery).format
    run, drawing = draw_graph(exchange.tenant, dag_run_id_of(exchange), exchange.services)
    text = _LANGUAGES[asked](drawing) if asked in _LANGUAGES else None
    named = {
        "dag_run_id": run.dag_run_id,
        "dag_id": run.dag_id,
        "dag_version": run.dag_version,
        "name": drawing.name,
        "status": run.status,
    }
    return Reply(body={**named, "format": asked, **graph_view(drawing, text)})


@route(
    "GET",
    "/v1/dag-runs/<dag_run_id>/gantt",
    operation="drawDagRunGantt",
    weight=4,
    query=GanttQuery,
    answer=dag_run_answers.DagRunGantt,
    success={200: "Its tasks over time."},
    refusals=(404,),
)
def gantt(exchange: Exchange) -> Reply:
    """Draw a DAG run over time.

    When each task waited, ran and ended, as numbers or text.
    """
    query = exchange.query(GanttQuery)
    asked = zone_asked(query.tz)
    chart = draw_gantt(
        exchange.tenant, dag_run_id_of(exchange), exchange.services, now=exchange.now
    )
    zone = asked or zone_shown(chart.timezone)
    text = gantt_text(chart, zone) if query.format == "text" else None
    shown = {**gantt_view(chart), "format": query.format, "timezone": zone.key, "text": text}
    return Reply(body=shown)
