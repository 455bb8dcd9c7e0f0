import Alert from "@cloudscape-design/components/alert";
import SpaceBetween from "@cloudscape-design/components/space-between";

import { Page, RouteLink, useMay } from "../../kit";
import { StageHealth } from "../overview/StageHealth";
import { StageLanes } from "../overview/StageLanes";
import { HealthFacts } from "./HealthFacts";

/** Shows the stage's administration its health, what was looked at, and its alarms. */
export default function HealthPage() {
  const may = useMay("admin");
  return (
    <Page
      title="Health and alarms"
      crumbs={[{ text: "Health and alarms", href: "/health" }]}
      heading
      description="Ticks, audits, queues and alarms of the whole stage, looked at once a minute."
    >
      {may.allowed ? (
        <SpaceBetween size="l">
          <StageHealth />
          <HealthFacts />
          <StageLanes />
        </SpaceBetween>
      ) : (
        <Alert type="info" header="The stage's administration alone sees this page">
          {may.why} What fails of your own tenant is on the <RouteLink to="/">overview</RouteLink>.
        </Alert>
      )}
    </Page>
  );
}
