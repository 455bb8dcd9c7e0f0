import Box from "@cloudscape-design/components/box";
import Header from "@cloudscape-design/components/header";
import SpaceBetween from "@cloudscape-design/components/space-between";
import Table from "@cloudscape-design/components/table";

import { Instant, Live, readAll, RouteLink, SameByCommand, type Schemas, useApi, useLive } from "../../kit";
import { Unreadable } from "../shared/listing/Unreadable";
import { unreadableOf } from "../shared/listing/unreadable";
import { command, request } from "../shared/quoting";
import { State } from "../shared/State";

type Trigger = Schemas["EventTrigger"];

interface Match {
  to: string;
  id: string;
  event: Schemas["MatchedEvent"] | null;
  at: string;
  state: string;
}

interface Found {
  matches: Match[];
  /** Earlier runs were not read. */
  isPartial: boolean;
  /** Ids of runs that cannot be read. */
  unreadable: string[];
}

/** 60 requests an hour while the page is in sight. */
const PERIOD_MS = 60_000;
/** A filtered page looks through a bounded number of runs, and shows the first of them. */
const READ = 100;
const SHOWN = 10;

/** Lists the latest runs that events started by a trigger. */
export function RecentMatches({ trigger: { name, starts } }: { trigger: Trigger }) {
  const api = useApi();
  const live = useLive({
    key: ["event-trigger", name, "matches"],
    read: () => readMatches(api, name, starts),
    everyMs: () => PERIOD_MS,
  });
  const query = { event_trigger: name, limit: READ };
  return (
    <SpaceBetween size="s">
      <Live live={live}>
        {(found) => (
          <>
            <Unreadable names={found.unreadable} what="runs" />
            <Matches found={found} />
          </>
        )}
      </Live>
      {starts.type === "dag_run" ? (
        <SameByCommand
          cli={command(`dags runs ${starts.dag_id}`, [["--event-trigger", name]])}
          api={request("GET", `/v1/dags/${starts.dag_id}/runs`, query)}
        />
      ) : (
        <SameByCommand
          cli={command(`runs list ${starts.job_id}`, [["--event-trigger", name]])}
          api={request("GET", "/v1/runs", { which: "all", job_id: starts.job_id, ...query })}
        />
      )}
    </SpaceBetween>
  );
}

async function readMatches(
  api: ReturnType<typeof useApi>,
  name: string,
  starts: Trigger["starts"],
): Promise<Found> {
  const query = { event_trigger: name, limit: READ };
  if (starts.type === "dag_run") {
    const path = { dag_id: starts.dag_id };
    const page = await readAll(api.GET("/v1/dags/{dag_id}/runs", { params: { path, query } }));
    const matches = page.items.map((run) => ({
      to: `/dag-runs/${run.dag_run_id}`,
      id: run.dag_run_id,
      event: run.matched_event,
      at: run.created_at,
      state: run.status,
    }));
    return foundOf(matches, page);
  }
  const of = { which: "all" as const, job_id: starts.job_id, ...query };
  const page = await readAll(api.GET("/v1/runs", { params: { query: of } }));
  const matches = page.items.map((run) => ({
    to: `/runs/${run.run_id}`,
    id: run.run_id,
    event: run.matched_event,
    at: run.scheduled_at,
    state: run.state,
  }));
  return foundOf(matches, page);
}

const foundOf = (matches: Match[], page: { next_cursor: string | null }): Found => ({
  matches: matches.slice(0, SHOWN),
  isPartial: page.next_cursor !== null,
  unreadable: unreadableOf(page),
});

function Matches({ found: { matches, isPartial } }: { found: Found }) {
  return (
    <Table
      trackBy="id"
      wrapLines
      items={matches}
      ariaLabels={{ tableLabel: "Recent matches" }}
      header={
        <Header variant="h2" description="The latest runs that events started by this trigger.">
          Recent matches
        </Header>
      }
      empty={
        <Box color="text-body-secondary">
          {isPartial
            ? "None among the latest runs: earlier ones are read by the command below, with --all."
            : "No run on record is of this trigger. Send an event that matches."}
        </Box>
      }
      columnDefinitions={[
        {
          id: "event",
          header: "Event",
          isRowHeader: true,
          minWidth: 150,
          cell: ({ event }) => event?.id ?? "–",
        },
        { id: "source", header: "Source", minWidth: 150, cell: ({ event }) => event?.source ?? "–" },
        { id: "at", header: "Started", minWidth: 150, cell: ({ at }) => <Instant at={at} /> },
        { id: "state", header: "State", minWidth: 130, cell: ({ state }) => <State state={state} /> },
        { id: "run", header: "Run", minWidth: 200, cell: ({ to, id }) => <RouteLink to={to}>{id}</RouteLink> },
      ]}
    />
  );
}
