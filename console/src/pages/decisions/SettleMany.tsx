import Alert from "@cloudscape-design/components/alert";
import Box from "@cloudscape-design/components/box";
import Checkbox from "@cloudscape-design/components/checkbox";

import { Live, readAll, Said, type Schemas, useAct, useApi, useGo, useKeptText, useLive, useRequestKey } from "../../kit";
import { ActionModal, NoteField } from "../shared/ActionModal";
import { command, request } from "../shared/quoting";

interface Props {
  kind: "redrive" | "discard";
  cause: { reason: string | null; code: string | null };
  from: string | null;
  onDone: () => void;
  onDismiss: () => void;
}

interface Found {
  count: number;
  isPartial: boolean;
  newest: Schemas["DeadLetterRow"][];
}

/** A dry run counts up to a thousand dead letters. */
const PAGES = 10;
const NEWEST = 5;

/** Redrives or discards every dead letter of a cause, after a dry run has counted them. */
export function SettleMany({ kind, cause, from, onDone, onDismiss }: Props) {
  const api = useApi();
  const go = useGo();
  const [note, setNote] = useKeptText(`${kind} ${cause.reason} ${cause.code}`, "");
  const [fresh, setFresh] = useKeptText(`${kind} ${cause.reason} ${cause.code} fresh`, false);
  const [key] = useRequestKey(`${kind} ${cause.reason} ${cause.code}`);
  const filter = filterOf(cause, from);
  const found = useLive({
    key: ["dead-letters", kind, JSON.stringify(filter)],
    read: () => countLetters(api, filter),
    everyMs: () => null,
  });
  const body = {
    filter,
    ...(note.trim() === "" ? {} : { note: note.trim() }),
    ...(kind === "redrive" && fresh ? { fresh } : {}),
  };
  const params = { header: { "Idempotency-Key": key } };
  const settle = useAct(
    () =>
      kind === "redrive"
        ? readAll(
            api.POST("/v1/dead-letters/redrive", { params, body: body as Schemas["RedriveMany"] }),
          )
        : readAll(
            api.POST("/v1/dead-letters/discard", { params, body: body as Schemas["DiscardMany"] }),
          ),
    (operation) => {
      onDone();
      go(`/operations/${operation.operation_id}`);
    },
  );
  const count = found.data?.count ?? 0;
  const many = `${found.data?.isPartial === true ? "at least " : ""}${count.toLocaleString("en")}`;
  return (
    <ActionModal
      title={kind === "redrive" ? "Redrive all of this cause?" : "Discard all of this cause?"}
      verb={kind === "redrive" ? `Redrive ${many}` : `Discard ${many}`}
      size="large"
      isRunning={settle.isRunning}
      isDisabled={count === 0}
      problem={settle.problem}
      onConfirm={settle.act}
      onDismiss={onDismiss}
      cli={command(`dead-letters ${kind}`, [
        ["--reason", cause.reason],
        ["--error-code", cause.code],
        ["--from", from],
        ["--fresh", kind === "redrive" && fresh],
        ["--note", note.trim()],
        ["--wait", true],
      ])}
      api={`${request("POST", `/v1/dead-letters/${kind}`)}\n\n${JSON.stringify(body, null, 2)}`}
    >
      <Live live={found}>{(letters) => <DryRun kind={kind} found={letters} many={many} />}</Live>
      {kind === "redrive" && (
        <Checkbox
          checked={fresh}
          description="Otherwise runs that left a checkpoint go on from it."
          onChange={({ detail }) => {
            setFresh(detail.checked);
          }}
        >
          Begin anew
        </Checkbox>
      )}
      <NoteField note={note} onChange={setNote} />
    </ActionModal>
  );
}

function DryRun({ kind, found, many }: { kind: Props["kind"]; found: Found; many: string }) {
  if (found.count === 0) {
    return <Alert type="info">No dead letter of this cause is left.</Alert>;
  }
  return (
    <div>
      <Box variant="p">
        As things are now, {many} {found.count === 1 ? "dead letter is" : "dead letters are"} meant.{" "}
        {kind === "redrive"
          ? "Each is tried again under its job as it is now, as one operation that can be watched and cancelled."
          : "Each rests, and is not tried again unless an operator redrives its run."}
      </Box>
      <ul>
        {found.newest.map((letter) => (
          <li key={letter.run_id}>
            <Box variant="code">{letter.run_id}</Box> <Said>{letter.error?.message ?? letter.explanation}</Said>
          </li>
        ))}
      </ul>
    </div>
  );
}

type Filter = Partial<Schemas["LetterSelection"]>;

function filterOf(cause: Props["cause"], from: string | null): Filter {
  const filter = {
    ...(cause.reason === null ? {} : { reason: cause.reason as Schemas["Reason"] }),
    ...(cause.code === null ? {} : { error_code: cause.code }),
    ...(from === null ? {} : { from }),
  };
  return Object.keys(filter).length === 0 ? { all: true } : filter;
}

async function countLetters(api: ReturnType<typeof useApi>, filter: Filter): Promise<Found> {
  const { reason, error_code, from } = filter;
  const newest: Schemas["DeadLetterRow"][] = [];
  let count = 0;
  let cursor: string | null = null;
  for (let page = 0; page < PAGES; page += 1) {
    const query = {
      limit: 100,
      ...(reason == null ? {} : { reason }),
      ...(error_code == null ? {} : { error_code }),
      ...(from == null ? {} : { from }),
      ...(cursor === null ? {} : { cursor }),
    };
    const answer: Schemas["DeadLetterPage"] = await readAll(
      api.GET("/v1/dead-letters", { params: { query } }),
    );
    count += answer.items.length;
    newest.push(...answer.items.slice(0, Math.max(0, NEWEST - newest.length)));
    cursor = answer.next_cursor;
    if (cursor === null) {
      break;
    }
  }
  return { count, isPartial: cursor !== null, newest };
}
