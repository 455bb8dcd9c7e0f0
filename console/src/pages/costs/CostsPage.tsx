import Alert from "@cloudscape-design/components/alert";
import SegmentedControl from "@cloudscape-design/components/segmented-control";
import Select from "@cloudscape-design/components/select";
import SpaceBetween from "@cloudscape-design/components/space-between";

import { Page, useMay, useNow, useSearch } from "../../kit";
import { monthsUntil } from "./costWords";
import { StageCosts } from "./StageCosts";
import { TenantCosts } from "./TenantCosts";
import "../shared/tokens.css";

const MONTH = /^20\d\d-(0[1-9]|1[0-2])$/;

/** Shows what runs cost by month: by job, and for the stage's administration by tenant. */
export default function CostsPage() {
  const [search] = useSearch();
  const { allowed: administers } = useMay("admin");
  const [present = ""] = monthsUntil(useNow(60_000));
  const asked = search.get("month") ?? "";
  const month = MONTH.test(asked) ? asked : present;
  const named = search.get("tenant");
  const isStage = administers && search.get("of") === "stage";
  const tenant = administers && !isStage ? named : null;
  return (
    <Page
      title={tenant === null ? "Costs" : `Costs of ${tenant}`}
      crumbs={[{ text: "Costs", href: "/costs" }]}
      heading
      description="What runs cost, in US dollars by list price."
    >
      {named !== null && !administers && (
        <Alert type="info" header={`The stage's administration alone sees costs of ${named}`}>
          These are the costs of your own tenant.
        </Alert>
      )}
      <Chosen month={month} isStage={isStage} administers={administers} />
      {isStage ? <StageCosts month={month} /> : <TenantCosts tenant={tenant} month={month} />}
    </Page>
  );
}

/** Chooses the month, and whose costs are shown. */
function Chosen({ month, isStage, administers }: { month: string; isStage: boolean; administers: boolean }) {
  const [, setSearch] = useSearch();
  const offered = [...new Set([...monthsUntil(useNow(60_000)), month])].map((value) => ({ value, label: value }));
  return (
    <SpaceBetween direction="horizontal" size="m">
      <Select
        ariaLabel="Month, in UTC"
        options={offered}
        selectedOption={{ value: month, label: month }}
        onChange={({ detail }) => {
          setSearch({ month: detail.selectedOption.value ?? null });
        }}
      />
      {administers && (
        <SegmentedControl
          label="Whose costs"
          selectedId={isStage ? "stage" : "tenant"}
          options={[
            { id: "tenant", text: "One tenant" },
            { id: "stage", text: "All tenants" },
          ]}
          onChange={({ detail }) => {
            setSearch({ of: detail.selectedId === "stage" ? "stage" : null, tenant: null, job_id: null, limit: null });
          }}
        />
      )}
    </SpaceBetween>
  );
}
