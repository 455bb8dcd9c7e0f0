import Container from "@cloudscape-design/components/container";
import Header from "@cloudscape-design/components/header";
import KeyValuePairs from "@cloudscape-design/components/key-value-pairs";
import SpaceBetween from "@cloudscape-design/components/space-between";
import Table from "@cloudscape-design/components/table";
import type { ReactNode } from "react";

import { Instant, type Schemas } from "../../kit";
import { useHealth } from "../overview/StageHealth";

type Health = Schemas["Health"];
type Shard = Health["shards"]["worst"][number];

const lagOf = (seconds: number | null): string => (seconds === null ? "–" : seconds.toLocaleString("en"));
const at = (instant: string | null): ReactNode => (instant === null ? "–" : <Instant at={instant} />);

/** Shows what the verdict was made of: shards, audits, and the shards that are the latest. */
export function HealthFacts() {
  const { data: health } = useHealth();
  if (health === undefined) return null;
  return (
    <SpaceBetween size="l">
      <Facts health={health} />
      {health.shards.worst.length > 0 && <Worst shards={health.shards.worst} />}
    </SpaceBetween>
  );
}

function Facts({ health: { shards, audit } }: { health: Health }) {
  const found =
    audit.found_at === null ? (
      "nothing"
    ) : (
      <>
        {audit.unaccounted.toLocaleString("en")} instants and {audit.lost.toLocaleString("en")} records,{" "}
        <Instant at={audit.found_at} />
      </>
    );
  return (
    <Container header={<Header variant="h2">Ticks and audits</Header>}>
      <KeyValuePairs
        columns={3}
        items={[
          { label: "Shards", value: `${shards.open.toLocaleString("en")} open, ${shards.in_use.toLocaleString("en")} in use` },
          { label: "Shards behind", value: shards.behind.toLocaleString("en") },
          { label: "Planner, worst (s behind)", value: lagOf(shards.planner_lag_seconds) },
          { label: "Sweeper, worst (s behind)", value: lagOf(shards.sweeper_lag_seconds) },
          { label: "Every shard is audited since", value: at(audit.oldest_at) },
          { label: "Instants compared", value: audit.instants.toLocaleString("en") },
          { label: "Found missing", value: found },
        ]}
      />
    </Container>
  );
}

function Worst({ shards }: { shards: readonly Shard[] }) {
  return (
    <Table
      items={shards}
      trackBy={({ shard }) => String(shard)}
      ariaLabels={{ tableLabel: "Latest shards" }}
      header={
        <Header variant="h2" description="Up to 20 shards, the latest first. Two to five minutes are normal.">
          Shards
        </Header>
      }
      columnDefinitions={[
        { id: "shard", header: "Shard", isRowHeader: true, cell: ({ shard }) => shard },
        { id: "planner", header: "Planner (s behind)", cell: ({ planner_lag_seconds: lag }) => lagOf(lag) },
        { id: "sweeper", header: "Sweeper (s behind)", cell: ({ sweeper_lag_seconds: lag }) => lagOf(lag) },
        { id: "audited", header: "Audited", minWidth: 150, cell: ({ audited_at: audited }) => at(audited) },
      ]}
    />
  );
}
