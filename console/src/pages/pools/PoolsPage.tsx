import Box from "@cloudscape-design/components/box";
import Button from "@cloudscape-design/components/button";
import Header from "@cloudscape-design/components/header";
import SpaceBetween from "@cloudscape-design/components/space-between";
import StatusIndicator from "@cloudscape-design/components/status-indicator";
import Table, { type TableProps } from "@cloudscape-design/components/table";

import {
  Instant,
  type LiveQuery,
  Page,
  ProblemAlert,
  readAll,
  RouteLink,
  SameByCommand,
  type Schemas,
  Skeleton,
  useApi,
  useLive,
} from "../../kit";
import { writeUse } from "./capacity";

type Listed = Schemas["ListedPool"];

/** One request of weight 20 every minute while the page is in sight. */
const PERIOD_MS = 60_000;

const COLUMNS: TableProps.ColumnDefinition<Listed>[] = [
  {
    id: "pool",
    header: "Pool",
    isRowHeader: true,
    minWidth: 140,
    cell: (each) => <RouteLink to={`/pools/${encodeURIComponent(each.pool)}`}>{each.pool}</RouteLink>,
  },
  { id: "served", header: "Served", minWidth: 220, cell: (each) => <Served pool={each} /> },
  { id: "use", header: "In use", cell: writeUse },
  { id: "waiting", header: "Offers waiting", minWidth: 150, cell: waitingWords },
  {
    id: "oldest",
    header: "First waits since",
    minWidth: 150,
    cell: (each) =>
      each.waiting?.oldest_at == null ? "–" : <Instant at={each.waiting.oldest_at} relative />,
  },
  { id: "jobs", header: "Jobs", cell: (each) => each.jobs },
];

export default function PoolsPage() {
  const api = useApi();
  const live = useLive({
    key: ["pools"],
    read: () => readAll(api.GET("/v1/pools")),
    everyMs: () => PERIOD_MS,
  });
  return (
    <Page title="Workers and pools" crumbs={[{ text: "Workers and pools", href: "/pools" }]}>
      <SpaceBetween size="l">
        {live.problem !== null && <ProblemAlert problem={live.problem} />}
        <Table
          variant="full-page"
          trackBy="pool"
          wrapLines
          items={live.data?.pools ?? []}
          columnDefinitions={COLUMNS}
          ariaLabels={{ tableLabel: "Pools" }}
          header={
            <Header
              variant="h1"
              description="Where runs are offered to workers outside; those that no worker serves come first."
              actions={<Button iconName="refresh" ariaLabel="Read again" onClick={live.refetch} />}
            >
              Workers and pools
            </Header>
          }
          footer={
            live.data?.is_partial === true && (
              <Box textAlign="center" color="text-body-secondary">
                The tenant has more jobs, workers or pauses than were read.
              </Box>
            )
          }
          empty={<Nothing live={live} />}
        />
        <SameByCommand cli="timegate pools list" api="GET /v1/pools" />
      </SpaceBetween>
    </Page>
  );
}

/** Says that there is no pool where that is known. */
function Nothing({ live: { data, problem } }: { live: LiveQuery<Schemas["PoolList"]> }) {
  if (data === undefined) {
    if (problem === null) return <Skeleton what="pools" />;
    return <Box color="text-body-secondary">They could not be read.</Box>;
  }
  return data.is_partial ? <Box color="text-body-secondary">None among those that were read.</Box> : <NoPool />;
}

function NoPool() {
  return (
    <SpaceBetween size="xs" alignItems="center">
      <Box variant="strong">No pool yet</Box>
      <Box variant="code">timegate jobs create --name report --now --pool reports --handler sales</Box>
      <Box color="text-body-secondary">offers the first run.</Box>
    </SpaceBetween>
  );
}

/** Says first that the pool is paused, or that no worker comes for what waits, and for how long. */
function Served({ pool }: { pool: Listed }) {
  if (pool.pause !== null) {
    return (
      <StatusIndicator type="stopped">
        Paused since <Instant at={pool.pause.since} relative />
      </StatusIndicator>
    );
  }
  if (pool.workers > 0) {
    return (
      <StatusIndicator type="success">
        {pool.workers === 1 ? "1 worker" : `${pool.workers} workers`}
      </StatusIndicator>
    );
  }
  const waits = pool.waiting === null || pool.waiting.count > 0;
  return (
    <StatusIndicator type={waits && pool.jobs > 0 ? "error" : "stopped"}>
      No worker{" "}
      {pool.last_seen_at === null ? (
        "in 90 days"
      ) : (
        <>
          since <Instant at={pool.last_seen_at} relative />
        </>
      )}
    </StatusIndicator>
  );
}

function waitingWords({ waiting }: Listed): string {
  if (waiting === null) {
    return "open the pool to count";
  }
  return `${waiting.count.toLocaleString("en")}${waiting.is_partial ? " or more" : ""}`;
}
