import Container from "@cloudscape-design/components/container";
import Header from "@cloudscape-design/components/header";
import KeyValuePairs from "@cloudscape-design/components/key-value-pairs";

import type { Schemas } from "../../kit";
import { attemptsOf, attemptWords, writeUsd } from "./costWords";

/** Shows a tenant's month in numbers, and the services that it was spent on. */
export function CostSummary({ whole }: { whole: Schemas["Costs"] }) {
  const services = Object.entries(whole.services).sort(([, a], [, b]) => b - a);
  const perMillion = whole.runs === 0 ? null : (whole.usd / whole.runs) * 1_000_000;
  return (
    <Container header={<Header variant="h2">The month</Header>}>
      <KeyValuePairs
        columns={3}
        items={[
          { label: "US dollars", value: writeUsd(whole.usd) },
          { label: "Runs", value: whole.runs.toLocaleString("en") },
          { label: "US dollars for a million runs", value: perMillion === null ? "–" : writeUsd(perMillion) },
          { label: `Attempts (${attemptsOf(whole).toLocaleString("en")})`, value: attemptWords(whole) },
          {
            label: "By service",
            value: services.map(([service, usd]) => `${service} ${writeUsd(usd)}`).join(", ") || "–",
          },
          {
            label: "Waited for targets (s)",
            value: whole.target_seconds.toLocaleString("en", { maximumFractionDigits: 0 }),
          },
        ]}
      />
    </Container>
  );
}
