import Box from "@cloudscape-design/components/box";

import { Instant, Live, localTime, readAll, type Schemas, useApi, useLive } from "../../kit";
import { useRowPages } from "../shared/listing/useRowPages";
import { Scroll } from "../shared/Scroll";
import { stateWords } from "../shared/stateWords";
import { axisOf, percentAt, writeDuration, type Axis } from "../timeAxis";
import { hasEnded } from "./consequences";
import "../shared/tokens.css";
import "./gantt.css";

type Bar = Schemas["DagRunBar"];
type Span = Schemas["DagRunSpan"];

interface Props {
  run: Schemas["DagRun"];
  selected: string | null;
  onSelect: (key: string) => void;
}

/** The chart of a DAG run that goes on is read every 10 seconds: 360 requests an hour. */
const PERIOD_MS = 10_000;

/** Draws what each task waited in its queue and worked, on one axis of time. */
export function Gantt({ run, selected, onSelect }: Props) {
  const api = useApi();
  const path = { dag_run_id: run.dag_run_id };
  const live = useLive({
    key: ["gantt", run.dag_run_id, run.round, run.status],
    read: () => readAll(api.GET("/v1/dag-runs/{dag_run_id}/gantt", { params: { path } })),
    everyMs: () => (hasEnded(run.status) ? null : PERIOD_MS),
  });
  return (
    <Live live={live}>
      {(chart) => <Chart chart={chart} selected={selected} onSelect={onSelect} />}
    </Live>
  );
}

function Chart({ chart, selected, onSelect }: Omit<Props, "run"> & { chart: Schemas["DagRunGantt"] }) {
  const axis = axisOf(Date.parse(chart.begins_at), Date.parse(chart.ends_at), 8);
  const { rows, pages } = useRowPages(chart.rows, selected);
  return (
    <>
      {pages}
      <Scroll className="tg-gantt" label="Tasks over time">
        <Ticks axis={axis} />
        {rows.map((bar) => (
          <Row
            key={bar.key}
            bar={bar}
            axis={axis}
            isChosen={bar.key === selected}
            onSelect={onSelect}
          />
        ))}
        <Box variant="small" color="text-body-secondary">
          Hatched: waits in the queue. Solid: works. Times count from{" "}
          <Instant at={chart.begins_at} both />.
        </Box>
      </Scroll>
    </>
  );
}

function Ticks({ axis }: { axis: Axis }) {
  return (
    <div className="tg-gantt-row tg-gantt-axis" aria-hidden="true">
      <span />
      <span className="tg-gantt-track">
        {axis.ticks.map((tick) => (
          <span
            key={tick}
            className="tg-gantt-tick"
            style={{ insetInlineStart: `${(tick / (axis.ends - axis.begins)) * 100}%` }}
          >
            {tick === 0 ? "0" : `+${writeDuration(tick)}`}
          </span>
        ))}
      </span>
    </div>
  );
}

interface RowProps {
  bar: Bar;
  axis: Axis;
  isChosen: boolean;
  onSelect: (key: string) => void;
}

function Row({ bar, axis, isChosen, onSelect }: RowProps) {
  return (
    <button
      type="button"
      className={`tg-gantt-row tg-gantt-task${isChosen ? " tg-gantt-chosen" : ""}`}
      aria-pressed={isChosen}
      onClick={() => {
        onSelect(bar.key);
      }}
    >
      <span className="tg-gantt-title">{bar.title}</span>
      <span className="tg-gantt-track">
        {bar.spans.map((span) => (
          <span
            key={`${span.round} ${span.attempt} ${span.kind} ${span.begins_at}`}
            className={`tg-span tg-span-${span.kind} tg-span-${span.state ?? "open"}`}
            style={placed(span, axis)}
            title={`${span.kind}, attempt ${span.attempt}, round ${span.round}: ${lengthOf(span, axis)}`}
          />
        ))}
        {bar.spans.length === 0 && (
          <span className="tg-gantt-none">{stateWords(bar.state, bar.reason)}</span>
        )}
      </span>
      <span className="tg-visually-hidden">{said(bar)}</span>
    </button>
  );
}

function placed(span: Span, axis: Axis): { insetInlineStart: string; inlineSize: string } {
  const left = percentAt(axis, Date.parse(span.begins_at));
  const right = span.ends_at === null ? 100 : percentAt(axis, Date.parse(span.ends_at));
  return { insetInlineStart: `${left}%`, inlineSize: `max(${right - left}%, 2px)` };
}

function lengthOf(span: Span, axis: Axis): string {
  const ends = span.ends_at === null ? axis.ends : Date.parse(span.ends_at);
  return writeDuration(ends - Date.parse(span.begins_at));
}

/** Says in words what the bars of a row show. */
function said(bar: Bar): string {
  const spans = bar.spans.map(
    (span) =>
      `${span.kind} from ${localTime(span.begins_at, true)}${span.ends_at === null ? " on" : ` to ${localTime(span.ends_at, true)}`}`,
  );
  const state = spans.length === 0 ? [] : [stateWords(bar.state, bar.reason)];
  return [...state, ...spans].map((each) => ` ${each}`).join(";");
}
