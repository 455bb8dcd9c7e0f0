import Box from "@cloudscape-design/components/box";
import Header from "@cloudscape-design/components/header";
import SpaceBetween from "@cloudscape-design/components/space-between";

import { ProblemAlert, readAll, RouteLink, SameByCommand, type Schemas, useApi } from "../../kit";
import { ListedTable } from "../shared/listing/ListedTable";
import { useListing } from "../shared/listing/useListing";
import { command, request } from "../shared/quoting";
import { Accuracy } from "./Accuracy";
import { attemptsOf, writeUsd } from "./costWords";
import { Share } from "./Share";

type TenantCost = Schemas["TenantCost"];

/** Shows the stage's administration what runs of each tenant cost in a month. */
export function StageCosts({ month }: { month: string }) {
  const api = useApi();
  const listing = useListing<TenantCost, Pick<Schemas["StageCost"], "metered_until">>(
    ["costs", "stage", month],
    (cursor) =>
      readAll(api.GET("/v1/stage/cost", { params: { query: { month, ...(cursor === null ? {} : { cursor }) } } })),
  );
  const isWhole = listing.readMore === null;
  const shown = listing.items.reduce((sum, { whole }) => sum + whole.usd, 0);
  // Pages come by name: which tenant is the dearest is known once all are there.
  const items = isWhole ? [...listing.items].sort((a, b) => b.whole.usd - a.whole.usd) : listing.items;
  return (
    <SpaceBetween size="l">
      {listing.problem !== null && <ProblemAlert problem={listing.problem} />}
      {listing.first !== undefined && <Accuracy month={month} until={listing.first.metered_until} />}
      <ListedTable
        listing={{ ...listing, items }}
        what="tenants"
        trackBy="tenant"
        wrapLines
        ariaLabels={{ tableLabel: "Costs by tenant" }}
        header={
          <Header
            variant="h2"
            description={
              isWhole
                ? `The dearest first. Together ${writeUsd(shown)} US dollars: what runs cost the stage.`
                : "By name: read on for the others. Shares are those of the tenants shown."
            }
          >
            By tenant
          </Header>
        }
        empty={<Box color="text-body-secondary">No run of this month has been counted.</Box>}
        columnDefinitions={[
          { id: "tenant", header: "Tenant", isRowHeader: true, minWidth: 160, cell: ({ tenant }) => (
              <RouteLink to={`/costs?month=${month}&tenant=${encodeURIComponent(tenant)}`}>{tenant}</RouteLink>
            ) },
          { id: "usd", header: "US dollars", minWidth: 220, cell: ({ whole }) => <Share usd={whole.usd} whole={shown} /> },
          { id: "runs", header: "Runs", minWidth: 100, cell: ({ whole }) => whole.runs.toLocaleString("en") },
          { id: "attempts", header: "Attempts", minWidth: 100, cell: ({ whole }) => attemptsOf(whole).toLocaleString("en") },
          { id: "once", header: "Of one-shots", minWidth: 110, cell: ({ one_shots: once }) => writeUsd(once.usd) },
          { id: "tasks", header: "Of DAG tasks", minWidth: 110, cell: ({ dag_tasks: tasks }) => writeUsd(tasks.usd) },
        ]}
      />
      <SameByCommand
        cli={command("cost report --stage", [["--month", month]])}
        api={request("GET", "/v1/stage/cost", { month })}
      />
    </SpaceBetween>
  );
}
