import Box from "@cloudscape-design/components/box";
import Container from "@cloudscape-design/components/container";
import Header from "@cloudscape-design/components/header";
import SpaceBetween from "@cloudscape-design/components/space-between";

import { Instant, localTime, ProblemAlert, Skeleton } from "../../kit";
import { type JobRun, useJobRuns } from "../jobs/useJobRuns";
import { ListFooter } from "../shared/listing/ListFooter";
import { Unreadable } from "../shared/listing/Unreadable";
import { Scroll } from "../shared/Scroll";
import { writeDuration } from "../timeAxis";
import { type Chart, chartOf, HEIGHT, type Measured, middleOf, WIDTH } from "./chart";
import "../shared/tokens.css";
import "./jobTimes.css";

const MEASURES = [
  { name: "Duration", what: "From start to end", of: ({ duration_ms: ms }: JobRun) => ms },
  { name: "Lateness", what: "From due time to start", of: ({ lateness_ms: ms }: JobRun) => ms },
] as const;

/** Draws how long a job's runs took, and how late they began, over their due times. */
export default function JobTimes({ jobId }: { jobId: string }) {
  const listing = useJobRuns(jobId);
  if (listing.isLoading) return <Skeleton what="runs" lines={8} />;
  return (
    <SpaceBetween size="l">
      {listing.problem !== null && <ProblemAlert problem={listing.problem} />}
      <Unreadable names={listing.unreadable} what="runs" />
      {(listing.problem === null || listing.items.length > 0) &&
        MEASURES.map(({ name, what, of }) => (
          <Measure key={name} name={name} what={what} measures={measuresOf(listing.items, of)} />
        ))}
      <ListFooter listing={listing} what="runs" />
    </SpaceBetween>
  );
}

/** Returns the runs that have a measure; one that has not begun has none. */
function measuresOf(runs: readonly JobRun[], of: (run: JobRun) => number | null): Measured[] {
  return runs.flatMap((run) => {
    const ms = of(run);
    // Clocks differ by milliseconds: nothing begins before it is due.
    return ms === null ? [] : [{ runId: run.run_id, at: Date.parse(run.due_at), ms: Math.max(0, ms), isGood: run.state === "succeeded" }];
  });
}

function Measure({ name, what, measures }: { name: string; what: string; measures: Measured[] }) {
  const middle = middleOf(measures);
  const most = Math.max(...measures.map(({ ms }) => ms));
  return (
    <Container header={<Header variant="h2" description={`${what}, by due time.`}>{name}</Header>}>
      {middle === null ? (
        <Box color="text-body-secondary">No run has been measured yet.</Box>
      ) : (
        <SpaceBetween size="s">
          <div>
            Half of {measures.length.toLocaleString("en")} runs: at most {writeDuration(middle)}. The longest: {writeDuration(most)}.
          </div>
          <Drawing name={name} chart={chartOf(measures)} />
          <Numbers name={name} measures={measures} />
        </SpaceBetween>
      )}
    </Container>
  );
}

const MARGIN = 70;
const BELOW = 26;

function Drawing({ name, chart }: { name: string; chart: Chart }) {
  const { points, lines } = chart;
  const line = points.map(({ x, y }) => `${x},${y}`).join(" ");
  const [first, last] = [points[0], points.at(-1)];
  return (
    <svg
      className="tg-times"
      viewBox={`${-MARGIN} -10 ${WIDTH + MARGIN + 20} ${HEIGHT + BELOW + 10}`}
      role="img"
      aria-label={`${name} of ${points.length} runs over time; the table beneath has each`}
    >
      {lines.map(({ ms, y }) => (
        <g key={ms}>
          <line className="tg-times-line" x1={0} x2={WIDTH} y1={y} y2={y} />
          <text className="tg-times-text" x={-8} y={y} textAnchor="end" dominantBaseline="middle">
            {writeDuration(ms)}
          </text>
        </g>
      ))}
      <polyline className="tg-times-course" points={line} />
      {points.map((point) => (
        <Mark key={point.runId} point={point} />
      ))}
      {[first, last === first ? undefined : last].map((each, index) =>
        each === undefined ? null : (
          <text key={each.runId} className="tg-times-text" x={each.x} y={HEIGHT + BELOW - 6} textAnchor={index === 0 ? "start" : "end"}>
            {localTime(new Date(each.at).toISOString(), false).slice(0, 16)}
          </text>
        ),
      )}
    </svg>
  );
}

/** A disc for a run that succeeded, a cross for any other: colour is never needed. */
function Mark({ point }: { point: Chart["points"][number] }) {
  const { x, y, isGood, ms, at, runId } = point;
  const said = <title>{`${localTime(new Date(at).toISOString(), true)}: ${writeDuration(ms)}${isGood ? "" : ", did not succeed"}`}</title>;
  return isGood ? (
    <circle className="tg-times-good" data-run={runId} cx={x} cy={y} r={3.5}>
      {said}
    </circle>
  ) : (
    <path className="tg-times-bad" data-run={runId} d={`M${x - 4},${y - 4}l8,8m0,-8l-8,8`}>
      {said}
    </path>
  );
}

function Numbers({ name, measures }: { name: string; measures: readonly Measured[] }) {
  return (
    <details>
      <summary>{name} as a table</summary>
      <Scroll className="tg-times-table" label={`${name} of each run`}>
        <table className="tg-table">
          <caption className="tg-visually-hidden">{name} of each run, the latest first</caption>
          <thead>
            <tr>
              <th scope="col">Due</th>
              <th scope="col">{name}</th>
              <th scope="col">Milliseconds</th>
            </tr>
          </thead>
          <tbody>
            {measures.map(({ runId, at, ms }) => (
              <tr key={runId}>
                <th scope="row">
                  <Instant at={new Date(at).toISOString()} both />
                </th>
                <td>{writeDuration(ms)}</td>
                <td>{ms.toLocaleString("en")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </details>
  );
}
