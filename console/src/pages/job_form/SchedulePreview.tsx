import Alert from "@cloudscape-design/components/alert";
import Box from "@cloudscape-design/components/box";
import SpaceBetween from "@cloudscape-design/components/space-between";
import StatusIndicator from "@cloudscape-design/components/status-indicator";

import { Instant, readAll, type Schemas, Skeleton, useApi, useLive } from "../../kit";
import { monthsOf, zoneOf } from "./days";
import type { Draft } from "../form/draft";
import { FiresCalendar } from "./FiresCalendar";

type Preview = Schemas["Preview"];

const INSTANTS = 60;
const LISTED = 8;

/** Shows a schedule in words, its next instants, and the days on which its clock changes. */
export function SchedulePreview({ draft }: { draft: Draft }) {
  const api = useApi();
  const { schedule, calendars } = draft;
  const isNamed = typeof schedule === "object" && schedule !== null && "kind" in schedule;
  const body = {
    schedule,
    count: INSTANTS,
    ...(calendars === undefined ? {} : { calendars }),
  } as unknown as Schemas["PreviewRequest"];
  const { data, problem } = useLive({
    key: ["schedule-preview", body],
    read: () => readAll(api.POST("/v1/schedules/preview", { body })),
    everyMs: () => null,
    keepsLast: true,
    isEnabled: isNamed,
  });
  if (!isNamed) return <Box color="text-body-secondary">Choose a schedule to see when it fires.</Box>;
  if (problem !== null) {
    const [first] = problem.problem.errors;
    return <StatusIndicator type="warning">{first?.detail ?? problem.message}</StatusIndicator>;
  }
  if (data === undefined) return <Skeleton what="the next instants" />;
  return <Shown preview={data} timezone={zoneOf(schedule)} />;
}

function Shown({ preview, timezone }: { preview: Preview; timezone: string }) {
  const { instants, clock_changes: changes, description, end } = preview;
  return (
    <SpaceBetween size="m">
      <Box variant="h3">{description}</Box>
      {instants.length === 0 && <Box color="text-body-secondary">It fires at no time by itself.</Box>}
      <div className="tg-months">
        {monthsOf(instants, changes, timezone).map((month) => (
          <FiresCalendar key={month.title} month={month} />
        ))}
      </div>
      <ol className="tg-instants" aria-label="Next instants">
        {instants.slice(0, LISTED).map(({ at, outcome, runs_at: runsAt }) => (
          <li key={at}>
            <Instant at={runsAt ?? at} both />
            {outcome !== "runs" && <strong> {outcome}</strong>}
          </li>
        ))}
      </ol>
      {changes.map((change) => (
        <Alert key={`${change.at} ${change.kind}`} type={change.effect === "unaffected" ? "info" : "warning"}>
          {change.description}
        </Alert>
      ))}
      {end !== null && <Box color="text-body-secondary">max_runs ends it after the instants shown.</Box>}
    </SpaceBetween>
  );
}
