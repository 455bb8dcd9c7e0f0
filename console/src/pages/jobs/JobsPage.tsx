import Box from "@cloudscape-design/components/box";
import Header from "@cloudscape-design/components/header";
import SpaceBetween from "@cloudscape-design/components/space-between";
import type { TableProps } from "@cloudscape-design/components/table";

import {
  Instant,
  isolated,
  Page,
  ProblemAlert,
  readAll,
  RouteLink,
  SameByCommand,
  type Schemas,
  useApi,
  useGo,
  useKept,
  useMay,
  useSearch,
} from "../../kit";
import { ActionRow } from "../shared/ActionRow";
import { Filters } from "../shared/listing/Filters";
import { type FilterField, filterValues } from "../shared/listing/filterValues";
import { ListedTable } from "../shared/listing/ListedTable";
import { command, request } from "../shared/quoting";
import { State } from "../shared/State";
import { tagsRefusal } from "../shared/tagFilter";
import { useListing } from "../shared/listing/useListing";
import { BulkModal } from "./BulkModal";
import type { BulkKind } from "./countJobs";
import { scheduleInShort } from "./scheduleWords";
import { selectionOf } from "./selection";

type Job = Schemas["Job"];

const FIELDS: readonly FilterField[] = [
  { name: "name", label: "Name (nightly* begins so)" },
  { name: "status", label: "Status", values: ["active", "paused", "completed", "cancelled"] },
  {
    name: "kind",
    label: "Schedule",
    values: ["cron", "rate", "rrule", "union", "at", "delay", "immediate", "manual"],
  },
  { name: "priority", label: "Priority", values: ["critical", "high", "normal", "low"] },
  { name: "tag", label: "Tag (key:value)", many: true },
  { name: "last_outcome", label: "Last run", values: ["failed"] },
];
/** Operations choose jobs by what they are: an outcome changes while one works. */
const BY_OUTCOME = "Operations do not choose jobs by their last run. Take that filter away, or act on each job.";
const PAGE_SIZE = 50;
/** 60 requests an hour while the page is in sight. */
const PERIOD_MS = 60_000;

const COLUMNS: TableProps.ColumnDefinition<Job>[] = [
  {
    id: "name",
    header: "Name",
    isRowHeader: true,
    minWidth: 200,
    cell: (job) => <RouteLink to={`/jobs/${job.job_id}`}>{job.name}</RouteLink>,
  },
  { id: "status", header: "Status", minWidth: 130, cell: (job) => <JobState job={job} /> },
  { id: "schedule", header: "Schedule", minWidth: 200, cell: (job) => scheduleInShort(job.schedule) },
  {
    id: "next",
    header: "Next run",
    minWidth: 190,
    cell: (job) => (job.next_run_at === null ? "–" : <Instant at={job.next_run_at} />),
  },
  { id: "action", header: "Action", minWidth: 110, cell: (job) => job.action.type },
  { id: "priority", header: "Priority", minWidth: 110, cell: (job) => job.priority },
  {
    id: "tags",
    header: "Tags",
    minWidth: 200,
    cell: (job) =>
      Object.entries(job.tags).map(([key, value]) => (
        <div key={key} className="tg-word">
          {isolated(`${key}:${value}`)}
        </div>
      )),
  },
];

/** Lists the tenant's jobs, newest first, and changes many of them at once. */
export function JobsPage() {
  const api = useApi();
  const [search] = useSearch();
  const query = Object.fromEntries(
    FIELDS.map(({ name, many }) => {
      const values = filterValues(search, name);
      return [name, many === true ? values : (values[0] ?? null)];
    }).filter(([, value]) => value !== null && value?.length !== 0),
  ) as Record<string, string | string[]>;
  const listing = useListing<Job>(
    ["jobs", query],
    (cursor) =>
      readAll(
        api.GET("/v1/jobs", {
          params: { query: { ...query, limit: PAGE_SIZE, ...(cursor === null ? {} : { cursor }) } as never },
        }),
      ),
    PERIOD_MS,
  );
  return (
    <Page title="Jobs" crumbs={[{ text: "Jobs", href: "/jobs" }]}>
      {listing.problem !== null && <ProblemAlert problem={listing.problem} />}
      <ListedTable
        columnDefinitions={COLUMNS}
        trackBy="job_id"
        variant="full-page"
        stickyHeader
        wrapLines
        listing={listing}
        what="jobs"
        ariaLabels={{ tableLabel: "Jobs" }}
        header={
          <Header
            variant="awsui-h1-sticky"
            actions={<JobListActions query={query} />}
          >
            Jobs
          </Header>
        }
        filter={<Filters fields={FIELDS} placeholder="Filter jobs" count={listing.items.length} />}
        empty={<NoJobs isFiltered={Object.keys(query).length > 0} />}
      />
      <SameByCommand
        cli={command(
          "jobs list",
          Object.entries(query).flatMap(([name, value]) =>
            [value]
              .flat()
              .map((each) => [`--${name.replace("_", "-")}`, name === "tag" ? each.replace(":", "=") : each] as const),
          ),
        )}
        api={request("GET", "/v1/jobs", query)}
      />
    </Page>
  );
}

const BULK: readonly BulkKind[] = ["pause", "resume", "cancel"];

/** Buttons of the list; they know which question is open, so that no row is rendered anew for it. */
function JobListActions({ query }: { query: Record<string, string | string[]> }) {
  const go = useGo();
  const write = useMay("write").why;
  const operate = useMay("operate").why;
  const [bulk, setBulk] = useKept<BulkKind | null>("change many", null);
  const whyNot =
    operate ?? (query.last_outcome === undefined ? tagsRefusal([query.tag ?? []].flat()) : BY_OUTCOME);
  return (
    <>
      <ActionRow
        actions={[
          ...BULK.map((kind) => ({
            text: `${kind.slice(0, 1).toUpperCase()}${kind.slice(1)} all that match`,
            why: whyNot ?? (kind === "cancel" ? write : null),
            onClick: () => { setBulk(kind); },
          })),
          { text: "Create a job", why: write, onClick: () => { go("/jobs/new"); }, isPrimary: true },
        ]}
      />
      {bulk !== null && (
        <BulkModal
          kind={bulk}
          selection={selectionOf(query)}
          onDismiss={() => {
            setBulk(null);
          }}
        />
      )}
    </>
  );
}

function JobState({ job }: { job: Job }) {
  return <State state={job.status} reason={job.auto_pause === null ? null : job.auto_pause.reason} />;
}

function NoJobs({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <Box textAlign="center">No job matches the filter.</Box>;
  return (
    <Box textAlign="center">
      <SpaceBetween size="xs">
        <div>There are no jobs yet.</div>
        <div>
          Create one here, or in a terminal:{" "}
          <code>timegate jobs create --name hello --delay 3s --webhook https://example.com</code>
        </div>
      </SpaceBetween>
    </Box>
  );
}
