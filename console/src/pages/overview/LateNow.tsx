import Box from "@cloudscape-design/components/box";
import Header from "@cloudscape-design/components/header";
import Table from "@cloudscape-design/components/table";

import { Instant, Live, present, readAll, RouteLink, Said, type Schemas, useApi, useLive } from "../../kit";
import { State } from "../shared/State";

/** 30 requests an hour while the page is in sight: each may look through 500 attempts. */
const PERIOD_MS = 120_000;
const SPAN_MS = 86_400_000;
const LATE_SECONDS = 60;
const SHOWN = 5;

/** Runs that are due for more than a minute, and have not begun. */
export const LATE_NOW = {
  which: "all" as const,
  state: ["waiting", "queued"] satisfies Schemas["RunState"][],
  late_seconds: LATE_SECONDS,
  limit: SHOWN,
};
const ALL = "/runs/all?state=waiting&state=queued&late_seconds=60";

/** Lists runs of the last day that should have begun, and says which the listing cannot have. */
export function LateNow() {
  const api = useApi();
  const live = useLive({
    key: ["late-now"],
    read: () => {
      const from = new Date(present() - SPAN_MS).toISOString();
      return readAll(api.GET("/v1/runs", { params: { query: { ...LATE_NOW, from } } }));
    },
    everyMs: () => PERIOD_MS,
  });
  return <Live live={live}>{(page) => <Late page={page} />}</Live>;
}

function Late({ page }: { page: Schemas["TenantRunPage"] }) {
  return (
    <Table
      items={page.items}
      trackBy="run_id"
      wrapLines
      ariaLabels={{ tableLabel: "Runs that are late now" }}
      header={
        <Header
          variant="h2"
          description="Due for more than a minute, and not begun; of the last 24 hours."
          actions={<RouteLink to={ALL}>All late runs</RouteLink>}
        >
          Late now
        </Header>
      }
      empty={
        <Box textAlign="center">
          {page.next_cursor === null
            ? "No run that is listed is late."
            : "None among the runs that were read: All late runs reads on."}
        </Box>
      }
      {...(page.left_out === null ? {} : { footer: <Box color="text-body-secondary">Not listed: {page.left_out}</Box> })}
      columnDefinitions={[
        {
          id: "job",
          minWidth: 160,
          header: "Job",
          isRowHeader: true,
          cell: (run) => <RouteLink to={`/runs/${run.run_id}`}>{run.job_name ?? run.job_id}</RouteLink>,
        },
        { id: "state", minWidth: 120, header: "State", cell: (run) => <State state={run.state} /> },
        { id: "due", minWidth: 120, header: "Due", cell: (run) => <Instant at={run.due_at} relative /> },
        { id: "why", minWidth: 220, header: "Explanation", cell: (run) => <Said>{run.explanation}</Said> },
      ]}
    />
  );
}
