import Alert from "@cloudscape-design/components/alert";
import Box from "@cloudscape-design/components/box";
import SpaceBetween from "@cloudscape-design/components/space-between";

import { Said } from "../words/Said";
import type { ApiProblem } from "./problem";
import { useCounted } from "./refusals";

const CHANGED = "Another caller changed it meanwhile: read it again, then repeat.";
const ROLE = "Ask an administrator of the stage for the role that it takes.";

const DAMAGED = "Tell the stage's operator, with the id of the request: it cannot be read until they have repaired it.";

/** Advice by the code of a refusal: one status has refusals of many kinds. */
const BY_CODE: Record<string, string> = {
  insufficient_role: ROLE,
  insufficient_scope: ROLE,
  not_an_approver: "Have one of its approvers decide it.",
  conflict: CHANGED,
  dag_changed: CHANGED,
  job_changed: CHANGED,
  tenant_changed: CHANGED,
  job_damaged: DAMAGED,
  run_damaged: DAMAGED,
  dag_run_damaged: DAMAGED,
  idempotency_conflict: "It was sent before with other contents, and may have been done: look for its effect, then open the question anew.",
  job_key_taken: "Choose another key.",
  quota_exceeded: "Delete or cancel what is not needed, or ask the stage's administration for a larger quota.",
  rate_exceeded: "The tenant's rate is used up: wait a moment, then repeat.",
};

/** Advice by the status of a refusal, where each of its kind has the same. */
const BY_STATUS: Record<number, string> = {
  401: "Sign in again.",
  404: "It may have expired, or belong to another tenant.",
  412: CHANGED,
  503: "The page reads it again by itself. If it lasts, check the stack: timegate whoami.",
};
/** Nothing that changes something is sent again by itself. */
const NOT_KNOWN = "It may have been done all the same: look for its effect, or press the button again.";

interface Props {
  problem: ApiProblem;
  /** It refused an action, and no reading. */
  isOfAction?: boolean;
}

/** Shows a refusal: its code, the fields it names, the advice, and the id of the request. */
export function ProblemAlert({ problem, isOfAction }: Props) {
  useCounted(isOfAction !== true);
  const { status, code, errors, request_id: request } = problem.problem;
  const known = Object.hasOwn(BY_CODE, code) ? BY_CODE[code] : undefined;
  const advice = known ?? (isOfAction === true && status >= 500 ? NOT_KNOWN : BY_STATUS[status]);
  // An alert of Cloudscape says nothing by itself to readers of a screen.
  return (
    <div role={isOfAction === true ? "alert" : "status"}>
      <Alert type="error" header={<Said>{problem.message}</Said>}>
        <SpaceBetween size="xxs">
          {errors.length > 0 && (
            <ul>
              {errors.map((each, index) => (
                <li key={index}>
                  <Said><code>{each.field}</code></Said>: <Said>{each.detail}</Said>
                </li>
              ))}
            </ul>
          )}
          {advice !== undefined && <div>{advice}</div>}
          <Box fontSize="body-s" color="text-body-secondary">
            {code}
            {request === "" ? "" : ` · request ${request}`}
          </Box>
        </SpaceBetween>
      </Alert>
    </div>
  );
}
