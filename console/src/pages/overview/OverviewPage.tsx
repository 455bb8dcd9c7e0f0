import Alert from "@cloudscape-design/components/alert";
import Button from "@cloudscape-design/components/button";
import SpaceBetween from "@cloudscape-design/components/space-between";

import { Live, Page, readAll, SameByCommand, type Schemas, useApi, useGo, useLive, useMay } from "../../kit";
import { request } from "../shared/quoting";
import { Failing } from "./Failing";
import { Figures } from "./Figures";
import { Freezes } from "./Freezes";
import { HeatMap } from "./HeatMap";
import { LATE_NOW, LateNow } from "./LateNow";
import { StageHealth } from "./StageHealth";
import { StageLanes } from "./StageLanes";
import "../shared/tokens.css";
import "./overview.css";

type Overview = Schemas["Overview"];
/** 120 requests an hour while the page is in sight. */
const PERIOD_MS = 30_000;

const CLI = `timegate overview
timegate runs list --state waiting --state queued --late ${LATE_NOW.late_seconds}s --since 24h --limit ${LATE_NOW.limit}
timegate forecast`;
const API = `GET /v1/overview
${request("GET", "/v1/runs", LATE_NOW)}&from=A_DAY_AGO
GET /v1/forecast?days=7`;

/** Shows a tenant at one glance: what fails, what is held back, what will be due. */
export function OverviewPage() {
  const api = useApi();
  const administers = useMay("admin").allowed;
  const overview = useLive({
    key: ["overview"],
    read: () => readAll(api.GET("/v1/overview")),
    everyMs: () => PERIOD_MS,
  });
  return (
    <Page
      title="Overview"
      crumbs={[]}
      heading
      description={overview.data === undefined ? "" : `Tenant ${overview.data.tenant}, counted anew every 30 seconds.`}
    >
      <Live live={overview}>{(known) => <Shown overview={known} />}</Live>
      <LateNow />
      <HeatMap />
      {administers && (
        <SpaceBetween size="l">
          <StageHealth />
          <StageLanes />
        </SpaceBetween>
      )}
      <SameByCommand cli={CLI} api={API} />
    </Page>
  );
}

function Shown({ overview }: { overview: Overview }) {
  return (
    <SpaceBetween size="l">
      {overview.status === "suspended" && (
        <Alert type="warning" header="The tenant is suspended: nothing of it starts.">
          Ask the stage&apos;s administrator when it is resumed.
        </Alert>
      )}
      {overview.usage.jobs === 0 && <FirstJob />}
      <Figures overview={overview} />
      <Failing overview={overview} />
      {overview.freezes.length > 0 && <Freezes freezes={overview.freezes} />}
    </SpaceBetween>
  );
}

function FirstJob() {
  const go = useGo();
  return (
    <Alert
      type="info"
      header="No job may run yet."
      action={
        <Button
          onClick={() => {
            go("/jobs/new");
          }}
        >
          Create a job
        </Button>
      }
    >
      Create one here, or in a terminal: <code>timegate jobs create --name hello --delay 3s --webhook https://example.com</code>
    </Alert>
  );
}
