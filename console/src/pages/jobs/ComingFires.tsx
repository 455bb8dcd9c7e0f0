import Alert from "@cloudscape-design/components/alert";
import Box from "@cloudscape-design/components/box";
import SpaceBetween from "@cloudscape-design/components/space-between";
import Table from "@cloudscape-design/components/table";

import { Instant, Live, readAll, type Schemas, useApi, useLive, zonedTime } from "../../kit";
import { zoneOf } from "../job_form/days";

type Job = Schemas["Job"];
type Coming = Schemas["Preview"];
const COUNT = 25;

/** Lists the next instants of a job's schedule and what its calendars make of each. */
export default function ComingFires({ job }: { job: Job }) {
  const api = useApi();
  const recurs = ["cron", "rate", "rrule", "union"].includes(job.schedule.kind);
  const body = { schedule: job.schedule, calendars: job.calendars, count: COUNT };
  const live = useLive({
    key: ["coming", job.job_id, job.version],
    read: () => readAll(api.POST("/v1/schedules/preview", { body: body as never })),
    everyMs: () => null,
    isEnabled: recurs,
  });
  if (!recurs) return <Box>{job.next_run_at === null ? "Nothing is to come." : <Instant at={job.next_run_at} both />}</Box>;
  return <Live live={live}>{(coming) => <Fires coming={coming} timezone={zoneOf(job.schedule)} />}</Live>;
}

/** Shows a preview: the schedule in words, its instants on its own clock and the reader's, and clock changes that it meets. */
function Fires({ coming, timezone }: { coming: Coming; timezone: string }) {
  return (
    <SpaceBetween size="s">
      <Box variant="p">{coming.description}</Box>
      {coming.clock_changes.map((change) => (
        <Alert key={change.at} type="info">
          {change.description} (<Instant at={change.at} both />)
        </Alert>
      ))}
      <Table
        variant="embedded"
        wrapLines
        items={coming.instants}
        columnDefinitions={[
          { id: "at", header: "Instant", isRowHeader: true, cell: ({ at }) => <Instant at={at} both /> },
          { id: "clock", header: `On the clock of ${timezone}`, cell: ({ at }) => zonedTime(at, timezone) },
          { id: "in", header: "From now", cell: ({ at }) => <Instant at={at} relative /> },
          { id: "outcome", header: "Becomes", cell: ({ outcome }) => outcome.replaceAll("_", " ") },
          { id: "runs", header: "Runs at", cell: ({ runs_at: at }) => (at === null ? "–" : <Instant at={at} />) },
        ]}
        ariaLabels={{ tableLabel: "Instants to come" }}
        empty={<Box>The schedule names no instant from now on.</Box>}
      />
    </SpaceBetween>
  );
}
