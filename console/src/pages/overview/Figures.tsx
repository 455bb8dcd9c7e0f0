import Box from "@cloudscape-design/components/box";
import Container from "@cloudscape-design/components/container";
import StatusIndicator from "@cloudscape-design/components/status-indicator";
import type { ReactNode } from "react";

import { RouteLink, type Schemas } from "../../kit";

type Overview = Schemas["Overview"];

const FULL = 0.9;

/** Shows the figures that an operator looks at first; each opens the list that it counts. */
export function Figures({ overview }: { overview: Overview }) {
  const { failing, dead_letters: letters, paused_jobs: paused, freezes, usage } = overview;
  const inForce = freezes.filter(({ state }) => state === "active").length;
  return (
    <div className="tg-figures">
      <Figure title="Failed runs, last 24 hours" to="/runs" isBad={failing.count > 0} good="Nothing failed">
        {counted(failing)}
      </Figure>
      <Figure title="Dead letters" to="/decisions" isBad={letters.count > 0} good="None waits">
        {counted(letters)}
      </Figure>
      <Figure title="Jobs that failures paused" to="/decisions" isBad={paused.length > 0} good="None is paused">
        {String(paused.length)}
      </Figure>
      <Figure title="Freezes in force" to="/calendars" isBad={inForce > 0} good="Nothing is frozen">
        {String(inForce)}
      </Figure>
      <Figure title="Jobs that may run" to="/jobs?status=active" isBad={false} good={statuses(overview.jobs)}>
        {usage.jobs.toLocaleString("en")}
      </Figure>
      <Quota overview={overview} />
    </div>
  );
}

const counted = ({ count, is_partial: isPartial }: { count: number; is_partial: boolean }): string =>
  `${count.toLocaleString("en")}${isPartial ? "+" : ""}`;

function statuses(jobs: Overview["jobs"]): string {
  return jobs === null ? "active and paused" : `${jobs.active} active, ${jobs.paused} paused`;
}

interface FigureProps {
  title: string;
  to: string;
  isBad: boolean;
  good: string;
  children: ReactNode;
}

function Figure({ title, to, isBad, good, children }: FigureProps) {
  return (
    <Container>
      <Box color="text-body-secondary">{title}</Box>
      <div className="tg-figure">{children}</div>
      <StatusIndicator type={isBad ? "warning" : "success"}>
        {isBad ? <RouteLink to={to} label={`Look at them: ${title}`}>Look at them</RouteLink> : good}
      </StatusIndicator>
    </Container>
  );
}

/** Shows the runs of this day, where a quota has them counted, and else the DAGs. */
function Quota({ overview }: { overview: Overview }) {
  const { usage, effective_quotas: quotas } = overview;
  const [title, used, most] =
    usage.runs_per_day === null
      ? (["DAGs", usage.dags, quotas.dags] as const)
      : (["Runs of this day (UTC)", usage.runs_per_day, quotas.runs_per_day] as const);
  const isFull = most !== null && used >= most * FULL;
  return (
    <Container>
      <Box color="text-body-secondary">{title}</Box>
      <div className="tg-figure">{used.toLocaleString("en")}</div>
      <StatusIndicator type={isFull ? "warning" : "success"}>
        {most === null ? "No quota" : `of ${most.toLocaleString("en")}`}
      </StatusIndicator>
    </Container>
  );
}
