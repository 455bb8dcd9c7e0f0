import Alert from "@cloudscape-design/components/alert";
import Box from "@cloudscape-design/components/box";

import { Instant, type Schemas } from "../../kit";

/** Says which instants a backfill would run for as things are now. */
export function DryRun({ found }: { found: Schemas["BackfillPreview"] }) {
  const { instants, reopened, unchanged, first } = found;
  const count = found.new + reopened;
  const many = (number: number): string => number.toLocaleString("en");
  if (instants === 0) return <Alert type="info">Its schedule names no instant in the range.</Alert>;
  if (count === 0) {
    return <Alert type="info">Nothing is to be run: each of {many(instants)} instants has its run already.</Alert>;
  }
  return (
    <div>
      <Box variant="p">
        As things are now, {many(count)} of {many(instants)} instants are meant: {many(found.new)} without a run,{" "}
        {many(reopened)} to be tried again. {many(unchanged)} stay as they are. The operation shows how far it came, and is
        cancelled there.
      </Box>
      <ul aria-label="First instants">
        {first.map(({ instant, fate }) => (
          <li key={instant}>
            <Instant at={instant} both /> ({fate === "reopened" ? "tried again" : fate.replaceAll("_", " ")})
          </li>
        ))}
      </ul>
    </div>
  );
}
