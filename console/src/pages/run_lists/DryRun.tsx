import Alert from "@cloudscape-design/components/alert";
import Box from "@cloudscape-design/components/box";

import { Said } from "../../kit";
import type { Found } from "./countRuns";

interface Props {
  found: Found;
  none: string;
  effect: string;
}

/** Says which runs an action would meet as things are now. */
export function DryRun({ found, none, effect }: Props) {
  if (found.count === 0) {
    return <Alert type="info">{found.isPartial ? "None among the first thousand runs: there may be more." : none}</Alert>;
  }
  const many = `${found.isPartial ? "at least " : ""}${found.count.toLocaleString("en")}`;
  return (
    <div>
      <Box variant="p">
        As things are now, {many} {found.count === 1 ? "run is" : "runs are"} meant. {effect}
      </Box>
      <ul>
        {found.first.map((run) => (
          <li key={run.run_id} className="tg-said">
            <Box variant="code">{run.run_id}</Box> <Said>{run.job_name ?? ""}</Said>{" "}
            <Said>{run.error?.message ?? run.explanation}</Said>
          </li>
        ))}
      </ul>
    </div>
  );
}
