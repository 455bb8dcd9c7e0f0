import Alert from "@cloudscape-design/components/alert";
import Box from "@cloudscape-design/components/box";
import SpaceBetween from "@cloudscape-design/components/space-between";

import type { ApiProblem } from "./problem";

/** Advice by the status of a refusal. */
const ADVICE: Record<number, string> = {
  401: "Sign in again.",
  403: "Ask an administrator of the stage for the role that it takes.",
  404: "It may have expired, or belong to another tenant.",
  409: "Another caller changed it meanwhile: read it again, then repeat.",
  412: "Another caller changed it meanwhile: read it again, then repeat.",
  429: "The tenant's rate is used up: wait a moment, then repeat.",
  503: "The page reads it again by itself. If it lasts, check the stack: timegate whoami.",
};

/** Shows a refusal: its code, the fields it names, the advice, and the id of the request. */
export function ProblemAlert({ problem }: { problem: ApiProblem }) {
  const { status, code, errors, request_id: request } = problem.problem;
  return (
    <Alert type="error" header={problem.message}>
      <SpaceBetween size="xxs">
        {errors.length > 0 && (
          <ul>
            {errors.map((each) => (
              <li key={`${each.field} ${each.code}`}>
                <code>{each.field}</code>: {each.detail}
              </li>
            ))}
          </ul>
        )}
        {ADVICE[status] !== undefined && <div>{ADVICE[status]}</div>}
        <Box fontSize="body-s" color="text-body-secondary">
          {code}
          {request === "" ? "" : ` · request ${request}`}
        </Box>
      </SpaceBetween>
    </Alert>
  );
}
