import Alert from "@cloudscape-design/components/alert";
import Box from "@cloudscape-design/components/box";
import Button from "@cloudscape-design/components/button";
import SpaceBetween from "@cloudscape-design/components/space-between";

import { readAll, RouteLink, type Schemas, useApi, useSearch } from "../../kit";
import { Filters } from "../shared/listing/Filters";
import { type FilterField, filterValues } from "../shared/listing/filterValues";
import { ListingPage } from "../shared/listing/ListingPage";
import { useListing } from "../shared/listing/useListing";
import { command, request } from "../shared/quoting";
import { COLUMNS } from "./archiveColumns";
import { DayField, dayOf } from "./DayField";
import "./archive.css";

type Archived = Schemas["ArchivedRunPage"];
type State = Schemas["RunState"];

const STATES: readonly State[] = ["cancelled", "dead_lettered", "failed", "skipped", "succeeded", "timed_out"];
const FIELDS: readonly FilterField[] = [
  { name: "job_id", label: "Job id" },
  { name: "state", label: "State", values: STATES },
];
const CRITERIA = ["from", "to", "job_id", "state"] as const;

/** Lists runs of the archive: those whose records have expired, and later ones as well. */
export default function ArchivedRunsPage() {
  const [search] = useSearch();
  const [from, to] = [dayOf(search, "from"), dayOf(search, "to")];
  const job_id = filterValues(search, "job_id")[0] ?? null;
  const state = STATES.find((each) => each === filterValues(search, "state")[0]) ?? null;
  const query = {
    ...(from === null ? {} : { from }),
    ...(to === null ? {} : { to }),
    ...(job_id === null ? {} : { job_id }),
    ...(state === null ? {} : { state }),
  };
  const api = useApi();
  // A page may have forty files read, and counts as ten requests: one is read when it is asked for.
  const listing = useListing<Schemas["RunRow"], Pick<Archived, "archived_until">>(
    ["archived-runs", JSON.stringify(query)],
    (cursor) =>
      readAll(
        api.GET("/v1/archive/runs", { params: { query: { ...query, ...(cursor === null ? {} : { cursor }) } } }),
      ),
    false,
    1,
  );
  return (
    <ListingPage
      title="Archived runs"
      path="/runs/archived"
      description="Runs by the day of their end in UTC, the latest day first. They stay when their records expire."
      what="archived runs"
      listing={listing}
      columns={COLUMNS}
      trackBy="run_id"
      notice={listing.first !== undefined && <Until until={listing.first.archived_until} />}
      filter={
        <div className="tg-archive-filters">
          <Filters fields={FIELDS} placeholder="Filter archived runs" />
          <DayField name="from" label="Ended on (UTC), or later" />
          <DayField name="to" label="Ended on (UTC), or earlier" />
        </div>
      }
      empty={<Nothing isFiltered={CRITERIA.some((name) => name in query)} />}
      cli={command("runs list", [
        ["--archived", true],
        ["--from", from === null ? null : `${from}T00:00:00Z`],
        ["--to", to === null ? null : `${to}T23:59:59Z`],
        ["--job", job_id],
        ["--state", state],
      ])}
      api={request("GET", "/v1/archive/runs", query)}
    />
  );
}

/** Says how far the archive is: a run is in it one to eight days after its end. */
function Until({ until }: { until: string | null }) {
  return (
    <Alert type="info">
      {until === null
        ? "Nothing is archived yet: the first round archives what ended until a day ago."
        : `All that ended before ${until} (UTC) is archived; later runs are in All runs and on their jobs' pages.`}{" "}
      A read counts as ten requests. <RouteLink to="/seals">Sealed months</RouteLink> are signed, and verified offline.
    </Alert>
  );
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  const [, setSearch] = useSearch();
  if (!isFiltered) {
    return (
      <SpaceBetween size="xs" alignItems="center">
        <Box variant="strong">No run is archived yet</Box>
        <Box color="text-body-secondary">Runs come here one to eight days after their end.</Box>
      </SpaceBetween>
    );
  }
  return (
    <SpaceBetween size="s" alignItems="center">
      <Box variant="strong">No archived run matches</Box>
      <Button
        onClick={() => {
          setSearch(Object.fromEntries(CRITERIA.map((name) => [name, null])));
        }}
      >
        Clear filters
      </Button>
    </SpaceBetween>
  );
}
