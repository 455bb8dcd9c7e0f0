import Alert from "@cloudscape-design/components/alert";
import Container from "@cloudscape-design/components/container";
import Header from "@cloudscape-design/components/header";
import KeyValuePairs from "@cloudscape-design/components/key-value-pairs";
import SpaceBetween from "@cloudscape-design/components/space-between";

import {
  Instant,
  Live,
  Page,
  readAll,
  SameByCommand,
  type Schemas,
  useApi,
  useLive,
} from "../../kit";
import { State } from "../shared/State";
import { QuotaBars } from "./QuotaBars";

type OwnTenant = Schemas["OwnTenant"];

/** Use is read once a minute while the page is in sight: 60 requests an hour. */
const PERIOD_MS = 60_000;

export default function OwnTenantPage() {
  const api = useApi();
  const live = useLive({
    key: ["tenant"],
    read: () => readAll(api.GET("/v1/tenant")),
    everyMs: () => PERIOD_MS,
  });
  return (
    <Page title="Tenant" crumbs={[{ text: "Tenant", href: "/tenant" }]}>
      <SpaceBetween size="l">
        <Live live={live}>{(tenant) => <Shown tenant={tenant} />}</Live>
        <SameByCommand cli="timegate whoami" api="GET /v1/tenant" />
      </SpaceBetween>
    </Page>
  );
}

function Shown({ tenant }: { tenant: OwnTenant }) {
  return (
    <SpaceBetween size="l">
      <Header variant="h1" description="The tenant of your token, and what it may use.">
        {tenant.display_name === "" ? tenant.tenant : tenant.display_name}{" "}
        <State state={tenant.status} />
      </Header>
      {tenant.suspension !== null && (
        <Alert type="warning" header="The stage suspended this tenant">
          {tenant.suspension.reason === "" ? "No reason was given." : tenant.suspension.reason}{" "}
          Nothing of it starts since <Instant at={tenant.suspension.since} />, and it changes nothing
          until the stage resumes it.
        </Alert>
      )}
      <Container header={<Header variant="h2">Quotas and use</Header>}>
        <QuotaBars quotas={tenant.effective_quotas} usage={tenant.usage} />
      </Container>
      <Container header={<Header variant="h2">You</Header>}>
        <KeyValuePairs
          columns={3}
          items={[
            { label: "Tenant", value: tenant.tenant },
            { label: "Caller", value: tenant.caller },
            { label: "Scopes", value: tenant.scopes.join(", ") },
            { label: "Targets in", value: tenant.target_regions.join(", ") },
          ]}
        />
      </Container>
    </SpaceBetween>
  );
}
