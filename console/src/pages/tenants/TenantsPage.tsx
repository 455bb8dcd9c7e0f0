import Alert from "@cloudscape-design/components/alert";
import Box from "@cloudscape-design/components/box";
import Header from "@cloudscape-design/components/header";
import SpaceBetween from "@cloudscape-design/components/space-between";

import {
  Instant,
  Page,
  ProblemAlert,
  readAll,
  RouteLink,
  SameByCommand,
  useApi,
  useMay,
} from "../../kit";
import { ListedTable } from "../shared/listing/ListedTable";
import { State } from "../shared/State";
import { useListing } from "../shared/listing/useListing";
import { writeQuota } from "./quotas";

/** 60 requests an hour while the page is in sight. */
const PERIOD_MS = 60_000;

export default function TenantsPage() {
  const may = useMay("admin");
  return (
    <Page title="Tenants" crumbs={[{ text: "Tenants", href: "/tenants" }]}>
      <SpaceBetween size="l">
        {may.allowed ? (
          <Tenants />
        ) : (
          <Alert type="info" header="The stage's administration alone sees this page">
            {may.why} Your own tenant is at{" "}
            <RouteLink to="/tenant">quotas and use</RouteLink>.
          </Alert>
        )}
        <SameByCommand cli="timegate tenants list" api="GET /v1/tenants" />
      </SpaceBetween>
    </Page>
  );
}

function Tenants() {
  const api = useApi();
  const listing = useListing(
    ["tenants"],
    (cursor) => readAll(api.GET("/v1/tenants", { params: { query: cursor === null ? {} : { cursor } } })),
    PERIOD_MS,
  );
  return (
    <SpaceBetween size="m">
      {listing.problem !== null && <ProblemAlert problem={listing.problem} />}
      <ListedTable
        variant="full-page"
        trackBy="tenant"
        wrapLines
        listing={listing}
        what="tenants"
        ariaLabels={{ tableLabel: "Tenants" }}
        header={
          <Header
            variant="h1"
            description="Tenants that something was set for. Others have the stage's quotas."
          >
            Tenants
          </Header>
        }
        empty={
          <Box color="text-body-secondary">
            Nothing was set for a tenant. Open one by its name: /tenants/NAME.
          </Box>
        }
        columnDefinitions={[
          {
            id: "tenant",
            header: "Tenant",
            isRowHeader: true,
            cell: (each) => (
              <RouteLink to={`/tenants/${encodeURIComponent(each.tenant)}`}>{each.tenant}</RouteLink>
            ),
          },
          { id: "name", header: "Name", cell: (each) => each.display_name || "–" },
          { id: "status", header: "Status", cell: (each) => <State state={each.status} /> },
          { id: "jobs", header: "Jobs", cell: (each) => writeQuota(each.effective_quotas.jobs) },
          {
            id: "runs",
            header: "Runs a day",
            cell: (each) => writeQuota(each.effective_quotas.runs_per_day),
          },
          {
            id: "keys",
            header: "API keys",
            cell: ({ tenant }) => (
              <RouteLink to={`/keys?tenant=${encodeURIComponent(tenant)}`} label={`API keys of ${tenant}`}>
                Keys
              </RouteLink>
            ),
          },
          {
            id: "changed",
            header: "Changed",
            cell: (each) => (each.updated_at === null ? "–" : <Instant at={each.updated_at} />),
          },
        ]}
      />
    </SpaceBetween>
  );
}
