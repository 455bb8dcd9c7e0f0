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
  RouteLink,
  SameByCommand,
  type Schemas,
  useApi,
  useLive,
  useMay,
  useRouteParam,
} from "../../kit";
import { command, request, shellWord } from "../shared/quoting";
import { State } from "../shared/State";
import { QUOTA_NAMES, type QuotaName, writeQuota } from "./quotas";
import { TenantActions } from "./TenantActions";

type Tenant = Schemas["Tenant"];

/** 60 requests an hour while the page is in sight. */
const PERIOD_MS = 60_000;

export default function TenantPage() {
  const name = useRouteParam("tenant");
  const may = useMay("admin");
  return (
    <Page
      title={`Tenant ${name}`}
      crumbs={[
        { text: "Tenants", href: "/tenants" },
        { text: name, href: `/tenants/${encodeURIComponent(name)}` },
      ]}
    >
      <SpaceBetween size="l">
        {may.allowed ? (
          <Administered name={name} />
        ) : (
          <Alert type="info" header="The stage's administration alone sees this page">
            {may.why}
          </Alert>
        )}
        <SameByCommand
          cli={command(`tenants show ${shellWord(name)}`)}
          api={request("GET", `/v1/tenants/${encodeURIComponent(name)}`)}
        />
      </SpaceBetween>
    </Page>
  );
}

function Administered({ name }: { name: string }) {
  const api = useApi();
  const live = useLive({
    key: ["tenant", name],
    read: () => readAll(api.GET("/v1/tenants/{tenant}", { params: { path: { tenant: name } } })),
    everyMs: () => PERIOD_MS,
  });
  return <Live live={live}>{(tenant) => <Shown tenant={tenant} onChange={live.refetch} />}</Live>;
}

function Shown({ tenant, onChange }: { tenant: Tenant; onChange: () => void }) {
  const names = Object.keys(QUOTA_NAMES) as QuotaName[];
  return (
    <SpaceBetween size="l">
      <Header
        variant="h1"
        description={tenant.display_name}
        actions={<TenantActions tenant={tenant} onDone={onChange} />}
      >
        {tenant.tenant} <State state={tenant.status} />
      </Header>
      {tenant.suspension !== null && (
        <Alert type="warning" header="Suspended">
          {tenant.suspension.reason === "" ? "No reason was given." : tenant.suspension.reason} Since{" "}
          <Instant at={tenant.suspension.since} />; the freeze {tenant.suspension.freeze_id} holds
          everything back.
        </Alert>
      )}
      <Container
        header={
          <Header variant="h2" description="A quota that was not set is the stage's own.">
            Quotas
          </Header>
        }
      >
        <KeyValuePairs
          columns={3}
          items={names.map((quota) => ({
            label: QUOTA_NAMES[quota],
            value: `${writeQuota(tenant.effective_quotas[quota])} (${
              tenant.quotas[quota] === null ? "the stage's" : "its own"
            })`,
          }))}
        />
      </Container>
      <SpaceBetween direction="horizontal" size="m">
        <RouteLink to={`/keys?tenant=${encodeURIComponent(tenant.tenant)}`}>Its API keys</RouteLink>
        <RouteLink to={`/costs?tenant=${encodeURIComponent(tenant.tenant)}`}>Its costs</RouteLink>
        <RouteLink to={`/audit?tenant=${encodeURIComponent(tenant.tenant)}`}>Its audit trail</RouteLink>
      </SpaceBetween>
    </SpaceBetween>
  );
}
