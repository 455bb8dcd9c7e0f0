import Alert from "@cloudscape-design/components/alert";
import Box from "@cloudscape-design/components/box";
import Header from "@cloudscape-design/components/header";
import SpaceBetween from "@cloudscape-design/components/space-between";
import Table from "@cloudscape-design/components/table";

import { Instant, Live, readAll, Said, SameByCommand, type Schemas, useApi, useLive } from "../../kit";
import { latest, sum, worst } from "./series";

type Stage = Schemas["StageOverview"];
/** 60 requests an hour while the page is in sight: the answer is another one each minute. */
const PERIOD_MS = 60_000;

/** Shows the stage to its administration: lateness, ends and queues by lane, and alarms. */
export function StageLanes() {
  const api = useApi();
  const stage = useLive({
    key: ["stage", "overview"],
    read: () => readAll(api.GET("/v1/stage/overview")),
    everyMs: () => PERIOD_MS,
  });
  return (
    <SpaceBetween size="m">
      <Live live={stage}>{(known) => <Shown stage={known} />}</Live>
      <SameByCommand cli="timegate overview --stage" api="GET /v1/stage/overview" />
    </SpaceBetween>
  );
}

function Shown({ stage }: { stage: Stage }) {
  return (
    <SpaceBetween size="m">
      <Alarms alarms={stage.alarms} />
      <Table
        items={stage.lanes}
        trackBy="lane"
        wrapLines
        ariaLabels={{ tableLabel: "Lanes of the stage" }}
        header={
          <Header variant="h2" description="The last hour, all tenants. Lateness is that of the worst five minutes.">
            Stage
          </Header>
        }
        empty={<Box textAlign="center">The stage has no lanes.</Box>}
        columnDefinitions={[
          { id: "lane", minWidth: 140, header: "Lane", isRowHeader: true, cell: ({ lane }) => lane },
          { id: "p50", minWidth: 120, header: "Late, p50 (ms)", cell: ({ start_lag_ms: lag }) => worst(lag.p50) },
          { id: "p99", minWidth: 120, header: "Late, p99 (ms)", cell: ({ start_lag_ms: lag }) => worst(lag.p99) },
          { id: "succeeded", minWidth: 110, header: "Succeeded", cell: ({ ended }) => sum(ended.succeeded) },
          { id: "failed", minWidth: 90, header: "Failed", cell: ({ ended }) => sum(ended.failed) },
          { id: "waiting", minWidth: 90, header: "Waiting", cell: ({ waiting }) => latest(waiting) },
          { id: "oldest", minWidth: 110, header: "Oldest (s)", cell: ({ oldest_seconds: age }) => latest(age) },
        ]}
      />
    </SpaceBetween>
  );
}

function Alarms({ alarms }: { alarms: Stage["alarms"] }) {
  if (alarms.length === 0) {
    return <Alert type="success">No alarm of the stage is on.</Alert>;
  }
  return (
    <Alert type="error" header="Alarms of the stage">
      <ul>
        {alarms.map(({ name, meaning, since }) => (
          <li key={name}>
            <b>{name}</b>, since <Instant at={since} />. <Said>{meaning}</Said>
          </li>
        ))}
      </ul>
    </Alert>
  );
}
