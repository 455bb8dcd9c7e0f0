import Alert from "@cloudscape-design/components/alert";
import Box from "@cloudscape-design/components/box";

import { ApiProblem, isolated, Live, readAll, type Schemas, useAct, useApi, useGone, useKeptText, useLive, useRequestKey } from "../../kit";
import { ActionModal, NoteField } from "../shared/ActionModal";
import { Unreadable } from "../shared/listing/Unreadable";
import { unreadableOf } from "../shared/listing/unreadable";
import { command, request } from "../shared/quoting";

type Decision = Schemas["TaskDecision"]["decision"];
type Waiting = Schemas["WaitingApproval"];

interface Props {
  decision: Decision;
  group: Schemas["ApprovalGroup"];
  onDone: () => void;
  onDismiss: () => void;
}

interface Refused {
  waiting: Waiting;
  detail: string;
}

/** Approvals that one confirmation decides: each is a request of its own. */
const MOST = 100;
/** Statuses that refuse one decision, and say nothing of the others. */
const ONE_REFUSED: readonly number[] = [403, 404, 409];

/** Decides the approvals of a group, each in the round in which it was listed. */
export default function DecideMany({ decision, group, onDone, onDismiss }: Props) {
  const api = useApi();
  const [note, setNote] = useKeptText(`${decision} ${group.dag_id} ${group.task_key}`, "");
  const said = note.trim();
  // A decision whose answer was lost is made once, and is no refusal when it is asked for again.
  const [key] = useRequestKey(`${decision} ${group.dag_id} ${group.task_key}`);
  const isGone = useGone();
  const query = { dag_id: group.dag_id, task_key: group.task_key, limit: MOST };
  const found = useLive({
    key: ["approvals", decision, group.dag_id, group.task_key],
    read: () => readAll(api.GET("/v1/approvals", { params: { query } })),
    everyMs: () => null,
  });
  const rows = found.data?.items ?? [];
  const decide = useAct(
    async () => {
      const refused: Refused[] = [];
      for (const waiting of rows) {
        if (isGone.current) break;
        const refusal = await decideOne(api, decision, waiting, said, key);
        if (refusal !== null) refused.push({ waiting, detail: refusal });
      }
      // The page is read anew after it, and has fewer then.
      return { refused, decided: rows.length - refused.length };
    },
    ({ refused }) => {
      if (refused.length === 0) onDone();
    },
  );
  const verb = decision === "approve" ? "Approve" : "Reject";
  const body = { decision, round: 1, ...(said === "" ? {} : { note: said }) };
  const path = `/v1/dag-runs/{dag_run_id}/tasks/${group.task_key}/decide`;
  const outcome = decide.answer;
  return (
    <ActionModal
      title={`${verb} all of ${isolated(group.dag_name ?? group.dag_id)}, ${isolated(group.task_key)}?`}
      verb={`${verb} ${rows.length}`}
      size="large"
      isRunning={decide.isRunning}
      isDisabled={rows.length === 0 || outcome !== undefined}
      problem={decide.problem}
      onConfirm={decide.act}
      onDismiss={outcome === undefined ? onDismiss : onDone}
      cli={command(`dags ${decision}-all ${group.dag_id}`, [
        ["--task", group.task_key],
        ["--note", said],
      ])}
      api={`${request("GET", "/v1/approvals", query)}\n\n${request("POST", path)}\n\n${JSON.stringify(body, null, 2)}`}
    >
      <Live live={found}>
        {(page) => (
          <>
            <Meant page={page} decision={decision} />
            <Unreadable names={unreadableOf(page)} what="approvals" />
          </>
        )}
      </Live>
      {outcome !== undefined && outcome.refused.length > 0 && <RefusedOnes {...outcome} />}
      <NoteField note={note} onChange={setNote} />
    </ActionModal>
  );
}

function Meant({ page, decision }: { page: Schemas["ApprovalPage"]; decision: Decision }) {
  const count = page.items.length;
  if (count === 0) return <Alert type="info">No approval of this task waits any more.</Alert>;
  return (
    <Box variant="p">
      {count === 1 ? "One approval is" : `${count} approvals are`} meant
      {page.next_cursor === null ? "" : ", the latest of more"}.{" "}
      {decision === "approve"
        ? "Each task succeeds, and the tasks behind it begin."
        : "Each task fails, and what its edges say of a failure follows."}{" "}
      A decision cannot be taken back.
    </Box>
  );
}

interface Outcome {
  refused: readonly Refused[];
  decided: number;
}

function RefusedOnes({ refused, decided }: Outcome) {
  return (
    <Alert type="warning" header={`${decided} decided, ${refused.length} refused`}>
      <ul>
        {refused.map(({ waiting, detail }) => (
          <li key={waiting.dag_run_id}>
            <Box variant="code">{waiting.dag_run_id}</Box> {detail}
          </li>
        ))}
      </ul>
    </Alert>
  );
}

/** Decides one approval; returns why it was refused, or `null`. */
async function decideOne(
  api: ReturnType<typeof useApi>,
  decision: Decision,
  waiting: Waiting,
  note: string,
  key: string,
): Promise<string | null> {
  const body: Schemas["TaskDecision"] = {
    decision,
    round: waiting.round,
    note: note === "" ? null : note,
  };
  const header = { "Idempotency-Key": `${key}-${waiting.dag_run_id}` };
  const params = { path: { dag_run_id: waiting.dag_run_id, task_key: waiting.task_key }, header };
  try {
    await readAll(api.POST("/v1/dag-runs/{dag_run_id}/tasks/{task_key}/decide", { params, body }));
    return null;
  } catch (cause) {
    if (cause instanceof ApiProblem && ONE_REFUSED.includes(cause.problem.status)) {
      return cause.problem.detail;
    }
    throw cause;
  }
}
