import Box from "@cloudscape-design/components/box";

import { Said, type Schemas } from "../../../kit";

/** Names the key whose slots a run takes, in a list of runs; one that takes its job's own has none. */
export function KeyOfSlots({ run }: { run: Pick<Schemas["RunRow"], "concurrency_key"> }) {
  if (run.concurrency_key === null) return null;
  return (
    <Box fontSize="body-s" color="text-body-secondary">
      key <Said>{run.concurrency_key}</Said>
    </Box>
  );
}
