import Alert from "@cloudscape-design/components/alert";
import Box from "@cloudscape-design/components/box";
import Container from "@cloudscape-design/components/container";
import Header from "@cloudscape-design/components/header";
import KeyValuePairs from "@cloudscape-design/components/key-value-pairs";
import SpaceBetween from "@cloudscape-design/components/space-between";
import Table from "@cloudscape-design/components/table";

import {
  Instant,
  Live,
  Page,
  readAll,
  Said,
  SameByCommand,
  type Schemas,
  useApi,
  useLive,
  useNow,
  useRouteParam,
} from "../../kit";
import { command, request, shellWord } from "../shared/quoting";
import { writeDuration } from "../timeAxis";
import { writeUse } from "./capacity";
import { PoolActions } from "./PoolActions";

type Pool = Schemas["Pool"];

/** A pool is read every 10 seconds while the page is in sight: 360 requests an hour. */
const PERIOD_MS = 10_000;
const MINUTE_MS = 60_000;

export default function PoolPage() {
  const pool = useRouteParam("pool");
  const api = useApi();
  const live = useLive({
    key: ["pool", pool],
    read: () => readAll(api.GET("/v1/pools/{pool}", { params: { path: { pool } } })),
    everyMs: () => PERIOD_MS,
  });
  return (
    <Page
      title={`Pool ${pool}`}
      crumbs={[
        { text: "Workers and pools", href: "/pools" },
        { text: pool, href: `/pools/${encodeURIComponent(pool)}` },
      ]}
    >
      <SpaceBetween size="l">
        <Header
          variant="h1"
          description="Runs that wait for workers outside, and who serves them."
          actions={live.data !== undefined && <PoolActions pool={live.data} onChange={live.refetch} />}
        >
          Pool {pool}
        </Header>
        <Live live={live}>{(answer) => <Shown pool={answer} />}</Live>
        <SameByCommand
          cli={command(`pools get ${shellWord(pool)}`)}
          api={request("GET", `/v1/pools/${encodeURIComponent(pool)}`)}
        />
      </SpaceBetween>
    </Page>
  );
}

function Shown({ pool }: { pool: Pool }) {
  const oldest = pool.oldest_age_seconds;
  return (
    <SpaceBetween size="l">
      <Standing pool={pool} />
      <Container>
        <KeyValuePairs
          columns={4}
          items={[
            {
              label: "Offers waiting",
              value: `${pool.depth.toLocaleString("en")}${pool.depth_is_partial ? " and more" : ""}`,
            },
            {
              label: "By priority",
              value:
                Object.entries(pool.depth_by_priority)
                  .filter(([, count]) => count > 0)
                  .map(([priority, count]) => `${count} ${priority}`)
                  .join(", ") || "–",
            },
            {
              label: "Oldest offer",
              value: oldest === null ? "–" : `waits for ${writeDuration(oldest * 1_000)}`,
            },
            { label: "Workers", value: pool.workers.length },
            { label: "Capacity in use", value: writeUse(pool) },
            {
              label: "Last served",
              value:
                pool.last_seen_at === null ? "not in 90 days" : <Instant at={pool.last_seen_at} relative />,
            },
          ]}
        />
      </Container>
      <Table
        trackBy="worker"
        wrapLines
        items={pool.workers}
        ariaLabels={{ tableLabel: "Workers of the pool" }}
        header={
          <Header
            variant="h2"
            counter={`(${pool.workers.length})`}
            description="Those that asked for work within five minutes."
          >
            Workers
          </Header>
        }
        empty={<Box color="text-body-secondary">No worker asked for work within five minutes.</Box>}
        columnDefinitions={[
          { id: "worker", header: "Worker", isRowHeader: true, cell: (each) => each.worker },
          { id: "seen", header: "Seen", cell: (each) => <Instant at={each.seen_at} /> },
          { id: "use", header: "In use", cell: writeUse },
          {
            id: "handlers",
            header: "Handlers",
            cell: (each) => (each.handlers.length === 0 ? "all" : each.handlers.join(", ")),
          },
        ]}
      />
    </SpaceBetween>
  );
}

/** Says first what an operator has to know: that the pool is paused, or that no worker comes for what waits. */
function Standing({ pool }: { pool: Pool }) {
  const oldest = pool.oldest_age_seconds;
  const now = useNow(MINUTE_MS);
  if (pool.pause !== null) {
    const { since, until, by, reason } = pool.pause;
    return (
      <Alert type="warning" header="This pool is paused: no worker is handed a run of it">
        By {by} since <Instant at={since} />
        {until !== null && (
          <>
            {" "}
            until <Instant at={until} />
          </>
        )}
        {reason === null ? "." : <>: <Said>{reason}</Said></>}
      </Alert>
    );
  }
  if (pool.workers.length === 0 && pool.depth > 0) {
    const unserved =
      pool.last_seen_at === null ? "90 days" : writeDuration(now - Date.parse(pool.last_seen_at));
    return (
      <Alert type="error" header={`No worker has served this pool for ${unserved}`}>
        {pool.depth_is_partial ? "At least " : ""}
        {pool.depth} {pool.depth === 1 ? "run waits" : "runs wait"}
        {oldest === null ? "" : `, the first for ${writeDuration(oldest * 1_000)}`}. Start a worker:{" "}
        <Box variant="code">timegate worker run MODULE:WORKER</Box>
      </Alert>
    );
  }
  if (pool.depth > 0 && oldest !== null && oldest > 60) {
    return (
      <Alert type="warning">
        Its workers are behind: the first offer waits for {writeDuration(oldest * 1_000)}. Start
        more workers, or let each take more at once.
      </Alert>
    );
  }
  return null;
}
