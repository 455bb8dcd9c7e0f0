import Box from "@cloudscape-design/components/box";
import SpaceBetween from "@cloudscape-design/components/space-between";
import { lazy } from "react";

import { readAll, type Schemas, useApi, useKept, useNow, useSearch } from "../../kit";
import { ListingPage } from "../shared/listing/ListingPage";
import { command, request } from "../shared/quoting";
import { sinceInstant, sinceOf } from "../shared/Since";
import { useListing } from "../shared/listing/useListing";
import { FAILED_COLUMNS } from "./runColumns";
import { NoRuns, RunFilters } from "./FilteredRuns";
import { RunListActions } from "./RunListActions";
import { tagsRefusal } from "../shared/tagFilter";
import { FAILED_FIELDS, optionsOf, type RunQuery, runQueryOf } from "./runQuery";

const RedriveMatching = lazy(() => import("./RedriveMatching"));

/** The first page is read once a minute while the page is in sight: 60 requests an hour. */
const PERIOD_MS = 60_000;

export default function FailedRunsPage() {
  const [search] = useSearch();
  const now = useNow(PERIOD_MS);
  const since = sinceOf(search);
  const query = runQueryOf(search, sinceInstant(since, now));
  const api = useApi();
  const [selected, setSelected] = useKept<Schemas["NamedRun"][]>("chosen runs", []);
  const listing = useListing(
    ["failed-runs", search.toString()],
    (cursor, begun) =>
      readAll(
        api.GET("/v1/runs", {
          params: { query: { ...runQueryOf(search, sinceInstant(since, begun)), ...(cursor === null ? {} : { cursor }) } },
        }),
      ),
    PERIOD_MS,
  );
  const shown = new Map(listing.items.map((run) => [run.run_id, run]));
  return (
    <ListingPage
      title="Failed runs"
      path="/runs"
      description="Runs of all jobs that were to happen and did not succeed, the latest end first."
      what="failed runs"
      listing={listing}
      columns={FAILED_COLUMNS}
      trackBy="run_id"
      selected={selected}
      onSelect={setSelected}
      nameOf={(run) => `the run ${run.run_id}`}
      actions={
        <RunListActions
          kinds={["redrive"]}
          // A run may have been tried again since it was chosen: its next try is another one.
          selected={selected.map((run) => shown.get(run.run_id) ?? run)}
          matching={[
            {
              id: "redrive-matching",
              label: "Redrive all that match",
              refusal: redriveManyRefusal(listing.items.length === 0 && listing.readMore === null, query),
              ask: (onDismiss) => <RedriveMatching query={query} since={since} onDismiss={onDismiss} />,
            },
          ]}
          onRefresh={listing.refetch}
          onDone={() => {
            setSelected([]);
          }}
        />
      }
      filter={<RunFilters fields={FAILED_FIELDS} placeholder="Filter failed runs" />}
      empty={
        <NoRuns fields={FAILED_FIELDS} unmatched="No failed run matches">
          <SpaceBetween size="s" alignItems="center">
            <Box variant="strong">No run has failed in this time</Box>
            <Box color="text-body-secondary">
              Instants that became no run are in the ledger of their job.
            </Box>
          </SpaceBetween>
        </NoRuns>
      }
      cli={command("runs failed", optionsOf(query, since))}
      api={request("GET", "/v1/runs", query)}
    />
  );
}

function redriveManyRefusal(isNone: boolean, query: RunQuery): string | null {
  if (query.dag_run_id !== undefined) return "Tasks are rerun in their DAG run.";
  if (query.event_trigger !== undefined) return "Failed runs are not selected by event trigger. Choose them one by one.";
  return isNone ? "No run matches." : tagsRefusal(query.tag ?? []);
}
