import ColumnLayout from "@cloudscape-design/components/column-layout";
import Container from "@cloudscape-design/components/container";
import Header from "@cloudscape-design/components/header";

import { Live, Page, readAll, RouteLink, SameByCommand, type Schemas, useApi, useLive } from "../../kit";

type Own = Schemas["OwnTenant"];
/** 120 requests an hour while the page is in sight. */
const PERIOD_MS = 30_000;

/** Shows a tenant at one glance. */
export function OverviewPage() {
  const api = useApi();
  const own = useLive({
    key: ["own-tenant"],
    read: () => readAll(api.GET("/v1/tenant")),
    everyMs: () => PERIOD_MS,
  });
  return (
    <Page title="Overview" crumbs={[]} heading>
      <Live live={own}>{(tenant) => <Use tenant={tenant} />}</Live>
      <SameByCommand cli="timegate whoami" api="GET /v1/tenant" />
    </Page>
  );
}

function Use({ tenant }: { tenant: Own }) {
  const { usage, effective_quotas: quotas } = tenant;
  return (
    <Container header={<Header variant="h2">Use of the tenant {tenant.tenant}</Header>}>
      <ColumnLayout columns={3} variant="text-grid">
        <Number label="Jobs that may run" used={usage.jobs} most={quotas.jobs} />
        <Number label="DAGs" used={usage.dags} most={quotas.dags} />
        <Number label="Runs of this day" used={usage.runs_per_day} most={quotas.runs_per_day} />
      </ColumnLayout>
      <RouteLink to="/jobs">Open the jobs</RouteLink>
    </Container>
  );
}

function Number({ label, used, most }: { label: string; used: number | null; most: number | null }) {
  return (
    <div>
      <div>{label}</div>
      <strong>{used === null ? "not counted" : used.toLocaleString("en")}</strong>
      {most === null ? "" : ` of ${most.toLocaleString("en")}`}
    </div>
  );
}
