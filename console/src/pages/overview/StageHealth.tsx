import Alert from "@cloudscape-design/components/alert";
import SpaceBetween from "@cloudscape-design/components/space-between";

import { Instant, Live, type LiveQuery, readAll, Said, SameByCommand, type Schemas, useApi, useLive } from "../../kit";

type Health = Schemas["Health"];
/** 60 requests an hour while the page is in sight; each counts as ten. */
const PERIOD_MS = 60_000;

/** Reads the stage's health; parts of a page that show it share one read. */
export function useHealth(): LiveQuery<Health> {
  const api = useApi();
  return useLive({
    key: ["health"],
    read: () => readAll(api.GET("/v1/health")),
    everyMs: () => PERIOD_MS,
  });
}

/** Shows the stage's administration what is wrong with it, and what to do first. */
export function StageHealth() {
  const health = useHealth();
  return (
    <SpaceBetween size="m">
      <Live live={health}>{(known) => <Shown health={known} />}</Live>
      <SameByCommand cli="timegate health" api="GET /v1/health" />
    </SpaceBetween>
  );
}

function Shown({ health }: { health: Health }) {
  if (health.problems.length === 0) {
    return (
      <Alert type="success" header="The stage is healthy">
        {health.shards.open.toLocaleString("en")} shards are planned, swept and audited in time.
      </Alert>
    );
  }
  return (
    <Alert
      type={health.status === "unhealthy" ? "error" : "warning"}
      header={`The stage is ${health.status}`}
    >
      <ul>
        {health.problems.map(({ code, detail, remedy, runbook }) => (
          <li key={`${code} ${detail}`}>
            <b>{detail}</b> <Said>{remedy}</Said> <code>{runbook}</code>
          </li>
        ))}
      </ul>
      At <Instant at={health.at} />.
    </Alert>
  );
}
