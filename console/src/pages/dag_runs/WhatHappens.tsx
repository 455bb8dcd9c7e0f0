import Alert from "@cloudscape-design/components/alert";
import Box from "@cloudscape-design/components/box";
import ExpandableSection from "@cloudscape-design/components/expandable-section";
import SpaceBetween from "@cloudscape-design/components/space-between";

import type { Consequences } from "./consequences";

/** So many names are shown before the rest is folded. */
const SHOWN = 12;

/** Shows before an action which tasks it touches. */
export function WhatHappens({ consequences }: { consequences: Consequences }) {
  const { refusal, newRound, runAgain, cancelled, decided, kept } = consequences;
  if (refusal !== null) {
    return <Alert type="warning">The API would refuse this. {refusal}</Alert>;
  }
  return (
    <SpaceBetween size="xs">
      <Box variant="h3">What will happen</Box>
      {newRound && <Box variant="p">Another round of the DAG run begins.</Box>}
      <Keys title="Decided at once" keys={decided} />
      <Keys title="Work is cancelled" keys={cancelled} />
      <Keys title="Run again, once their edges hold" keys={runAgain} />
      <Keys title="Keep their outcome" keys={kept} isFolded />
    </SpaceBetween>
  );
}

function Keys({ title, keys, isFolded }: { title: string; keys: string[]; isFolded?: boolean }) {
  if (keys.length === 0) {
    return null;
  }
  const text = `${title} (${keys.length})`;
  if (isFolded === true || keys.length > SHOWN) {
    return <ExpandableSection headerText={text}>{keys.join(", ")}</ExpandableSection>;
  }
  return (
    <div>
      <b>{text}:</b> {keys.join(", ")}
    </div>
  );
}
