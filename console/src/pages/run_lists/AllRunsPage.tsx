import Alert from "@cloudscape-design/components/alert";
import Box from "@cloudscape-design/components/box";
import SpaceBetween from "@cloudscape-design/components/space-between";
import { lazy } from "react";

import { readAll, RouteLink, type Schemas, useApi, useKept, useNow, useSearch } from "../../kit";
import { ListingPage } from "../shared/listing/ListingPage";
import { command, request } from "../shared/quoting";
import { sinceInstant, sinceOf } from "../shared/Since";
import { useListing } from "../shared/listing/useListing";
import { ALL_COLUMNS } from "./runColumns";
import { NoRuns, RunFilters } from "./FilteredRuns";
import { RunListActions } from "./RunListActions";
import { ALL_FIELDS, optionsOf, pendingRefusal, runQueryOf } from "./runQuery";

const CancelMatching = lazy(() => import("./CancelMatching"));
const RescheduleMatching = lazy(() => import("./RescheduleMatching"));

type NamedRun = Schemas["NamedRun"];

/** The first page is read twice a minute while the page is in sight: 120 requests an hour. */
const PERIOD_MS = 30_000;

/** Lists runs of all jobs in every state, and acts on many of them. */
export default function AllRunsPage() {
  const [search] = useSearch();
  const now = useNow(PERIOD_MS);
  const since = sinceOf(search);
  const query = runQueryOf(search, sinceInstant(since, now));
  const api = useApi();
  const [selected, setSelected] = useKept<NamedRun[]>("chosen runs", []);
  const listing = useListing(
    ["all-runs", search.toString()],
    (cursor, begun) =>
      readAll(
        api.GET("/v1/runs", {
          params: { query: { ...runQueryOf(search, sinceInstant(since, begun)), which: "all", ...(cursor === null ? {} : { cursor }) } },
        }),
      ),
    PERIOD_MS,
  );
  const shown = new Map(listing.items.map((run) => [run.run_id, run]));
  return (
    <ListingPage
      title="All runs"
      path="/runs/all"
      description="Runs of all jobs in every state, the latest instant first."
      what="runs"
      listing={listing}
      columns={ALL_COLUMNS}
      trackBy="run_id"
      selected={selected}
      onSelect={setSelected}
      nameOf={(run) => `the run ${run.run_id}`}
      actions={
        <RunListActions
          kinds={["redrive", "cancel", "reschedule"]}
          // A run may have gone on since it was chosen.
          selected={selected.map((run) => shown.get(run.run_id) ?? run)}
          matching={[
            {
              id: "cancel-matching",
              label: "Cancel pending that match",
              refusal: pendingRefusal(query),
              ask: (onDismiss) => <CancelMatching query={query} since={since} onDismiss={onDismiss} />,
            },
            {
              id: "reschedule-matching",
              label: "Reschedule pending that match",
              refusal: pendingRefusal(query),
              ask: (onDismiss) => <RescheduleMatching query={query} since={since} onDismiss={onDismiss} />,
            },
          ]}
          onRefresh={listing.refetch}
          onDone={() => {
            setSelected([]);
          }}
        />
      }
      notice={<LeftOut page={listing.first} />}
      filter={<RunFilters fields={ALL_FIELDS} placeholder="Filter runs" />}
      empty={
        <NoRuns fields={ALL_FIELDS} unmatched="No run matches">
          <SpaceBetween size="xs" alignItems="center">
            <Box variant="strong">No run is listed</Box>
            <Box color="text-body-secondary">Let a job list all of its runs:</Box>
            <Box variant="code">timegate jobs update JOB_ID --list-runs all</Box>
          </SpaceBetween>
        </NoRuns>
      }
      cli={command("runs list", optionsOf(query, since))}
      api={request("GET", "/v1/runs", { which: "all", ...query })}
    />
  );
}

/** Says which runs the listing does not have, and how a job lists all of its runs. */
function LeftOut({ page }: { page: Pick<Schemas["TenantRunPage"], "complete" | "left_out"> | undefined }) {
  if (page === undefined || page.complete) return null;
  return (
    <Alert type="info" header="Runs may be missing here">
      {page.left_out} A job lists all of its runs with <Box variant="code">list_runs: all</Box> (the field{" "}
      <b>List runs</b> of its form), for one write unit a run; the tenant's setting <b>list_runs</b> is the default of
      new jobs. Failures of every job are in <RouteLink to="/runs">Failed runs</RouteLink>.
    </Alert>
  );
}
