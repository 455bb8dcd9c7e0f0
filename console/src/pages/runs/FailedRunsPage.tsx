import Box from "@cloudscape-design/components/box";
import Button from "@cloudscape-design/components/button";
import SpaceBetween from "@cloudscape-design/components/space-between";
import type { TableProps } from "@cloudscape-design/components/table";

import {
  Instant,
  readAll,
  RouteLink,
  type Schemas,
  useApi,
  useNow,
  useSearch,
} from "../../kit";
import { type FilterField, Filters, filterValues } from "../shared/Filters";
import { ListingPage } from "../shared/ListingPage";
import { command, request } from "../shared/quoting";
import { Since, sinceInstant, sinceOf } from "../shared/Since";
import { State } from "../shared/State";
import { useListing } from "../shared/useListing";
import { writeDuration } from "../timeAxis";
import { REASONS } from "./reasons";

type NamedRun = Schemas["NamedRun"];

const STATES = ["failed", "timed_out", "cancelled", "dead_lettered", "skipped"] as const;

const FIELDS: readonly FilterField[] = [
  { name: "state", label: "State", values: STATES, many: true },
  { name: "reason", label: "Reason", values: REASONS },
  { name: "error_code", label: "Error code" },
  { name: "name", label: "Job name (nightly* begins so)" },
  { name: "job_id", label: "Job id" },
  { name: "tag", label: "Tag (key:value)", many: true },
  { name: "dag_run_id", label: "DAG run" },
];

/** The first page is read once a minute while the page is in sight: 60 requests an hour. */
const PERIOD_MS = 60_000;

const COLUMNS: TableProps.ColumnDefinition<NamedRun>[] = [
  {
    id: "job",
    header: "Job",
    isRowHeader: true,
    minWidth: 180,
    cell: (run) => (
      <RouteLink to={`/runs/${run.run_id}`}>{run.job_name ?? `${run.job_id} (gone)`}</RouteLink>
    ),
  },
  {
    id: "state",
    header: "State",
    minWidth: 190,
    cell: (run) => <State state={run.state} reason={run.reason} />,
  },
  {
    id: "error",
    header: "Error",
    minWidth: 220,
    cell: (run) =>
      run.error === null ? (
        run.explanation
      ) : (
        <>
          <b>{run.error.code}</b> {run.error.message}
        </>
      ),
  },
  {
    id: "ended",
    header: "Ended",
    minWidth: 150,
    cell: (run) => (run.ended_at === null ? "–" : <Instant at={run.ended_at} />),
  },
  { id: "due", header: "Instant", minWidth: 150, cell: (run) => <Instant at={run.scheduled_at} /> },
  { id: "attempt", header: "Attempts", cell: (run) => run.attempt },
  {
    id: "duration",
    header: "Duration",
    cell: (run) => (run.duration_ms === null ? "–" : writeDuration(run.duration_ms)),
  },
];

export default function FailedRunsPage() {
  const [search, setSearch] = useSearch();
  const now = useNow(PERIOD_MS);
  const since = sinceOf(search);
  const query = queryOf(search, sinceInstant(since, now));
  const api = useApi();
  const listing = useListing(
    ["failed-runs", search.toString()],
    (cursor) =>
      readAll(
        api.GET("/v1/runs", {
          params: { query: { ...query, ...(cursor === null ? {} : { cursor }) } },
        }),
      ),
    PERIOD_MS,
  );
  return (
    <ListingPage
      title="Failed runs"
      path="/runs"
      description="Runs of all jobs that were to happen and did not succeed, the latest end first."
      what="failed runs"
      listing={listing}
      columns={COLUMNS}
      trackBy="run_id"
      filter={
        <div className="tg-filters">
          <Filters fields={FIELDS} placeholder="Filter failed runs" />
          <Since />
        </div>
      }
      empty={
        <Nothing
          isFiltered={FIELDS.some(({ name }) => search.has(name))}
          onClear={() => {
            setSearch(Object.fromEntries(FIELDS.map(({ name }) => [name, null])));
          }}
        />
      }
      cli={command("runs failed", [
        ["--since", since === "all" ? null : since],
        ...FIELDS.flatMap(({ name }) =>
          filterValues(search, name).map((value) => [option(name), written(name, value)] as const),
        ),
      ])}
      api={request("GET", "/v1/runs", query)}
    />
  );
}

function option(name: string): string {
  return name === "job_id" ? "--job" : `--${name.replaceAll("_", "-").replace(/-id$/, "")}`;
}

/** The command line writes a tag as `key=value`. */
function written(name: string, value: string): string {
  return name === "tag" ? value.replace(":", "=") : value;
}

interface Query {
  state?: Schemas["RunState"][];
  reason?: Schemas["Reason"];
  error_code?: string;
  name?: string;
  job_id?: string;
  tag?: string[];
  dag_run_id?: string;
  from?: string;
}

function queryOf(search: URLSearchParams, from: string | null): Query {
  const one = (name: string): string | undefined => filterValues(search, name)[0];
  const given = {
    state: filterValues(search, "state") as Schemas["RunState"][],
    reason: one("reason") as Schemas["Reason"] | undefined,
    error_code: one("error_code"),
    name: one("name"),
    job_id: one("job_id"),
    tag: filterValues(search, "tag"),
    dag_run_id: one("dag_run_id"),
    from: from ?? undefined,
  };
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined && value.length > 0),
  );
}

function Nothing({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  return (
    <SpaceBetween size="s" alignItems="center">
      <Box variant="strong">{isFiltered ? "No failed run matches" : "No run has failed"}</Box>
      {isFiltered ? (
        <Button onClick={onClear}>Clear filters</Button>
      ) : (
        <Box color="text-body-secondary">
          Instants that became no run are in the ledger of their job.
        </Box>
      )}
    </SpaceBetween>
  );
}
