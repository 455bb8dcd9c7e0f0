import Alert from "@cloudscape-design/components/alert";
import Button from "@cloudscape-design/components/button";

import type { ApiProblem } from "../../../kit";
import { labelOf } from "../contract";

/** Says which fields other callers changed while the form was open. */
export function Meanwhile({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <Alert type="warning" header={`Changed by another caller meanwhile: ${names.map(labelOf).join(", ")}`}>
      The form has these changes now, and yours: a field that both changed is as you typed it. Look at it before you save.
    </Alert>
  );
}

/** Offers to read a thing again of which another caller has made another version; what is typed stays. */
export function ReadAgain({ problem, onAgain }: { problem: ApiProblem | null; onAgain: () => void }) {
  if (problem?.problem.status !== 412) return null;
  return <Button onClick={onAgain}>Read it again and keep my changes</Button>;
}
