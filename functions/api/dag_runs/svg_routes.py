"""Routes of pictures: of DAGs, and of their runs. Other requests lay nothing out."""

from functools import partial

from api.dag_runs.dag_run_routes import dag_run_id_of
from api.dag_runs.svg_answers import SVG, Picture, picture, zone_asked, zone_shown
from api.http.exchange import Exchange, Reply
from api.http.route import route
from timegate.contracts.pictures import DagPictureQuery, GanttPictureQuery, RunPictureQuery
from timegate.domain.dag_runs.pictures import gantt_svg, graph_svg
from timegate.domain.dags.drawing import drawing_of
from timegate.usecases.dag_runs.reading.draw_dag_run import draw_gantt, draw_graph
from timegate.usecases.dags.read_dags import read_dag

_picture = partial(
    route,
    "GET",
    answer=Picture,
    media_type=SVG,
    refusals=(404,),
    answer_headers=("Content-Security-Policy", "X-Content-Type-Options"),
)


@_picture(
    "/v1/dags/<dag_id>/graph.svg",
    operation="drawDagPicture",
    weight=8,
    query=DagPictureQuery,
    success={200: "The DAG as a picture."},
)
def graph(exchange: Exchange) -> Reply:
    """Draw a DAG as a picture.

    Tasks stand in layers, each behind those that it waits for.
    """
    query = exchange.query(DagPictureQuery)
    dag = read_dag(exchange.tenant, exchange.dag_id, exchange.services, version=query.version)
    svg = graph_svg.graph_svg(drawing_of(dag), query.scheme)
    return picture(svg, graph_svg.LOOK.sheet(query.scheme))


@_picture(
    "/v1/dag-runs/<dag_run_id>/graph.svg",
    operation="drawDagRunPicture",
    weight=8,
    query=RunPictureQuery,
    success={200: "Its graph, with the states of its tasks."},
)
def run_graph(exchange: Exchange) -> Reply:
    """Draw a DAG run as a picture.

    The picture is that of drawDagPicture, with each task in the colour of its state.
    """
    query = exchange.query(RunPictureQuery)
    _, drawing = draw_graph(exchange.tenant, dag_run_id_of(exchange), exchange.services)
    svg = graph_svg.graph_svg(drawing, query.scheme)
    return picture(svg, graph_svg.LOOK.sheet(query.scheme))


@_picture(
    "/v1/dag-runs/<dag_run_id>/gantt.svg",
    operation="drawDagRunGanttPicture",
    weight=4,
    query=GanttPictureQuery,
    success={200: "Its tasks over time."},
)
def gantt(exchange: Exchange) -> Reply:
    """Draw a DAG run over time as a picture.

    Bars of what each task waited and worked, over an axis in the zone of the DAG's schedule.
    """
    query = exchange.query(GanttPictureQuery)
    asked = zone_asked(query.tz)
    chart = draw_gantt(
        exchange.tenant, dag_run_id_of(exchange), exchange.services, now=exchange.now
    )
    svg = gantt_svg.gantt_svg(chart, query.scheme, asked or zone_shown(chart.timezone))
    return picture(svg, gantt_svg.LOOK.sheet(query.scheme))
