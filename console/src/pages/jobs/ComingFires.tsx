import Alert from "@cloudscape-design/components/alert";
import Box from "@cloudscape-design/components/box";
import SpaceBetween from "@cloudscape-design/components/space-between";
import Table from "@cloudscape-design/components/table";

import { Instant, Live, readAll, type Schemas, useApi, useLive } from "../../kit";

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
  return <Live live={live}>{(coming) => <Fires coming={coming} />}</Live>;
}

/** Shows a preview: the schedule in words, its instants, and clock changes that it meets. */
function Fires({ coming }: { coming: Coming }) {
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
        items={coming.instants}
        columnDefinitions={[
          { id: "at", header: "Instant", isRowHeader: true, cell: ({ at }) => <Instant at={at} both /> },
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
