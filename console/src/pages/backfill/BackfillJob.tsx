import Box from "@cloudscape-design/components/box";

import {
  isolated,
  Live,
  present,
  readAll,
  type Schemas,
  Skeleton,
  useAct,
  useApi,
  useGo,
  useKeptText,
  useLive,
  useRepeated,
  useRequestKey,
} from "../../kit";
import { useSettled } from "../form/edits/useSettled";
import { ActionModal } from "../shared/ActionModal";
import { request } from "../shared/quoting";
import { type BackfillDraft, bodyOf, cliOf, firstBackfill, problemsOf } from "./backfillDraft";
import { BackfillFields } from "./BackfillFields";
import { DryRun } from "./DryRun";

type Preview = Schemas["BackfillPreview"];
type Answer = Schemas["BackfillAnswer"];

/** A dry run reads the ledger of the range: none is asked for a word that is half written. */
const SETTLES_MS = 500;

interface Props {
  job: Schemas["Job"];
  onClose: () => void;
}

/** Runs a job for instants of the past, after a dry run has counted them; its operation shows how far it came. */
export default function BackfillJob({ job, onClose }: Props) {
  const api = useApi();
  const go = useGo();
  const [now] = useRepeated("now of the backfill", () => present());
  const [draft, setDraft] = useKeptText("backfill", () => firstBackfill(now));
  // A repeated click is the same backfill, and another draft is another one.
  const [key, setKey] = useRequestKey("backfill");
  const problems = problemsOf(draft, now);
  const isGood = Object.keys(problems).length === 0;
  const isSettled = useSettled(draft, SETTLES_MS) === draft;
  const preview = usePreview(job, draft, isGood && isSettled);
  const params = { path: { job_id: job.job_id }, header: { "Idempotency-Key": key } };
  const begin = useAct(
    () => readAll(api.POST("/v1/jobs/{job_id}/backfill", { params, body: { ...bodyOf(draft), dry_run: false } })),
    (answer: Answer) => {
      onClose();
      if ("operation_id" in answer) go(`/operations/${answer.operation_id}`);
    },
  );
  const found = isGood && isSettled && preview.problem === null ? preview.data : undefined;
  const count = found === undefined ? 0 : found.new + found.reopened;
  return (
    <ActionModal
      title={`Backfill ${isolated(job.name)}?`}
      verb={count === 1 ? "Run it for 1 instant" : `Run it for ${count.toLocaleString("en")} instants`}
      size="large"
      isRunning={begin.isRunning}
      isDisabled={count === 0}
      problem={begin.problem}
      onConfirm={begin.act}
      onDismiss={onClose}
      cli={cliOf(job.job_id, draft)}
      api={`${request("POST", `/v1/jobs/${job.job_id}/backfill`)}\nIdempotency-Key: ${key}${isGood ? `\n\n${JSON.stringify(bodyOf(draft), null, 2)}` : ""}`}
    >
      <Box variant="p">
        Each instant that its present schedule names in the range gets its run, the oldest first. Runs have the payload and
        the policies of the job as it is now.
      </Box>
      <BackfillFields
        draft={draft}
        problems={problems}
        onChange={(changes) => {
          setKey(crypto.randomUUID());
          setDraft((was) => ({ ...was, ...changes }));
        }}
      />
      {isGood && !isSettled && <Skeleton what="what would run" lines={2} />}
      {isGood && isSettled && <Live live={preview}>{(read) => <DryRun found={read} />}</Live>}
    </ActionModal>
  );
}

function usePreview(job: Schemas["Job"], draft: BackfillDraft, isEnabled: boolean) {
  const api = useApi();
  const body = isEnabled ? { ...bodyOf(draft), dry_run: true } : null;
  return useLive<Preview>({
    key: ["backfill-preview", job.job_id, job.version, body],
    read: async () => {
      const params = { path: { job_id: job.job_id } };
      // A dry run answers with a preview: only a backfill that begins has an operation.
      return (await readAll(
        api.POST("/v1/jobs/{job_id}/backfill", { params, body: body as Schemas["BackfillRequest"] }),
      )) as Preview;
    },
    everyMs: () => null,
    isEnabled,
    isFresh: true,
  });
}
